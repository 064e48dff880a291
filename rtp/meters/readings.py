"""Readings as the lab keeps them: power on the clock's grid, a row for every house, NaN where there is none.

The grid is that of the wall clock, because habits follow it: every day has 24 hours. The hour that is skipped
in spring is missing in every house, the one that is repeated in autumn is the mean of the two.

Models of houses see them as observations: every reading by the bin of its house that it falls into.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from math import gcd

import numpy as np
from numpy.typing import NDArray

from rtp.core.time import Weekday, hhmm, weekday
from rtp.core.types import Bools, Floats, Ints
from rtp.scenario import ScenarioError

MINUTES_PER_DAY = 24 * 60
DAYS_PER_WEEK = 7
BINS = 12  # of a house's readings

Powers = NDArray[np.float32]
Minutes = NDArray[np.int64]  # since 1970-01-01 00:00 on the wall clock


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

    Attributes
    ----------
    houses : tuple of str
        Their names.
    minutes : int
        Of one step.
    power : ndarray
        kW, the mean over the step; NaN where there is no reading.
    occupied : ndarray or None
        0 or 1 where a column says it, −1 where it does not.
    usable : ndarray of bool
        Those houses that habits can be learned from.
    findings : tuple of Finding
        What is wrong in the source, and what is done about it.
    first_day : datetime64
        The date of the first step.
    unit : str
        As the file gave it.
    days, steps_per_day : int
        How long it is.

    Examples
    --------
    >>> from rtp.meters.real_home import real_home
    >>> home = real_home()
    >>> home.houses, home.days
    (('ECO r2',), 71)
    """

    houses: tuple[str, ...]
    first_day: np.datetime64  # a date
    minutes: int  # of one step
    power: Powers  # kW, the mean over the step
    occupied: NDArray[np.int8] | None  # 0 or 1 where a column says it, −1 where it does not
    unit: str  # as the file gave it
    usable: Bools  # (houses,) those that habits can be learned from
    findings: tuple[Finding, ...]

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
        return replace(
            self,
            houses=tuple(self.houses[i] for i in which),
            power=self.power[which],
            occupied=None if self.occupied is None else self.occupied[which],
            usable=self.usable[which],
        )


def in_steps_of(power: Powers | Floats, minutes: int, wanted: int) -> Floats:
    """Mean power over steps of another length, (…, steps): energy is kept exactly.

    Power is taken as constant within a step, cut into pieces of the greatest common length, and averaged.
    """
    common = gcd(minutes, wanted)
    pieces = np.repeat(power, minutes // common, axis=-1)
    together = wanted // common
    return np.asarray(pieces.reshape(*pieces.shape[:-1], -1, together).mean(axis=-1, dtype=float))


def quantile_edges(power: Powers) -> Floats:
    """(n, K + 1): from 0 to the largest reading of each house, by quantiles. Edges may coincide."""
    edges = np.zeros((len(power), BINS + 1))
    for own, values in zip(edges, power, strict=True):
        present = np.sort(values[np.isfinite(values)])
        if len(present):
            own[1:] = present[np.ceil(np.arange(1, BINS + 1) / BINS * len(present)).astype(int) - 1]
    return edges


def to_bins(power: Powers, edges: Floats) -> NDArray[np.int8]:
    """(T, n): the bin of every reading, none above the last edge; one more where it is missing."""
    result = np.full(power.shape[::-1], BINS, dtype=np.int8)
    for house, (values, own) in enumerate(zip(power, edges, strict=True)):
        present = np.isfinite(values)
        result[present, house] = np.searchsorted(own[1:], values[present], side="left")
    return result


@dataclass(frozen=True)
class Observations:
    """What is seen of n houses over T steps."""

    bins: NDArray[np.int8]  # (T, n); K is a missing reading
    period: Ints  # (T,) which period each step is in
    weight: Floats | None = None  # (T,) how often each step counts

    @property
    def houses(self) -> int:
        return int(self.bins.shape[1])

    @property
    def weights(self) -> Floats:
        return np.ones(len(self.period)) if self.weight is None else self.weight

    @cached_property
    def emission_index(self) -> Ints:
        """(T, n): house·(K + 1) + bin."""
        return np.arange(self.houses) * (BINS + 1) + self.bins

    @cached_property
    def pair_index(self) -> Ints:
        """(T − 1, n): (house·(K + 1) + bin before)·(K + 1) + bin."""
        return self.emission_index[:-1] * (BINS + 1) + self.bins[1:]

    @cached_property
    def count(self) -> Floats:
        """(n, K + 1): how often each bin counts."""
        return weighted_sums(self.emission_index, self.weights, self.houses, 1)[:, 0]

    @property
    def own_histogram(self) -> Floats:
        """(n, K): how often each bin is seen, whatever the state; never quite 0."""
        count = self.count[:, :-1] + 0.1
        return np.asarray(count / count.sum(axis=1, keepdims=True))

    def pairs(self, weight: Floats) -> Floats:
        """(n, K + 1, K + 1): how often a bin comes after a bin; every pair counts so much, (T − 1, n)."""
        return weighted_sums(self.pair_index, weight * self.weights[1:, None], self.houses, BINS + 1)

    def select(self, houses: Bools) -> "Observations":
        """Those of some houses."""
        return replace(self, bins=self.bins[:, houses])


def weighted_sums(index: Ints, weight: Floats, houses: int, rows: int) -> Floats:
    """(n, rows, K + 1): the weights, (T,) or (T, n), that fall into each cell."""
    weights = np.broadcast_to(weight.reshape(len(weight), -1), index.shape)
    total = np.bincount(index.ravel(), weights.ravel(), minlength=houses * rows * (BINS + 1))
    return np.asarray(total, dtype=float).reshape(houses, rows, BINS + 1)
