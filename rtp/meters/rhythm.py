"""Whether a home keeps hours that four states can follow, from its readings alone.

Four states take little use at night for sleep, at home. Three kinds of homes are therefore judged wrongly,
and for sure, and they show in the readings:

*Weeks that differ.* Who works by night every other week is out when others sleep. Busy use is shared out over
the eighths of each working day on which anything was used, and averaged by week, without what grows or
shrinks over the whole time: how much is used may change from week to week, when it is used may not. The
largest common difference of weeks (the first principal component of their means) is compared with that of the
same days dealt out to weeks anew: a permutation test. Luck alone passes it at times, by little, and so
does one odd week, as before a holiday. Shifts move whole parts of the day and come again. So the difference
must also be large among all that days differ by, and stay, whichever week is left out. What is busy is taken
at several limits, because at a single one it is a matter of luck by the hour.

*Busy nights.* An appliance that runs for hours on some days also runs on some nights, and passes for people
who are up. Nobody's nights are busy on one night in `NIGHTS` and quiet on most.

*Silent evenings.* Who works every night is out then and sleeps by day. Evenings before a working day fall
silent by ten, though afternoons and the weekend's evenings do not, and nobody is up before six. Who goes to
bed as early on working days alone, and leaves without a trace in the morning, cannot be told from that.

*Clocks.* Times in UTC, or of another zone, shift sleep out of the night. When use falls to rest is read off
the house's mean day; two hours too early or late is asked about, by `USUAL_REST`, and how sure it is of such
a home is not stated.

The first three are refusals and no cure: nothing is learned of such a home. How often they are right is in
`docs/maths.md`, section 22.
"""

from typing import NamedTuple

import numpy as np

from rtp.core.random import Stream, random_generator
from rtp.core.types import Bools, Floats, Ints
from rtp.meters.house_fit import RESAMPLED
from rtp.meters.readings import DAYS_PER_WEEK, HOURS_A_DAY, Powers

ABOVE, LEAST = 1.5, 0.02  # busy: times the median, and kW more
LIMITS = (1.25, ABOVE, 2.0, 3.0)  # times the median: of what weeks are compared by
PARTS = 8  # of a day
DEALT = 200  # times that days are dealt out to weeks
# by what weeks must differ beyond what dealing gives: in standard deviations, all and with any week left out;
# and as a share of all that days differ by
DIFFERENT, STILL, LARGE = 1.5, 0.9, 0.07
LEAVE_OUT = 5  # weeks from which on one is left out
WEEK_AT_LEAST = 2  # days
MIN_WEEKS = 4
NIGHT, NIGHTLY, NIGHTS = 5, 0.3, 0.12  # o'clock until which it is night; a busy one's share; of all nights
LATEST_REST, REST_HOURS, QUIET = (18, 28), 7, 0.35  # from and to which rest may begin; of use that rests
USUAL_REST, MEAN_REST = (-1.75, 2.25), -0.5  # between which hours homes go to rest, if clocks are right
LATE, AFTERNOON, EARLY = slice(22, 24), slice(15, 21), slice(4, 6)  # o'clock
# Shares of the afternoon's busy use: silent is less, and a weekend's evening more, and so many times as much
SILENT, SPOKEN, TIMES = 0.12, 0.25, 3.0
USED = 0.2  # of the hours of a working afternoon, at least: else nobody is there at all
RISEN = 6  # o'clock: a day counts on which somebody used something afterwards


