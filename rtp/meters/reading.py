"""read(path or table): readings on the clock's grid, with a report of what was found.

Times become minutes on the wall clock; every different text is parsed once, however often it stands in the
file. A time that carries its distance from UTC says the local clock by itself; one in UTC is moved to a zone
where one is given.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import numpy as np

from rtp.core.workers import Progress, partial_progress
from rtp.meters.grid import on_grid
from rtp.meters.layout import UNITS, is_total
from rtp.meters.readings import Minutes, Readings, Times
from rtp.scenario import Bounds, ScenarioError, must_be_one_of, must_be_within, refusal

if TYPE_CHECKING:
    import pandas as pd

    from rtp.meters.source import Collected

COLLECTED = 0.8  # of the time is spent on the file
OFFSET = re.compile(r"(?<=:\d\d)(\.\d+)?\s*(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)$")
EPOCH = re.compile(r"^\d{10}(\d{3})?$")
DATES = (
    "%d.%m.%Y",
    "%d/%m/%Y",
    "%m/%d/%Y",
    "%d-%m-%Y",
    "%m-%d-%Y",
    "%Y/%m/%d",
    "%Y%m%d",
    "%d.%m.%y",
    "%d/%m/%y",
    "%m/%d/%y",
    "%Y.%m.%d",
    "%d-%b-%Y",
    "%d %b %Y",
)
CLOCKS = (" %H:%M", " %H:%M:%S", " %I:%M %p", " %I:%M:%S %p", "")
COMPACT = re.compile(r"^(\d{8})[T ]?(\d\d)(\d\d)(\d\d)?$")  # a date and its clock without signs
# to choose from; any other name of the time zone database is understood too
ZONES = (
    *("Europe/London", "Europe/Lisbon", "Europe/Berlin", "Europe/Paris", "Europe/Madrid", "Europe/Rome"),
    *("Europe/Zurich", "Europe/Stockholm", "Europe/Athens", "Europe/Istanbul", "Africa/Johannesburg"),
    *("Asia/Dubai", "Asia/Kolkata", "Asia/Shanghai", "Asia/Singapore", "Asia/Tokyo", "Australia/Sydney"),
    *("Pacific/Auckland", "America/New_York", "America/Chicago", "America/Denver", "America/Los_Angeles"),
    *("America/Sao_Paulo", "America/Mexico_City"),
)
SHIFT = Bounds(-12, 12, "The meters' clock is slow by, hours")
MINUTES_PER_HOUR = 60
MIDNIGHT = re.compile(r"(?<=[ T])24:00(?::00)?")


def read(
    source: "str | Path | bytes | BinaryIO | pd.DataFrame",
    *,
    unit: str | None = None,
    zone: str | None = None,
    shift: int = 0,
    progress: Progress | None = None,
) -> Readings:
    """Return readings from a file, from its bytes, or from a table.

    Parameters
    ----------
    source : str, Path, bytes, file or pandas.DataFrame
        CSV, gzipped CSV or Parquet: a row for every house and time, or a column for every house.
    unit : str, optional
        kWh, Wh or MWh in every interval, or kW, W or MW; without, the column's name says it, or it is kWh
        (kW where the column is called a power).
    zone : str, optional
        Such as Europe/Berlin: times in UTC are moved there.
    shift : int
        Hours by which the meters' clock is slow: all times are moved on by as many.
    progress : callable, optional
        Called with the fraction that is read; may raise to stop.

    Returns
    -------
    Readings

    Raises
    ------
    ScenarioError
        In one sentence, where the source is no readings.

    Examples
    --------
    >>> import pandas as pd
    >>> from rtp import meters
    >>> times = pd.date_range("2024-03-01", periods=96, freq="30min").strftime("%Y-%m-%d %H:%M")
    >>> table = pd.DataFrame({"time": times, "Mill Lane 1": 0.1, "Quay 2": 0.2})
    >>> readings = meters.read(table)
    >>> readings.houses, readings.days, readings.minutes
    (('Mill Lane 1', 'Quay 2'), 2, 30)
    """
    must_be_one_of("unit", unit, (None, *UNITS))
    _must_be_zone(zone)
    must_be_within("shift", shift, SHIFT)
    collected = _without_totals(_collected(source, partial_progress(progress, 0.0, COLLECTED)))
    _must_not_repeat(collected)
    times = parse_times(collected.times, zone)
    moved = times._replace(wall=times.wall + MINUTES_PER_HOUR * shift)
    readings = on_grid(collected, moved, unit or collected.unit)
    if progress is not None:
        progress(1.0)
    return readings


def _collected(
    source: "str | Path | bytes | BinaryIO | pd.DataFrame", progress: Progress | None
) -> "Collected":
    """What is slow to import, and may not be installed, is imported here."""
    try:
        from rtp.meters.source import collect
    except ImportError:
        problem = "needs pyarrow, which is not installed: pip install pyarrow."
        raise ScenarioError("Reading", problem) from None
    return collect(source, progress)


def _without_totals(collected: "Collected") -> "Collected":
    """Without the rows of a long table that are what all houses use together."""
    totals = np.array([is_total(name) for name in collected.houses])
    if collected.layout.house is None or not totals.any() or totals.all():
        return collected
    kept = collected.only(~totals[collected.house])
    return replace(
        kept,
        houses=tuple(name for name in collected.houses if not is_total(name)),
        house=(np.cumsum(~totals) - 1).astype(np.int32)[kept.house],
        totals=tuple(name for name in collected.houses if is_total(name)),
    )


def _must_not_repeat(collected: "Collected") -> None:
    """A wide table has every time once or, when clocks go back, twice; one by day every house's day once."""
    rows, times = collected.rows, len(collected.times)
    if collected.layout.clocks:
        cell = collected.house.astype(np.int64) * times + collected.time
        if len(cell) > 1.5 * len(np.unique(cell)):
            problem = "has several rows for a house and day; keep those of what is used, and name the houses."
            raise ScenarioError("The table", problem)
        return
    if collected.layout.house is None and rows > 1.5 * times and rows > times + 10:
        problem = "has times that repeat, as with a row for every house, but no column is named like a house."
        raise ScenarioError("The table", problem)


