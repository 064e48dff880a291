"""Secrets that last, and how well they are told, on so few numbers that all is worked out by hand."""

from collections.abc import Callable

import numpy as np
import pytest

from rtp import Scenario, ScenarioError
from rtp.core.stats import Range
from rtp.core.types import Floats
from rtp.leakage.detection import (
    _largest_below,
    detect,
    detect_daily,
    epsilon_for_detection,
    roc_area,
    roc_estimates,
)
from rtp.leakage.hypothesis import HYPOTHESES, never_changes, one_row_per_step, watch_house
from rtp.leakage.overview import overview
from rtp.mechanisms import REGISTRY, private
from rtp.simulation import draw_day, market
from tests.help.sentence import exactly

FEW = Scenario(households=4, step_minutes=60)


@pytest.mark.parametrize(
    ("name", "label", "words", "hours"),
    [
        ("holiday", "A holiday", "empty all along, day and night", range(24)),
        ("working hours", "Nobody home 9–17", "empty from 09:00 to 17:00 every day", range(9, 17)),
        ("up at night", "Up at night", "up from 23:00 to 07:00 every night", [*range(7), 23]),
    ],
)
@pytest.mark.parametrize("steps_per_day", [24, 96])
def test_a_secret_has_its_hours(
    name: str, label: str, words: str, hours: range | list[int], steps_per_day: int
) -> None:
    secret = HYPOTHESES[name]
    assert (secret.label, secret.words, secret.occupied) == (label, words, name == "up at night")
    found = np.flatnonzero(secret.hours(2 * steps_per_day, steps_per_day)).tolist()
    assert found == [
        step for step in range(2 * steps_per_day) if step % steps_per_day * 24 // steps_per_day in hours
    ]


@pytest.mark.parametrize(
    ("name", "initial", "leave", "arrive"),
    [
        ("holiday", 0.0, [1, 1, 1], [0, 0, 0]),
        ("working hours", 0.6, [0.1, 1, 0.3], [0.4, 0, 0.2]),
        ("up at night", 1.0, [0.1, 0.2, 0], [0.4, 0.3, 1]),
    ],
)
def test_a_house_keeps_its_habits_but_for_the_hours_of_the_secret(
    name: str, initial: float, leave: list[float], arrive: list[float]
) -> None:
    """Three steps a day, at 00:00, 08:00 and 16:00, and the first of the next."""
    moves = np.array([[0.1], [0.2], [0.3]]), np.array([[0.4], [0.3], [0.2]])
    found = HYPOTHESES[name].condition(one_row_per_step(np.array([0.6]), *moves), 3)
    assert found.initial.tolist() == [initial]
    assert (found.leave[:, 0].tolist(), found.arrive[:, 0].tolist()) == (leave, arrive)


def test_a_house_that_never_changes_stays_where_it_begins() -> None:
    house = one_row_per_step(np.array([0.6]), np.full((3, 1), 0.5), np.full((3, 1), 0.5))
    for occupied in (False, True):
        still = never_changes(house, occupied)
        assert (still.initial.tolist(), still.steps) == ([float(occupied)], 4)
        assert (still.leave.tolist(), still.arrive.tolist()) == ([[0.0]] * 3, [[0.0]] * 3)


def test_a_watched_house_lives_in_two_ways() -> None:
    watched = watch_house(market(FEW, draw_day(FEW)), 2, HYPOTHESES["holiday"])
    leave, arrive = watched.transitions()
    assert watched.initial().tolist() == [float(watched.ordinary.initial[0]), 0.0]
    assert leave.shape == arrive.shape == (24, 2)
    assert leave[:-1, 0].tolist() == watched.ordinary.leave[watched.ordinary.row, 0].tolist()
    assert arrive[:-1, 0].tolist() == watched.ordinary.arrive[watched.ordinary.row, 0].tolist()
    assert (leave[:-1, 1] == 1).all()
    assert (arrive[:, 1] == 0).all()
    assert (leave[-1].tolist(), arrive[-1].tolist()) == ([0.0, 0.0], [0.0, 0.0])


def test_what_each_house_takes_away_from_a_street_adds_up_to_it() -> None:
    context = market(FEW, draw_day(FEW))
    street = context.street_day.true_moments
    others = [watch_house(context, house, HYPOTHESES["holiday"]).others for house in range(FEW.households)]
    for name in ("occupancy_variance", "lag1_covariance", "consumption_variance"):
        whole = getattr(street, name)
        parts = [whole - getattr(rest, name) for rest in others]
        steps = slice(-1 if name == "lag1_covariance" else None)  # after the last step nothing follows
        np.testing.assert_allclose(np.sum(parts, axis=0)[:, steps], whole[:, steps], rtol=1e-9)


