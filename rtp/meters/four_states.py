"""Four states of every house, away, busy, quiet and asleep: *at home*, learned without being told who was.

Who sleeps uses as little as who is away, so two states call every night an absence. Here

    away    uses little; left by arriving, busy or quiet as may be
    up      is busy and uses more, or quiet and uses little; entered and left as the clock of the house says
    asleep  uses little; entered from up between 21 and 6 o'clock, left to up between 4 and 12, never to away

and *at home* is up or asleep. All that use little have one emission between them (a tied emission): readings
cannot tell them apart, the clock and the time that they last can. Who comes home, or gets up, is as likely
quiet as busy: if coming home had to show, the time before it would be taken for absence, and for sure. The
model is that of `rtp.probability.hmm`; use while little and while much is used have a correlation each.

What readings cannot say, a prior must, and it is all here. Left free, expectation and maximisation take
every night for an absence. In the national survey of the United States (Bureau of Transportation Statistics,
Transportation Statistics Annual Report 2005, table 4-8, weekdays of 2001) 4.0 % of 282 billion trips begin
between 22 and 6 o'clock, of about four that a person makes a day. If one in two of these leaves home, a
person leaves it on 1 night in 12, 0.0025 in every quarter of an hour; and a home is *left empty* less often.
This chance is held. The others are learned, from priors worth `PRIOR` moves: four trips a day are two
outings, there and back, of five hours each (0.05); of seventeen hours awake they leave seven that one is up
at home, in which one leaves twice (0.07). One is busy for five hours (0.05) and quiet for one (0.25); goes to
bed and gets up within hours of when it is possible (0.1).

**What was left on.** A computer or a heater that is left on for two days raises every reading, and a learner
of levels takes these days for busy ones. Nobody is up for `AWAKE` hours without a rest, so what does not fall
for so long tells of no one. The base is the opening of the hourly means by a window of that length (the
largest level that some window of `AWAKE` hours around the moment never falls below), as in the removal of a
background from pictures. States are found in what is used without it. What heats by night, on most nights and
above nearly all that is used in the evening, runs whoever is in: readings say nothing while it does.

**Held-out weeks.** What readings leave open can be learned in two ways, and the likelier is not always the
true one. So from four weeks on two more decoders are learned, each on every other week, from the same priors.
Where all three give the same answer it is the first one's, as sure as that is; where they do not it is the
mean of all, which is less sure. Without labels nothing shows that three are right; that they differ shows
that one is wrong. In less than four weeks nothing is held out, and nothing said of how sure it is.

**How far off.** Which share of so many answers is right is luck, too: moments of one absence are right or
wrong together, and in four weeks there are few. The chain tells how large that luck is (`luck`), the two
halves of the weeks how far they differ in how sure they are. Where both together are too much no number is
stated.

**Bedtime.** Who goes out in the evening is quiet from then on, as if gone to bed. Hardly any home sleeps
before 21 o'clock, so until then quiet is absence or a quiet evening; with 20 o'clock in its place evenings
out were taken for early nights.

**Longer steps.** People get up and leave within an hour. So the chain moves in quarters of an hour, however
far readings are apart: one of a longer step is read once, in the middle of its quarters, and says nothing
more of the others; what is said of the step is said of its middle. A chain of whole hours, in which nobody
gets up and leaves in one step, was right at 90 % of the real home's moments by the hour and 93 % sure; this
one is right at 93.6 and as sure.

A scenario has houses of two states: *occupied* is then at home; what it uses is the mixture of up and asleep,
its moves are leaving home and coming back, as the readings make one expect. So mechanisms, replay and
observer take what four states taught like anything else that was learned."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from rtp.core.random import Stream, random_generator
from rtp.core.types import Bools, Floats, Ints
from rtp.meters.house_fit import (
    AT_NIGHT,
    BUSY_NIGHTS,
    EVENING,
    FOLLOWS,
    RESAMPLED,
    ROUGH_FIT,
    SILENT_EVENINGS,
    WEEKS_DIFFER,
    HouseFits,
    gains,
    judged,
    mostly_at_night,
    sorting_days,
    trained_days,
    use_moments,
)
from rtp.meters.readings import MINUTES_PER_DAY, Powers, Readings, by_day_and_hour, by_hour, period_of_steps
from rtp.meters.rhythm import busy_hours, busy_nights, hours_slow, silent_evenings, weeks_differ
from rtp.meters.transitions import expected_transitions
from rtp.meters.two_states import low_and_high
from rtp.probability.hmm import (
    NEVER,
    SURELY,
    Expected,
    Model,
    Move,
    MoveTable,
    Pairs,
    baum_welch,
    e_step,
    emissions,
    emit,
)
from rtp.probability.observations import Observations, quantile_edges, to_bins

Number = TypeVar("Number", bound=np.floating)
AWAY, BUSY, QUIET, ASLEEP = range(4)
UP = [BUSY, QUIET]
STARTS = (6, 9, 16, 22)  # o'clock: the periods of the day that habits are learned for; the last is the night
HOURS = (0, 4, 6, 9, 12, 16, 21, 22)  # o'clock, at which the moves that are possible change, or their chances
# Which of the four periods' chances holds from each of these hours: to go out and come back; to go to bed,
# from 21 to 6 o'clock; to get up, from 4 to 12, and who still sleeps then gets up at once.
OUT_PERIODS = (3, 3, 0, 1, 1, 2, 2, 3)
BED_PERIODS = (3, 3, NEVER, NEVER, NEVER, NEVER, 2, 3)
RISE = (NEVER, 3, 0, 1, SURELY, SURELY, NEVER, NEVER)
NIGHT_PERIOD = 3

QUARTER = 15  # minutes, for which these chances are
NIGHT_LEAVE = 0.0025
_LEAVE, _ARRIVE = 0.07, 0.05
QUIET_CHANCE, BUSY_CHANCE = 0.05, 0.25  # to become quiet, and busy again
BED, GET_UP = 0.1, 0.1
PRIOR = 10.0  # moves that each prior is worth
QUIET_PRIOR = 50.0  # and that of being quiet
INITIAL = (0.2, 0.1, 0.1, 0.6)  # by state, at midnight

MUCH_SHARE = 0.4  # of readings, in the first guess
# More, and a long time of little use passes for much use that happens to be low; and where simulated homes'
# use is steady, more gains nothing (docs/maths.md, section 22).
MOST_CORRELATED = 0.5
STATES_AT_ONCE = 250_000  # readings worked on together
AWAKE = 18  # hours
# What heats by night: above this share of the evening's readings, at these hours, on more of the nights
NEARLY_ALL, DEEP_NIGHT, MOST_NIGHTS = 0.95, (22, 23, 0, 1, 2, 3), 0.5
TESTED = 28  # days from which weeks are held out
TINY = 1e-300  # for what cannot be, in a denominator
HOUR = 60  # minutes: over which a refrigerator's cycle is levelled out


def table(minutes: int, weekend: bool) -> MoveTable:
    """Return the table of moves in steps of so many minutes; with chances of their own on weekends, or
    not."""

    def move(
        name: str,
        happens: Pairs,
        fails: Pairs,
        period: tuple[int, ...],
        chance: float,
        held: tuple[int, ...] = (),
    ) -> Move:
        own = (*period, *(each + len(STARTS) * (each >= 0) for each in period)) if weekend else period
        return Move(name, happens, fails, own, per_step(chance, minutes), PRIOR, held)

    came, left = ((AWAY, BUSY), (AWAY, QUIET)), ((BUSY, AWAY), (QUIET, AWAY))
    slept, rose = ((BUSY, ASLEEP), (QUIET, ASLEEP)), ((ASLEEP, BUSY), (ASLEEP, QUIET))
    stay = tuple((now, then) for now in UP for then in UP)
    nights = (NIGHT_PERIOD, NIGHT_PERIOD + len(STARTS))[: 1 + weekend]
    always = (0,) * len(HOURS) * (1 + weekend)

    def change(name: str, now: int, then: int, chance: float) -> Move:
        return Move(name, ((now, then),), ((now, now),), always, per_step(chance, minutes), QUIET_PRIOR)

    return MoveTable(
        moves=(
            move("leave", left, stay, OUT_PERIODS, _LEAVE, nights),
            move("arrive", came, ((AWAY, AWAY),), OUT_PERIODS, _ARRIVE),
            move("go to bed", slept, left + stay, BED_PERIODS, BED),
            move("get up", rose, ((ASLEEP, ASLEEP),), RISE, GET_UP),
            change("become quiet", BUSY, QUIET, QUIET_CHANCE),
            change("become busy", QUIET, BUSY, BUSY_CHANCE),
        ),
        level=(0, 1, 0, 0),
        halved=came + rose,
        learns_initial=False,
        most_correlation=MOST_CORRELATED,
    )


def per_step(chance: float, minutes: int) -> float:
    """Return the chance in a step of so many minutes, of one in a quarter of an hour."""
    return float(1 - (1 - chance) ** (minutes / QUARTER))


def first_guess(seen: Observations, minutes: int, weekend: bool) -> Model:
    """Return the priors, and much use where a reading is high among its house's."""
    moves = table(minutes, weekend)
    probability = {move.name: np.full((move.size, seen.houses), move.prior) for move in moves.moves}
    probability["leave"][list(moves.moves[0].held)] = per_step(NIGHT_LEAVE, minutes)
    return Model(
        table=moves,
        initial=np.repeat(np.array(INITIAL)[:, None], seen.houses, axis=1),
        probability=probability,
        group=np.arange(seen.houses),
        emission=low_and_high(seen, MUCH_SHARE),
        correlation=np.zeros((2, seen.houses)),
    )


