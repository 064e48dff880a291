"""Cells as they are written: what is a house, a time, a reading, or nobody's word for any of these."""

import gzip

import numpy as np
import pandas as pd
import pytest

from rtp.meters import read, source
from rtp.meters.source import Source, collect
from tests.help.sentence import refuse
from tests.unit.meters.files import HEADER, csv, expected, parquet, table

HALF_DAY = table(60, days=1)
NO_READING = [
    "",
    "-",
    "?",
    "NA",
    "N/A",
    "n/a",
    "#N/A",
    "NaN",
    "nan",
    "null",
    "Null",
    "NULL",
    "None",
    "none",
    "missing",
]
AT_HOME = ["1", "1.0", "true", "True", "yes", "YES", "occupied", "home"]
AWAY = ["0", "0.0", "false", "False", "no", "NO", "empty", "away"]
NOBODY_KNOWS = ["", "nan", "NaN", "null", "NULL", "na", "NA", "-1"]


def rows(*texts: str) -> bytes:
    return HEADER + "\n".join([*texts, ""]).encode()


def test_words_for_a_missing_reading_are_passed_over() -> None:
    data = rows("a,2024-05-06 00:00,1", *(f"a,2024-05-06 00:00,{word}" for word in NO_READING))
    found = collect(data)
    assert (found.value.tolist(), found.rows) == ([1.0], 1 + len(NO_READING))
    assert (found.negative, found.infinite, found.nameless) == (0, 0, 0)


def test_one_row_is_enough_to_tell_its_columns_apart() -> None:
    assert collect(HALF_DAY[:1]).houses == ("h0",)


def test_a_house_may_have_the_name_of_a_missing_reading() -> None:
    assert collect(rows("NA,2024-05-06 00:00,1", "null,2024-05-06 00:00,2")).houses == ("NA", "null")


def test_occupancy_in_words() -> None:
    said = [*AT_HOME, *AWAY, *NOBODY_KNOWS]
    cells = [f"a,2024-05-06 {i:02d}:00,1,{word}" for i, word in enumerate(said)]
    found = collect("\n".join(["house,time,kWh,occupied", *cells]).encode())
    assert found.occupied is not None
    assert found.occupied.tolist() == [1] * len(AT_HOME) + [0] * len(AWAY) + [-1] * len(NOBODY_KNOWS)


def test_a_word_that_is_no_occupancy_is_refused_by_its_beginning() -> None:
    data = b"house,time,kWh,occupied\na,2024-05-06 00:00,1," + b"x" * 60
    assert refuse(lambda: collect(data)) == (
        f"The column of occupancy holds '{'x' * 40}'; it must be 0 or 1, or empty."
    )


def test_bad_readings_are_counted_by_kind() -> None:
    """One that is negative and infinite is infinite; one without a house is nameless whatever it reads."""
    data = rows(
        "a,2024-05-06 00:00,0",
        "a,2024-05-06 01:00,-1",
        "a,2024-05-06 02:00,-inf",
        "a,2024-05-06 03:00,inf",
        "a,2024-05-06 04:00,1e39",
        ",2024-05-06 05:00,5",
        "a,,6",
        ",,7",
    )
    found = collect(data)
    assert (found.rows, found.negative, found.infinite, found.nameless) == (8, 1, 3, 3)
    assert (found.houses, found.value.tolist(), found.house.tolist()) == (("a",), [0.0], [0])
    assert found.times[found.time[0]] == "2024-05-06 00:00"
    assert (found.unit, found.occupied) == ("kWh", None)


def test_spaces_around_houses_and_times_are_none_of_them() -> None:
    found = collect(rows(" a , 2024-05-06 00:00 ,1", "a,2024-05-06 00:00,2", "  ,2024-05-06 00:00,2"))
    assert (found.houses, found.times, found.nameless) == (("a",), ("2024-05-06 00:00",), 1)


@pytest.mark.parametrize(
    ("houses", "names"),
    [
        (pd.Series([7.0, None, 8.0]), ("7", "8")),
        (pd.Series([7, 7, 8]), ("7", "8")),
        (pd.Series(["x", None, "y"], dtype="category"), ("x", "y")),
        (pd.Series(["x", "y", "x"], dtype="category"), ("x", "y")),
        (pd.Series([7, 8, 7], dtype="category"), ("7", "8")),
    ],
)
def test_a_tables_houses_are_named_whatever_they_are(houses: pd.Series, names: tuple[str, ...]) -> None:
    frame = pd.DataFrame({"house": houses, "time": pd.Timestamp("2024-05-06"), "kWh": [1.0, 2.0, 3.0]})
    found = collect(frame)
    assert found.houses == names
    assert found.nameless == int(houses.isna().sum())
    assert [found.houses[i] for i in found.house] == [
        f"{house:.9}" if isinstance(house, str) else f"{house:.0f}" for house in houses.dropna()
    ]


