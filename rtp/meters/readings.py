"""Readings as the lab keeps them: power on the clock's grid, a row for every house, NaN where there is none.

The grid is that of the wall clock, because habits follow it: every day has 24 hours. The hour that is skipped
in spring is missing in every house, the one that is repeated in autumn is the mean of the two.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import gcd
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rtp.core.time import WEEKEND, Weekday, hhmm, weekday
from rtp.core.types import Bools, Floats, Ints
from rtp.scenario import ScenarioError

MINUTES_PER_DAY = 24 * 60
DAYS_PER_WEEK = 7
HOURS_A_DAY = 24

Powers = NDArray[np.float32]
Minutes = NDArray[np.int64]  # since 1970-01-01 00:00 on the wall clock


class Times(NamedTuple):
    """When different times of a source are, in minutes since 1970-01-01 00:00."""

    wall: Minutes  # on the clock of the wall
    instant: Minutes  # in UTC, where that is known; else the same
    in_utc: bool  # whether they are left in UTC because no zone was given


@dataclass(frozen=True)
class Finding:
    """Something that was found in the readings, and what is done about it."""

    what: str
    count: int
    words: str
    done: str


@dataclass(frozen=True, kw_only=True)
class Readings:
    """What was read. Arrays are (houses, steps); the first step is at midnight, the steps fill whole days.

    Examples
    --------
    >>> from rtp.meters.real_home import real_home
    >>> home = real_home()
    >>> home.houses, home.days
    (('ECO r2',), 71)
    """

    houses: tuple[str, ...]  # their names
    first_day: np.datetime64  # the date of the first step
    minutes: int  # of one step
    power: Powers  # kW, the mean over the step
    occupied: NDArray[np.int8] | None  # 0 or 1 where a column says it, −1 where it does not
    unit: str  # as the file gave it
    usable: Bools  # (houses,) those that habits can be learned from
    findings: tuple[Finding, ...]  # what is wrong in the source, and what is done about it
    exporting: tuple[str, ...] = ()  # houses whose meters run backwards at times: what they use is not read

    @property
    def steps_per_day(self) -> int:
        return MINUTES_PER_DAY // self.minutes

    @property
    def days(self) -> int:
        return int(self.power.shape[1]) // self.steps_per_day

    @property
    def present_share(self) -> float:
        """The share of all steps that have a reading."""
        return float(np.isfinite(self.power).mean())

    def mean_day(self) -> Floats:
        """(steps of a day,): the mean power of all houses together over the time of day. Refused where a
        house has no reading at some time of day: it would count as none used."""
        by_day = self.power.reshape(len(self.houses), self.days, self.steps_per_day)
        known = np.isfinite(by_day)
        count, total = known.sum(axis=1), np.where(known, by_day, 0.0).sum(axis=1, dtype=float)
        if not count.all():
            house, step = np.argwhere(count == 0)[0].tolist()
            start = hhmm(step * self.minutes / 60)
            problem = f"has no reading at {start} on any day; a mean day needs one at every time of day."
            raise ScenarioError(f"The load of {self.houses[house]!r}", problem)
        return np.asarray((total / count).sum(axis=0))

    def per_day(self) -> Ints:
        """(houses, days): how many readings there are."""
        shaped = self.power.reshape(len(self.houses), self.days, self.steps_per_day)
        return np.asarray(np.isfinite(shaped).sum(axis=2))

    def date(self, day: int) -> str:
        return str(self.first_day + day)

    def weekday(self, day: int) -> Weekday:
        return weekday(int((self.first_day + day).astype(np.int64)), "Thursday")  # as 1970-01-01 was

    @property
    def day(self) -> Ints:
        """(steps,): the day of each step, counted from 0."""
        return np.arange(self.power.shape[1]) // self.steps_per_day

    @property
    def weekend(self) -> Bools:
        """(days,): those of a weekend."""
        return weekend_days(self.weekday(0), self.days)

    def only_days(self, first: int, count: int) -> "Readings":
        """Some days of them."""
        steps = slice(first * self.steps_per_day, (first + count) * self.steps_per_day)
        return replace(
            self,
            first_day=self.first_day + first,
            power=self.power[:, steps],
            occupied=None if self.occupied is None else self.occupied[:, steps],
        )

    def between(self, first: str | None, last: str | None) -> "Readings":
        """The days from one date to another, both included; the readings' own ends where none is given."""
        dates = self.first_day + np.arange(self.days)
        start, stop = (self._date(text, dates[end]) for text, end in ((first, 0), (last, -1)))
        inside = np.flatnonzero((dates >= start) & (dates <= stop))
        if not len(inside):
            span = f"are from {dates[0]} to {dates[-1]}"
            raise ScenarioError("The readings", f"{span}; choose a first and a last day among these.")
        return self.only_days(int(inside[0]), len(inside))

    @staticmethod
    def _date(text: str | None, otherwise: np.datetime64) -> np.datetime64:
        try:
            return otherwise if text is None else np.datetime64(text, "D")
        except ValueError:
            raise ScenarioError("The date", f"{text!r} cannot be read; write it as 2024-12-31.") from None

    def without_labels(self) -> "Readings":
        """The same readings, and nobody says who was at home."""
        return replace(self, occupied=None)

    def only_houses(self, chosen: Bools | Ints) -> "Readings":
        """Some houses of them."""
        which = np.arange(len(self.houses))[chosen]
        names = tuple(self.houses[i] for i in which)
        return replace(
            self,
            houses=names,
            power=self.power[which],
            occupied=None if self.occupied is None else self.occupied[which],
            usable=self.usable[which],
            exporting=tuple(name for name in self.exporting if name in names),
        )


