"""Exposure beside truth from outside: published values, the slow twin on random streets, repeated draws.

What two estimates may differ by follows from their standard errors; an interval reaches about two of them.
"""

from collections.abc import Callable
from functools import cache
from sys import modules
from typing import Any

import numpy as np
import pytest

import rtp
from rtp import PRESETS, Scenario
from rtp.core.types import Ints
from rtp.exposure import Exposure, Observer, Secret, measure
from rtp.exposure.lives import StreetDays, draw_street
from rtp.exposure.neighbours import UNCUT
from rtp.exposure.search import Search
from rtp.exposure.secrets import Record
from tests.help import exposure_twin as twin
from tests.help.exposure_streets import largest_bound, random_street

FAR = 4.0  # standard errors, of some hundred comparisons
FEW = 10  # days by which draws are told apart
SMALL = Scenario(households=4, step_minutes=60, habit_spread=0.0)


def standard_errors(told: twin.Told, found: Exposure, width: float) -> float:
    """Return how many the twin is above what is found."""
    value, _, high = (float(each[0]) for each in found.over_widths([width]))
    return (told.pairs - value) / max(float(np.hypot((high - value) / 2, told.error)), 0.001)


# What is published ------------------------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize(
    ("secret", "observer", "without_noise", "private"),
    [
        ("moment", "insider", 1.00, 0.77),
        ("moment", "outsider", 0.58, 0.57),
        ("week", "insider", 1.00, 0.99),
        ("week", "outsider", 0.75, 0.73),
    ],
)
def test_the_papers_street_shows_what_is_published(
    secret: Secret, observer: Observer, without_noise: float, private: float
) -> None:
    found = rtp.exposure(PRESETS["paper"], secret, observer)
    assert found.at("optimal").covers(without_noise, 0.02)
    assert found.at("blowfish", 0.5).covers(private, 0.02)


@pytest.mark.long
def test_the_feeder_shows_no_less_than_a_regression_on_days_of_the_same_houses() -> None:
    """The state of every group's worst house is regressed on a whole day's readings; other days' labels say
    how well that tells. An observer who knows more than a line is no worse."""
    scenario = PRESETS["feeder"]
    found = rtp.exposure(scenario)
    weekday = found.weekday
    known = twin.record(scenario, 1, weekday)
    states, used = twin.live(known, 1_500, np.random.default_rng(1))
    readings = used.sum(axis=2)
    for each in found.by_group.values():
        if each.weekday != weekday:
            continue
        state = states[:, each.step, each.house].astype(float)
        learned, tested = slice(0, 1_000), slice(1_000, None)
        x = readings - readings[learned].mean(axis=0)
        slope = np.linalg.lstsq(x[learned], state[learned] - state[learned].mean(), rcond=None)[0]
        area, error = twin.area(x[tested] @ slope, state[tested], 1 - state[tested])
        assert each.at("optimal").high >= area - FAR * error


# Random streets beside their twin ---------------------------------------------------------------------------


def told_at(scenario: Scenario, found: Exposure, observer: Observer, width: float, runs: int) -> twin.Told:
    """Return what the twin says of the place that is found."""
    worst = found._worst_at(width)
    assert worst is not None
    step = worst.step if found.secret == "moment" else None
    place = twin.Place(worst.house, worst.weekday, step)
    return twin.at(scenario, found.secret, observer, width, place, runs, seed=3)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(50))
def test_a_random_street_shows_as_much_as_its_twin(seed: int) -> None:
    scenario = random_street(seed)
    observer: Observer = ("outsider", "insider")[seed % 2]
    for secret in ("moment", "day"):
        found = rtp.exposure(scenario, secret, observer)
        for width in (0.0, 0.6 * largest_bound(scenario)):
            place, told = twin.worst(scenario, secret, observer, width, 60)
            if place.house < 0:
                assert found.at("optimal").value == 0.5
                continue
            assert standard_errors(told, found, width) < FAR
            if found.exact:  # and the place that is named is as bad as the twin's
                ours = told_at(scenario, found, observer, width, 240)
                assert told.pairs - ours.pairs < 0.01 + FAR * np.hypot(told.error, ours.error)


@pytest.mark.long
def test_twenty_streets_are_searched_to_within_a_hundredth() -> None:
    """Every house and step of a few are measured, and those that are close again."""
    for seed in range(100, 120):
        scenario = random_street(seed)
        found = rtp.exposure(scenario, observer="insider")
        width = 0.3 * largest_bound(scenario)
        place, best = twin.worst(scenario, "moment", "insider", width, 400)
        if place.house >= 0:
            ours = told_at(scenario, found, "insider", width, 1_600)
            assert best.pairs - ours.pairs < 0.01 + 2 * np.hypot(best.error, ours.error)


@pytest.mark.long
@pytest.mark.parametrize("observer", ["outsider", "insider"])
def test_intervals_cover_the_truth_in_all_but_a_few_of_200_draws(observer: Observer) -> None:
    scenario = SMALL.replace(households=3)
    widths = np.array([0.0, 0.3])
    truth = [twin.worst(scenario, "moment", observer, width, 2_000)[1] for width in widths.tolist()]
    _, low, high = np.array(
        [rtp.exposure(scenario, observer=observer, seed=seed).over_widths(widths) for seed in range(200)]
    ).transpose(1, 0, 2)
    for w, told in enumerate(truth):
        covered = (low[:, w] <= told.pairs + told.error) & (high[:, w] >= told.pairs - told.error)
        assert covered.mean() >= 0.93


# Faults that are planted ------------------------------------------------------------------------------------

FREE = random_street(1)  # five houses that differ
CAPPED = SMALL.replace(price_cap=SMALL.beta + 0.8)


@cache
def told_of_a_day(street: Scenario) -> twin.Told:
    return twin.worst(street, "day", "outsider", 0.0, 100)[1]


def leave_out_the_worst(monkeypatch: pytest.MonkeyPatch) -> None:
    columns = Search.columns
    monkeypatch.setattr(Search, "columns", lambda self, k: columns(self, k)[1:])


def ignore_the_cap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(modules["rtp.exposure"], "cut_of", lambda record: UNCUT)


def use_one_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    def again(record: Record, houses: Ints, days: int, part: int, alone: bool = False) -> StreetDays:
        return draw_street(record, houses, days, 0, alone)

    monkeypatch.setattr(measure, "draw_street", again)


def check(monkeypatch: pytest.MonkeyPatch) -> None:
    """Find nothing wrong with exposure: it is the twin's, and no day that chooses a place measures it."""
    for street in (FREE, CAPPED):
        assert abs(standard_errors(told_of_a_day(street), rtp.exposure(street, "day"), 0.0)) < FAR
    draws: list[bytes] = []
    drawn = vars(measure)["draw_street"]

    def noted(*given: Any) -> StreetDays:
        result: StreetDays = drawn(*given)
        draws.append(result.noise[0, :FEW].tobytes())
        return result

    with monkeypatch.context() as spy:
        spy.setattr(measure, "draw_street", noted)
        rtp.exposure(SMALL, observer="insider")
    assert len(set(draws)) == len(draws) == 2


@pytest.mark.slow
@pytest.mark.parametrize("plant", [leave_out_the_worst, ignore_the_cap, use_one_seed])
def test_a_planted_fault_is_found(
    plant: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    check(monkeypatch)
    plant(monkeypatch)
    with pytest.raises(AssertionError):
        check(monkeypatch)
