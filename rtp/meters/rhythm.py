"""Whether a home keeps hours that four states can follow, from its readings alone.

Four states take little use at night for sleep, at home. Two kinds of homes are therefore judged wrongly, and
for sure, and they show in the readings:

*Weeks that differ.* Who works by night every other week is out when others sleep. Hours of busy use are
shared out over each working day on which anything was used, and averaged by week, without what grows or
shrinks over the whole time: how much is used may change from week to week, when it is used may not. The
largest common difference of weeks (the first principal component of their means) is compared with that of the
same days dealt out to weeks anew: a permutation test. A few standard deviations above what luck gives, the
weeks are not alike.

*Busy nights.* An appliance that runs for hours on some days also runs on some nights, and passes for people
who are up. Nobody's nights are busy on one night in `NIGHTS` and quiet on most.

*Clocks.* Times in UTC, or of another zone, shift sleep out of the night. When use falls to rest is read off
the house's mean day; two hours too early or late is asked about, by `USUAL_REST`.

The first two are refusals and no cure: nothing is learned of such a home. Of 88 simulated homes
of eleven other kinds the weeks of none differed so, of 8 shift workers' those of 7.
"""

from typing import NamedTuple

import numpy as np

from rtp.core.random import Stream, random_generator
from rtp.core.types import Bools, Floats
from rtp.meters.house_fit import RESAMPLED
from rtp.meters.readings import DAYS_PER_WEEK, HOURS_A_DAY, Powers

ABOVE, LEAST = 1.5, 0.02  # busy: times the median, and kW more
DEALT = 200  # times that days are dealt out to weeks
DIFFERENT = 2.6  # standard deviations above what dealing gives
MIN_WEEKS = 4
NIGHT, NIGHTLY, NIGHTS = 5, 0.3, 0.12  # o'clock until which it is night; a busy one's share; of all nights
LATEST_REST, REST_HOURS, QUIET = (18, 28), 7, 0.35  # from and to which rest may begin; of use that rests
USUAL_REST = (-1.75, 2.25)  # between which hours homes go to rest, if clocks are right
RISEN = 6  # o'clock: a day counts on which somebody used something afterwards


def busy_hours(power: Powers, days: int) -> Floats:
    """Return how much of every hour a house is busy, (n, days, 24), of power without things left on, (n, T);
    where nothing was read, what is usual for the hour."""
    present = np.isfinite(power)
    middle = np.nanmedian(np.where(present.any(axis=1, keepdims=True), power, 0.0), axis=1, keepdims=True)
    busy, per_day = (power > ABOVE * middle + LEAST) & present, power.shape[1] // days
    of_hour = (np.arange(per_day) * HOURS_A_DAY // per_day)[:, None] == np.arange(HOURS_A_DAY)
    shape = len(power), days, per_day
    seen, used = (each.reshape(shape) @ of_hour.astype(float) for each in (present, busy))
    usual = used.sum(axis=1, keepdims=True) / np.maximum(seen.sum(axis=1, keepdims=True), 1.0)
    return np.asarray(np.where(seen > 0, used / np.maximum(seen, 1.0), usual))


class Found(NamedTuple):
    """Whether something is so of n houses, and how surely: the share of days drawn anew that say the same."""

    so: Bools
    sure: Floats


def weeks_differ(busy: Floats, weekend: Bools) -> Found:
    """Return whether the working weeks of each house differ by more than luck, from busy hours,
    (n, days, 24); as sure as days dealt out anew differ less."""
    found = np.array([_deviations(own, weekend) for own in busy]).reshape(-1, 2)
    return Found(found[:, 0] > DIFFERENT, found[:, 1])


def _deviations(busy: Floats, weekend: Bools) -> tuple[float, float]:
    """How many standard deviations the largest common difference of weeks is above what dealing gives; how
    often that is less."""
    days = np.flatnonzero((busy[:, RISEN:].sum(axis=1) >= 1) & ~weekend)
    week = days // DAYS_PER_WEEK
    if len(np.unique(week)) < MIN_WEEKS:
        return 0.0, 0.0
    shares = busy[days] / busy[days].sum(axis=1, keepdims=True)
    trend = np.stack([np.ones(len(days)), days - days.mean()], axis=1)
    hours = shares - trend @ np.linalg.lstsq(trend, shares, rcond=None)[0]
    member = (week[:, None] == np.unique(week)).astype(float)
    member /= np.sqrt(member.sum(axis=0))

    def largest(own: Floats) -> float:
        means = member.T @ own
        return float(np.linalg.eigvalsh(means @ means.T)[-1])

    rng = random_generator(0, Stream.METER_DAYS)
    dealt = np.array([largest(rng.permutation(hours)) for _ in range(DEALT)])
    found = largest(hours)
    return (found - float(dealt.mean())) / max(float(dealt.std()), 1e-12), float((dealt < found).mean())


def busy_nights(busy: Floats) -> Found:
    """Return whether some of each house's nights are busy and most are not, from busy hours."""
    nights = busy[:, :, :NIGHT].mean(axis=2)
    usual = np.median(nights, axis=1, keepdims=True)
    odd = nights > np.maximum(NIGHTLY, 2 * usual)
    drawn = random_generator(0, Stream.METER_DAYS).integers(odd.shape[1], size=(RESAMPLED, odd.shape[1]))
    so = odd.mean(axis=1) > NIGHTS
    return Found(so, (odd[:, drawn].mean(axis=2) > NIGHTS).mean(axis=1))


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