def weekend_days(first: Weekday, days: int) -> Bools:
    """Return which of so many days from that weekday on are of a weekend."""
    return np.array([weekday(day, first) in WEEKEND for day in range(days)])


def in_steps_of(power: Powers | Floats, minutes: int, wanted: int) -> Floats:
    """Mean power over steps of another length, (…, steps): energy is kept exactly.

    Power is taken as constant within a step, cut into pieces of the greatest common length, and averaged.
    """
    common = gcd(minutes, wanted)
    pieces = np.repeat(power, minutes // common, axis=-1)
    together = wanted // common
    return np.asarray(pieces.reshape(*pieces.shape[:-1], -1, together).mean(axis=-1, dtype=float))


def period_of_steps(starts: Sequence[float], minutes: int, days: int, weekend: Bools | None = None) -> Ints:
    """Return which period contains each step, (T,), of periods that start at these hours; on days of the
    weekend, (days,), those after the others."""
    hours = np.arange(MINUTES_PER_DAY // minutes) * minutes / 60
    of_day = (np.searchsorted(starts, hours, side="right") - 1) % len(starts)
    later = np.zeros(days, dtype=np.intp) if weekend is None else weekend * len(starts)
    return np.asarray((of_day + later[:, None]).ravel())


def by_hour(values: Powers | Floats, per_day: int) -> Floats:
    """Return the mean of what is present in each hour of the day, (24, n), of (T, n)."""
    pieces = HOURS_A_DAY // gcd(per_day, HOURS_A_DAY)  # of a step, so that whole ones fill an hour
    shaped = np.repeat(values, pieces, axis=0).reshape(
        -1, HOURS_A_DAY, per_day * pieces // HOURS_A_DAY, values.shape[1]
    )
    present = np.isfinite(shaped)
    total = np.where(present, shaped, 0.0).sum(axis=(0, 2), dtype=float)
    return np.asarray(total / np.maximum(present.sum(axis=(0, 2)), 1))


def by_day_and_hour(values: Powers | Floats, per_day: int) -> Floats:
    """Return the same for each of the days, (days, 24, n)."""
    return np.array([by_hour(day, per_day) for day in values.reshape(-1, per_day, values.shape[1])])


def filled_in(readings: Readings) -> tuple[Floats, Bools]:
    """Power without gaps, (n, T), and where there were any."""
    missing = np.isnan(readings.power)
    by_day = np.where(missing, 0.0, readings.power).reshape(len(readings.houses), readings.days, -1)
    present = (~missing).reshape(by_day.shape)
    count, total = present.sum(axis=1), by_day.sum(axis=1)
    whole = total.sum(axis=1) / np.maximum(count.sum(axis=1), 1)
    usual = np.where(count > 0, total / np.maximum(count, 1), whole[:, None])
    return np.where(present, by_day, usual[:, None]).reshape(readings.power.shape), missing


def occupancy_given(readings: Readings, minutes: int) -> Floats | None:
    """(n, T) in steps of so many minutes: 1 where a house was occupied for half of what is labelled of the
    step or more, else 0, NaN where nothing of it is; None where they never say who is at home."""
    if readings.occupied is None:
        return None
    known, home = (
        in_steps_of(each.astype(float), readings.minutes, minutes)
        for each in (readings.occupied >= 0, readings.occupied == 1)
    )
    return np.where(known > 0, home >= 0.5 * known, np.nan)
