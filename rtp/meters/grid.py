"""Readings on the clock's grid: which interval they have, and what stands twice.

First every different time is a column; a house's own interval is the distance that most of its neighbouring
readings have, the common one that of most houses. Then columns become steps of the common interval from
midnight to midnight. Energy becomes power by the house's *own* interval, so a house that reports more often
is averaged rightly; one that reports less often is left out.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from rtp.core.types import Bools, Ints
from rtp.meters.columns import ENERGY, UNITS
from rtp.meters.readings import MINUTES_PER_DAY, Powers
from rtp.meters.times import Minutes
from rtp.scenario import ScenarioError

if TYPE_CHECKING:
    from rtp.meters.collect import Collected

MAX_CELLS = 64_000_000
INTERVALS = tuple(m for m in range(1, 61) if MINUTES_PER_DAY % m == 0)
SUNDAY = 3  # days after 1970-01-01, modulo a week
CHANGED_BY = 4  # o'clock: clocks change earlier


@dataclass(frozen=True, kw_only=True)
class Grid:
    """Arrays are (houses, steps) unless said. Days are counted from 1970-01-01."""

    first_day: int
    minutes: int
    power: Powers  # kW
    occupied: NDArray[np.int8] | None
    moved: int  # minutes by which all times were moved back onto the grid
    doubles: int  # readings beyond the first of a house and time, without those of a clock change
    coarse: Bools  # (houses,) with a longer interval than most, left out
    span: tuple[int, int]  # the first and the last step with a reading
    forward: list[int]  # days on which the clock went forward
    back: list[int]


def grid(found: "Collected", wall: Minutes, unit: str) -> Grid:
    """From collected readings and the minutes of their times."""
    moments, position = np.unique(wall, return_inverse=True)
    houses, per_house = len(found.houses), len(moments)
    if houses * per_house > MAX_CELLS:
        raise ScenarioError("The file", f"has {houses:,} houses and {per_house:,} times: no common clock.")
    at = position[found.time]
    table, twice = _table(found.house.astype(np.int64) * per_house + at, found.value, (houses, per_house))
    own = _intervals(table, moments)
    minutes = _common(own)
    moved = int(np.bincount(moments % minutes).argmax())
    per_day = MINUTES_PER_DAY // minutes
    early = 0 if (own[own > 0] < minutes).any() else minutes // 2  # a clock that is a little off
    step = (moments - moved + early) // minutes
    first = int(step[0] // per_day)
    step = step - first * per_day
    steps = int(step[-1] // per_day + 1) * per_day
    if houses * steps > MAX_CELLS:
        raise ScenarioError("The file", f"spans {steps // per_day:,} days, too many for {houses:,} houses.")
    coarse = own > minutes
    power = _in_steps(_as_power(table, own, unit, coarse), step, steps)
    doubled = np.bincount(step[twice % per_house], minlength=steps)
    span = int(step[0]), int(step[-1])
    unseen = np.asarray(~np.isfinite(power).any(axis=0))
    unseen[: span[0]] = unseen[span[1] :] = False
    forward, back = (_clock_changes(at, first, per_day) for at in (unseen, doubled > houses // 2))
    return Grid(
        first_day=first,
        minutes=minutes,
        power=power,
        occupied=_occupied(found, step[at], (houses, steps)),
        moved=moved,
        doubles=int(sum(n for s, n in enumerate(doubled) if n and first + s // per_day not in back)),
        coarse=coarse,
        span=span,
        forward=forward,
        back=back,
    )


def _table(cell: Ints, value: Powers, shape: tuple[int, int]) -> tuple[Powers, Ints]:
    """The value of every cell, the mean where there are several; and the cells of those beyond the first."""
    table = np.full(shape[0] * shape[1], np.nan, dtype=np.float32)
    table[cell] = value
    if np.count_nonzero(np.isfinite(table)) == len(cell):
        return table.reshape(shape), cell[:0]
    last = np.empty(len(table), dtype=np.int64)
    last[cell] = np.arange(len(cell))
    earlier = np.flatnonzero(last[cell] != np.arange(len(cell)))
    twice, total = cell[earlier], table.astype(np.float64)
    np.add.at(total, twice, value[earlier])
    count = np.bincount(twice, minlength=len(table)) + 1
    return (total / count).astype(np.float32).reshape(shape), twice


def _intervals(table: Powers, moments: Minutes) -> Ints:
    """(houses,): the distance in minutes that most neighbouring readings have; 0 where there is none."""
    known = np.isfinite(table)
    result = np.zeros(len(table), dtype=np.int64)
    for house, present in enumerate(known):
        apart = np.diff(moments[present])
        if len(apart):
            result[house] = np.bincount(np.minimum(apart, 100_000)).argmax()
    return result


def _common(own: Ints) -> int:
    """The interval of most houses."""
    if not own.any():
        raise ScenarioError("The file", "has one reading of every house; an interval needs two.")
    minutes = int(np.bincount(own[own > 0]).argmax())
    if minutes not in INTERVALS:
        raise ScenarioError(
            "The file", f"has readings every {minutes} minutes; it must be 1 to 60, and part the day evenly."
        )
    return minutes


def _as_power(table: Powers, own: Ints, unit: str, coarse: Bools) -> Powers:
    """In kW, in place; houses of a longer interval are taken out."""
    factor = np.full(len(table), UNITS[unit])
    if unit in ENERGY:
        factor *= 60 / np.maximum(own, 1)
    with np.errstate(over="ignore"):
        table *= factor.astype(np.float32)[:, None]
    table[coarse] = np.nan
    return table


def _in_steps(table: Powers, step: Ints, steps: int) -> Powers:
    """The mean of what falls into each step."""
    power = np.full((len(table), steps), np.nan, dtype=np.float32)
    starts = np.flatnonzero(np.diff(step, prepend=-1))
    if len(starts) == len(step):
        power[:, step] = table
        return power
    for row, values in zip(power, table, strict=True):
        known = np.isfinite(values)
        total = np.add.reduceat(np.where(known, values, 0.0), starts)
        count = np.add.reduceat(known.astype(np.int64), starts)
        row[step[starts]] = np.where(count, total / np.maximum(count, 1), np.nan)
    return power


def _occupied(found: "Collected", step: Ints, shape: tuple[int, int]) -> NDArray[np.int8] | None:
    if found.occupied is None:
        return None
    occupied = np.full(shape, -1, dtype=np.int8)
    occupied[found.house, step] = found.occupied
    return occupied


def _clock_changes(marked: Bools, first: int, per_day: int) -> list[int]:
    """The Sundays on which exactly one hour, before four o'clock, is marked."""
    by_day = marked.reshape(-1, per_day)
    early, hour = by_day[:, : CHANGED_BY * per_day // 24], per_day // 24
    days = np.flatnonzero((by_day.sum(axis=1) == hour) & (early.sum(axis=1) == hour)) + first
    return [int(day) for day in days if day % 7 == SUNDAY]
