"""read(path or table): readings on the clock's grid, with a report of what was found."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import numpy as np

from rtp.core.parallel import Progress
from rtp.meters.grid import findings, grid
from rtp.meters.layout import UNITS
from rtp.meters.readings import Readings
from rtp.meters.times import parse
from rtp.scenario import ScenarioError, must_be_one_of

if TYPE_CHECKING:
    import pandas as pd

    from rtp.meters.source import Collected

DEFAULT_UNIT, DEFAULT_POWER_UNIT = "kWh", "kW"
COLLECTED = 0.8  # of the time is spent on the file


def read(
    source: "str | Path | bytes | BinaryIO | pd.DataFrame",
    *,
    unit: str | None = None,
    zone: str | None = None,
    progress: Progress | None = None,
) -> Readings:
    """Readings from a file, from its bytes, or from a table; refuses with one sentence.

    `unit` is kWh, Wh or MWh in every interval, or kW, W or MW; left out, the column's name says it, or it is
    kWh (kW where the column is called a power). Times in UTC are moved to `zone`, such as Europe/Berlin, if
    one is given. `progress` is told the fraction that is read and may raise to stop.
    """
    must_be_one_of("unit", unit, (None, *UNITS))
    collected = _collected(source, None if progress is None else partial(_report, progress))
    _must_not_repeat(collected)
    parsed = parse(collected.times, zone)
    stated = unit or collected.unit
    used = stated or (DEFAULT_POWER_UNIT if collected.layout.is_power else DEFAULT_UNIT)
    on_grid = grid(collected, parsed.minutes, used)
    report, usable = findings(collected, on_grid, parsed.in_utc, used, stated is not None)
    kept = ~on_grid.coarse
    if not np.isfinite(on_grid.power).any():
        raise ScenarioError("The file", "has no house whose readings could be used.")
    if progress is not None:
        progress(1.0)
    return Readings(
        houses=tuple(name for name, keep in zip(collected.houses, kept, strict=True) if keep),
        first_day=np.datetime64(on_grid.first_day, "D"),
        minutes=on_grid.minutes,
        power=on_grid.power if kept.all() else on_grid.power[kept],
        occupied=None if on_grid.occupied is None else on_grid.occupied[kept],
        unit=used,
        usable=usable[kept],
        findings=report,
    )


def _report(progress: Progress, done: float) -> None:
    progress(COLLECTED * done)


def _collected(
    source: "str | Path | bytes | BinaryIO | pd.DataFrame", progress: Progress | None
) -> "Collected":
    """What is slow to import, and may not be installed, is imported here."""
    try:
        from rtp.meters.source import collect
    except ImportError:
        raise ScenarioError(
            "Reading", "needs pyarrow, which is not installed: pip install pyarrow."
        ) from None
    return collect(source, progress)


def _must_not_repeat(collected: "Collected") -> None:
    """A wide table has every time once or, when clocks go back, twice."""
    rows, times = collected.rows, len(collected.times)
    if collected.layout.house is None and rows > 1.5 * times and rows > times + 10:
        raise ScenarioError(
            "The table",
            "has times that repeat, as with a row for every house, but no column is named like a house.",
        )
