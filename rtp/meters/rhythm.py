"""Readings to *at home*: three states, away, up and asleep, learned without being told who was at home.

Who sleeps uses as little as who is away, so two states call every night an absence. Here

    away    uses little; left by arriving, busy or quiet as may be
    up      is busy and uses more, or quiet and uses little; entered and left as the clock of the house says
    asleep  uses little; entered from up between 20 and 6 o'clock, left to up between 4 and 12, never to away

and *at home* is up or asleep. All that use little have one emission between them (a tied emission): readings
cannot tell them apart, the clock and the time that they last can. Who comes home, or gets up, is as likely
quiet as busy: if coming home had to show, the time before it would be taken for absence, and for sure. The
model is a hidden Markov model as in `hmm`, histograms and autocorrelation included; here use while little and
while much is used have a correlation each. The two ways to be up are states of the chain, four in all.

What readings cannot say, a prior must, and it is all here. Left free, expectation and maximisation take
every night for an absence. In the national survey of the United States (Bureau of Transportation Statistics,
Transportation Statistics Annual Report 2005, table 4-8, weekdays of 2001) 4.0 % of 282 billion trips begin
between 22 and 6 o'clock, of about four that a person makes a day. If one in two of these leaves home, a
person leaves it on 1 night in 12, 0.0025 in every quarter of an hour; and a home is *left empty* less often.
This chance is held. The others are learned, from priors worth `PRIOR` moves: four trips a day are one or two
outings, one in about eight hours that one is up at home (0.03), of five hours each (0.05); one is busy for
five hours (0.05) and quiet for one (0.25); goes to bed and gets up within hours of when it is possible (0.1).
"""

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from rtp.core.time import WEEKDAYS, WEEKEND
from rtp.core.types import Bools, Floats, Ints
from rtp.meters import hmm
from rtp.meters.base_load import without_left_on
from rtp.meters.readings import (
    BINS,
    DAYS_PER_WEEK,
    MINUTES_PER_DAY,
    Observations,
    Powers,
    quantile_edges,
    to_bins,
    weighted_sums,
)
from rtp.probability.markov import StatesGiven, forward_backward_states

AWAY, BUSY, QUIET, ASLEEP = range(4)
UP = [BUSY, QUIET]
LEVEL = (0, 1, 0, 0)  # of use, by state: little or much
STARTS = (6, 9, 16, 22)  # o'clock: the periods of the day; the last one is the night
NIGHT = len(STARTS) - 1
BED_FROM, BED_UNTIL = 20, 6  # o'clock: when people go to bed
RISE_FROM, RISE_UNTIL = 4, 12  # and when they get up

QUARTER = 15  # minutes, for which these chances are
NIGHT_LEAVE = 0.0025
LEAVE, ARRIVE = 0.03, 0.05
QUIET_CHANCE, BUSY_CHANCE = 0.05, 0.25  # to become quiet, and busy again
BED, RISE = 0.1, 0.1
PRIOR = 10.0  # moves that each prior is worth
QUIET_PRIOR = 50.0  # and that of being quiet

MUCH_SHARE = 0.4  # of readings, in the first guess
# More, and a long time of little use passes for much use that happens to be low; and where simulated homes'
# use is steady, more gains nothing (docs/maths.md, section 22).
MAX_CORRELATION = 0.5
ROUNDS = 40
TOLERANCE = 1e-3  # of Pr[at home], in a mean step
CELLS = 250_000  # readings worked on together


@dataclass(frozen=True, kw_only=True)
class Rhythm:
    """Probabilities per step of n houses by the periods of `STARTS`, (P, n): four, or eight, those of the
    weekend last; and their emissions."""

    minutes: int  # of a step
    first: int = 0  # the weekday of the first step, 0 a Monday
    initial: Floats  # (4, n) by state
    leave: Floats  # (P, n) to leave, of who is up
    arrive: Floats  # (P, n)
    to_bed: Floats  # (P, n) in the hours in which it is possible
    get_up: Floats  # (P, n)
    quiet: Floats  # (n,) to become quiet
    busy: Floats  # (n,) to become busy again
    emission: Floats  # (2, n, K): the probability of each bin, at little and at much use
    correlation: Floats  # (2, n) of a reading with the one before, while use stays little, or much

    @property
    def clock(self) -> "Clock":
        """That of a day, or of a week where weekends are apart."""
        return clock(self.minutes, self.first if len(self.leave) > len(STARTS) else None)

    def select(self, houses: Ints) -> "Rhythm":
        """Some houses."""
        part = {name: value[:, houses] for name, value in vars(self).items() if np.ndim(value) > 1}
        return Rhythm(
            minutes=self.minutes, first=self.first, quiet=self.quiet[houses], busy=self.busy[houses], **part
        )


def join(parts: list[Rhythm]) -> Rhythm:
    """Blocks of houses one after the other."""
    arrays = [name for name, value in vars(parts[0]).items() if np.ndim(value)]
    axes = {name: min(1, np.ndim(getattr(parts[0], name)) - 1) for name in arrays}
    whole = {
        name: np.concatenate([getattr(part, name) for part in parts], axis=axes[name]) for name in arrays
    }
    return Rhythm(minutes=parts[0].minutes, first=parts[0].first, **whole)