def quarters(minutes: int) -> int:
    """Return in how many steps the chain passes one of so many minutes."""
    return minutes // QUARTER if minutes % QUARTER == 0 else 1


def spread(values: NDArray[Number], minutes: int, otherwise: float = np.nan) -> NDArray[Number]:
    """Return what is known of every step of so many minutes, (…, T), where the chain's steps read it."""
    pieces = quarters(minutes)
    result = np.full((*values.shape[:-1], values.shape[-1] * pieces), otherwise, dtype=values.dtype)
    result[..., pieces // 2 :: pieces] = values
    return result


def together(values: Floats, minutes: int) -> Floats:
    """Return the mean over each step of so many minutes, (T, …), of the chain's steps."""
    return np.asarray(values.reshape(-1, quarters(minutes), *values.shape[1:]).mean(axis=1))


def in_steps(found: Expected, minutes: int) -> Floats:
    """Return Pr[state] in the middle of each step of so many minutes, (T, 4, n): who comes or goes once in a
    step is at home for most of it where that is so in its middle, and the mean of its quarters knows less."""
    pieces = quarters(minutes)
    parts = found.states.reshape(-1, pieces, *found.states.shape[1:])
    return np.asarray(parts[:, (pieces - 1) // 2 : pieces // 2 + 1].mean(axis=1))


def luck(found: Expected, home: Bools) -> Floats:
    """Return the standard deviation of the share of steps at which what is said of who is at home, (T, n), is
    right, given all readings, (n,): the sum's two moments are carried along the chain."""
    wrong = (np.arange(found.states.shape[1]) != AWAY)[:, None] != home[:, None]
    kernel = found.moves / np.maximum(found.states[:-1, :, None], TINY)  # Pr[next state | state, readings]
    total = square = found.states[0] * wrong[0]
    for own, after, miss in zip(found.states[1:], kernel, wrong[1:], strict=True):
        total, square = ((each[:, None] * after).sum(axis=0) for each in (total, square))
        total, square = total + miss * own, square + miss * (2 * total + own)
    variance = square.sum(axis=0) - total.sum(axis=0) ** 2
    return np.asarray(np.sqrt(np.maximum(variance, 0.0)) / len(home))


def fit_states(
    readings: Readings, weekend: Bools | None
) -> tuple[Model, tuple[Model, ...], Floats, Observations, Floats]:
    """Return of every house, with chances of their own on these days, if any are given, a model of what is
    used without things left on; the same learned on every other week, and on the weeks between, or none; the
    kW between its bins, (n, BINS + 1); what is seen in the chain's steps; and by how much two levels of use
    predict days better than one that were not learned from, (days, n)."""
    pieces = quarters(readings.minutes)
    per_day, minutes = readings.steps_per_day * pieces, readings.minutes // pieces
    power = without_left_on(readings.power, readings.minutes)
    edges = quantile_edges(power)
    clock = period_of_steps(HOURS, minutes, readings.days, weekend)
    seen = Observations(to_bins(spread(power, readings.minutes), edges), clock)

    def learned(own: Observations) -> Model:
        """From the priors: what else explains readings as well is further from them."""
        guess = first_guess(own, minutes, weekend is not None)
        return baum_welch(own, guess, autocorrelated=True, tolerance=ROUGH_FIT).model

    trained, sorting = trained_days(readings.days), sorting_days(readings.days)
    before = Observations(seen.bins[: trained * per_day], clock[: trained * per_day])
    weeks = (sorting, ~sorting) if readings.days >= TESTED else ()
    halves = tuple(learned(replace(seen, weight=np.repeat(own.astype(float), per_day))) for own in weeks)
    return learned(seen), halves, edges, seen, gains(seen, learned(before), trained, per_day)


def agreed(states: Sequence[Floats]) -> Floats:
    """Return Pr[state], (T, 4, n), of several decoders: the first one's where all say the same of who is in,
    and the mean of all where they do not."""
    home = np.array([each[:, AWAY] < 0.5 for each in states])
    same = (home == home[0]).all(axis=0)
    return np.where(same[:, None], states[0], np.mean(states, axis=0))


def fit_homes(
    readings: Readings, period: Ints, periods: int, weekend: Bools | None, *, every_house: bool = False
) -> HouseFits:
    """Return what four states tell of every house, in the form in which two states are told, its moves by the
    period of every step, (T,); and whether they can be people."""
    model, halves, level_edges, seen, gain = fit_states(readings, weekend)
    minutes, pieces, edges = readings.minutes, quarters(readings.minutes), quantile_edges(readings.power)
    per_day, day = readings.steps_per_day * pieces, np.repeat(readings.day, pieces)
    as_read = Observations(
        to_bins(spread(readings.power, minutes), edges), clock_of(model, minutes, readings.weekend)
    )
    found, *others = (e_step(seen, each) for each in (model, *halves))
    home, busy = 1 - found.states[:, AWAY], together(found.states[:, BUSY], minutes)
    decoded = [in_steps(each, minutes) for each in (found, *others)]
    told = 1 - agreed(decoded)[:, AWAY]
    right = [np.where(told >= 0.5, 1 - each[:, AWAY], each[:, AWAY]).mean(axis=0) for each in decoded]
    weeks_apart = np.subtract(*right[1:]) / 2 if halves else np.inf
    up = by_day_and_hour(found.states[:, UP].sum(axis=1), per_day)
    power = without_left_on(readings.power, minutes)
    of_busy, _ = use_moments(power.T, busy)  # as the states were found
    mean, variance = use_moments(readings.power.T, together(home, minutes))
    found_busy = judged(readings, edges, busy, of_busy[1] - of_busy[0], gain)
    heater = (found_busy["verdict"] == FOLLOWS) & mostly_at_night(up.mean(axis=0)) & (not every_house)
    by_hours = busy_hours(power, readings.days)
    nights, evenings = busy_nights(by_hours), silent_evenings(by_hours, readings.weekend)
    weeks = weeks_differ(power, readings.days, readings.weekend)
    kept = (found_busy["verdict"] == FOLLOWS) & ~heater & (not every_house)
    doubted = [heater, kept & nights.so, kept & weeks.so, kept & evenings.so]
    at_home = {
        "profile": np.where(heater, up.mean(axis=0), by_hour(home, per_day)),
        "verdict": np.select(
            doubted, [AT_NIGHT, BUSY_NIGHTS, WEEKS_DIFFER, SILENT_EVENINGS], found_busy["verdict"]
        ),
        "sureness": np.select(
            doubted, [_share_at_night(up), nights.sure, weeks.sure, evenings.sure], found_busy["sureness"]
        ),
    }
    return HouseFits(
        **found_busy | at_home,
        emission=emissions(as_read, [1 - home, home]),
        correlation=np.zeros(len(edges)),
        mean=mean,
        variance=variance,
        certainty=np.maximum(told, 1 - told).mean(axis=0),
        off=np.where(
            [hours_slow(used[:, None]) == 0 for used in found_busy["used"].T],
            np.hypot(luck(found, np.repeat(told >= 0.5, pieces, axis=0)), weeks_apart),
            np.inf,
        ),
        model=model,
        halves=halves,
        moves=expected_transitions(
            home,
            found.moves[:, UP, AWAY].sum(axis=1),
            found.moves[:, AWAY, UP].sum(axis=1),
            np.repeat(period, pieces),
            periods,
            day,
        ),
        sorting=by_hour(home[sorting_days(readings.days)[day]], per_day),
        level_edges=level_edges,
        as_read=emit(as_read, model, found),
    )


def _share_at_night(up: Floats) -> Floats:
    """(n,): of days drawn anew, (days, 24, n), that on which somebody is up mostly at night."""
    drawn = random_generator(0, Stream.METER_DAYS).integers(len(up), size=(RESAMPLED, len(up)))
    return np.asarray(np.mean([mostly_at_night(up[days].mean(axis=0)) for days in drawn], axis=0))


def decode(power: Powers, minutes: int, fits: HouseFits, houses: Ints, weekend: Bools) -> Floats:
    """Return Pr[state] of some houses given all that they used, (T, 4, m): of their power, (m, T) kW, on days
    of which these are weekends."""
    assert fits.level_edges is not None
    bins = to_bins(spread(without_left_on(power, minutes), minutes), fits.level_edges[houses])
    states = []
    assert fits.model is not None
    for decoder in (fits.model, *fits.halves):
        own = decoder.select(houses)
        seen = Observations(bins, clock_of(own, minutes, weekend))
        states.append(in_steps(e_step(seen, own), minutes))
    return agreed(states)


def clock_of(model: Model, minutes: int, weekend: Bools) -> Ints:
    """Return the table's period of every step of the chain, (T,), on days of which these are weekends."""
    apart, own = model.table.periods > len(HOURS), minutes // quarters(minutes)
    return period_of_steps(HOURS, own, len(weekend), weekend if apart else None)


def base_load(power: Powers, minutes: int) -> Floats:
    """Return the base of every house's use, (n, T) kW in steps of so many minutes; no reading is looked at
    that is missing."""
    from scipy.ndimage import grey_opening, uniform_filter1d

    present = np.isfinite(power)
    usual = np.nanmedian(np.where(present.any(axis=1, keepdims=True), power, 0.0), axis=1, keepdims=True)
    whole = np.where(present, power, usual).astype(float)
    level = uniform_filter1d(whole, max(HOUR // minutes, 1), axis=1, mode="nearest")
    return np.asarray(grey_opening(level, size=(1, AWAKE * HOUR // minutes), mode="nearest"))


def without_left_on(power: Powers, minutes: int) -> Powers:
    """Return what every house uses, (n, T) kW, less that by which its base exceeds its usual (median) one;
    missing while something heats by night."""
    base = base_load(power, minutes)
    excess = np.maximum(base - np.median(base, axis=1, keepdims=True), 0.0)
    heats = heated_by_night(power, minutes)
    return np.where(heats, np.nan, np.maximum(power - excess, 0.0)).astype(np.float32)


def heated_by_night(power: Powers, minutes: int) -> Bools:
    """Return when each house uses more by night than in nearly all of its evenings, (n, T), where it does on
    most nights."""
    days = power.reshape(len(power), -1, MINUTES_PER_DAY // minutes)
    hour = np.arange(days.shape[2]) * minutes // HOUR
    evening = np.nan_to_num(days[:, :, np.isin(hour, EVENING)])
    usual = np.quantile(evening.reshape(len(days), -1), NEARLY_ALL, axis=1)[:, None, None]
    high = (days > usual) & np.isin(hour, DEEP_NIGHT)
    most = high.any(axis=2).mean(axis=1) > MOST_NIGHTS
    return np.asarray(high & most[:, None, None]).reshape(power.shape)
