"""What was drawn from known chances is found again: within its intervals, and without a bias.

Twenty streets are drawn in each of three settings, from seeds 0 to 59. Nothing that learning has to choose
was chosen on these.
"""

from dataclasses import dataclass

import numpy as np
import pytest
from scipy.special import bdtr, stdtrit

from rtp.core.stats import LEVEL, normal_width
from rtp.core.types import Bools, Floats
from rtp.meters import Readings
from rtp.meters.house_fit import HouseFits
from rtp.meters.learning import decode_moves, in_groups
from rtp.meters.readings import period_of_steps
from rtp.meters.transitions import FALSE_ALARM, TransitionCounts, counted_transitions, precision
from rtp.meters.two_states import OCCUPIED, fit_alone, fit_houses
from rtp.probability.hmm import e_step
from rtp.probability.observations import Observations, quantile_edges, to_bins
from rtp.scenario import PAPER_PERIODS
from tests.unit.meters.streets import PAPER_STARTS, Known, as_readings, known_street, paper_chances

SEEDS, HOUSES, PERIODS = 20, 6, len(PAPER_PERIODS)
SETTINGS = ((15, 14, 0.0), (15, 14, 0.1), (30, 28, 0.0))  # minutes, days, share of missing readings
LUCK = 1e-3  # the chance that a right answer is refused


@dataclass(frozen=True, kw_only=True)
class Found:
    """Of each street and chance, (S, 2P): leaving, then arriving."""

    truth: Floats
    value: Floats
    low: Floats
    high: Floats
    counted: Floats  # as one would learn it who sees who is at home

    def holds(self, times: float = 1.0) -> Bools:
        return np.asarray((self.low <= times * self.truth) & (times * self.truth <= self.high))


def find(first: int, minutes: int, days: int, gaps: float, correlation: float = 0.0) -> Found:
    """Twenty streets, learned at once: each is a group."""
    streets = [
        known_street(HOUSES, days, minutes, first + i, gaps=gaps, correlation=correlation)
        for i in range(SEEDS)
    ]
    power = np.concatenate([street.readings.power for street in streets])
    period = period_of_steps(PAPER_STARTS, minutes, days)
    edges = quantile_edges(power)
    group = np.repeat(np.arange(SEEDS), HOUSES)
    seen, day = Observations(to_bins(power, edges), period), streets[0].readings.day
    alone = fit_alone(seen, PERIODS)  # roughly: where learning together starts
    tied = in_groups(seen, alone, group, np.full(SEEDS, 0.1), np.ones(days), day)
    moves = decode_moves(seen, tied, day)
    states = np.concatenate([street.occupied for street in streets]).T.astype(np.int8)
    real = counted_transitions(states, period, PERIODS, day)
    rows = []
    for g, street in enumerate(streets):
        leave, arrive, _ = precision(moves.select(group == g), tied.leave[:, g], tied.arrive[:, g])
        pairs = (
            (street.leave, street.arrive),
            (leave.value, arrive.value),
            (leave.low, arrive.low),
            (leave.high, arrive.high),
            real.select(group == g).probabilities(),
        )
        rows.append([np.concatenate(pair) for pair in pairs])
    truth, value, low, high, counted = np.array(rows).swapaxes(0, 1)
    return Found(truth=truth, value=value, low=low, high=high, counted=counted)


def decoded(houses: HouseFits, work: Readings) -> Floats:
    """(n, T): Pr[occupied] given all readings."""
    assert houses.model is not None
    period = period_of_steps(PAPER_STARTS, work.minutes, work.days)
    return e_step(Observations(to_bins(work.power, houses.edges), period), houses.model).states[:, OCCUPIED].T


def at_most(sure: float, tries: int, chance: float) -> int:
    """The binomial quantile: the fewest hits that are not exceeded with that certainty."""
    return int(np.searchsorted(bdtr(np.arange(tries + 1), tries, chance), sure))


def hits_within(intervals: int) -> tuple[int, int]:
    """How many of so many independent intervals hold the truth, but for luck."""
    return (
        at_most(LUCK / 2, intervals, LEVEL),
        at_most(1 - LUCK / 2, intervals, LEVEL),
    )


@pytest.fixture(scope="module")
def found() -> list[Found]:
    return [find(SEEDS * i, *setting) for i, setting in enumerate(SETTINGS)]


@pytest.mark.long
def test_as_many_intervals_hold_the_truth_as_their_level_says(found: list[Found]) -> None:
    """Of 480 independent intervals of 95 %, and of each setting's 160. Wrong chances miss."""
    for some in (*([each] for each in found), found):
        hits = np.concatenate([each.holds() for each in some])
        low, high = hits_within(hits.size)
        assert low <= hits.sum() <= high
        assert np.concatenate([each.holds(2.0) for each in some]).sum() < low


@pytest.mark.long
def test_intervals_hold_where_use_is_autocorrelated() -> None:
    """At least nine in ten, with a correlation of a half; taken as independent, readings gave two in ten."""
    found = find(100, 30, 28, 0.0, correlation=0.5)
    hits = found.holds().sum()
    assert hits >= at_most(LUCK, found.truth.size, 0.9)
    assert found.holds(2.0).sum() < hits