class Clock(NamedTuple):
    """A day, or a week, of D steps: the period of each, and whether one can go to bed, get up, or sleep."""

    period: Ints  # (D,)
    bed: Bools
    rise: Bools
    waking: Bools  # who still sleeps gets up

    @property
    def steps(self) -> int:
        return len(self.period)

    @property
    def periods(self) -> int:
        return int(self.period.max()) + 1


def clock(minutes: int, week: int | None = None) -> Clock:
    """Return the clock of a day in steps of so many minutes, or of a week that begins on that weekday."""
    days = 1 if week is None else DAYS_PER_WEEK
    hour = np.tile(np.arange(MINUTES_PER_DAY // minutes) * minutes / 60, days)
    bed = (hour >= BED_FROM) | (hour < BED_UNTIL)
    rise = (hour >= RISE_FROM) & (hour < RISE_UNTIL)
    period = (np.searchsorted(STARTS, hour, side="right") - 1) % len(STARTS)
    if week is not None:
        weekend = np.array([WEEKDAYS[(week + day) % DAYS_PER_WEEK] in WEEKEND for day in range(days)])
        period += len(STARTS) * np.repeat(weekend, len(hour) // days)
    return Clock(period, bed, rise, ~bed & ~rise)


def per_step(chance: float, minutes: int) -> float:
    """Return the chance in a step of so many minutes, of one in a quarter of an hour."""
    return float(1 - (1 - chance) ** (minutes / QUARTER))


def observations(power: Powers, edges: Floats, minutes: int) -> Observations:
    """Return what the model sees of (n, T) kW."""
    days = power.shape[1] * minutes // MINUTES_PER_DAY
    return Observations(to_bins(power, edges), np.tile(clock(minutes).period, days))


def first_guess(seen: Observations, minutes: int, week: int | None = None) -> Rhythm:
    """The priors, and much use where a reading is high among its house's."""
    houses, periods = seen.houses, clock(minutes, week).periods
    guess = hmm.first_guess(seen, MUCH_SHARE, 0.1, len(STARTS))

    def prior(chance: float) -> Floats:
        return np.full((periods, houses), per_step(chance, minutes))

    leave = prior(LEAVE)
    leave[NIGHT :: len(STARTS)] = per_step(NIGHT_LEAVE, minutes)
    return Rhythm(
        minutes=minutes,
        first=week or 0,
        initial=np.repeat([[0.2], [0.1], [0.1], [0.6]], houses, axis=1),
        leave=leave,
        arrive=prior(ARRIVE),
        to_bed=prior(BED),
        get_up=prior(RISE),
        quiet=prior(QUIET_CHANCE)[0],
        busy=prior(BUSY_CHANCE)[0],
        emission=guess.emission,
        correlation=np.zeros((2, houses)),
    )


def chances(model: Rhythm) -> Floats:
    """Return the probability of every move after each step of a day, or a week where weekends are apart,
    (D, 4, 4, n) by state and next state."""
    day = model.clock
    leave, arrive = model.leave[day.period], model.arrive[day.period]
    bed = np.where(day.bed[:, None], model.to_bed[day.period], 0.0)
    rise = np.where(day.rise[:, None], model.get_up[day.period], np.where(day.waking, 1.0, 0.0)[:, None])
    stay = (1 - bed) * (1 - leave)
    result = np.zeros((day.steps, 4, 4, leave.shape[1]))
    result[:, AWAY, AWAY] = 1 - arrive
    result[:, AWAY, BUSY] = result[:, AWAY, QUIET] = arrive / 2
    for state, change in ((BUSY, model.quiet), (QUIET, model.busy)):
        result[:, state, AWAY], result[:, state, ASLEEP] = (1 - bed) * leave, bed
        result[:, state, state], result[:, state, BUSY + QUIET - state] = stay * (1 - change), stay * change
    result[:, ASLEEP, ASLEEP] = 1 - rise
    result[:, ASLEEP, BUSY] = result[:, ASLEEP, QUIET] = rise / 2
    return result


def decode(seen: Observations, model: Rhythm) -> StatesGiven:
    """Return what all readings say of every step."""
    return forward_backward_states(*weights(seen, model))


def weights(seen: Observations, model: Rhythm) -> tuple[Floats, Floats]:
    """Return Pr[state, reading] of the first step, (4, n), and of others given the step before,
    (T − 1, 4, 4, n)."""
    fresh = np.concatenate([model.emission, np.ones((2, seen.houses, 1))], axis=2)
    apart = np.array([np.take(each, seen.emission_index) for each in fresh])  # (2, T, n)
    after = hmm.conditional_emission(model.emission, model.correlation)
    goes_on = np.array([np.take(each, seen.pair_index) for each in after])
    return model.initial * apart[list(LEVEL), 0], weigh(chances(model), apart, goes_on)


def weigh(day: Floats, apart: Floats, goes_on: Floats) -> Floats:
    """Return the moves of a day or week, (D, 4, 4, n), as often as it comes again, with the likelihood of
    what is seen after each: at little or much use, `apart` (2, T, n), or, where that stays, given what was
    seen before, `goes_on` (2, T − 1, n)."""
    weight = day[np.arange(goes_on.shape[1]) % len(day)]
    for state, level in enumerate(LEVEL):
        for after, then in enumerate(LEVEL):
            weight[:, state, after] *= goes_on[level] if then == level else apart[then, 1:]
    return weight


def m_step(seen: Observations, model: Rhythm, found: StatesGiven) -> Rhythm:
    """Return the likeliest model for what is expected, with its priors."""
    day, minutes = model.clock, model.minutes
    moves = _by_clock(found.moves, day.steps)  # (D, 4, 4, n)
    up = moves[:, UP]
    going, leaving = up[:, :, ASLEEP].sum(axis=1), up[:, :, AWAY].sum(axis=1)
    staying = up[:, :, UP].sum(axis=(1, 2))
    rising, sleeping = moves[:, ASLEEP, UP].sum(axis=1), moves[:, ASLEEP].sum(axis=1)

    def rate(events: Floats, steps: Floats, chance: float, when: Bools | None = None) -> Floats:
        """(4, n) by period, where it is possible."""
        within = (day.period == np.arange(day.periods)[:, None]) & (True if when is None else when)
        return posterior_mean(within @ events, within @ steps, per_step(chance, minutes))

    leave = rate(leaving, leaving + staying, LEAVE)
    leave[NIGHT :: len(STARTS)] = model.leave[NIGHT :: len(STARTS)]
    quiet, busy = (moves[:, a, b].sum(axis=0) for a, b in ((BUSY, QUIET), (QUIET, BUSY)))
    in_quiet, in_busy = (moves[:, state, UP].sum(axis=(0, 1)) for state in (QUIET, BUSY))
    emission, correlation = _use(seen, model, found)
    return Rhythm(
        minutes=minutes,
        first=model.first,
        initial=model.initial,
        leave=leave,
        arrive=rate(moves[:, AWAY, UP].sum(axis=1), moves[:, AWAY].sum(axis=1), ARRIVE),
        to_bed=rate(going, going + leaving + staying, BED, day.bed),
        get_up=rate(rising, sleeping, RISE, day.rise),
        quiet=posterior_mean(quiet, in_busy, per_step(QUIET_CHANCE, minutes), QUIET_PRIOR),
        busy=posterior_mean(busy, in_quiet, per_step(BUSY_CHANCE, minutes), QUIET_PRIOR),
        emission=emission,
        correlation=correlation,
    )


def posterior_mean(events: Floats, steps: Floats, chance: float, worth: float = PRIOR) -> Floats:
    """Return the chance of a move, with so many more of them at the chance that one expects beforehand."""
    return np.asarray((events + worth) / (steps + worth / chance))


def _by_clock(moves: Floats, per_day: int) -> Floats:
    """(D, …): sums over the days of (T − 1, …)."""
    total = np.zeros((per_day, *moves.shape[1:]))
    for start in range(0, len(moves), per_day):
        one_day = moves[start : start + per_day]
        total[: len(one_day)] += one_day
    return total


def _use(seen: Observations, model: Rhythm, found: StatesGiven) -> tuple[Floats, Floats]:
    """Emissions (2, n, K), and correlations (2, n) by a Newton step, at little and at much use."""
    much = found.states[:, BUSY]
    if_much = weighted_sums(seen.emission_index, much, seen.houses, 1)[:, 0]
    emission = np.array([seen.count - if_much, if_much])[:, :, :BINS] + hmm.SMOOTHING * seen.own_histogram
    emission /= emission.sum(axis=2, keepdims=True)
    still_much = found.moves[:, BUSY, BUSY]
    still_little = 1 - much[:-1] - much[1:] + still_much
    correlation = [
        hmm.climb_correlation(seen.pairs(still)[None], own[None], start)
        for still, own, start in zip((still_little, still_much), emission, model.correlation, strict=True)
    ]
    return np.asarray(emission), np.minimum(correlation, MAX_CORRELATION)


def learn_rhythm(power: Powers, minutes: int, week: int | None = None) -> tuple[Rhythm, Floats, StatesGiven]:
    """Return the model of every house, (n, T) kW, its bins' edges, and what the readings then say; with
    chances of their own on weekends where `week`, the weekday of the first day, is given.

    The states are found in what is used without things left on; the model says what they use in all.
    """
    level = without_left_on(power, minutes)
    seen = observations(level, quantile_edges(level), minutes)
    model = first_guess(seen, minutes, week)
    found = decode(seen, model)
    for _ in range(ROUNDS):
        before = found.states[:, AWAY]
        model = m_step(seen, model, found)
        found = decode(seen, model)
        if np.abs(found.states[:, AWAY] - before).mean(axis=0).max() < TOLERANCE:
            break
    edges = quantile_edges(power)
    emission, correlation = _use(observations(power, edges, minutes), model, found)
    return replace(model, emission=emission, correlation=correlation), edges, found
