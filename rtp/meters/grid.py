"""Readings on the clock's grid: which interval they have, what stands twice, and what is wrong with them.

First every different time is a column; a house's own interval is the distance that most of its neighbouring
readings have, the common one that of most houses. Then columns become steps of the common interval from
midnight to midnight. Energy becomes power by the house's *own* interval, so a house that reports more often
is averaged rightly; one that reports less often is left out. A register that only ever grows becomes the
energy between its readings. A few readings that are dated far from all others are left out.
"""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from rtp.core.formatting import percent, plain, shown_name
from rtp.core.types import Bools, Ints
from rtp.meters.layout import ENERGY, UNITS
from rtp.meters.readings import MINUTES_PER_DAY, Finding, Minutes, Powers
from rtp.scenario import ScenarioError

if TYPE_CHECKING:
    from rtp.meters.source import Collected

MAX_CELLS = 64_000_000
INTERVALS = tuple(m for m in range(1, 61) if MINUTES_PER_DAY % m == 0)
SUNDAY = 3  # days after 1970-01-01, modulo a week
CHANGED_BY = 4  # o'clock: clocks change earlier
MIN_DAYS = 7  # of readings from which a house's habits are learned
OUTLIER = 10.0  # times a house's 99th percentile
REGISTER_READINGS = 96  # a use that never falls in so many readings is a register's count
FAR_DAYS, FAR_SHARE = 180, 0.01  # readings further off than this, and fewer of them, are misdated
PLAUSIBLE_KW = (0.005, 20.0)  # mean power of a house


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
    registers: Bools  # (houses,) whose readings are a register's count
    misdated: int  # readings dated far from all others, left out
    span: tuple[int, int]  # the first and the last step with a reading
    forward: list[int]  # days on which the clock went forward
    back: list[int]


