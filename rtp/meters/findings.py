"""What is found in readings, and what is done about it: said before anything is used."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from rtp.core.formatting import percent
from rtp.core.types import Bools, Ints
from rtp.meters.grid import Grid
from rtp.meters.readings import MINUTES_PER_DAY, Finding, Powers

if TYPE_CHECKING:
    from rtp.meters.collect import Collected

FEWEST_DAYS = 7  # of readings from which a house's habits are learned
FAR = 10.0  # times a house's 99th percentile: an outlier


def gap_count(known: Bools, grid: Grid) -> int:
    """Steps without a reading between the first and the last, the hours that clocks skip apart."""
    first, last = grid.span
    kept = known[~grid.coarse, first : last + 1]
    per_day = MINUTES_PER_DAY // grid.minutes
    return int(kept.size - np.count_nonzero(kept)) - len(kept) * len(grid.forward) * (per_day // 24)


def shapes(power: Powers) -> tuple[Bools, Ints, Ints]:
    """Per house: whether it never changes, how many readings are far out, how many readings there are."""
    still, far = np.zeros(len(power), dtype=bool), np.zeros(len(power), dtype=np.intp)
    count = np.zeros(len(power), dtype=np.intp)
    for house, values in enumerate(power):
        known = values[np.isfinite(values)]
        count[house] = len(known)
        if len(known):
            still[house] = known.min() == known.max()
            nearly_all = np.partition(known, int(0.99 * (len(known) - 1)))[int(0.99 * (len(known) - 1))]
            far[house] = np.count_nonzero(known > FAR * nearly_all) if nearly_all > 0 else 0
    return still, far, count


def findings(
    found: "Collected", grid: Grid, in_utc: bool, unit: str, stated: bool
) -> tuple[tuple[Finding, ...], Bools]:
    """All of them, and which houses habits can be learned from."""
    still, far, count = shapes(grid.power)
    short = (count < FEWEST_DAYS * MINUTES_PER_DAY // grid.minutes) & ~grid.coarse
    usable = ~(still | short | grid.coarse)
    found_out = [
        *_of_the_clock(grid, in_utc),
        *_of_cells(found, grid, int(far.sum()), int(np.count_nonzero(far))),
        *_of_houses(grid, still & ~short & ~grid.coarse, short),
    ]
    if not stated:
        found_out.insert(
            0, Finding("unit", 1, "No column says its unit", f"taken as {unit}; say so if it is another")
        )
    return tuple(found_out), usable


def _of_the_clock(grid: Grid, in_utc: bool) -> Iterator[Finding]:
    if in_utc:
        yield Finding("utc", 1, "Times are in UTC", "left so; name a time zone to have local days")
    for days, words, done in (
        (grid.forward, "the clock went forward", "the hour that was skipped is left out"),
        (grid.back, "the clock went back", "the mean of the two hours is used"),
    ):
        if days:
            dates = ", ".join(str(np.datetime64(day, "D")) for day in days)
            yield Finding("clock", len(days), f"{dates}: {words}", done)
    if grid.moved:
        words = f"Times stand {grid.moved} minutes past the clock's grid"
        yield Finding("moved", grid.moved, words, "moved back onto it")


def _of_cells(found: "Collected", grid: Grid, far: int, far_houses: int) -> Iterator[Finding]:
    gaps = gap_count(np.isfinite(grid.power), grid)
    share = f" ({percent(gaps / max(grid.power.size, 1))})"
    outliers = f"Readings over {FAR:g} times the house's 99th percentile, in {far_houses:,} of the houses"
    for what, count, words, more, done in (
        ("gaps", gaps, "Missing readings", share, "left as gaps: learning invents nothing"),
        ("doubles", grid.doubles, "Readings beyond one in an interval", "", "their mean is used"),
        ("negative", found.negative, "Negative readings", "", "treated as missing"),
        ("infinite", found.infinite, "Infinite readings", "", "treated as missing"),
        ("nameless", found.nameless, "Rows without a house or a time", "", "passed over"),
        ("outliers", far, outliers, "", "kept; a bound that you state will cut them"),
    ):
        if count:
            yield Finding(what, count, f"{words}: {count:,}{more}", done)


def _of_houses(grid: Grid, still: Bools, short: Bools) -> Iterator[Finding]:
    dead = still & (np.nan_to_num(grid.power).max(axis=1) == 0)
    less = f"Houses that report less often than every {grid.minutes} minutes"
    for what, houses, words, done in (
        ("dead", dead, "Dead meters, nothing but zero", "replayed; not learned from"),
        ("constant", still & ~dead, "Meters that never change", "replayed; not learned from"),
        ("short", short, f"Houses with under {FEWEST_DAYS} days of readings", "replayed; not learned from"),
        ("interval", grid.coarse, less, "left out"),
    ):
        if houses.any():
            yield Finding(what, int(houses.sum()), f"{words}: {int(houses.sum()):,}", done)