@pytest.mark.long
def test_learning_adds_no_bias_to_the_luck_of_the_draw(found: list[Found]) -> None:
    """Against chances counted on the same streets; the standard error is that of the 60 differences. A rare
    chance learned at three quarters would be seen."""
    off = np.concatenate([(each.value - each.counted) / each.truth for each in found])
    width = stdtrit(len(off) - 1, 1 - LUCK / 2 / off.shape[1])
    error = off.std(axis=0, ddof=1) / np.sqrt(len(off))
    assert (np.abs(off.mean(axis=0)) < width * error).all()
    noon = PERIODS + 1
    worse = off[:, noon] - 0.25 * np.concatenate([each.value / each.truth for each in found])[:, noon]
    assert abs(worse.mean()) > width * worse.std(ddof=1) / np.sqrt(len(off))


@pytest.fixture(scope="module")
def alone() -> tuple[list[Known], HouseFits, Readings]:
    """Five streets, every house on its own."""
    streets = [known_street(HOUSES, 42, 30, seed, gaps=0.1 * (seed % 2)) for seed in range(5)]
    power = np.concatenate([street.readings.power for street in streets])
    work = as_readings(power, 30)
    return streets, fit_houses(work, PAPER_STARTS), work


@pytest.mark.long
def test_consumption_laws_are_found(alone: tuple[list[Known], HouseFits, Readings]) -> None:
    """The mean of U(0, u) is u/2. With v the law's variance, a tilt f·exp(θ(x − m)) of it has the score
    Σ s(x − m) in a day, so the mean has the standard error v/√(Σ (Σ s(x − m))²), and 95 % of its
    intervals hold u/2. An empty house's law ends at its bound."""
    streets, houses, work = alone
    chance = decoded(houses, work)
    hits = []
    for state, name in enumerate(("empty_bound", "occupied_bound")):
        bound = np.concatenate([getattr(street, name) for street in streets])
        weight = chance if state else 1 - chance
        away = np.nan_to_num(weight * (work.power - houses.mean[state][:, None]))
        score = away.reshape(len(away), -1, work.steps_per_day).sum(axis=2)
        error = houses.variance[state] / np.sqrt((score**2).sum(axis=1))
        hits.append(np.abs(houses.mean[state] - bound / 2) < normal_width() * error)
    low, high = hits_within(np.size(hits))
    assert low <= np.sum(hits) <= high
    bound = np.concatenate([street.empty_bound for street in streets])
    beyond = houses.edges[:, :-1] > bound[:, None]
    assert np.where(beyond, houses.emission[0], 0.0).sum(axis=1).mean() < 0.01


@pytest.mark.long
def test_certainty_is_how_often_the_guess_is_right(alone: tuple[list[Known], HouseFits, Readings]) -> None:
    """The mean difference of the houses is within its standard error."""
    streets, houses, work = alone
    guess = decoded(houses, work)
    truth = np.concatenate([street.occupied for street in streets])
    off = ((guess > 0.5) == truth).mean(axis=1) - houses.certainty
    width = stdtrit(len(off) - 1, 1 - LUCK / 2)
    assert abs(off.mean()) < width * off.std(ddof=1) / np.sqrt(len(off))
    assert houses.separable.all()


def counted(streets: list[Known]) -> tuple[TransitionCounts, Floats, Floats]:
    """TransitionCounts of all their houses, and the chances that those have together."""
    states = np.concatenate([street.occupied for street in streets]).T.astype(np.int8)
    period = period_of_steps(PAPER_STARTS, 60, len(states) // 24)
    moves = counted_transitions(states, period, PERIODS, np.arange(len(states)) // 24)
    return moves, *moves.probabilities()


def test_houses_that_differ_are_noticed_and_others_are_not() -> None:
    """Of 160 chances of streets that live alike one in a thousand is said to differ: more than 2 would be no
    luck. One house of nine that stays at noon is noticed there, and the interval then holds the others'."""
    alike = [counted([known_street(HOUSES, 28, 60, seed)]) for seed in range(SEEDS)]
    assert sum(np.sum(precision(*each).heterogeneity) for each in alike) <= at_most(
        1 - LUCK, SEEDS * 2 * PERIODS, FALSE_ALARM
    )
    leave, arrive = paper_chances(60)
    stay = np.where(np.arange(PERIODS) == 1, 0.001, leave)
    both = counted([known_street(8, 28, 60, 1), known_street(1, 28, 60, 2, chances=(stay, arrive))])
    sure = precision(*both)
    assert sure.heterogeneity[0][1]
    assert sure.leave.low[1] < leave[1] < sure.leave.high[1]
    assert not sure.heterogeneity[0][[0, 2, 3]].any()
    two = counted([known_street(1, 28, 60, 1), known_street(1, 28, 60, 2, chances=(stay, arrive))])
    assert precision(*two).heterogeneity[0][1], "two houses are enough"
