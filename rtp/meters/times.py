"""Times as a file writes them, into minutes on the wall clock.

Every different text is parsed once, however often it stands in the file. A time that carries its distance
from UTC says the local clock by itself; one in UTC is moved to a zone where one is given.
"""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rtp.scenario import ScenarioError, refusal

if TYPE_CHECKING:
    import pandas as pd

Minutes = NDArray[np.int64]  # since 1970-01-01 00:00 on the wall clock

OFFSET = re.compile(r"(?<=:\d\d)(\.\d+)?\s*(Z|UTC|[+-]\d\d(?::?\d\d)?)$")
EPOCH = re.compile(r"^\d{10}(\d{3})?$")
DATES = (
    "%d.%m.%Y",
    "%d/%m/%Y",
    "%m/%d/%Y",
    "%d-%m-%Y",
    "%m-%d-%Y",
    "%Y/%m/%d",
    "%d.%m.%y",
    "%d/%m/%y",
    "%m/%d/%y",
)
CLOCKS = (" %H:%M", " %H:%M:%S", " %I:%M %p", " %I:%M:%S %p", "")
# to choose from; any other name of the time zone database is understood too
ZONES = (
    *("Europe/London", "Europe/Lisbon", "Europe/Berlin", "Europe/Paris", "Europe/Madrid", "Europe/Rome"),
    *("Europe/Zurich", "Europe/Stockholm", "Europe/Athens", "Europe/Istanbul", "Africa/Johannesburg"),
    *("Asia/Dubai", "Asia/Kolkata", "Asia/Shanghai", "Asia/Singapore", "Asia/Tokyo", "Australia/Sydney"),
    *("Pacific/Auckland", "America/New_York", "America/Chicago", "America/Denver", "America/Los_Angeles"),
    *("America/Sao_Paulo", "America/Mexico_City"),
)
MIDNIGHT = re.compile(r"(?<=[ T])24:00(?::00)?")


class Parsed(NamedTuple):
    minutes: Minutes
    in_utc: bool  # and left there, because no zone was given


def parse(texts: Sequence[str], zone: str | None = None) -> Parsed:
    """Of different texts, in their order; refuses with one sentence."""
    import pandas as pd

    series = pd.Series(list(texts), dtype="str").str.strip()
    if series.str.match(EPOCH).all():
        seconds = series.astype("int64")
        seconds = seconds.where(series.str.len() == 10, seconds // 1000)
        return _in_zone(pd.to_datetime(seconds, unit="s", utc=True), zone)
    offset = series.str.extract(OFFSET)[1]
    local = _local(series.str.replace(OFFSET, "", regex=True) if offset.notna().any() else series)
    if offset.isna().all():
        _known(zone)
        return Parsed(_minutes(local), False)
    if offset.isna().any():
        text = series[offset.isna()].iloc[0]
        raise ScenarioError("The time", f"{text!r} has no distance from UTC, and others have one.")
    shift = pd.to_timedelta(offset.map({each: _shift(each) for each in offset.unique()}), unit="min")
    if zone is None and (shift != pd.Timedelta(0)).any():
        return Parsed(_minutes(local), False)
    return _in_zone((local - shift).dt.tz_localize("UTC"), zone)


def _in_zone(instants: "pd.Series[pd.Timestamp]", zone: str | None) -> Parsed:
    _known(zone)
    if zone is None:
        return Parsed(_minutes(instants.dt.tz_localize(None)), True)
    return Parsed(_minutes(instants.dt.tz_convert(zone).dt.tz_localize(None)), False)


def _known(zone: str | None) -> None:
    from zoneinfo import ZoneInfo

    if zone is not None:
        try:
            ZoneInfo(zone)
        except (KeyError, ValueError, OSError):
            raise refusal("zone", zone, "be a time zone such as Europe/Berlin") from None


def _local(series: "pd.Series[str]") -> "pd.Series[pd.Timestamp]":
    """The clock that is written, by the way of writing that fits all; day or month first by the span."""
    import pandas as pd

    late = series.str.contains(MIDNIGHT)
    if late.any():
        series = series.str.replace(MIDNIGHT, "00:00", regex=True)
    return _best(series) + pd.to_timedelta(late.astype("int64"), unit="D")


def _best(series: "pd.Series[str]") -> "pd.Series[pd.Timestamp]":
    import pandas as pd

    if series.str.match(r"^\d{4}-").iloc[0]:
        parsed = pd.to_datetime(series, format="ISO8601", errors="coerce")
        return _all(series, parsed)
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
        return _all(series, most)
    spans = [each.max() - each.min() for each in fits]
    shortest = [each for each, span in zip(fits, spans, strict=True) if span == min(spans)]
    if any(not each.equals(shortest[0]) for each in shortest):
        text = series.iloc[0]
        raise ScenarioError("The time", f"{text!r} may be day or month first; write dates as 2024-12-31.")
    return shortest[0]


def _all(series: "pd.Series[str]", parsed: "pd.Series[pd.Timestamp]") -> "pd.Series[pd.Timestamp]":
    if parsed.isna().any():
        text = str(series[parsed.isna()].iloc[0])[:40]
        raise ScenarioError("The time", f"{text!r} cannot be read; write times as 2024-12-31 23:30.")
    return parsed


def _shift(offset: str) -> int:
    """Minutes ahead of UTC."""
    if offset in ("Z", "UTC"):
        return 0
    digits = offset[1:].replace(":", "").ljust(4, "0")
    return (1 if offset[0] == "+" else -1) * (60 * int(digits[:2]) + int(digits[2:]))


def _minutes(clock: "pd.Series[pd.Timestamp]") -> Minutes:
    seconds = clock.to_numpy().astype("datetime64[s]").astype(np.int64)
    return (seconds + 30) // 60
