"""Files as they come from real exports, by accident or by malice: each is understood, or refused in one
sentence; nothing is written to disk and memory stays bounded."""

import gzip
import os
import sys
import zipfile
from collections.abc import Iterator
from io import BytesIO

import numpy as np
import pandas as pd
import pytest

from rtp.meters import read
from rtp.scenario import ScenarioError
from tests.unit.meters.files import HEADER, csv, expected, parquet, table, wide

BASE = table()
WIDE = wide(BASE)
TEXT = csv(BASE)
ROW = b"a,2024-05-06 00:00,0.1\na,2024-05-06 00:30,0.2\n"


def renamed(**names: str) -> bytes:
    return csv(BASE.rename(columns=names))


def row(text: str) -> bytes:
    """A good file with one bad row."""
    return HEADER + ROW + text.encode() + b"\n"


def zipped() -> bytes:
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w") as file:
        file.writestr("readings.csv", TEXT)
    return buffer.getvalue()


# All of these hold the readings of BASE.
UNDERSTOOD: dict[str, bytes] = {
    "plain": TEXT,
    "byte-order mark": csv(BASE, encoding="utf-8-sig"),
    "UTF-16 little, no mark": csv(BASE, encoding="utf-16-le"),
    "UTF-16 big, no mark": csv(BASE, encoding="utf-16-be"),
    "Latin letters": csv(BASE.rename(columns={"house": "Zähler id"}), encoding="cp1252"),
    "quoted decimal commas": csv(BASE, decimal=","),
    "Windows line ends": TEXT.replace(b"\n", b"\r\n"),
    "old line ends": TEXT.replace(b"\n", b"\r"),
    "all quoted": csv(BASE).replace(b"h0,", b'"h0",').replace(b"house,", b'"house",'),
    "columns in another order": csv(BASE[["kWh", "time", "house"]]),
    "a column too many": csv(BASE.assign(note="x")),
    "a text column without a house's name": renamed(house="wer"),
    "names of London": renamed(house="LCLid", time="tstp", kWh="KWH/hh (per half hour)"),
    "German names": renamed(house="Haus", time="Zeitstempel", kWh="Verbrauch kWh"),
    "British dates": csv(BASE, "%d/%m/%Y %H:%M"),
    "milliseconds since 1970": csv(BASE.assign(time=BASE["time"].astype("datetime64[ms]").astype("int64"))),
    "midnight as 24:00": TEXT.replace(b"2024-05-07 00:00:00", b"2024-05-06 24:00:00"),
    "stamps at five past": csv(BASE.assign(time=BASE["time"] + pd.Timedelta(5, "min"))),
    "a row without a house": TEXT + b",2024-05-06 00:00:00,7\n",
    "integers as houses": csv(BASE.assign(house=BASE["house"].str[1:].astype(int))),
    "spaces around": TEXT.replace(b"h0,", b" h0 ,"),
}

# What is refused, and a word of the sentence that says why.
REFUSED: dict[str, tuple[bytes, str]] = {
    "nothing": (b"", "empty"),
    "a header only": (HEADER, "no rows"),
    "one column": (b"kWh\n1\n2\n", "columns"),
    "no header": (ROW, "first line"),
    "no times": (b"house,kWh\na,1\nb,2\n", "times"),
    "no number at all": (HEADER + b"a,2024-05-06 00:00,\na,2024-05-06 00:30,NA\n", "number"),
    "text in numbers": (row("a,2024-05-06 01:00,much"), "'much'.*'kWh'"),
    "a row too short": (row("a,2024-05-06 01:00"), "2 cells under 3"),
    "a bad time": (row("a,2024-13-45 01:00,0.1"), "'2024-13-45 01:00'"),
    "half the times with an offset": (row("a,2024-05-06 01:00+02:00,0.1"), "UTC"),
    "a year far away": (row("a,9024-05-06 01:00,0.1"), "days"),
    "one reading": (HEADER + b"a,2024-05-06 00:00,1\n", "interval"),
    "every seven minutes": (csv(table(7)[:100]), "7 minutes"),
    "long without a house's name": (csv(BASE.assign(house=1).rename(columns={"house": "x"})), "repeat"),
    "occupancy of whom": (csv(WIDE.assign(occupied=1)), "which house"),
    "occupancy of two and a half": (csv(BASE.assign(occupied=2.5)), "0 or 1"),
    "exports alone": (csv(BASE.rename(columns={"kWh": "export kWh"})), "exported"),
    "energy and power": (csv(WIDE.rename(columns={"h0": "h0 (kWh)", "h1": "h1 (kW)"})), "mixed"),
    "an unknown unit": (csv(BASE.assign(unit="BTU")[:60].assign(unit=["kWh"] * 55 + ["BTU"] * 5)), "'BTU'"),
    "a zip archive": (zipped(), "zip"),
    "gzip cut short": (gzip.compress(TEXT)[:-50], "gzip"),
    "Parquet cut short": (parquet(BASE)[:-100], "cannot be read"),
    "Parquet of truth values": (parquet(BASE.assign(kWh=True)), "numbers"),
    "JSON": (b'{"house": 1,\n "time": 2}\n', "JSON"),
    "bytes that are no text": (b"\xff\xfe" + csv(BASE, encoding="utf-16-le") + b"\xe4", "encoding"),
    "a quote that never ends": (HEADER + b'"a,2024-05-06 00:00,1\n' * 50, "line|cell|read|rows|interval"),
    "a cell of many letters": (HEADER + b"a,2024-05-06 00:00," + b"1" * 140_000 + b"\n", "CSV"),
    "many columns": (b"time," + b",".join(b"h%d" % i for i in range(20_001)) + b"\n", "20,000|columns"),
}
WRITTEN: list[str] = []


def _watch(event: str, arguments: tuple[object, ...]) -> None:
    """Files that are opened to be written, as the interpreter reports them."""
    if event == "open" and isinstance(arguments[2], int) and arguments[2] & (os.O_WRONLY | os.O_RDWR):
        WRITTEN.append(str(arguments[0]))


sys.addaudithook(_watch)


@pytest.fixture(autouse=True)
def _nothing_is_written() -> Iterator[None]:
    WRITTEN.clear()
    yield
    assert {*WRITTEN} <= {os.devnull}


@pytest.mark.parametrize("name", UNDERSTOOD)
def test_it_is_understood(name: str) -> None:
    readings = read(UNDERSTOOD[name], unit="kWh")
    np.testing.assert_allclose(readings.power, expected(BASE), rtol=1e-6)


@pytest.mark.parametrize("name", REFUSED)
def test_it_is_refused_in_one_sentence(name: str) -> None:
    data, words = REFUSED[name]
    with pytest.raises(ScenarioError, match=words) as refused:
        read(data)
    sentence = str(refused.value)
    assert len(sentence) < 250
    assert "\n" not in sentence
    assert sentence.endswith((".", "?"))
