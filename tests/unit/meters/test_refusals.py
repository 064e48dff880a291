"""What is refused although it is written as readings are: by the whole sentence, and at the limit itself."""

import gzip
import io
import sys

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from rtp.meters import grid, layout, read, source
from rtp.meters.source import Source
from tests.help.sentence import refuse
from tests.unit.meters.files import HEADER, csv, parquet, table, wide

DAY = table(60, houses=3, days=1)
ROWS = len(DAY)
CLOCKS = DAY.assign(time="2024-05-06", hour=DAY["time"].dt.hour)


MANY = table(60, houses=7, days=1)[:149]


def twice_named() -> bytes:
    """A Parquet file, which may hold what a table cannot."""
    buffer = io.BytesIO()
    columns = [pa.array(["2024-05-06 00:00"]), pa.array([1.0]), pa.array([2.0])]
    pq.write_table(pa.Table.from_arrays(columns, names=["time", "a", "a"]), buffer)
    return buffer.getvalue()


def with_units(most: str, last: str) -> pd.DataFrame:
    return DAY.assign(unit=[most] * (ROWS - 1) + [last])


UNREADABLE: dict[str, Source] = {
    "The table has one column; it needs times and readings, in columns of their own.": DAY[["kWh"]],
    "The table has columns and no rows.": DAY[:0],
    "The file has columns and no rows.": parquet(DAY[:0]),
    "The table has two columns of the same name.": DAY.set_axis(["time", "time", "kWh"], axis=1),
    "The file has two columns of the same name.": twice_named(),
    "The file cannot be read as CSV (field larger than field limit (131072)).": (
        HEADER + b"a,2024-05-06 00:00," + b"1" * 140_000 + b"\n"
    ),
    "The file has no house whose readings could be used.": table(30, houses=1, days=1).assign(kWh=3e38),
    "The unit is missing in some rows; every row must say it.": with_units("Wh", ""),
    f"The unit '{'y' * 40}' is none of kWh, Wh, MWh, kW, W, MW.": with_units("Wh", "y" * 60),
    "The file has more than 99 units.": MANY.assign(unit=["kWh"] * 50 + [f"unit {i}" for i in range(99)]),
    "The unit 'unit 0' is none of kWh, Wh, MWh, kW, W, MW.": (
        MANY.assign(unit=["kWh"] * 50 + [f"unit {i % 98}" for i in range(99)])
    ),
    "The file has more than 99 ways to say who is at home.": MANY.assign(occupied=np.arange(149) % 100),
    "The column of occupancy holds '2'; it must be 0 or 1, or empty.": (
        MANY.assign(occupied=np.arange(149) % 99)
    ),
    "The readings are in Wh, kW: energy and power are mixed.": with_units("Wh", "kW"),
    "The table has columns in different units, and columns that say none.": (
        wide(DAY).rename(columns={"h0": "h0 (kWh)", "h1": "h1 (Wh)"})
    ),
    "The table has only energy that is exported ('export kWh'); it needs what houses use.": (
        DAY.rename(columns={"kWh": "export kWh"})
    ),
    "The table has no column of readings among 'house', 'time', 'price'; name it kWh, kW or W.": (
        DAY.rename(columns={"kWh": "price"})
    ),
    f"The table has no column of times among 'house', 'kWh', {', '.join([repr('n' * 30)] * 4)} and 1 more.": (
        DAY.assign(**{f"{'n' * 40} {i}": "x" for i in range(5)}).drop(columns="time")
    ),
    f"The time '2024-05-06 00:00:00{'x' * 21}' cannot be read; write times as 2024-12-31 23:30.": (
        DAY.assign(time=DAY["time"].astype(str) + "x" * 40)
    ),
}


@pytest.mark.parametrize("sentence", UNREADABLE)
def test_a_table_that_cannot_be_read_is_refused_in_a_sentence(sentence: str) -> None:
    assert refuse(lambda: read(UNREADABLE[sentence])) == sentence


@pytest.mark.parametrize(
    ("limit", "most", "data", "sentence"),
    [
        ((layout, "MAX_HOUSES"), 3, wide(DAY), "The table has 3 houses; at most 2 are read at once."),
        ((source, "MAX_HOUSES"), 3, csv(DAY), "The file has more than 2 houses."),
        ((source, "MAX_TIMES"), 24, csv(DAY), "The file has more than 23 different times."),
        ((source, "MAX_TIMES"), 24, csv(CLOCKS), "The file has more than 23 different times."),
        ((source, "MAX_READ_ROWS"), ROWS, csv(DAY), "The file has more than 71 readings; send it in parts."),
        ((source, "MAX_READ_ROWS"), ROWS, wide(DAY), "The file has more than 71 readings; send it in parts."),
        (
            (source, "MAX_READ_ROWS"),
            ROWS,
            parquet(DAY),
            "The file announces 72 rows; at most 71 are read at once.",
        ),
        ((grid, "MAX_CELLS"), ROWS, DAY, "The file has 3 houses and 24 times: no common clock."),
        (
            (grid, "MAX_CELLS"),
            ROWS,
            DAY[DAY["time"].dt.hour > 0],
            "The file spans 1 days, too many for 3 houses.",
        ),
    ],
)
def test_as_many_as_are_allowed_are_read_and_one_more_is_refused(
    limit: tuple[object, str], most: int, data: Source, sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(*limit, most)
    assert len(read(data).houses) == 3
    monkeypatch.setattr(*limit, most - 1)
    assert refuse(lambda: read(data)) == sentence


def test_a_file_is_unpacked_up_to_a_limit_and_no_further(monkeypatch: pytest.MonkeyPatch) -> None:
    data = csv(DAY) + b"\n" * (2**20 - len(csv(DAY)))
    monkeypatch.setattr(source, "MAX_UNPACKED", 2**20)
    assert len(read(gzip.compress(data)).houses) == 3
    assert refuse(lambda: read(gzip.compress(data + b"\n"))) == "The file unpacks to more than 1 MB."


def test_a_line_longer_than_a_block_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source, "READ_BYTES", 2**20)
    data = csv(DAY) + b"0" * 2**21
    assert refuse(lambda: read(data)) == "The file has a line longer than 1 MB."


def test_a_parquet_file_that_unpacks_to_too_much_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    data = parquet(DAY)
    monkeypatch.setattr(source, "MAX_UNPACKED", 100)
    assert refuse(lambda: read(data)) == "The file announces 72 rows; at most 32,000,000 are read at once."


@pytest.mark.parametrize(("times", "most"), [(40, 60), (2, 12)])
def test_half_of_the_times_may_repeat_or_ten(times: int, most: int) -> None:
    """As when clocks go back; of a table with a row for every house and time more would."""
    clock = pd.date_range("2024-05-06", periods=times, freq="60min").to_numpy()
    enough, more = (
        pd.DataFrame({"time": np.resize(clock, rows), "a": 1.0 + np.arange(rows) % 7})
        for rows in (most, most + 1)
    )
    assert read(enough).houses == ("a",)
    assert refuse(lambda: read(more)) == (
        "The table has times that repeat, as with a row for every house, but no column is named like a house."
    )


def test_without_pyarrow_reading_says_what_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rtp.meters.source", None)
    sentence = "Reading needs pyarrow, which is not installed: pip install pyarrow."
    assert refuse(lambda: read(DAY)) == sentence