def grid(collected: "Collected", wall: Minutes, unit: str) -> Grid:
    """From collected readings and the minutes of their times."""
    collected, misdated = _without_misdated(collected, wall)
    moments = np.unique(wall[np.unique(collected.time)])
    position = np.searchsorted(moments, wall[collected.time])
    houses, per_house = len(collected.houses), len(moments)
    if houses * per_house > MAX_CELLS:
        raise ScenarioError("The file", f"has {houses:,} houses and {per_house:,} times: no common clock.")
    cell = collected.house.astype(np.int64) * per_house + position
    table, twice = _table(cell, collected.value, (houses, per_house))
    own = _intervals(table, moments)
    minutes = _common(own)
    registers = _difference_registers(table, moments, own) if unit in ENERGY else np.zeros(houses, dtype=bool)
    if collected.layout.ends:
        moments = moments - minutes
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
        occupied=_occupied(collected, step[position], (houses, steps)),
        moved=moved,
        doubles=int(sum(n for s, n in enumerate(doubled) if n and first + s // per_day not in back)),
        coarse=coarse,
        registers=registers,
        misdated=misdated,
        span=span,
        forward=forward,
        back=back,
    )


def _without_misdated(collected: "Collected", wall: Minutes) -> "tuple[Collected, int]":
    """Without the few readings that months part from all others, and how many those are."""
    moments, count = np.unique(wall[collected.time], return_counts=True)
    part = np.cumsum(np.diff(moments, prepend=moments[0]) > FAR_DAYS * MINUTES_PER_DAY)
    sizes = np.bincount(part, weights=count)
    kept = sizes > FAR_SHARE * sizes.sum()
    if kept.all():
        return collected, 0
    good = kept[part][np.searchsorted(moments, wall[collected.time])]
    occupied = None if collected.occupied is None else collected.occupied[good]
    left = {name: getattr(collected, name)[good] for name in ("house", "time", "value")}
    return replace(collected, **left, occupied=occupied), int(np.count_nonzero(~good))


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
    result = np.zeros(len(table), dtype=np.int64)
    for house, present in enumerate(np.isfinite(table)):
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


def _difference_registers(table: Powers, moments: Minutes, own: Ints) -> Bools:
    """(houses,): whose readings never fall. In place they become the energy until the next reading."""
    registers = np.zeros(len(table), dtype=bool)
    for house, values in enumerate(table):
        present = np.flatnonzero(np.isfinite(values))
        growth = np.diff(values[present])
        registers[house] = len(growth) >= REGISTER_READINGS and bool(
            (growth >= 0).all() and np.count_nonzero(growth) > 1
        )
        if registers[house]:
            whole = np.diff(moments[present]) == own[house]
            values[present[:-1]] = np.where(whole, growth, np.nan)
            values[present[-1]] = np.nan
    return registers


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
        present = np.isfinite(values)
        total = np.add.reduceat(np.where(present, values, 0.0), starts)
        count = np.add.reduceat(present.astype(np.int64), starts)
        row[step[starts]] = np.where(count, total / np.maximum(count, 1), np.nan)
    return power


def _occupied(collected: "Collected", step: Ints, shape: tuple[int, int]) -> NDArray[np.int8] | None:
    if collected.occupied is None:
        return None
    occupied = np.full(shape, -1, dtype=np.int8)
    occupied[collected.house, step] = collected.occupied
    return occupied


def _clock_changes(marked: Bools, first: int, per_day: int) -> list[int]:
    """The Sundays on which exactly one hour, before four o'clock, is marked."""
    by_day = marked.reshape(-1, per_day)
    early, hour = by_day[:, : CHANGED_BY * per_day // 24], per_day // 24
    days = np.flatnonzero((by_day.sum(axis=1) == hour) & (early.sum(axis=1) == hour)) + first
    return [int(day) for day in days if day % 7 == SUNDAY]


def findings(
    collected: "Collected", grid: Grid, in_utc: bool, unit: str, stated: bool
) -> tuple[tuple[Finding, ...], Bools]:
    """What is wrong with the readings and what is done about it; and whose habits can be learned."""
    constant, outliers, count = _shapes(grid.power)
    short = (count < MIN_DAYS * MINUTES_PER_DAY // grid.minutes) & ~grid.coarse
    flat = constant & ~short & ~grid.coarse
    dead = flat & (np.nan_to_num(grid.power).max(axis=1) == 0)
    layout, gaps, typical = collected.layout, _gap_count(np.isfinite(grid.power), grid), _typical(grid.power)
    plausible = PLAUSIBLE_KW[0] <= typical <= PLAUSIBLE_KW[1]
    totals = ", ".join(map(shown_name, collected.totals))
    left_out, not_learned = ", ".join(map(shown_name, layout.left_out[:6])), "replayed; not learned from"
    rows = (  # words that end in a colon are followed by how many there are
        ("unit", not stated, "No column says its unit", f"taken as {unit}; say so if it is another"),
        ("columns", len(layout.left_out), f"Columns that are no house's use, such as {left_out}", "left out"),
        ("totals", len(collected.totals), f"Rows of {totals}: all houses together", "left out"),
        ("utc", in_utc, "Times are in UTC", "left so; name a time zone to have local days"),
        ("ends", layout.ends, "Times are those of intervals' ends", f"moved back {grid.minutes} minutes"),
        (
            "clock",
            len(grid.forward),
            f"{_dates(grid.forward)}: the clock went forward",
            "its hour is left out",
        ),
        ("clock", len(grid.back), f"{_dates(grid.back)}: the clock went back", "its two hours' mean is used"),
        ("moved", grid.moved, "Minutes that times stand past the clock's grid:", "moved back onto it"),
        ("misdated", grid.misdated, "Readings dated months away from all others:", "left out"),
        ("gaps", gaps, f"Missing readings, {percent(gaps / grid.power.size)}:", "left as gaps"),
        ("doubles", grid.doubles, "Readings beyond one in an interval:", "their mean is used"),
        ("negative", collected.negative, "Negative readings, as of exports:", "taken as missing"),
        ("infinite", collected.infinite, "Infinite readings:", "taken as missing"),
        ("nameless", collected.nameless, "Rows without a house or a time:", "passed over"),
        ("outliers", outliers.sum(), f"Readings over {OUTLIER:g} times the house's 99th percentile:", "kept"),
        ("plausible", not plausible, f"A typical house would use {plain(typical, 4)} kW", "check the unit"),
        ("register", grid.registers.sum(), "Registers, whose readings never fall:", "differences are used"),
        ("dead", dead.sum(), "Dead meters, nothing but zero:", not_learned),
        ("constant", (flat & ~dead).sum(), "Meters that never change:", not_learned),
        ("short", short.sum(), f"Houses with under {MIN_DAYS} days of readings:", not_learned),
        ("interval", grid.coarse.sum(), f"Houses with intervals over {grid.minutes} minutes:", "left out"),
    )
    found = (
        Finding(what, int(many), f"{words} {many:,}" if words.endswith(":") else words, done)
        for what, many, words, done in rows
        if many
    )
    return tuple(found), ~(constant | short | grid.coarse)


def _shapes(power: Powers) -> tuple[Bools, Ints, Ints]:
    """Per house: whether it never changes, how many readings are far out, how many readings there are."""
    constant, outliers = np.zeros(len(power), dtype=bool), np.zeros(len(power), dtype=np.intp)
    count = np.zeros(len(power), dtype=np.intp)
    for house, values in enumerate(power):
        present = values[np.isfinite(values)]
        count[house] = len(present)
        if len(present):
            constant[house] = present.min() == present.max()
            rank = int(0.99 * (len(present) - 1))
            nearly_all = np.partition(present, rank)[rank]
            outliers[house] = np.count_nonzero(present > OUTLIER * nearly_all) if nearly_all > 0 else 0
    return constant, outliers, count


def _gap_count(present: Bools, grid: Grid) -> int:
    """Steps without a reading between the first and the last, the hours that clocks skip apart."""
    first, last = grid.span
    kept = present[~grid.coarse, first : last + 1]
    per_day = MINUTES_PER_DAY // grid.minutes
    return int(kept.size - np.count_nonzero(kept)) - len(kept) * len(grid.forward) * (per_day // 24)


def _typical(power: Powers) -> float:
    """The mean power in kW of a middle house among those that use any; plausible where none does."""
    present = np.isfinite(power)
    total = np.where(present, power, 0.0).sum(axis=1, dtype=float)
    mean = total[total > 0] / present.sum(axis=1)[total > 0]
    return float(np.median(mean)) if len(mean) else PLAUSIBLE_KW[0]


def _dates(days: list[int]) -> str:
    return ", ".join(str(np.datetime64(day, "D")) for day in days)
