"""A source is read piece by piece and tells how far it is; what pyarrow complains about is said in words."""

import gzip
import io
import subprocess
import sys

import pytest

from rtp.meters import read, source
from rtp.meters.source import in_words
from rtp.scenario import ScenarioError
from tests.help.root import ROOT
from tests.unit.meters.files import csv, parquet, table

NAMES = ("house", "time", "k" * 60)
CONVERSION = "In CSV column #{}: In row 3 CSV conversion error to double: invalid value '{}'"
LONG, CUT = "y" * 60, "y" * 40


@pytest.mark.parametrize(
    ("complaint", "words"),
    [
        (CONVERSION.format(0, "0.3 kWh"), "has '0.3 kWh' in the column 'house', where a number must stand."),
        (
            CONVERSION.format(1, "y" * 60),
            f"has '{'y' * 40}' in the column 'time', where a number must stand.",
        ),
        (CONVERSION.format(2, "x"), f"has 'x' in the column '{'k' * 40}', where a number must stand."),
        (CONVERSION.format(3, "x\ny"), "has 'x\\ny' in the column '3', where a number must stand."),
        ("CSV parse error: Expected 3 columns, got 5: a,b", "has a row of 5 cells under 3 columns: 'a,b'."),
        ("Expected 3 columns, got 5: " + "z" * 60, f"has a row of 5 cells under 3 columns: '{'z' * 40}'."),
        ("Failed to parse string: 'abc' as a scalar of type double", "has 'abc' where a number must stand."),
        ("failed to parse string: '' as a scalar of type float", "has '' where a number must stand."),
        ("straddling object straddles two block boundaries", "has a line that is far too long."),
        ("  odd \n things " + "z" * 300, f"cannot be read (odd things {'z' * 109})."),
    ],
)
def test_a_complaint_in_words(complaint: str, words: str) -> None:
    assert in_words(complaint, NAMES) == words


WEEKS = table(houses=8, days=28)


@pytest.mark.parametrize("kind", ["csv", "gzip", "parquet", "frame"])
def test_reading_tells_how_far_it_is(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source, "READ_BYTES", 2**16)
    monkeypatch.setattr(source, "BATCH", 2**11)
    done: list[float] = []
    if kind == "frame":
        read(WEEKS, progress=done.append)
    else:
        data = {"csv": csv(WEEKS), "gzip": gzip.compress(csv(WEEKS)), "parquet": parquet(WEEKS)}
        read(data[kind], progress=done.append)
    assert len(done) > 4
    assert done == sorted(done)
    assert done[-1] == 1.0


def test_reading_can_be_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source, "READ_BYTES", 2**16)
    file = io.BytesIO(csv(WEEKS))
    with pytest.raises(InterruptedError):
        read(file, progress=_stop)
    assert file.tell() < 2**18


def _stop(done: float) -> None:
    raise InterruptedError


def test_a_row_without_its_unit_is_refused() -> None:
    """It would be taken for another unit than it has."""
    units = ["Wh"] * len(WEEKS)
    units[-1] = ""
    with pytest.raises(ScenarioError, match="The unit is missing in some rows"):
        read(WEEKS.assign(unit=units))


LARGE = """
import resource
from rtp.meters import read, source

rows = "".join(
    f"HOUSE,2024-01-{day:02d} {hour:02d}:{minute:02d},0.{(day * hour + minute) % 1000:03d}\\n"
    for day in range(1, 31) for hour in range(24) for minute in (0, 30)
).encode()
data = b"house,time,kWh\\n" + b"".join(rows.replace(b"HOUSE", b"H%04d" % house) for house in range(1000))
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
read(data)
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 2**10 / len(data))
"""


@pytest.mark.long
def test_reading_takes_less_than_three_times_the_files_size() -> None:
    """A CSV of 40 MB: what is kept of a row is twelve bytes, and blocks are read one at a time."""
    told = subprocess.run([sys.executable, "-c", LARGE], cwd=ROOT, capture_output=True, text=True, check=True)
    assert float(told.stdout) < 2.75
