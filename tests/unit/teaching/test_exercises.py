"""Every exercise's answer is a number of its room put into a class, on streets where the right one differs.

The numbers themselves are held against computations of their own where they are made.
"""

import numpy as np
import pytest

from rtp import PRESETS, Scenario, simulate
from rtp.attack.success import attack
from rtp.leakage.detection import detect
from rtp.leakage.moment import moment_leakage
from rtp.leakage.overview import HIDDEN, VISIBLE
from rtp.scenario import BOUNDS
from rtp.teaching.exercises import (
    IS_A_HOLIDAY_HIDDEN,
    LESS_NOISE,
    WHAT_A_MOMENT_LOSES,
    WHAT_DATA_IS_WORTH,
    WHAT_EPSILON_DOES,
    WHAT_NOISE_TAKES,
    WHO_IS_DROPPED,
    WHO_IS_PROTECTED,
    nearest_mark,
    ratio_of,
    tenth_of_budget,
)
from rtp.teaching.stage import with_group_away

CERTAIN = with_group_away(Scenario(households=30), 0, range(4))  # nobody is ever at home


def expected(scenario: Scenario) -> dict[str, float]:
    """The expected error of every mechanism."""
    return {name: release.expected_error for name, release in simulate(scenario).release.items()}


@pytest.mark.parametrize(("scenario", "option"), [(Scenario(households=30), 2), (CERTAIN, 0)])
def test_what_epsilon_does(scenario: Scenario, option: int) -> None:
    """Noise is ten times as wide at a tenth of ε, and none stays none."""
    assert WHAT_EPSILON_DOES.answer(scenario, None).option == option


@pytest.mark.parametrize(("preset", "option"), [("paper", 0), ("quiet night", 1), ("mansions", 2)])
def test_who_is_dropped(preset: str, option: int) -> None:
    scenario = PRESETS[preset].replace(households=100)
    errors = expected(scenario)
    smaller = 1 - errors["blowfish"] / errors["naive"]
    assert option == sum(smaller >= limit for limit in (0.05, 1 / 3, 2 / 3))
    assert WHO_IS_DROPPED.answer(scenario, None).option == option


@pytest.mark.parametrize(("preset", "option"), [("quiet night", 0), ("mansions", 1), ("paper", 2)])
@pytest.mark.parametrize("minutes", [15, 60])
def test_who_is_protected_at_night(preset: str, option: int, minutes: int) -> None:
    scenario = PRESETS[preset].replace(households=100, step_minutes=minutes)
    count = simulate(scenario).release["blowfish"].protected[3 * 60 // minutes]
    assert option == int(count > 0) + int(count == 100)
    assert WHO_IS_PROTECTED.answer(scenario, None).option == option


@pytest.mark.parametrize(("epsilon", "option"), [(5.0, 1), (1.5, 2), (0.05, 3)])
def test_the_same_promise_with_less_noise(epsilon: float, option: int) -> None:
    scenario = Scenario(households=60, epsilon=epsilon)
    errors, parts = expected(scenario), (1, 2 / 3, 1 / 2, 1 / 5)
    best = min(errors[name] for name in ("naive", "blowfish", "calibrated", "filtered"))
    assert min(parts, key=lambda part: abs(np.log(best / errors["blowfish"] / part))) == parts[option]
    assert LESS_NOISE.answer(scenario, None).option == option


def test_who_breaks_the_promise_does_not_compete() -> None:
    """Where a chance of 0.4 is negligible, threshold noise guards few houses and errs less than all."""
    scenario = Scenario(households=60, epsilon=1.5, negligible=0.4)
    assert expected(scenario)["threshold"] < expected(scenario)["filtered"]
    assert LESS_NOISE.answer(scenario, None).option == 2


@pytest.mark.parametrize(("epsilon", "option"), [(5.0, 0), (0.05, 2)])
def test_what_the_data_is_worth(epsilon: float, option: int) -> None:
    scenario = Scenario(households=60, epsilon=epsilon)
    assert (expected(scenario)["forecast"] < expected(scenario)["blowfish"]) == (option == 2)
    assert WHAT_DATA_IS_WORTH.answer(scenario, None).option == option


@pytest.mark.parametrize(
    ("scenario", "option"),
    [(Scenario(households=100), 2), (Scenario(households=100, epsilon=200.0), 0), (CERTAIN, 0)],
)
def test_what_the_noise_takes_from_an_insider(scenario: Scenario, option: int) -> None:
    """Of what she gains over the habits; where habits tell all there is nothing to take."""
    found = attack(scenario, 3, mechanisms=["optimal", "blowfish"], adversary="insider")
    bare, private = (found.scores[name].accuracy.value for name in ("optimal", "blowfish"))
    gain, taken = bare - found.model.accuracy.value, bare - private
    assert option == sum(bool(gain > 0 and taken >= limit * gain) for limit in (0.25, 0.75))
    assert WHAT_NOISE_TAKES.answer(scenario, None).option == option


@pytest.mark.slow
@pytest.mark.parametrize(("preset", "option"), [("restless houses", 0), ("paper", 1), ("steady houses", 2)])
def test_what_all_rates_tell_about_a_moment(preset: str, option: int) -> None:
    scenario = PRESETS[preset].replace(households=60, epsilon=0.05)
    worst = moment_leakage(simulate(scenario), "blowfish").worst
    whole = scenario.epsilon * scenario.steps
    assert option == (worst > scenario.epsilon) + (worst >= whole / 3) + (worst > whole)
    assert WHAT_A_MOMENT_LOSES.answer(scenario, None).option == option


@pytest.mark.slow
@pytest.mark.parametrize(("epsilon", "option"), [(0.01, 0), (0.15, 1), (1.0, 2)])
def test_whether_a_holiday_is_hidden(epsilon: float, option: int) -> None:
    """From an insider; among so many houses an outsider sees less, and has another answer."""
    scenario = Scenario(households=400, epsilon=epsilon)
    area = detect(scenario, "blowfish", "holiday", 7, "insider", repetitions=250).area.value[-1]
    assert option == int(area > HIDDEN) + int(area >= VISIBLE)
    assert IS_A_HOLIDAY_HIDDEN.answer(scenario, None).option == option


def test_the_holiday_reports_progress_and_can_be_stopped() -> None:
    told: list[float] = []

    class Enough(Exception):
        pass

    def stop(done: float) -> None:
        told.append(done)
        if done > 0.1:
            raise Enough

    with pytest.raises(Enough):
        IS_A_HOLIDAY_HIDDEN.answer(Scenario(households=20), stop)
    assert told == pytest.approx([1 / 14, 2 / 14]), "a week for an insider, a week for an outsider"


def test_marks_limits_and_nothing_compared_with_nothing() -> None:
    assert [nearest_mark(x, (1.0, 10.0)) for x in (0.0, 3.0, 3.3, 50.0)] == [0, 0, 1, 1]
    assert ratio_of(0.0, 0.0) == 1.0
    assert tenth_of_budget(Scenario(epsilon=0.5)) == 0.05
    assert tenth_of_budget(Scenario(epsilon=BOUNDS["epsilon"].low)) == BOUNDS["epsilon"].low
