"""A hundred files as they come from real exports, by accident or by malice: those that are understood,
and those that are refused."""

import gzip
import zipfile
from io import BytesIO

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from tests.unit.meters.files import HEADER, csv, parquet, table, wide

BASE = table()
WIDE = wide(BASE)
TEXT = csv(BASE)
ROW = b"a,2024-05-06 00:00,0.1\na,2024-05-06 00:30,0.2\n"


def renamed(**names: str) -> bytes:
    return csv(BASE.rename(columns=names))


def stamped(form: str) -> bytes:
    return csv(BASE, form)


def row(text: str) -> bytes:
    """A good file with one bad row."""
    return HEADER + ROW + text.encode() + b"\n"


def zipped() -> bytes:
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w") as file:
        file.writestr("readings.csv", TEXT)
    return buffer.getvalue()


def announced(rows: int) -> bytes:
    """A Parquet file of a few kilobytes that holds so many rows: one value, run-length encoded."""
    buffer = BytesIO()
    times = pa.DictionaryArray.from_arrays(pa.array(np.zeros(rows, dtype=np.int32)), ["2024-05-06 00:00"])
    pq.write_table(pa.table({"time": times, "a": pa.array(np.zeros(rows, dtype=np.float32))}), buffer)
    return buffer.getvalue()


# All of these hold the readings of BASE.
UNDERSTOOD: dict[str, bytes] = {
    "plain": TEXT,
    "byte-order mark": csv(BASE, encoding="utf-8-sig"),
    "UTF-16 with mark": csv(BASE, encoding="utf-16"),
    "UTF-16 little, no mark": csv(BASE, encoding="utf-16-le"),
    "UTF-16 big, no mark": csv(BASE, encoding="utf-16-be"),
    "Latin letters": csv(BASE.rename(columns={"house": "Zähler id"}), encoding="cp1252"),
    "semicolons": csv(BASE, sep=";"),
    "tabs": csv(BASE, sep="\t"),
    "bars": csv(BASE, sep="|"),
    "semicolons and decimal commas": csv(BASE, sep=";", decimal=","),
    "tabs and decimal commas": csv(BASE, sep="\t", decimal=","),
    "quoted decimal commas": csv(BASE, decimal=","),
    "UTF-16, semicolons, commas": csv(BASE, encoding="utf-16", sep=";", decimal=","),
    "Windows line ends": TEXT.replace(b"\n", b"\r\n"),
    "old line ends": TEXT.replace(b"\n", b"\r"),
    "blank lines first": b"\n\n" + TEXT,
    "blank lines between": TEXT.replace(b"\nh1", b"\n\nh1", 1),
    "no line end at the end": TEXT.rstrip(b"\n"),
    "all quoted": csv(BASE).replace(b"h0,", b'"h0",').replace(b"house,", b'"house",'),
    "gzip": gzip.compress(TEXT),
    "two gzip members": gzip.compress(TEXT[:500]) + gzip.compress(TEXT[500:]),
    "Parquet": parquet(BASE),
    "Parquet of text": parquet(BASE.assign(time=BASE["time"].astype(str))),
    "Parquet, wide": parquet(WIDE),
    "Parquet, single precision": parquet(BASE.assign(kWh=BASE["kWh"].astype("float32"))),
    "Parquet, categories": parquet(BASE.assign(house=BASE["house"].astype("category"))),
    "wide": csv(WIDE),
    "wide, semicolons and commas": csv(WIDE, sep=";", decimal=","),
    "columns in another order": csv(BASE[["kWh", "time", "house"]]),
    "a column too many": csv(BASE.assign(note="x")),
    "a text column without a house's name": renamed(house="wer"),
    "names of London": renamed(house="LCLid", time="tstp", kWh="KWH/hh (per half hour)"),
    "names in camel case": renamed(house="houseId", time="readingTime", kWh="energyKwh"),
    "names in capitals": renamed(house="METER", time="TIMESTAMP", kWh="KWH"),
    "names with spaces": renamed(house=" house ", time=" time ", kWh=" kWh "),
    "German names": renamed(house="Haus", time="Zeitstempel", kWh="Verbrauch kWh"),
    "dates with T": stamped("%Y-%m-%dT%H:%M"),
    "dates with T and seconds": stamped("%Y-%m-%dT%H:%M:%S"),
    "fractions of a second": stamped("%Y-%m-%dT%H:%M:%S.%f"),
    "UTC": stamped("%Y-%m-%dT%H:%M:%SZ"),
    "a distance from UTC": stamped("%Y-%m-%dT%H:%M:%S+02:00"),
    "a short distance from UTC": stamped("%Y-%m-%d %H:%M:%S+02"),
    "German dates": stamped("%d.%m.%Y %H:%M"),
    "German dates, short year": stamped("%d.%m.%y %H:%M"),
    "British dates": stamped("%d/%m/%Y %H:%M"),
    "American dates": stamped("%m/%d/%Y %H:%M"),
    "American dates and clock": stamped("%m/%d/%Y %I:%M %p"),
    "dashes, day first": stamped("%d-%m-%Y %H:%M:%S"),
    "slashes, year first": stamped("%Y/%m/%d %H:%M"),
    "seconds since 1970": csv(BASE.assign(time=BASE["time"].astype("datetime64[s]").astype("int64"))),
    "milliseconds since 1970": csv(BASE.assign(time=BASE["time"].astype("datetime64[ms]").astype("int64"))),
    "three seconds late": csv(BASE.assign(time=BASE["time"] + pd.Timedelta(3, "s"))),
    "midnight as 24:00": TEXT.replace(b"2024-05-07 00:00:00", b"2024-05-06 24:00:00"),
    "stamps at five past": csv(BASE.assign(time=BASE["time"] + pd.Timedelta(5, "min"))),
    "a negative reading among them": TEXT + b"h0,2024-05-06 00:00:00,-5\n",
    "an infinite one": TEXT + b"h0,2024-05-06 00:00:00,inf\n",
    "missing ones as words": TEXT + b"h0,2024-05-06 00:00:00,Null\nh1,2024-05-06 00:00:00,NA\n",
    "a row without a house": TEXT + b",2024-05-06 00:00:00,7\n",
    "a row without a time": TEXT + b"h0,,7\n",
    "the same rows twice": TEXT + TEXT[len(HEADER) :],
    "integers as houses": csv(BASE.assign(house=BASE["house"].str[1:].astype(int))),
    "spaces around": TEXT.replace(b"h0,", b" h0 ,"),
}

