"""Every exercise's answer against a computation of its own, on streets where the right option differs."""

import re
from functools import cache

import numpy as np
import pytest
from numpy.random import default_rng

from rtp import PRESETS, Day, Scenario, simulate
from rtp.attack.adversary import largest_gap
from rtp.core.formatting import percent
from rtp.core.types import Bools, Floats
from rtp.leakage.overview import HIDDEN, VISIBLE
from rtp.scenario import BOUNDS, Habits, OccupancyModel, period
from rtp.teaching import exercises
from rtp.teaching.exercises import (
    EXERCISES,
    IS_A_HOLIDAY_HIDDEN,
    LESS_NOISE,
    WHAT_A_MOMENT_LOSES,
    WHAT_DATA_IS_WORTH,
    WHAT_EPSILON_DOES,
    WHAT_NOISE_TAKES,
    WHO_IS_DROPPED,
    WHO_IS_PROTECTED,
    Exercise,
    nearest_mark,
    ratio_of,
    tenth_of_budget,
)
from tests.help.oracles import chances
from tests.unit.leakage.test_moment import log_odds, smoothed

NEVER_HOME = Habits(
    initial_occupied=0.0,
    periods=tuple(
        period(each.name, each.start, leave=1.0, arrive=0.0)
        for each in Scenario().models[0].habits[0].periods
    ),
)
CERTAIN = Scenario(households=30, models=(OccupancyModel(name="Away", habits=(NEVER_HOME,)),))


def option_of(exercise: Exercise, scenario: Scenario, words: str) -> int:
    """The right option on a street, which begins with these words."""
    found = exercise.answer(scenario, None).option
    assert exercise.options[found].startswith(words)
    return found


def open_houses(day: Day) -> Bools:
    """(T, N): whose state is open under the one model, walked on booleans from the stated chances."""
    scenario, street = day.scenario, day.street
    result = np.empty((scenario.steps, scenario.households), dtype=bool)
    for house, group in enumerate(street.group.tolist()):
        habits = scenario.models[0].habits[group]
        starts = [each.start for each in habits.periods]
        can = {0: habits.initial_occupied < 1, 1: habits.initial_occupied > 0}
        for step in range(scenario.steps):
            result[step, house] = can[0] and can[1]
            hour = step / 4 % 24
            earlier = [i for i, start in enumerate(starts) if start <= hour]
            (stay, arrive), (leave, remain) = habits.periods[earlier[-1] if earlier else -1].matrix
            can = {
                0: bool((can[0] and stay > 0) or (can[1] and leave > 0)),
                1: bool((can[0] and arrive > 0) or (can[1] and remain > 0)),
            }
    return result


def laplace_error(day: Day, bound: Floats) -> float:
    """Of Laplace noise of scale α·bound/ε, (T,), on the optimal rate: √mean(2·scale²/r²)."""
    scale = day.scenario.alpha * bound / day.scenario.epsilon
    return float(np.sqrt(np.mean(2 * scale**2 / day.release["optimal"].rate ** 2)))


def protected_bound(day: Day) -> Floats:
    largest = np.maximum(day.street.occupied_bound, day.street.empty_bound)
    return np.asarray(np.where(open_houses(day), largest, 0.0).max(axis=1))


@pytest.mark.parametrize(
    ("scenario", "times"), [(Scenario(households=30), "About 10 times"), (CERTAIN, "It stays")]
)
def test_what_epsilon_does(scenario: Scenario, times: str) -> None:
    found = WHAT_EPSILON_DOES.answer(scenario, None)
    before, after = (
        laplace_error(day, protected_bound(day))
        for day in (simulate(scenario), simulate(scenario.replace(epsilon=scenario.epsilon / 10)))
    )
    option_of(WHAT_EPSILON_DOES, scenario, times)
    assert (before > 0) == (times == "About 10 times")
    factor = "10" if before else "1"
    assert found.words == (
        f"The error goes from {percent(before)} to {percent(after)} of the rate: {factor} times as large."
    )


