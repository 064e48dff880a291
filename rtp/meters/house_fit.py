"""What is learned of houses, each on its own, and the verdict on every one: whether it can be occupancy.

Two levels of use that predict new days better than one are two ways of using power. Whether they can mean
that somebody is at home shows in three things: how far apart they are (a refrigerator's are less than a
lamp), whether they follow the clock (an appliance that cycles does not), and when the upper one is on (a
heater on a night tariff is on while people sleep).

A verdict near its limits turns on the luck of the days. So it is asked again of days drawn anew (the
bootstrap): `sureness` is the share of them on which the house would be kept, or left out, as it was.

Last, houses that live alike: how many groups the readings show, and who is in which. Groups that are sorted
and learned from the same days would show the luck of those days as habits: of houses that all live alike, the
half that happened to be out more would be a group of its own. So some weeks sort and the others judge and
teach.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rtp.core.random import Stream, random_generator
from rtp.core.stats import student_width
from rtp.core.types import Bools, Floats, Ints
from rtp.meters.readings import DAYS_PER_WEEK, Powers, Readings, by_day_and_hour, by_hour
from rtp.meters.transitions import TransitionCounts, join_transitions
from rtp.probability import hmm
from rtp.probability.hmm import Model
from rtp.probability.observations import (
    BINS,
    MAX_CORRELATION,
    Observations,
    climb_correlation,
    conditional_emission,
)

TRAINED = 0.75  # of the days; the others judge
ROUGH_FIT = 0.1  # standard errors: close enough for a house alone, which is the start of its group
NEWTON_STEPS = 5
STANDARD_ERRORS = 1.645  # by which two levels must beat one on days that judge: 1 in 20 by chance

APPLIANCE_KW = 0.1  # states that are nearer to each other are an appliance's, if there are two
VACANT_KW = 0.025  # a house that uses less on average does not even run a refrigerator
VACANT_SHARE = 0.02  # of the time
MIN_CLOCK_GAP = 0.15  # by which the likeliest hour to be occupied must exceed the least likely
CLOSE_CALL = 0.9  # certainty below which what is said of who is in is a close call
# How far certainty may be from the truth if it is stated, and its standard error where nothing is luck: by as
# much more than their luck simulated homes of eight weeks are off, that are not drawn by the model
WITHIN, MODEL_OFF = 0.03, 0.014
RESAMPLED = 100  # times that days are drawn anew
BY_NIGHT = 0.1  # by which nights exceed the evening, and noon exceeds nights at most, where a heater is on

NOON, EVENING, NIGHT_HOURS = np.arange(8, 16), np.arange(16, 23), np.array([23, 0, 1, 2, 3, 4, 5, 6])

GIVEN, FOLLOWS, APPLIANCE = "given", "follows the clock", "flat or an appliance"
AT_NIGHT, VACANT, ONE_STATE = "mostly at night", "vacant", "one state"
WEEKS_DIFFER, BUSY_NIGHTS = "weeks differ", "busy on some nights"
SILENT_EVENINGS = "silent evenings"
ENDED, UNUSABLE, EXPORTS = "ended early", "not usable", "exports"
OCCUPANCY = (GIVEN, FOLLOWS)  # verdicts on houses whose states can mean that somebody is at home


@dataclass(frozen=True, kw_only=True)
class HouseFits:
    """What was learned of n houses; the last axis is theirs, but that of the edges."""

    edges: Floats  # (n, BINS + 1) kW
    emission: Floats  # (2, n, BINS) of what is read, empty and occupied
    correlation: Floats  # (n,) of a reading with the one before, while the state stays
    mean: Floats  # (2, n) kW, empty and occupied
    variance: Floats  # (2, n)
    profile: Floats  # (24, n) Pr[occupied] in every hour of the day
    used: Floats  # (24, n) kW, as read
    certainty: Floats  # (n,) the probability that the likelier state is the right one, in a mean step
    separable: Bools  # (n,) whether two levels predict new days better than one, beyond luck
    verdict: NDArray[np.str_]  # (n,)
    sureness: Floats  # (n,) the share of days drawn anew on which the house is kept, or not, as it was
    off: Floats  # (n,) its standard error, by the luck of moments and weeks; infinite where it is not known
    model: Model | None = None  # of the states; None where they are given
    halves: tuple[Model, ...] = ()  # the same of every other week alone, and of the weeks between, or none
    # where moves are known without the habits of a group, as given or by four states:
    moves: TransitionCounts | None = None
    sorting: Floats | None = None  # (24, n) the profile of the days that sort houses into groups
    # where there are four states: the bins of what is read without things left on, which are the model's, and
    # the same states' emissions of what is read
    level_edges: Floats | None = None
    as_read: Model | None = None

    @property
    def fitted(self) -> Floats:
        """(24, n) kW in every hour of the day, as the model says."""
        empty, occupied = self.mean
        return np.asarray(self.profile * occupied + (1 - self.profile) * empty)

    @property
    def stated(self) -> Bools:
        """(n,): whether certainty is within `WITHIN` of what is true, in nine homes of ten."""
        return np.asarray(STANDARD_ERRORS * np.hypot(self.off, MODEL_OFF) <= WITHIN)

    @property
    def close_call(self) -> Bools:
        """(n,): whether what is said of who is in may well be wrong: certainty is little, or not stated."""
        return np.asarray((self.certainty < CLOSE_CALL) | ~self.stated)


def join_fits(parts: Sequence[HouseFits]) -> HouseFits:
    """Return blocks of houses one after the other."""
    whole: dict[str, Any] = {}  # Any: the fields are of several kinds
    for name, first in vars(parts[0]).items():
        values = [getattr(part, name) for part in parts]
        if isinstance(first, Model):
            whole[name] = hmm.join(values)
        elif isinstance(first, TransitionCounts):
            whole[name] = join_transitions(values)
        elif isinstance(first, tuple):
            whole[name] = tuple(hmm.join(each) for each in zip(*values, strict=True))
        elif first is not None:
            axis = {"edges": 0, "level_edges": 0, "emission": 1}.get(name, -1)
            whole[name] = np.concatenate(values, axis=axis)
    return HouseFits(**whole)


def trained_days(days: int) -> int:
    """Return how many of the days are learned from before the others judge."""
    return int(TRAINED * days)


def sorting_days(days: int) -> Bools:
    """Return those days that sort houses into groups, every other week; the others teach the groups' habits.

    Houses sorted by the luck of some days would show that luck as a habit on the same days. In less than two
    weeks it is every other day.
    """
    length = DAYS_PER_WEEK if days >= 2 * DAYS_PER_WEEK else 1
    return np.asarray(np.arange(days) // length % 2 == 0)


def use_moments(power: Powers | Floats, occupied: Floats) -> tuple[Floats, Floats]:
    """Mean and variance of use in each state, (2, n), from (T, n)."""
    present = np.isfinite(power)
    use = np.where(present, power, 0.0).astype(float)
    mean, variance = np.zeros((2, power.shape[1])), np.zeros((2, power.shape[1]))
    for state, probability in enumerate((1 - occupied, occupied)):
        weight = np.where(present, probability, 0.0)
        total = np.maximum(weight.sum(axis=0), 1e-9)
        mean[state] = (weight * use).sum(axis=0) / total
        variance[state] = (weight * (use - mean[state]) ** 2).sum(axis=0) / total
    return mean, variance


def gains(seen: Observations, model: Model, trained: int, per_day: int) -> Floats:
    """Return by how much a model's levels beat one on the days after those it was trained on, (days, n).

    Both know the correlation with the reading before: what it predicts is no second level.
    """
    cut = trained * per_day
    learned, judged = (
        Observations(seen.bins[part], seen.period[part]) for part in (slice(cut), slice(cut, None))
    )
    gain = hmm.e_step(judged, model).evidence - _one_level(learned, judged)
    return np.asarray(gain.reshape(-1, per_day, gain.shape[1]).sum(axis=1))


def beyond_luck(gain: Floats) -> Bools:
    """Return whether two levels beat one on the days that judge, (days, n), by more than luck."""
    error = gain.std(axis=0, ddof=1) / np.sqrt(len(gain))
    return np.asarray(gain.mean(axis=0) > STANDARD_ERRORS * error)


def _one_level(learned: Observations, judged: Observations) -> Floats:
    """(T, n): ln Pr[reading | the one before] of a house that always uses alike."""
    emission = hmm.emissions(learned, [np.ones((1, 1))])
    pairs, correlation = learned.pairs(np.ones((1, 1)))[None], np.zeros((1, learned.houses))
    for _ in range(NEWTON_STEPS):
        correlation = climb_correlation(pairs, emission, correlation, MAX_CORRELATION)
    after = conditional_emission(emission, correlation)[0]
    first = np.take(after[:, BINS], judged.emission_index[:1])
    return np.asarray(np.log(np.concatenate([first, np.take(after, judged.pair_index)])))


class Evidence(NamedTuple):
    """What a verdict on n houses rests on."""

    profile: Floats  # (24, n) Pr[occupied] in every hour of the day
    used: Floats  # (n,) kW, on average
    apart: Floats  # (n,) kW between the states
    span: Floats  # (n,) kW between readings that are low and high
    separable: Bools  # (n,)


def verdicts(of: Evidence) -> NDArray[np.str_]:
    """Return the verdict on every house, (n,): the first that applies."""
    near = of.span < APPLIANCE_KW
    cases = (
        (of.used < VACANT_KW, VACANT),
        (~of.separable & near, APPLIANCE),
        (~of.separable, ONE_STATE),
        (of.apart < APPLIANCE_KW, APPLIANCE),
        (of.profile.mean(axis=0) < VACANT_SHARE, VACANT),
        (np.ptp(of.profile, axis=0) < MIN_CLOCK_GAP, APPLIANCE),
        (mostly_at_night(of.profile), AT_NIGHT),
    )
    return np.select([case for case, _ in cases], [verdict for _, verdict in cases], FOLLOWS)


def judged(readings: Readings, edges: Floats, upper: Floats, apart: Floats, gain: Floats) -> dict[str, Any]:
    """Return the fields of `HouseFits` that a verdict rests on, and it: of houses with the probability of the
    upper state, (T, n), the kW between the states, (n,), and what two levels gain, (days, n)."""
    used = by_hour(readings.power.T, readings.steps_per_day)
    evidence = Evidence(
        profile=by_hour(upper, readings.steps_per_day),
        used=used.mean(axis=0),
        apart=apart,
        span=edges[:, -2] - edges[:, 1],
        separable=beyond_luck(gain),
    )
    verdict = verdicts(evidence)
    return {
        "edges": edges,
        "profile": evidence.profile,
        "used": used,
        "separable": evidence.separable,
        "verdict": verdict,
        "sureness": sureness(verdict, evidence, upper, readings, gain),
    }


def mostly_at_night(profile: Floats) -> Bools:
    """Return whether a house is in its upper state when a heater on a night tariff is, from its hours."""
    evening, noon, night = times_of_day(profile)
    return np.asarray((night > evening + BY_NIGHT) & (night > noon - BY_NIGHT))


def times_of_day(profile: Floats) -> tuple[Floats, Floats, Floats]:
    """Return how much of evening, noon and night a house is in its upper state, from its hours, (24, …)."""
    evening, noon, night = (profile[hours].mean(axis=0) for hours in (EVENING, NOON, NIGHT_HOURS))
    return evening, noon, night


def sureness(
    verdict: NDArray[np.str_], evidence: Evidence, upper: Floats, readings: Readings, gain: Floats
) -> Floats:
    """Return on which share of days drawn anew every house is kept, or left out, as its verdict says; the
    fit itself, with its probability of the upper state, (T, n), stays."""
    rng, days = random_generator(0, Stream.METER_DAYS), readings.days
    shape = days, readings.steps_per_day, len(verdict)
    daily = by_day_and_hour(upper, readings.steps_per_day)
    present = np.isfinite(readings.power.T)
    power = np.where(present, readings.power.T, 0.0)
    by_state = [
        [(weight * each).reshape(shape).sum(axis=1) for each in (power, present)]
        for weight in (1 - upper, upper)
    ]
    kept, same = np.isin(verdict, OCCUPANCY), np.zeros(len(verdict))
    for _ in range(RESAMPLED):
        drawn = rng.multinomial(days, np.full(days, 1 / days)).astype(float)
        judging = rng.integers(len(gain), size=len(gain))
        low, high = (drawn @ used / np.maximum(drawn @ many, 1e-9) for used, many in by_state)
        again = evidence._replace(
            profile=np.tensordot(drawn / days, daily, axes=1),
            apart=high - low,
            separable=beyond_luck(gain[judging]),
        )
        same += np.isin(verdicts(again), OCCUPANCY) == kept
    return same / RESAMPLED


SORT_ROUNDS = 50


def groups_shown(profile: Floats, moves: TransitionCounts, most: int) -> int:
    """How many groups the readings show: one more as long as it predicts the other weeks' moves better.

    Houses are sorted, and their groups' probabilities counted, on the days that sort; the gain of every house
    is what those say of its moves on the other days; the 95 % interval of their mean must be above 0.
    """
    sorting = sorting_days(moves.departures.shape[1])
    before, after = moves.on_days(sorting), moves.on_days(~sorting)
    count = profile.shape[1]
    shown, height = 1, _predicted(before, after, np.zeros(count, dtype=np.intp))
    while shown < min(most, count):
        group = sort_by_habit(profile, shown + 1)
        higher = _predicted(before, after, group)
        gain = higher - height
        if gain.mean() <= student_width(count) * gain.std(ddof=1) / np.sqrt(count):
            break
        shown, height = shown + 1, higher
    return shown


def _predicted(before: TransitionCounts, after: TransitionCounts, group: Ints) -> Floats:
    """(n,): the log-likelihood of every house's later moves, with its group's earlier probabilities."""
    total = np.zeros(len(group))
    for events, steps in (("departures", "from_occupied"), ("arrivals", "from_empty")):
        happened, possible = (getattr(after, name).sum(axis=1) for name in (events, steps))  # (P, n)
        for g in range(int(group.max()) + 1):
            own = group == g
            many, out_of = (getattr(before, name)[:, :, own].sum(axis=(1, 2)) for name in (events, steps))
            rate = ((many + 0.5) / (out_of + 1.0))[:, None]
            here, there = happened[:, own], possible[:, own]
            total[own] += (here * np.log(rate) + (there - here) * np.log1p(-rate)).sum(axis=0)
    return total


def sort_by_habit(profile: Floats, groups: int) -> Ints:
    """(n,): the group of every house, the largest first, from hourly Pr[occupied] (24, n).

    Lloyd's algorithm, from the houses in the order of their largest common difference (the first principal
    component), cut into equal parts.
    """
    points = profile.T
    groups = min(groups, len(np.unique(points, axis=0)))
    middle = points - points.mean(axis=0)
    _, direction = np.linalg.eigh(middle.T @ middle)
    order = np.argsort(middle @ direction[:, -1], kind="stable")
    centres = np.array([points[part].mean(axis=0) for part in np.array_split(order, groups)])
    for _ in range(SORT_ROUNDS):
        distance = ((points[:, None] - centres) ** 2).sum(axis=2)
        group = distance.argmin(axis=1)
        moved = np.array(
            [points[group == g].mean(axis=0) if (group == g).any() else centres[g] for g in range(groups)]
        )
        if np.array_equal(moved, centres):
            break
        centres = moved
    sizes = np.bincount(group, minlength=groups)
    rank = np.empty(groups, dtype=np.intp)
    rank[np.argsort(-sizes, kind="stable")] = np.arange(groups)
    return np.asarray(rank[group])
