"""Readings on the clock's grid: which interval they have, what stands twice, and what is wrong with them.

First every different time is a column; a house's own interval is the distance that most of its neighbouring
readings have, the common one that of most houses. Then columns become steps of the common interval from
midnight to midnight. Energy becomes power by the house's *own* interval, so a house that reports more often
is averaged rightly; one that reports less often is left out. A register that only ever grows becomes the
energy between its readings; where it begins anew, by itself or with another meter, one is missing. A few
readings that are dated far from all others are left out.

Where times say how far they are from UTC, all of this goes by instants, and only what was used is put on the
wall's clock: where that goes back, each of the hour's readings is known. Without, a register and ends of
intervals leave open what was used just before that hour and at its end: these two are missing.
"""

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from rtp.core.formatting import percent, plain, shown_name
from rtp.core.types import Bools, Ints
from rtp.meters.layout import ENERGY, UNITS
from rtp.meters.readings import MINUTES_PER_DAY, Finding, Minutes, Powers, Readings, Times
from rtp.scenario import ScenarioError

if TYPE_CHECKING:
    from rtp.meters.source import Collected

DEFAULT_UNIT, DEFAULT_POWER_UNIT = "kWh", "kW"
LEFT, NOT_LEARNED = "left out", "replayed; not learned from"
ENDS_NAMED = "Times are those of intervals' ends"
ENDS_SEEN = "The first time is an interval past midnight, the last is midnight: times are of intervals' ends"
EXPORT_SHARE = 0.01  # of a house's readings are negative where it exports
NAMED = 3  # houses that a finding names
MAX_GRID_CELLS = 64_000_000
ALLOWED_MINUTES = tuple(m for m in range(1, 61) if MINUTES_PER_DAY % m == 0)
SUNDAY = 3  # days after 1970-01-01, modulo a week
CHANGED_BY = 4  # o'clock: clocks change earlier
HOUR = 60  # minutes
MIN_DAYS = 7  # of readings from which a house's habits are learned
OUTLIER = 10.0  # times a house's 99th percentile
# A use that rises so much oftener than it falls, in so many readings, is a register's count; one may begin
# anew at midnight
REGISTER_READINGS, RISES = 96, 10
FAR_DAYS, FAR_SHARE = 180, 0.01  # readings further off than this, and fewer of them, are misdated
PLAUSIBLE_KW = (0.005, 20.0)  # mean power of a house
THOUSAND = 1000