@pytest.mark.parametrize(
    ("preset", "words"), [("paper", "Less than 5 %"), ("quiet night", "Up to a"), ("mansions", "A third to")]
)
def test_who_is_dropped(preset: str, words: str) -> None:
    scenario = PRESETS[preset].replace(households=100)
    day = simulate(scenario)
    largest = max(max(group.occupied_max, group.empty_max) for group in scenario.groups)
    naive = laplace_error(day, np.full(scenario.steps, largest))
    ours = laplace_error(day, protected_bound(day))
    found = WHO_IS_DROPPED.answer(scenario, None)
    smaller = sum(1 - ours / naive >= limit for limit in (0.05, 1 / 3, 2 / 3))
    assert option_of(WHO_IS_DROPPED, scenario, words) == smaller
    assert found.words == (
        f"Naive noise costs {percent(naive)} of the rate, Blowfish noise {percent(ours)}: "
        f"{percent(1 - ours / naive, 2)} less."
    )


@pytest.mark.parametrize(
    ("preset", "words"), [("quiet night", "None"), ("mansions", "Some"), ("paper", "All")]
)
def test_who_is_protected_at_night(preset: str, words: str) -> None:
    scenario = PRESETS[preset].replace(households=100)
    found = WHO_IS_PROTECTED.answer(scenario, None)
    count = int(open_houses(simulate(scenario))[12].sum())
    assert option_of(WHO_IS_PROTECTED, scenario, words) == int(count > 0) + int(count == 100)
    noise = "noise is made for the largest of them" if count else "the exact rate is published"
    assert found.words == f"At 03:00, {count} of 100 houses are protected: {noise}."
    hourly = WHO_IS_PROTECTED.answer(scenario.replace(step_minutes=60), None)
    assert hourly == found


@cache
def sampled(epsilon: float) -> dict[str, float]:
    """Root mean square errors over 25 days, each with its own street: of 2,400 steps, to about 5 %."""
    days = [simulate(Scenario(households=60, epsilon=epsilon, seed=seed)) for seed in range(25)]
    return {
        name: float(np.sqrt(np.mean([day.release[name].error ** 2 for day in days])))
        for name in days[0].release
    }


@pytest.mark.parametrize(
    ("epsilon", "words"), [(5.0, "About two thirds"), (1.5, "About half"), (0.05, "A fifth")]
)
def test_the_same_promise_with_less_noise(epsilon: float, words: str) -> None:
    errors = sampled(epsilon)
    best = min(errors[name] for name in ("naive", "blowfish", "calibrated", "filtered"))
    option = option_of(LESS_NOISE, Scenario(households=60, epsilon=epsilon), words)
    parts = [1, 2 / 3, 1 / 2, 1 / 5]
    assert min(parts, key=lambda part: abs(np.log(best / errors["blowfish"] / part))) == parts[option]


def test_who_breaks_the_promise_does_not_compete() -> None:
    """Where a chance of 0.4 is negligible, threshold noise guards few houses and errs less than all."""
    scenario = Scenario(households=60, epsilon=1.5, negligible=0.4)
    day = simulate(scenario)
    assert day.release["threshold"].expected_error < day.release["filtered"].expected_error
    option_of(LESS_NOISE, scenario, "About half")


@pytest.mark.parametrize(("epsilon", "words"), [(5.0, "The Blowfish rate"), (0.05, "The forecast")])
def test_what_the_data_is_worth(epsilon: float, words: str) -> None:
    errors = sampled(epsilon)
    assert (errors["forecast"] < errors["blowfish"]) == (words == "The forecast")
    option_of(WHAT_DATA_IS_WORTH, Scenario(households=60, epsilon=epsilon), words)


