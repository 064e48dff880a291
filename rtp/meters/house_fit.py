"""What is learned of some houses, each on its own: one piece of work, which can travel to another process.

And a verdict for every house: whether its two states can be occupancy. Two states that predict new
days better than one are two ways of using power. Whether they can mean that somebody is at home shows in
three things: how far apart they are (a refrigerator's are less than a lamp), whether they follow the clock
(an appliance that cycles does not), and when the upper one is on (a heater on a night tariff is on while
people sleep).

A verdict near its limits turns on the luck of the days. So it is asked again of days drawn anew (the
bootstrap): `sureness` is the share of them on which the house would be kept, or left out, as it was.
"""

from dataclasses import dataclass, replace
from math import gcd
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rtp.core.random import Stream, random_generator
from rtp.core.types import Bools, Floats, Ints
from rtp.meters import hmm
from rtp.meters.hmm import Model
from rtp.meters.readings import BINS, Observations, Powers, quantile_edges, to_bins
from rtp.meters.transitions import TransitionCounts, counted_transitions

TRAINED = 0.75  # of the days; the others judge
START_DAYS = 14  # on which the starts are tried
ROUGH = 0.1  # standard errors: close enough for a house alone, which is the start of its group
MAX_ROUNDS = 15  # from afresh; half of it from what was learned already
NEWTON_STEPS = 5
STANDARD_ERRORS = 1.645  # by which two states must beat one on days that judge: 1 in 20 by chance
HOURS_A_DAY = 24

APPLIANCE_KW = 0.1  # states that are nearer to each other are an appliance's, if there are two
VACANT_KW = 0.025  # a house that uses less on average does not even run a refrigerator
VACANT_SHARE = 0.02  # of the time
MIN_CLOCK_GAP = 0.15  # by which the likeliest hour to be occupied must exceed the least likely
RESAMPLED = 100  # times that days are drawn anew
NIGHT = 0.1  # by which nights exceed the evening, and noon exceeds nights at most, where a heater is on

NOON, EVENING, NIGHT_HOURS = np.arange(8, 16), np.arange(16, 23), np.array([23, 0, 1, 2, 3, 4, 5, 6])

GIVEN, FOLLOWS, APPLIANCE = "given", "follows the clock", "flat or an appliance"
AT_NIGHT, VACANT, ONE_STATE = "mostly at night", "vacant", "one state"
ENDED, UNUSABLE = "ended early", "not usable"
OCCUPANCY = (GIVEN, FOLLOWS)  # verdicts on houses whose states can mean that somebody is at home


@dataclass(frozen=True, kw_only=True)
class Decoded:
    """What n houses did, as the three states of `rhythm` tell it."""

    profile: Floats  # (24, n) Pr[at home] by hour on the days that sort houses into groups
    moves: TransitionCounts

    def select(self, houses: Ints) -> "Decoded":
        """Some houses."""
        return Decoded(profile=self.profile[:, houses], moves=self.moves.only(houses))


@dataclass(frozen=True, kw_only=True)
class HouseBlock:
    """Houses and their clock."""

    power: Powers  # (n, T) kW
    occupied: NDArray[np.int8] | None  # (n, T) where it is given
    period: Ints  # (T,)
    periods: int
    per_day: int
    decoded: Decoded | None = None  # where the states are known from elsewhere

    @property
    def days(self) -> int:
        return len(self.period) // self.per_day

    @property
    def day(self) -> Ints:
        """(T,)"""
        return np.arange(len(self.period)) // self.per_day

    def select(self, houses: Ints) -> "HouseBlock":
        """Some houses."""
        occupied = None if self.occupied is None else self.occupied[houses]
        decoded = None if self.decoded is None else self.decoded.select(houses)
        return replace(self, power=self.power[houses], occupied=occupied, decoded=decoded)


@dataclass(frozen=True, kw_only=True)
class HouseFits:
    """What was learned of n houses."""

    model: Model
    edges: Floats  # (n, K + 1) kW
    mean: Floats  # (2, n) kW, empty and occupied
    variance: Floats  # (2, n)
    profile: Floats  # (24, n) Pr[occupied] in every hour of the day
    used: Floats  # (24, n) kW, as read
    certainty: Floats  # (n,) the probability that the likelier state is the right one, in a mean step
    separable: Bools  # (n,) whether two states predict new days better than one, beyond luck
    verdict: NDArray[np.str_]  # (n,)
    sureness: Floats  # (n,) the share of days drawn anew on which the house is kept, or not, as it was

    @property
    def fitted(self) -> Floats:
        """(24, n) kW in every hour of the day, as the model says."""
        empty, occupied = self.mean
        return np.asarray(self.profile * occupied + (1 - self.profile) * empty)


