"""read(path or table): readings on the clock's grid, with a report of what was found."""

from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import numpy as np

from rtp.meters.columns import UNITS, Columns
from rtp.meters.findings import findings
from rtp.meters.grid import grid
from rtp.meters.readings import Readings
from rtp.meters.times import parse
from rtp.scenario import ScenarioError, must_be_one_of

if TYPE_CHECKING:
    import pandas as pd

    from rtp.meters.collect import Collected

DEFAULT_UNIT = "kWh"


def read(
    source: "str | Path | bytes | BinaryIO | pd.DataFrame",
    *,
    unit: str | None = None,
    zone: str | None = None,
) -> Readings:
    """Readings from a file, from its bytes, or from a table; refuses with one sentence.

    `unit` is kWh or Wh in every interval, kW or W; left out, the column's name says it, or it is kWh. Times
    in UTC are moved to `zone`, such as Europe/Berlin, if one is given.
    """
    must_be_one_of("unit", unit, (None, *UNITS))
    columns, found = _collected(source)
    _must_not_repeat(columns, found)
    parsed = parse(found.times, zone)
    given = unit or columns.unit
    on_grid = grid(found, parsed.minutes, given or DEFAULT_UNIT)
    told, usable = findings(found, on_grid, parsed.in_utc, given or DEFAULT_UNIT, given is not None)
    kept = ~on_grid.coarse
    if not np.isfinite(on_grid.power).any():
        raise ScenarioError("The file", "has no house whose readings could be used.")
    return Readings(
        houses=tuple(name for name, keep in zip(found.houses, kept, strict=True) if keep),
        first_day=np.datetime64(on_grid.first_day, "D"),
        minutes=on_grid.minutes,
        power=on_grid.power if kept.all() else on_grid.power[kept],
        occupied=None if on_grid.occupied is None else on_grid.occupied[kept],
        unit=given or DEFAULT_UNIT,
        usable=usable[kept],
        findings=told,
    )


def _collected(source: "str | Path | bytes | BinaryIO | pd.DataFrame") -> "tuple[Columns, Collected]":
    """What is slow to import, and may not be installed, is imported here."""
    try:
        from rtp.meters.collect import collect
        from rtp.meters.source import opened
    except ImportError:
        raise ScenarioError(
            "Reading", "needs pyarrow, which is not installed: pip install pyarrow."
        ) from None
    with opened(source) as file:
        return file.columns, collect(file)


def _must_not_repeat(columns: Columns, found: "Collected") -> None:
    """A wide table has every time once or, when clocks go back, twice."""
    if columns.house is None and found.rows > 1.5 * len(found.times) and found.rows > len(found.times) + 10:
        raise ScenarioError(
            "The table",
            "has times that repeat, as with a row for every house, but no column is named like a house.",
        )