REFUSED: dict[str, tuple[bytes, str]] = {
    "nothing": (b"", "is empty"),
    "blank lines only": (b"\n \n\n", "is empty"),
    "a mark only": (b"\xef\xbb\xbf", "is empty"),
    "a header only": (HEADER, "no rows"),
    "one column": (b"kWh\n1\n2\n", "must name columns"),
    "no header": (ROW, "it must name the columns"),
    "no times": (b"house,kWh\na,1\nb,2\n", "no column of times"),
    "no readings": (b"house,time\na,2024-05-06 00:00\n", "where a number must stand|no column of readings"),
    "times only": (b"time,date\n2024-05-06,2024-05-06\n", "no column of readings"),
    "text in numbers": (row("a,2024-05-06 01:00,much"), "'much' in the column 'kWh', where"),
    "a formula": (row("a,2024-05-06 01:00,=1+1"), "'=1.1' in the column 'kWh'"),
    "a formula that calls": (row("a,2024-05-06 01:00,=cmd|' /C calc'!A0"), "where a number must stand"),
    "a unit in the cell": (row("a,2024-05-06 01:00,0.3 kWh"), "where a number must stand"),
    "thousands": (row('a,2024-05-06 01:00,"1,234.5"'), "where a number must stand"),
    "a row too short": (row("a,2024-05-06 01:00"), "a row of 2 cells under 3 columns"),
    "a row too long": (row("a,2024-05-06 01:00,1,2"), "a row of 4 cells under 3 columns"),
    "a bad time": (row("a,2024-13-45 01:00,0.1"), "'2024-13-45 01:00' cannot be read"),
    "a time in words": (row("a,yesterday,0.1"), "'yesterday' cannot be read"),
    "half the times with an offset": (row("a,2024-05-06 01:00+02:00,0.1"), "has no distance from UTC"),
    "a year far away": (row("a,9024-05-06 01:00,0.1"), "spans .* days"),
    "day or month first": (
        b"house,time,kWh\na,01/01/2024 00:00,1\na,02/02/2024 00:00,1\n",
        "every \\d+ minutes",
    ),
    "one reading": (HEADER + b"a,2024-05-06 00:00,1\n", "an interval needs two"),
    "no number at all": (
        HEADER + b"a,2024-05-06 00:00,\na,2024-05-06 00:30,NA\n",
        "no reading that is a number",
    ),
    "every seven minutes": (csv(table(7)[:100]), "every 7 minutes"),
    "every two hours": (csv(table(120)), "every 120 minutes"),
    "once a day": (csv(table(1440, days=30)), "every 1440 minutes"),
    "doubled houses": (
        b"time,a,a\n2024-05-06 00:00,1,2\n2024-05-06 00:30,1,2\n",
        "two columns for the house 'a'",
    ),
    "long without a house's name": (
        csv(BASE.assign(house=1).rename(columns={"house": "x"})),
        "times that repeat",
    ),
    "occupancy of whom": (csv(WIDE.assign(occupied=1)), "of which house"),
    "occupancy of two and a half": (csv(BASE.assign(occupied=2.5)), "must be 0 or 1"),
    "a zip archive": (zipped(), "zip archive or a spreadsheet"),
    "gzip cut short": (gzip.compress(TEXT)[:-50], "gzip compression ends"),
    "gzip of nothing": (gzip.compress(b""), "is empty"),
    "gzip of noise": (b"\x1f\x8b" + bytes(range(256)), "gzip compression ends"),
    "Parquet cut short": (parquet(BASE)[:-100], "cannot be read"),
    "Parquet in name only": (b"PAR1" + bytes(100), "cannot be read"),
    "Parquet without rows": (parquet(BASE[:0]), "no rows"),
    "Parquet of truth values": (parquet(BASE.assign(kWh=True)), "must be numbers"),
    "Parquet of dates for readings": (parquet(BASE.assign(kWh=BASE["time"])), "must be numbers"),
    "a picture": (b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20, "no text|must name columns|no column"),
    "noise": (np.random.default_rng(0).bytes(5000), "no text|must name columns|no column|as CSV"),
    "a page of the web": (b"<!DOCTYPE html>\n<html><body>Not, found</body></html>\n", "must name columns"),
    "JSON": (b'{"house": 1,\n "time": 2}\n', "is JSON; save the readings"),
    "a quote that never ends": (
        HEADER + b'"a,2024-05-06 00:00,1\n' * 50,
        "line|cells|cannot be read|no rows|interval",
    ),
    "many columns": (
        b"time," + b",".join(b"h%d" % i for i in range(20_001)) + b"\n",
        "at most 20,000|must name",
    ),
}