@pytest.mark.parametrize(
    ("hours", "clocks"),
    [
        (["1", "2", "24"], ["00:00", "01:00", "23:00"]),
        (["0", "1", "23"], ["00:00", "01:00", "23:00"]),
        (["0:00", "1:00", "23:30"], ["0:00", "1:00", "23:30"]),
    ],
)
@pytest.mark.parametrize("midnight", ["", " 00:00", "  00:00:00"])
def test_a_date_and_a_clock_become_a_time(hours: list[str], clocks: list[str], midnight: str) -> None:
    """Hours from 1 to 24 are those that end then; a date may stand with its midnight."""
    cells = [f"a,06.05.2024{midnight},{hour},1" for hour in hours]
    missing = ["a,06.05.2024,,1", f"a,,{hours[0]},1"]
    found = collect("\n".join(["house,Datum,Hora,kWh", *cells, *missing, cells[0]]).encode())
    assert set(found.times) == {f"06.05.2024 {clock}" for clock in clocks}
    assert [found.times[i] for i in found.time] == [f"06.05.2024 {clock}" for clock in [*clocks, clocks[0]]]
    assert found.nameless == 2


def test_a_column_without_a_name_is_a_house_all_the_same() -> None:
    found = collect(b"time,a, \n2024-05-06 00:00,1,2\n2024-05-06 01:00,,4\n")
    assert found.houses == ("a", "unnamed")
    assert (found.house.tolist(), found.value.tolist()) == ([0, 1, 1], [1.0, 2.0, 4.0])
    assert found.time.tolist() == [0, 0, 1]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("size", [40, 41, 52, 53, 54])
def test_blocks_of_any_size_hold_whole_lines(size: int, end: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source, "READ_BYTES", size)
    lines = [f"house{i},2024-05-06 {i:02d}:00,{i}" for i in range(9)]
    found = collect(end.join(["house,time,kWh", *lines]).encode())
    assert found.houses == tuple(f"house{i}" for i in range(9))
    assert found.value.tolist() == list(range(9))
    assert found.rows == 9


def test_text_that_breaks_after_its_beginning_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """An encoding is guessed from the beginning; the first sentence is pyarrow's."""
    monkeypatch.setattr(source, "SAMPLE", 200)
    broken = "hä,2024-05-07 00:00,1\n".encode("cp1252")
    assert refuse(lambda: collect(csv(HALF_DAY) + broken)) == (
        "The file cannot be read (In CSV column #0: CSV conversion error to string: invalid UTF8 data)."
    )


@pytest.mark.parametrize("mark", [b"\xff\xfe", b"\xef\xbb\xbf"])
def test_text_that_is_not_in_the_encoding_of_its_mark_is_refused(mark: bytes) -> None:
    text = csv(HALF_DAY, encoding="utf-16-le" if mark == b"\xff\xfe" else "utf-8")
    sentence = "The file holds bytes that are no text in its encoding."
    assert refuse(lambda: collect(mark + text + b"\xe4")) == sentence


@pytest.mark.parametrize("kind", ["csv", "gzip", "parquet", "frame"])
def test_what_is_told_of_the_way_is_the_share_that_is_read(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A quarter of the rows at a time, or blocks of the text; all of a small compressed file at once."""
    text = csv(HALF_DAY)
    monkeypatch.setattr(source, "BATCH", 12)
    monkeypatch.setattr(source, "READ_BYTES", -(-len(text) // 4))
    kinds: dict[str, Source] = {
        "csv": text,
        "gzip": gzip.compress(text),
        "parquet": parquet(HALF_DAY),
        "frame": HALF_DAY,
    }
    told: list[float] = []
    collect(kinds[kind], told.append)
    steps = [1.0] * 4 if kind == "gzip" else [0.25, 0.5, 0.75, 1.0]
    assert told == pytest.approx(steps, abs=0.01)


def test_reading_is_most_of_the_way() -> None:
    told: list[float] = []
    read(HALF_DAY, progress=told.append)
    assert told == [0.8, 1.0]


def test_an_index_of_times_or_with_a_name_is_a_column() -> None:
    wide = pd.DataFrame({"a": [1.0, 2.0]}, index=pd.date_range("2024-05-06", periods=2, freq="60min"))
    for frame in (wide, wide.rename_axis("time")):
        np.testing.assert_array_equal(collect(frame).value, [1.0, 2.0])
    named = HALF_DAY.set_index("house")
    assert collect(named).houses == ("h0", "h1")
    np.testing.assert_allclose(read(named).power, expected(HALF_DAY, 60))


def test_limits_of_what_is_held_at_once() -> None:
    """Four gigabytes unpacked, lines of sixteen megabytes, as many rows and times as a laptop holds."""
    assert source.MAX_UNPACKED == 4_294_967_296
    assert source.READ_BYTES == 16_777_216
    assert (source.MAX_READ_ROWS, source.MAX_TIMES) == (32_000_000, 2_000_000)