def busy_hours(power: Powers, days: int, above: float = ABOVE) -> Floats:
    """Return how much of every hour a house is busy, (n, days, 24), of power without things left on, (n, T);
    where nothing was read, what is usual for the hour."""
    present = np.isfinite(power)
    middle = np.nanmedian(np.where(present.any(axis=1, keepdims=True), power, 0.0), axis=1, keepdims=True)
    busy, per_day = (power > above * middle + LEAST) & present, power.shape[1] // days
    of_hour = (np.arange(per_day) * HOURS_A_DAY // per_day)[:, None] == np.arange(HOURS_A_DAY)
    shape = len(power), days, per_day
    seen, used = (each.reshape(shape) @ of_hour.astype(float) for each in (present, busy))
    usual = used.sum(axis=1, keepdims=True) / np.maximum(seen.sum(axis=1, keepdims=True), 1.0)
    return np.asarray(np.where(seen > 0, used / np.maximum(seen, 1.0), usual))


class Found(NamedTuple):
    """Whether something is so of n houses, and how surely: the share of days drawn anew that say the same."""

    so: Bools
    sure: Floats


def weeks_differ(power: Powers, days: int, weekend: Bools) -> Found:
    """Return whether the working weeks of each house differ by more than luck and by much, of power without
    things left on, (n, T); as sure as days dealt out anew differ less."""
    busy = np.mean([busy_hours(power, days, limit) for limit in LIMITS], axis=0)
    found = [_so(*_by_parts(own, weekend)) for own in busy]
    return Found(np.array([so for so, _ in found], dtype=bool), np.array([sure for _, sure in found]))


def _by_parts(busy: Floats, weekend: Bools) -> tuple[Floats, Ints]:
    """The shares of each working day's busy use by part of the day, (days, parts), and its week."""
    days = np.flatnonzero((busy[:, RISEN:].sum(axis=1) >= 1) & ~weekend)
    week = days // DAYS_PER_WEEK
    days = days[np.bincount(week)[week] >= WEEK_AT_LEAST]
    shares = busy[days] / busy[days].sum(axis=1, keepdims=True)
    return shares.reshape(len(days), PARTS, HOURS_A_DAY // PARTS).sum(axis=2), days // DAYS_PER_WEEK


def _so(shares: Floats, week: Ints) -> tuple[bool, float]:
    """Whether weeks differ, and how often days dealt out anew differ less."""
    weeks = np.unique(week)
    if len(weeks) < MIN_WEEKS:
        return False, 0.0
    beyond, share, less = _difference(shares, week)
    so = beyond > DIFFERENT and share > LARGE
    if so and len(weeks) >= LEAVE_OUT:
        left = [_difference(shares[week != each], week[week != each])[0] for each in weeks]
        so = min(left) > STILL
    return so, less


def _difference(shares: Floats, week: Ints) -> tuple[float, float, float]:
    """By how much the largest common difference of weeks exceeds what dealing gives: in standard deviations,
    and as a share of all that days differ by; and how often dealing gives less."""
    at = np.arange(len(week))
    trend = np.stack([np.ones(len(at)), at - at.mean()], axis=1)
    parts = shares - trend @ np.linalg.lstsq(trend, shares, rcond=None)[0]
    member = (week[:, None] == np.unique(week)).astype(float)
    member /= np.sqrt(member.sum(axis=0))
    rng = random_generator(0, Stream.METER_DAYS)
    means = member.T @ np.array([parts, *(rng.permutation(parts) for _ in range(DEALT))])
    found, *dealt = np.linalg.eigvalsh(np.swapaxes(means, 1, 2) @ means)[:, -1]
    beyond = float(found - np.mean(dealt))
    return (
        beyond / max(float(np.std(dealt)), 1e-12),
        beyond / max(float((parts**2).sum()), 1e-12),
        float(np.mean(dealt < found)),
    )


def busy_nights(busy: Floats) -> Found:
    """Return whether some of each house's nights are busy and most are not, from busy hours."""
    nights = busy[:, :, :NIGHT].mean(axis=2)
    usual = np.median(nights, axis=1, keepdims=True)
    odd = nights > np.maximum(NIGHTLY, 2 * usual)
    drawn = random_generator(0, Stream.METER_DAYS).integers(odd.shape[1], size=(RESAMPLED, odd.shape[1]))
    so = odd.mean(axis=1) > NIGHTS
    return Found(so, (odd[:, drawn].mean(axis=2) > NIGHTS).mean(axis=1))


def silent_evenings(busy: Floats, weekend: Bools) -> Found:
    """Return whether each house's evenings fall silent before working days and on weekends do not, from busy
    hours."""
    work = ~(weekend | np.roll(weekend, -1))
    if not weekend.any() or not work.any():
        return Found(np.zeros(len(busy), dtype=bool), np.ones(len(busy)))

    def share(own: Floats, hours: slice) -> Floats:
        afternoon = own[:, :, AFTERNOON].mean(axis=(1, 2))
        return np.asarray(own[:, :, hours].mean(axis=(1, 2)) / np.maximum(afternoon, 1e-12))

    def silent(working: Floats, free: Floats) -> Bools:
        late, usual = share(working, LATE), share(free, LATE)
        quiet = np.maximum(late, share(working, EARLY)) < SILENT
        quiet &= working[:, :, AFTERNOON].mean(axis=(1, 2)) > USED
        return np.asarray(quiet & (usual > np.maximum(SPOKEN, TIMES * late)))

    rng, kinds = random_generator(0, Stream.METER_DAYS), [busy[:, work], busy[:, weekend]]
    drawn = [
        silent(*(own[:, rng.integers(own.shape[1], size=own.shape[1])] for own in kinds))
        for _ in range(RESAMPLED)
    ]
    return Found(silent(*kinds), np.mean(drawn, axis=0))


def rest_begins(used: Floats) -> float:
    """Return the hour, counted from the midnight before and below 0 ahead of it, at which use falls to rest:
    by the middle house's use in every hour of the day, (24, n), near its least seven hours by night."""
    level = np.median(used / np.maximum(used.mean(axis=0), 1e-9), axis=1)
    ring = np.concatenate([level, level])
    starts = np.arange(*LATEST_REST)
    least = starts[np.argmin([ring[start : start + REST_HOURS].mean() for start in starts])]
    low, high = ring[least : least + REST_HOURS].mean(), level.max()
    quiet, hour = low + QUIET * (high - low), int(least) + REST_HOURS // 2
    while ring[hour - 1] < quiet and hour > RISEN:
        hour -= 1
    before, after = ring[hour - 1], ring[hour]
    return float(hour - 24 - 0.5 + (before - quiet) / max(before - after, 1e-9))


def hours_slow(used: Floats) -> int:
    """Return by how many hours the clock seems slow; 0 where use falls to rest when most homes' does."""
    begins = rest_begins(used)
    return 0 if USUAL_REST[0] <= begins <= USUAL_REST[1] else round(MEAN_REST - begins)