def on_grid(collected: "Collected", times: Times, stated: str | None) -> Readings:
    """Return readings from what was collected, its different times and the unit that was stated, and what
    was found in them."""
    unit = stated or (DEFAULT_POWER_UNIT if collected.layout.is_power else DEFAULT_UNIT)
    instant = times.instant
    collected, misdated = _without_misdated(collected, instant)
    good = collected.value >= 0
    negative = collected.only(~good)
    collected = collected if good.all() else collected.only(good)
    codes = np.unique(collected.time)
    moments, at = np.unique(instant[codes], return_index=True)
    wall = times.wall[codes][at]
    position = np.searchsorted(moments, instant[collected.time])
    houses, per_house = len(collected.houses), len(moments)
    if houses * per_house > MAX_GRID_CELLS:
        raise ScenarioError("The file", f"has {houses:,} houses and {per_house:,} times: no common clock.")
    cell = collected.house.astype(np.int64) * per_house + position
    value = collected.value if unit in ENERGY else collected.value.astype(np.float32, copy=False)
    table, twice = _table(cell, value, (houses, per_house))
    own = _intervals(table, moments)
    minutes = _common(own)
    registers = np.zeros(houses, dtype=bool)
    if unit in ENERGY:
        registers = _difference_registers(table, moments, own)
    named, counts = collected.layout.ends, 2 * registers.sum() > houses
    ends = not counts and (named or _close_days(moments, minutes) or _close_days(wall, minutes))
    wall_alone = not np.ptp(wall - moments)
    if ends:
        wall = _begun(moments, wall, minutes)
    moved = int(np.bincount(wall % minutes).argmax())
    per_day = MINUTES_PER_DAY // minutes
    early = 0 if (own[own > 0] < minutes).any() else minutes // 2  # a clock that is a little off
    step = (wall - moved + early) // minutes
    first = int(step.min() // per_day)
    step = step - first * per_day
    steps = int(step.max() // per_day + 1) * per_day
    if houses * steps > MAX_GRID_CELLS:
        raise ScenarioError("The file", f"spans {steps // per_day:,} days, too many for {houses:,} houses.")
    coarse = own > minutes
    power = _in_steps(_as_power(table, own, unit, coarse), step, steps)
    if not np.isfinite(power).any():
        raise ScenarioError("The file", "has no house whose readings could be used.")
    _must_be_plausible(_typical(power), unit, collected, stated)
    again = np.delete(np.arange(per_house), np.unique(wall, return_index=True)[1])
    doubled = np.bincount(step[twice % per_house], minlength=steps)
    doubled += houses * np.bincount(step[again], minlength=steps)
    if ends and wall_alone:
        doubled = np.roll(doubled, 1)  # the hour's first interval begins twice, and ends once
    between = np.zeros(steps, dtype=bool)
    between[step.min() : step.max() + 1] = True
    unread, unseen = ~np.isfinite(power).any(axis=0), np.isin(np.arange(steps), step, invert=True)
    # a register has no reading before a skipped hour either; a wide table may have empty rows for that hour
    skipped = (_clock_changes(between & each, first, per_day) for each in (unseen, unread))
    forward = next(filter(None, skipped), [])
    back = _clock_changes(doubled > houses // 2, first, per_day)
    if wall_alone:
        blurred = np.flatnonzero(registers | ends)
        for day in back:
            midnight = (day - first) * per_day
            twice_from = midnight + int(doubled[midnight : midnight + per_day].argmax())
            edges = np.array([max(twice_from - 1, 0), twice_from + per_day // 24 - 1])
            power[np.ix_(blurred, edges)] = np.nan
    below = np.zeros((houses, steps), dtype=bool)
    at = (times.wall[negative.time] - minutes * ends - moved + early) // minutes - first * per_day
    inside = (at >= 0) & (at < steps)
    below[negative.house[inside], at[inside]] = True
    missing = ~np.isfinite(power) & ~below
    gaps = int(missing[~coarse][:, between].sum())
    gaps -= int((~coarse).sum()) * len(forward) * (per_day // 24)  # the hours that clocks skip are none
    occupied: NDArray[np.int8] | None = None
    if collected.occupied is not None:
        occupied = np.full((houses, steps), -1, dtype=np.int8)
        occupied[collected.house, step[position]] = collected.occupied
    exports = below.sum(axis=1) >= EXPORT_SHARE * (below | np.isfinite(power)).sum(axis=1)
    exports &= below.any(axis=1) & ~coarse
    exporting = tuple(name for name, out in zip(collected.houses, exports, strict=True) if out)
    readings = Readings(
        houses=tuple(name for name, left in zip(collected.houses, coarse, strict=True) if not left),
        first_day=np.datetime64(first, "D"),
        minutes=minutes,
        power=power[~coarse] if coarse.any() else power,
        occupied=None if occupied is None else occupied[~coarse],
        unit=unit,
        usable=np.ones(houses - int(coarse.sum()), dtype=bool),
        findings=(),
        exporting=exporting,
    )
    layout = collected.layout
    left_out = ", ".join(map(shown_name, layout.left_out[:6]))
    totals = ", ".join(map(shown_name, collected.totals))
    doubles = sum(n for s, n in enumerate(doubled) if n and first + s // per_day not in back)
    houses_words = f"Houses with intervals over {minutes} minutes:"
    return _reported(
        readings,
        [  # words that end in a colon are followed by how many there are
            ("unit", not stated, "No column says its unit", f"taken as {unit}; say so if it is another"),
            ("columns", len(layout.left_out), f"Columns that are no house's use, such as {left_out}", LEFT),
            ("totals", len(collected.totals), f"Rows of {totals}: all houses together", LEFT),
            ("utc", times.in_utc, "Times are in UTC", "left so; name a time zone to have local days"),
            ("ends", ends, ENDS_NAMED if named else ENDS_SEEN, f"moved back {minutes} minutes"),
            ("clock", len(forward), f"{_dates(forward)}: the clock went forward", "its hour is left out"),
            ("clock", len(back), f"{_dates(back)}: the clock went back", "its two hours' mean is used"),
            ("moved", moved, "Minutes that times stand past the clock's grid:", "moved back onto it"),
            ("misdated", misdated, "Readings dated months away from all others:", LEFT),
            ("gaps", gaps, f"Missing readings, {percent(gaps / power.size)}:", "left as gaps"),
            ("doubles", doubles, "Readings beyond one in an interval:", "their mean is used"),
            ("negative", len(negative.value), "Negative readings:", "left as gaps"),
            ("exports", len(exporting), f"Houses that export ({_some(exporting)}):", NOT_LEARNED),
            ("infinite", collected.infinite, "Infinite readings:", "taken as missing"),
            ("nameless", collected.nameless, "Rows without a house or a time:", "passed over"),
        ],
        [
            (
                "register",
                registers.sum(),
                "Registers, whose readings hardly ever fall:",
                "differences are used",
            ),
            ("interval", int(coarse.sum()), houses_words, LEFT),
        ],
    )


def _must_be_plausible(typical: float, unit: str, collected: "Collected", stated: str | None) -> None:
    """Refuse a guess of the unit, or of the decimal sign, by which a typical house uses far too much or too
    little."""
    if not stated and not PLAUSIBLE_KW[0] <= typical <= PLAUSIBLE_KW[1]:
        used = f"in {unit} a typical house would use {plain(typical, 4)} kW; name it in the column's head."
        raise ScenarioError("The unit", f"is named by no column, and {used}")
    if collected.doubt and THOUSAND * typical <= PLAUSIBLE_KW[1]:
        raise ScenarioError("The number", collected.doubt)


def _without_misdated(collected: "Collected", instant: Minutes) -> "tuple[Collected, int]":
    """Without the few readings that months part from all others, and how many those are."""
    moments, count = np.unique(instant[collected.time], return_counts=True)
    part = np.cumsum(np.diff(moments, prepend=moments[0]) > FAR_DAYS * MINUTES_PER_DAY)
    sizes = np.bincount(part, weights=count)
    kept = sizes > FAR_SHARE * sizes.sum()
    if kept.all():
        return collected, 0
    good = kept[part][np.searchsorted(moments, instant[collected.time])]
    return collected.only(good), int(np.count_nonzero(~good))


Values = NDArray[np.floating]  # (houses, different times)


def _table(cell: Ints, value: Values, shape: tuple[int, int]) -> tuple[Values, Ints]:
    """The value of every cell, the mean where there are several; and the cells of those beyond the first."""
    table = np.full(shape[0] * shape[1], np.nan, dtype=value.dtype)
    table[cell] = value
    if np.count_nonzero(np.isfinite(table)) == len(cell):
        return table.reshape(shape), cell[:0]
    count = np.bincount(cell, minlength=len(table))
    seen = count > 0
    table[seen] = np.bincount(cell, value, len(table))[seen] / count[seen]
    return table.reshape(shape), np.repeat(np.arange(len(table)), np.maximum(count - 1, 0))


def _intervals(table: Values, moments: Minutes) -> Ints:
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
    if minutes not in ALLOWED_MINUTES:
        raise ScenarioError(
            "The file", f"has readings every {minutes} minutes; it must be 1 to 60, and part the day evenly."
        )
    return minutes


def _difference_registers(table: Values, moments: Minutes, own: Ints) -> Bools:
    """(houses,): whose readings hardly ever fall. In place they become the energy until the next reading."""
    registers = np.zeros(len(table), dtype=bool)
    for house, values in enumerate(table):
        present = np.flatnonzero(np.isfinite(values))
        growth = np.diff(values[present])
        rises, falls = np.count_nonzero(growth > 0), np.count_nonzero(growth < 0)
        registers[house] = len(growth) >= REGISTER_READINGS and 1 < rises >= RISES * falls
        if registers[house]:
            whole = (np.diff(moments[present]) == own[house]) & (growth >= 0)
            values[present[:-1]] = np.where(whole, growth, np.nan)
            values[present[-1]] = np.nan
    return registers


def _as_power(table: Values, own: Ints, unit: str, coarse: Bools) -> Values:
    """In kW, in place; houses of a longer interval are taken out."""
    factor = np.full(len(table), UNITS[unit])
    if unit in ENERGY:
        factor *= 60 / np.maximum(own, 1)
    with np.errstate(over="ignore"):
        table *= factor.astype(table.dtype)[:, None]
    table[coarse] = np.nan
    return table


def _in_steps(table: Values, step: Ints, steps: int) -> Powers:
    """The mean of what falls into each step."""
    power = np.full((len(table), steps), np.nan, dtype=np.float32)
    if (np.diff(step) < 0).any():  # the clock went back
        order = np.argsort(step, kind="stable")
        table, step = table[:, order], step[order]
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


def _begun(moments: Minutes, wall: Minutes, minutes: int) -> Minutes:
    """When intervals began, on the wall's clock, that end at these moments. Where only that clock is known,
    it went forward in an interval that ends an hour late on a Sunday."""
    ahead = wall - moments
    if np.ptp(ahead):
        before = np.searchsorted(moments, moments - minutes, side="right") - 1
        return np.asarray(moments - minutes + ahead[np.maximum(before, 0)])
    day, minute = np.divmod(wall, MINUTES_PER_DAY)
    late = np.diff(wall, prepend=wall[0]) == minutes + HOUR
    return np.asarray(wall - minutes - HOUR * (late & (day % 7 == SUNDAY) & (minute <= HOUR * CHANGED_BY)))


def _close_days(written: Minutes, minutes: int) -> bool:
    """Whether times, as written, end days and do not begin them."""
    first, last = int(written.min()) % MINUTES_PER_DAY, int(written.max()) % MINUTES_PER_DAY
    return first == minutes and last == 0 and int(written.max() - written.min()) >= MINUTES_PER_DAY - minutes


def _some(names: tuple[str, ...]) -> str:
    more = f" and {len(names) - NAMED:,} more" if len(names) > NAMED else ""
    return ", ".join(map(shown_name, names[:NAMED])) + more


def _clock_changes(marked: Bools, first: int, per_day: int) -> list[int]:
    """The Sundays on which, before four o'clock, exactly one hour is marked, and a whole one."""
    if per_day % 24:
        return []  # no step ends with the hour
    early = marked.reshape(-1, 24, per_day // 24)[:, :CHANGED_BY]
    one = (early.any(axis=2).sum(axis=1) == 1) & (early.all(axis=2).sum(axis=1) == 1)
    days = np.flatnonzero(one) + first
    return [int(day) for day in days if day % 7 == SUNDAY]


Row = tuple[str, float, str, str]


def _reported(readings: Readings, before: list[Row], after: list[Row]) -> Readings:
    """The readings with the report of what is wrong with them, and what is done about it; and with the houses
    whose habits can be learned."""
    constant, outliers, count = _shapes(readings.power)
    short = count < MIN_DAYS * readings.steps_per_day
    flat = constant & ~short
    dead = flat & (np.nan_to_num(readings.power).max(axis=1) == 0)
    typical = _typical(readings.power)
    plausible = PLAUSIBLE_KW[0] <= typical <= PLAUSIBLE_KW[1]
    far = f"Readings over {OUTLIER:g} times the house's 99th percentile:"
    rows: list[Row] = [
        *before,
        ("outliers", outliers.sum(), far, "kept"),
        ("plausible", not plausible, f"A typical house would use {plain(typical, 4)} kW", "check the unit"),
        after[0],
        ("dead", dead.sum(), "Dead meters, nothing but zero:", NOT_LEARNED),
        ("constant", (flat & ~dead).sum(), "Meters that never change:", NOT_LEARNED),
        ("short", short.sum(), f"Houses with under {MIN_DAYS} days of readings:", NOT_LEARNED),
        *after[1:],
    ]
    found = tuple(
        Finding(what, int(many), f"{words} {many:,}" if words.endswith(":") else words, done)
        for what, many, words, done in rows
        if many
    )
    exports = np.isin(readings.houses, readings.exporting)
    return replace(readings, findings=found, usable=~(constant | short | exports))


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


def _typical(power: Powers) -> float:
    """The mean power in kW of a middle house among those that use any; plausible where none does."""
    present = np.isfinite(power)
    total = np.where(present, power, 0.0).sum(axis=1, dtype=float)
    mean = total[total > 0] / present.sum(axis=1)[total > 0]
    return float(np.median(mean)) if len(mean) else PLAUSIBLE_KW[0]


def _dates(days: list[int]) -> str:
    return ", ".join(str(np.datetime64(day, "D")) for day in days)