def insiders(scenario: Scenario, b: float, rng_seed: int) -> tuple[float, float]:
    """(right with the reading, right by the habits alone) over five days of every house, filtered in plain
    probabilities; a reading is the house's own use plus Laplace noise."""
    street = simulate(scenario).street
    initial, period, leave, arrive = chances(scenario, street, 0)
    rng, shape = default_rng(rng_seed), (5, scenario.households)
    houses = np.arange(scenario.households)
    state = rng.random(shape) < initial
    belief, alone = np.broadcast_to(initial, shape), initial
    right = habits = 0
    for step in range(scenario.steps):
        u = np.where(state, street.occupied_bound, street.empty_bound)
        reading = rng.random(shape) * u + (rng.laplace(scale=b, size=shape) if b else 0.0)
        one, other = (density(reading, bound, b) for bound in (street.occupied_bound, street.empty_bound))
        belief = belief * one / (belief * one + (1 - belief) * other)
        right += int(((belief > 0.5) == state).sum())
        habits += int(((alone > 0.5) == state).sum())
        out, back = (moves[period[step], houses] for moves in (leave, arrive))
        state = np.where(state, rng.random(shape) >= out, rng.random(shape) < back)
        belief, alone = (p * (1 - out) + (1 - p) * back for p in (belief, alone))
    return right / (scenario.steps * state.size), habits / (scenario.steps * state.size)


def density(x: Floats, u: Floats, b: float) -> Floats:
    """Of U(0, u) + Lap(b)."""
    if b == 0:
        return np.where(x <= u, 1 / u, 0.0)
    ends = [np.where(y < 0, np.exp(np.minimum(y, 0)) / 2, 1 - np.exp(-np.maximum(y, 0)) / 2)
            for y in (x / b, (x - u) / b)]  # fmt: skip
    return np.asarray(np.maximum((ends[0] - ends[1]) / u, 1e-300))


@pytest.mark.parametrize(("epsilon", "words"), [(0.5, "Nearly all"), (200.0, "Hardly anything")])
def test_what_the_noise_takes_from_an_insider(epsilon: float, words: str) -> None:
    """Over 100 houses and some days both shares are told to a few per cent; the options are far apart."""
    scenario = Scenario(households=100, epsilon=epsilon)
    day = simulate(scenario)
    b = float(day.street.bound.max()) / epsilon
    (private, alone), (bare, _) = insiders(scenario, b, 1), insiders(scenario, 0.0, 1)
    taken = 1 - (private - alone) / (bare - alone)
    assert option_of(WHAT_NOISE_TAKES, scenario, words) == (taken >= 0.25) + (taken >= 0.75)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("preset", "words"),
    [("restless houses", "No further"), ("paper", "Further, but"), ("steady houses", "A third")],
)
def test_what_all_rates_tell_about_a_moment(preset: str, words: str) -> None:
    """Every rate far out on one side: the textbook's smoother then shifts the odds as far as it ever can."""
    scenario = PRESETS[preset].replace(households=60, epsilon=0.05)
    day = simulate(scenario)
    initial, period, leave, arrive = chances(scenario, day.street, 0)
    b = float(day.street.bound.max()) / scenario.epsilon
    reached = []
    for house in range(60):
        out, back = (chance[period[:-1, house], house] for chance in (leave, arrive))
        bounds = day.street.occupied_bound[house], day.street.empty_bound[house]
        limit = np.log(np.expm1(bounds[0] / b) / bounds[0]) - np.log(np.expm1(bounds[1] / b) / bounds[1])
        quiet = smoothed(float(initial[house]), out, back, np.zeros(scenario.steps))
        loud = smoothed(float(initial[house]), out, back, np.full(scenario.steps, limit))
        reached.append(np.abs(log_odds(loud) - log_odds(quiet)).max())
    worst, whole = max(reached), scenario.epsilon * scenario.steps
    assert option_of(WHAT_A_MOMENT_LOSES, scenario, words) == int(worst > scenario.epsilon) + int(
        worst >= whole / 3
    )


def test_a_moments_worst_case_says_what_use_it_assumes() -> None:
    """Uniform use tells less than any use within the bounds, of which the promise speaks."""
    scenario = PRESETS["paper"].replace(households=60)
    assert WHAT_A_MOMENT_LOSES.question(scenario).endswith("in the worst case and with use as modelled?")
    modelled, spent, epsilon, whole = numbers_in(WHAT_A_MOMENT_LOSES.answer(scenario, None).words)[1:]
    assert epsilon < modelled < spent < whole
    assert (
        "where houses use uniformly up to their bounds; were each rate"
        in WHAT_A_MOMENT_LOSES.answer(scenario, None).words
    )