def test_without_its_only_house_nothing_is_left_of_a_street() -> None:
    alone = FEW.replace(households=1)
    others = watch_house(market(alone, draw_day(alone)), 0, HYPOTHESES["holiday"]).others
    assert not others.occupancy_variance.any()
    assert not others.consumption_variance.any()


@pytest.mark.parametrize(
    ("scores", "area", "hits"),
    [
        ([np.arange(40), np.arange(40) + 40], 1.0, 1.0),
        ([np.arange(40) + 40, np.arange(40)], 0.0, 0.0),
        ([np.zeros(40), np.zeros(40)], 0.5, 0.05),
        ([np.repeat([0.0, 1.0], 20), np.tile([1.0, 2.0], 20)], 0.875, 0.55),
    ],
)
def test_areas_and_hits_of_forty_scores(scores: list[Floats], area: float, hits: float) -> None:
    """In the last, half of the secret days are above all ordinary ones, the others as high as half of those:
    5 % of false alarms take a tenth of them."""
    found = roc_estimates(np.array(scores, dtype=float))
    assert [float(each.value) for each in found] == pytest.approx([area, hits], abs=1e-12)
    ends = found[0]
    assert roc_area(np.array(scores, dtype=float)) == (float(ends.value), float(ends.low), float(ends.high))


def test_the_largest_budget_is_found_by_halving_its_logarithm() -> None:
    """Areas that grow with ln ε and are 0.7 at ε = 1: eleven halvings of ln 10⁸ leave a per cent."""
    asked: list[float] = []

    def area_at(epsilon: float) -> Range:
        asked.append(epsilon)
        area = 0.7 + np.log(epsilon) / 100
        return Range(area, area - 0.1, area + 0.1)

    epsilon, reached = _largest_below(area_at, 0.75)
    assert epsilon is not None
    assert epsilon <= np.exp(5) < epsilon * 10 ** (8 / 2**11)
    assert reached == area_at(epsilon)
    assert asked[:3] == pytest.approx([1e-4, 1e4, 1.0])
    assert len(asked) == 2 + 11 + 1
    at_once = Range(0.6, 0.5, 0.7)
    assert _largest_below(lambda _: at_once, 0.6) == (1e4, at_once)  # as much as is allowed is not more


def test_without_data_nothing_is_told_and_no_budget_is_needed() -> None:
    found = epsilon_for_detection(FEW, "forecast", "holiday", 0.7, "insider")
    assert (found.epsilon, found.area, found.interval) == (0.0, 0.5, (0.5, 0.5))


def test_areas_are_told_after_the_days_that_are_asked_about_and_the_last() -> None:
    done: list[float] = []
    found = detect(FEW, "naive", "holiday", 5, "insider", house=1, repetitions=40, progress=done.append)
    assert found.days == (1, 2, 3, 5)
    assert done == [0.2, 0.4, 0.6, 0.8, 1.0]
    daily = list(detect_daily(FEW, "holiday", 2, mechanisms=["naive"], house=1, repetitions=40))
    assert [(each.hypothesis, each.house, each.repetitions, each.done) for each in daily] == [
        ("holiday", 1, 40, 1),
        ("holiday", 1, 40, 2),
    ]
    assert [list(each.by_rate) for each in daily] == [[("naive", "outsider"), ("naive", "insider")]] * 2


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: overview(FEW, "none", 0), f"mechanism is 'none'; it must be one of {', '.join(REGISTRY)}."),
        (lambda: overview(FEW, "naive", 0, house=4), "house is 4; it must be a whole number from 0 to 3."),
        (
            lambda: detect(FEW, "naive", "holiday", 1, "outsider", repetitions=39),
            "repetitions is 39; it must be a whole number from 40 to 20,000.",
        ),
        (
            lambda: epsilon_for_detection(FEW, "optimal", "holiday", 0.6, "outsider"),
            f"mechanism is 'optimal'; it must be one of {', '.join(private())}.",
        ),
        (
            lambda: epsilon_for_detection(FEW, "naive", "holiday", 1.0, "outsider"),
            "area is 1.0; it must be a number from 0.501 to 0.999.",
        ),
    ],
)
def test_bad_input_gets_one_sentence(call: Callable[[], object], sentence: str) -> None:
    with pytest.raises(ScenarioError, match=exactly(sentence)):
        call()