def parse_times(texts: Sequence[str], zone: str | None) -> Times:
    """Return when different texts are, in their order; refuses with one sentence."""
    import pandas as pd

    series = pd.Series(list(texts), dtype="str").str.strip()
    if series.str.match(EPOCH).all():
        seconds = series.astype("int64")
        seconds = seconds.where(series.str.len() == 10, seconds // 1000)
        return _in_zone(pd.to_datetime(seconds, unit="s", utc=True), zone)
    offset = series.str.extract(OFFSET)[1]
    local = _local(series.str.replace(OFFSET, "", regex=True) if offset.notna().any() else series)
    if offset.isna().all():
        return Times(_minutes(local), _minutes(local), False)
    if offset.isna().any():
        text = series[offset.isna()].iloc[0]
        raise ScenarioError("The time", f"{text!r} has no distance from UTC, and others have one.")
    shift = pd.to_timedelta(offset.map({each: _shift(each) for each in offset.unique()}), unit="min")
    if zone is None and (shift != pd.Timedelta(0)).any():
        return Times(_minutes(local), _minutes(local - shift), False)
    return _in_zone((local - shift).dt.tz_localize("UTC"), zone)


def _in_zone(instants: "pd.Series[pd.Timestamp]", zone: str | None) -> Times:
    local = instants if zone is None else instants.dt.tz_convert(zone)
    wall, instant = (_minutes(each.dt.tz_localize(None)) for each in (local, instants))
    return Times(wall, instant, zone is None)


def _must_be_zone(zone: str | None) -> None:
    from zoneinfo import ZoneInfo

    if zone is not None:
        try:
            ZoneInfo(zone)
        except (KeyError, ValueError, OSError):
            raise refusal("zone", zone, "be a time zone such as Europe/Berlin") from None


def _local(series: "pd.Series[str]") -> "pd.Series[pd.Timestamp]":
    """The clock that is written, by the way of writing that fits all; day or month first by the span. A
    midnight may be its date alone."""
    import pandas as pd

    series = series.str.replace(r",|\s*Uhr$", "", regex=True)
    series = series.str.replace(COMPACT, lambda at: f"{at[1]} {at[2]}:{at[3]}:{at[4] or '00'}", regex=True)
    clock = series.str.count(":")
    if 0 < (clock == 0).sum() < len(series) and not series.str.contains("m$", case=False).any():
        series = series.where(clock > 0, series + " 00:00" + ":00" * (int(clock.max()) - 1))
    late = series.str.contains(MIDNIGHT)
    if late.any():
        series = series.str.replace(MIDNIGHT, "00:00", regex=True)
    return _best(series) + pd.to_timedelta(late.astype("int64"), unit="D")


def _best(series: "pd.Series[str]") -> "pd.Series[pd.Timestamp]":
    import pandas as pd

    if series.str.match(r"^\d{4}-").iloc[0]:
        parsed = pd.to_datetime(series, format="ISO8601", errors="coerce")
        return _all_parsed(series, parsed)
    fits, most = [], pd.to_datetime(pd.Series([None] * len(series)))
    head = series.iloc[:1000]
    for form in (date + clock for date in DATES for clock in CLOCKS):
        if pd.to_datetime(head, format=form, errors="coerce").notna().mean() < 0.5:
            continue
        parsed = pd.to_datetime(series, format=form, errors="coerce")
        if parsed.notna().all():
            fits.append(parsed)
        if parsed.notna().sum() > most.notna().sum():
            most = parsed
    if not fits:
        return _all_parsed(series, most)
    spans = [each.max() - each.min() for each in fits]
    shortest = [each for each, span in zip(fits, spans, strict=True) if span == min(spans)]
    if any(not each.equals(shortest[0]) for each in shortest):
        text = series.iloc[0]
        raise ScenarioError("The time", f"{text!r} may be day or month first; write dates as 2024-12-31.")
    return shortest[0]


def _all_parsed(series: "pd.Series[str]", parsed: "pd.Series[pd.Timestamp]") -> "pd.Series[pd.Timestamp]":
    if parsed.isna().any():
        text = str(series[parsed.isna()].iloc[0])[:40]
        raise ScenarioError("The time", f"{text!r} cannot be read; write times as 2024-12-31 23:30.")
    return parsed


def _shift(offset: str) -> int:
    """Minutes ahead of UTC."""
    if offset in ("Z", "UTC", "GMT"):
        return 0
    digits = offset[1:].replace(":", "").ljust(4, "0")
    return (1 if offset[0] == "+" else -1) * (60 * int(digits[:2]) + int(digits[2:]))


def _minutes(clock: "pd.Series[pd.Timestamp]") -> Minutes:
    seconds = clock.to_numpy().astype("datetime64[s]").astype(np.int64)
    return (seconds + 30) // 60