def numbers_in(words: str) -> list[float]:
    return [float(number) for number in re.findall(r"\d+\.?\d*", words)]


def holiday_area(scenario: Scenario, lives: int) -> float:
    """An insider's, of a week: other lives and noise, both likelihoods in plain probabilities."""
    street = simulate(scenario).street
    house = largest_gap(street)
    initial, period, leave, arrive = (array[..., house] for array in chances(scenario, street, 0))
    u, v = float(street.occupied_bound[house]), float(street.empty_bound[house])
    b = float(street.bound.max()) / scenario.epsilon
    rng = default_rng(3)
    state = rng.random((2, lives)) < initial
    state[1] = False  # away
    home, score = np.full((2, lives), float(initial)), np.zeros((2, lives))
    for step in range(7 * scenario.steps):
        reading = rng.random(state.shape) * np.where(state, u, v) + rng.laplace(scale=b, size=state.shape)
        one, other = (density(reading, np.array(width), b) for width in (u, v))
        score += np.log(other) - np.log(home * one + (1 - home) * other)
        home = home * one / (home * one + (1 - home) * other)
        out, back = leave[period[step % 96]], arrive[period[step % 96]]
        moved = np.where(state[0], rng.random(lives) >= out, rng.random(lives) < back)
        state[0] = moved
        home = home * (1 - out) + (1 - home) * back
    return float((score[1][:, None] > score[0]).mean())


@pytest.mark.slow
@pytest.mark.parametrize(("epsilon", "words"), [(0.01, "Hidden"), (0.15, "Blurred"), (1.0, "Visible")])
def test_whether_a_holiday_is_hidden(epsilon: float, words: str) -> None:
    """From an insider; among so many houses an outsider sees less, and has another answer."""
    scenario = Scenario(households=400, epsilon=epsilon)
    area = holiday_area(scenario, 250)
    assert option_of(IS_A_HOLIDAY_HIDDEN, scenario, words) == (area > HIDDEN) + (area >= VISIBLE)


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
    assert told == pytest.approx([1 / 14, 2 / 14])


def test_the_insiders_week_is_the_first_half_of_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exercises, "HOLIDAY_REPETITIONS", 40)
    told: list[float] = []
    IS_A_HOLIDAY_HIDDEN.answer(Scenario(households=2, step_minutes=60), told.append)
    assert told == pytest.approx([day / 14 for day in range(1, 15)])


def test_where_habits_tell_all_the_noise_takes_nothing() -> None:
    assert WHAT_NOISE_TAKES.answer(CERTAIN, None) == (
        0,
        "By habits alone she is right at 100 % of all moments, with the unprotected rate at 100 %, with the "
        "Blowfish rate at 100 % (over 3 days).",
    )


@pytest.mark.parametrize("exercise", EXERCISES, ids=[each.title for each in EXERCISES])
def test_every_exercise_is_whole(exercise: Exercise) -> None:
    assert exercise.question(exercise.scenario).endswith("?")
    assert 3 <= len(set(exercise.options)) == len(exercise.options)
    assert exercise.why.endswith(".")
    assert exercise.look.endswith((".", "?"))


def test_marks_limits_and_nothing_compared_with_nothing() -> None:
    assert [nearest_mark(x, (1.0, 10.0)) for x in (0.0, 3.0, 3.3, 50.0)] == [0, 0, 1, 1]
    assert ratio_of(0.0, 0.0) == 1.0
    assert tenth_of_budget(Scenario(epsilon=0.5)) == 0.05
    assert tenth_of_budget(Scenario(epsilon=BOUNDS["epsilon"].low)) == BOUNDS["epsilon"].low


def test_the_street_asked_about_is_named() -> None:
    preset = WHAT_EPSILON_DOES.scenario
    assert WHAT_EPSILON_DOES.street() == (
        f"Street: **{WHAT_EPSILON_DOES.preset.capitalize()}**, {preset.households:,} houses, "
        f"ε = {preset.epsilon:g}."
    )
    own = Scenario(households=12_345, epsilon=0.25)
    assert WHAT_EPSILON_DOES.street(own) == "Street: **yours**, 12,345 houses, ε = 0.25."
