"""Parquet files of strangers: bombs and damaged ones are refused in one sentence, within time and memory."""

import io
import os
from functools import partial

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from rtp import Scenario
from rtp.meters import read
from rtp.scenario import ScenarioError
from rtp.scenario.house_table import read_table
from rtp.scenario.parquet import MAX_CELL
from rtp.scenario.spreadsheet import read_apart
from tests.help.few import few
from tests.help.sentence import refuse

PEAK = 50 * 2**20  # bytes that pyarrow may take for a file that is refused


def file_of(table: dict[str, object], **options: object) -> bytes:
    target = io.BytesIO()
    pq.write_table(pa.table(table), target, **{"compression": "zstd", **options})
    return target.getvalue()


def readings(name: str, rows: int) -> dict[str, object]:
    times = [f"2024-05-01 {i // 60 % 24:02d}:{i % 60:02d}" for i in range(rows)]
    return {"house": [name] * rows, "time": times, "kWh": [0.1] * rows}


BOMBS = {
    "a long name": readings("a" * 5_000_000, 20),
    "a long name, plain": readings("a" * 5_000_000, 20),
    "a long name in many rows": readings("a" * 10**6, 20_000) | {"house": pa.DictionaryArray.from_arrays(
        pa.array([0] * 20_000, pa.int32()), pa.array(["a" * 10**6]))},
    "a name beside the limit": readings("a" * (MAX_CELL + 1), 20),
    "a list in a cell": readings("a", 20) | {"kWh": pa.array([[0.1] * 100_000] * 20)},
}  # fmt: skip


@pytest.mark.parametrize("case", few(BOMBS, "a long name in many rows"))
def test_a_bomb_is_refused_before_it_is_unpacked(case: str) -> None:
    data = file_of(BOMBS[case], use_dictionary="plain" not in case)
    said, peak = read_apart(take_and_measure, data)
    assert len(said) == 2
    assert peak < PEAK


def take_both(data: bytes) -> list[str]:
    """What is said of a file as readings, and as a table of houses; nothing where it is understood."""
    said = []
    for take in (read, partial(read_table, Scenario())):
        try:
            take(data)
        except ScenarioError as refused:
            said.append(str(refused))
    return said


def take_and_measure(data: bytes) -> tuple[list[str], int]:
    return take_both(data), pa.default_memory_pool().max_memory()


@pytest.mark.slow
def test_what_ends_its_reader_or_takes_all_memory_is_refused() -> None:
    assert "damaged" in refuse(lambda: read_apart(os.abort))
    assert "300 MB" in refuse(lambda: read_apart(bytearray, 10**9, memory=300 * 2**20))
    assert read_apart(len, b"abc") == 3
    assert "epsilon" in refuse(lambda: read_apart(Scenario, epsilon=-1.0))