def fit_houses(work: HouseBlock) -> HouseFits:
    """Fit, judge, and describe.

    The starts are tried on the first days, as if readings were independent. From the best of them a house
    learns on the days that do not judge it, with the correlation of its readings, and from there on all days.
    """
    edges = quantile_edges(work.power)
    bins = to_bins(work.power, edges)
    trained = int(TRAINED * work.days)
    guess = hmm.fit_alone(
        _first_days(bins, work, min(trained, START_DAYS)),
        work.periods,
        tolerance=ROUGH,
        max_iterations=MAX_ROUNDS,
    )
    early = _learn(_first_days(bins, work, trained), guess, MAX_ROUNDS)
    seen = _first_days(bins, work, work.days)
    model = hmm.occupied_uses_more(_learn(seen, early, MAX_ROUNDS // 2))
    occupied = hmm.e_step(seen, model).occupied
    mean, variance = use_moments(work.power.T, occupied)
    gain = _gain(bins, work, early, trained * work.per_day)
    evidence = Evidence(
        profile=by_hour(occupied, work.per_day),
        used=by_hour(work.power.T, work.per_day).mean(axis=0),
        apart=mean[1] - mean[0],
        span=edges[:, -2] - edges[:, 1],
        separable=beyond_luck(gain),
    )
    verdict = verdicts(evidence)
    return HouseFits(
        model=model,
        edges=edges,
        mean=mean,
        variance=variance,
        profile=evidence.profile,
        used=by_hour(work.power.T, work.per_day),
        certainty=np.maximum(occupied, 1 - occupied).mean(axis=0),
        separable=evidence.separable,
        verdict=verdict,
        sureness=sureness(verdict, evidence, occupied, work, gain),
    )


def _first_days(bins: NDArray[np.int8], work: HouseBlock, days: int) -> Observations:
    steps = days * work.per_day
    return Observations(bins[:steps], work.period[:steps])


def _learn(seen: Observations, start: Model, rounds: int) -> Model:
    """Every house on its own, with the correlation of its readings."""
    return hmm.baum_welch(seen, start, autocorrelated=True, tolerance=ROUGH, max_iterations=rounds).model


def count_houses(work: HouseBlock) -> HouseFits:
    """The same where occupancy is given: moves and emissions are counted, and nothing is guessed."""
    assert work.occupied is not None
    states = work.occupied.T
    edges = quantile_edges(work.power)
    present = states >= 0
    state = np.where(present, states, np.nan)
    power = np.where(present, work.power.T, np.nan)
    mean, variance = use_moments(power, state)
    profile = by_hour(state, work.per_day)
    return HouseFits(
        model=_counted_model(states, to_bins(work.power, edges), profile[0], work),
        edges=edges,
        mean=mean,
        variance=variance,
        profile=profile,
        used=by_hour(power, work.per_day),
        certainty=np.ones(len(work.power)),
        separable=np.asarray(present.any(axis=0)),
        verdict=np.full(len(work.power), GIVEN),
        sureness=np.ones(len(work.power)),
    )


def _counted_model(
    states: NDArray[np.int8], bins: NDArray[np.int8], at_midnight: Floats, work: HouseBlock
) -> Model:
    """Every house's probabilities and emissions, from its states (T, n)."""
    houses, one_day = states.shape[1], np.zeros(len(states), dtype=np.intp)
    moves = counted_transitions(states, work.period, work.periods, one_day)
    index = Observations(bins, work.period).emission_index
    counts = [
        np.bincount(index[states == state], minlength=houses * (BINS + 1)).reshape(houses, -1)[:, :-1]
        for state in (0, 1)
    ]
    emission = np.array(counts, dtype=float) + hmm.SMOOTHING / BINS
    return Model(
        initial=at_midnight,
        leave=hmm.event_rate(moves.departures[:, 0], moves.from_occupied[:, 0], 0.5),
        arrive=hmm.event_rate(moves.arrivals[:, 0], moves.from_empty[:, 0], 0.5),
        group=np.arange(houses),
        emission=emission / emission.sum(axis=2, keepdims=True),
        correlation=np.zeros(houses),
    )


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


def by_hour(values: Powers | Floats, per_day: int) -> Floats:
    """(24, n): the mean of what is present in each hour of the day, of (T, n)."""
    pieces = HOURS_A_DAY // gcd(per_day, HOURS_A_DAY)  # of a step, so that whole ones fill an hour
    shaped = np.repeat(values, pieces, axis=0).reshape(
        -1, HOURS_A_DAY, per_day * pieces // HOURS_A_DAY, values.shape[1]
    )
    present = np.isfinite(shaped)
    total = np.where(present, shaped, 0.0).sum(axis=(0, 2), dtype=float)
    return np.asarray(total / np.maximum(present.sum(axis=(0, 2)), 1))


def by_day_and_hour(values: Powers | Floats, per_day: int) -> Floats:
    """(days, 24, n): the same for each of the days."""
    return np.array([by_hour(day, per_day) for day in values.reshape(-1, per_day, values.shape[1])])


def _gain(bins: NDArray[np.int8], work: HouseBlock, model: Model, cut: int) -> Floats:
    """(days, n): by how much two states beat one on the days after a cut, up to which both learned.

    Both know the correlation with the reading before: what it predicts is no second state.
    """
    learned, judged = (Observations(bins[part], work.period[part]) for part in (slice(cut), slice(cut, None)))
    gain = hmm.log_likelihoods(judged, model) - _one_state(learned, judged)
    return np.asarray(gain.reshape(-1, work.per_day, gain.shape[1]).sum(axis=1))


def beyond_luck(gain: Floats) -> Bools:
    """Return whether two states beat one on the days that judge, (days, n), by more than luck."""
    error = gain.std(axis=0, ddof=1) / np.sqrt(len(gain))
    return np.asarray(gain.mean(axis=0) > STANDARD_ERRORS * error)


def _one_state(learned: Observations, judged: Observations) -> Floats:
    """(T, n): ln Pr[reading | the one before] of a house that is always in the same state."""
    histogram = learned.count[:, :-1] + hmm.SMOOTHING / BINS
    histogram /= histogram.sum(axis=1, keepdims=True)
    pairs, correlation = learned.pairs(np.ones((len(learned.bins) - 1, 1)))[None], np.zeros(learned.houses)
    for _ in range(NEWTON_STEPS):
        correlation = hmm.climb_correlation(pairs, histogram[None], correlation)
    first = np.take(np.column_stack([histogram, np.ones(len(histogram))]), judged.emission_index[:1])
    later = np.take(hmm.conditional_emission(histogram[None], correlation)[0], judged.pair_index)
    return np.asarray(np.log(np.concatenate([first, later])))


def join_fits(parts: list[HouseFits]) -> HouseFits:
    """Blocks of houses one after the other. They stand along the last axis, but for the edges."""
    others = {
        name: np.concatenate([getattr(part, name) for part in parts], axis=0 if name == "edges" else -1)
        for name in vars(parts[0])
        if name != "model"
    }
    return HouseFits(model=hmm.join([part.model for part in parts]), **others)


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


def mostly_at_night(profile: Floats) -> Bools:
    """Return whether a house is in its upper state when a heater on a night tariff is, from its hours."""
    evening, noon, night = times_of_day(profile)
    return np.asarray((night > evening + NIGHT) & (night > noon - NIGHT))


def times_of_day(profile: Floats) -> tuple[Floats, Floats, Floats]:
    """Return how much of evening, noon and night a house is in its upper state, from its hours, (24, …)."""
    evening, noon, night = (profile[hours].mean(axis=0) for hours in (EVENING, NOON, NIGHT_HOURS))
    return evening, noon, night


def sureness(
    verdict: NDArray[np.str_], evidence: Evidence, occupied: Floats, work: HouseBlock, gain: Floats
) -> Floats:
    """Return on which share of days drawn anew every house is kept, or left out, as its verdict says; the
    fit itself stays."""
    rng = random_generator(0, Stream.METER_DAYS)
    shape = work.days, work.per_day, len(verdict)
    daily = by_day_and_hour(occupied, work.per_day)
    present = np.isfinite(work.power.T)
    power = np.where(present, work.power.T, 0.0)
    by_state = [
        [(weight * each).reshape(shape).sum(axis=1) for each in (power, present)]
        for weight in (1 - occupied, occupied)
    ]
    kept, same = np.isin(verdict, OCCUPANCY), np.zeros(len(verdict))
    for _ in range(RESAMPLED):
        days = rng.multinomial(work.days, np.full(work.days, 1 / work.days)).astype(float)
        judging = rng.integers(len(gain), size=len(gain))
        empty, full = (days @ used / np.maximum(days @ many, 1e-9) for used, many in by_state)
        drawn = evidence._replace(
            profile=np.tensordot(days / work.days, daily, axes=1),
            apart=full - empty,
            separable=beyond_luck(gain[judging]),
        )
        same += np.isin(verdicts(drawn), OCCUPANCY) == kept
    return same / RESAMPLED
