"""Tables as spreadsheets give them: understood, or refused in one sentence that names row and column."""

import io
import os
import pickle
import zipfile
from functools import partial

import openpyxl
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rtp import PRESETS, House, Scenario
from rtp.core.time import WEEKDAYS, WEEKEND
from rtp.meters import read
from rtp.scenario import MAX_GROUPS, MAX_LISTED, ScenarioError, edit, habit_words, house_table, spreadsheet
from rtp.scenario.house_table import NewGroups, read_table
from rtp.scenario.parquet import MAX_CELL
from rtp.scenario.spreadsheet import read_apart
from rtp.simulation import draw_day
from tests.help.few import few
from tests.help.sentence import refuse
from tests.unit.meters.files import parquet

HEADER = "house,group,occupied,empty"
HOUSES = f"{HEADER}\nA,Households,1.2,0.1\nB,Households,4.5,0.1\n"
READ = [
    House(name="A", group="Households", occupied=1.2, empty=0.1),
    House(name="B", group="Households", occupied=4.5, empty=0.1),
]
OF_GROUPS = "group,houses,occupied_max,empty_max"
BAD_CELLS = ("-1", "nan", "inf", "", "=A1*2", '"1,500"', "1e7")
BAD_ROWS = {  # by the column that is wrong; the first house stands there already
    "house": ["A,Households,1,1", "<b>,Households,1,1", ",Households,1,1"],
    "group": ["C,Castle,1,0"],
    "occupied": [f"C,Households,{cell},0" for cell in BAD_CELLS],
    "empty": ["C,Households,1,much"],
}


def workbook(*rows: list[object]) -> bytes:
    book, file = openpyxl.Workbook(), io.BytesIO()
    for row in rows:
        book.worksheets[0].append(row)
    book.save(file)
    return file.getvalue()


BOOK = workbook(
    ["house", "group", "occupied", "empty", "left_out", None],
    ["A", "Households", 1.2, 0.1, None, None],
    ["B", "Households", 4.5, 0.1, False],
    [None],
)
PARQUET = parquet(pd.read_csv(io.StringIO(HOUSES)).assign(left_out=float("nan")))


@pytest.mark.parametrize(
    "content",
    [
        HOUSES,
        *(HOUSES.encode(encoding) for encoding in ("utf-8", "utf-8-sig", "utf-16")),
        "\ufeff".encode("utf-16-be") + HOUSES.encode("utf-16-be"),
        f"\ufeff\r\n{HOUSES}".replace("\n", "\r\n"),
        HOUSES.replace(",", ";").replace(".", ","),
        HOUSES.replace(",", "\t").replace(".", ","),
        "Empty (kW),Name,Group,Occupied bound\n0.1,A,Households,1.2\n.1,B,Households,45e-1\n,,,\n",
        "house,group,occupied_W,Empty bound [MW]\nA,Households,1200,.0001\nB,Households,4500,1e-4\n",
        f"{HEADER} (KW),left out\nA,Households,1.2,0.1,no\nB,Households,4.5,0.1,\nC,Households,9,9,Y\n",
        BOOK,
        PARQUET,
    ],
)
def test_the_same_houses_from_every_kind_of_table(content: bytes | str) -> None:
    assert [house for house in read_table(Scenario(), content).houses or () if not house.left_out] == READ


@pytest.mark.parametrize("content", [HOUSES, BOOK, PARQUET])
def test_a_table_as_large_as_any_is_read(content: bytes | str, monkeypatch: pytest.MonkeyPatch) -> None:
    limits = {"MAX_TABLE_ROWS": 3, "MAX_COLUMNS": 6, "MAX_LISTED": 2, "MAX_BYTES": len(content)}
    if content is BOOK:
        parts = zipfile.ZipFile(io.BytesIO(BOOK)).infolist()
        limits["MAX_WORKBOOK_BYTES"] = sum(part.file_size for part in parts)
    for name, largest in limits.items():
        monkeypatch.setattr(house_table if name == "MAX_LISTED" else spreadsheet, name, largest)
    assert list(read_table(Scenario(), content).houses or ()) == READ
    monkeypatch.setattr(spreadsheet, "MAX_BYTES", len(content) - 1)
    with pytest.raises(ScenarioError, match=f"at most {len(content) - 1:,}"):
        read_table(Scenario(), content)


def test_groups_keep_their_habits_and_those_of_new_ones_are_asked() -> None:
    mixed = PRESETS["mixed street"]
    table = f"{OF_GROUPS}\nPensioners,60,1.2,0.1\nOffice,90,4.5,0.1\nShift,30,4.5,0.1\n"
    with pytest.raises(NewGroups, match=r"^Row 2, column group .*habits") as asked:
        read_table(mixed, table)
    again = pickle.loads(pickle.dumps(asked.value))
    assert (again.names, again.offered) == (
        ("Pensioners",),
        (*habit_words.offered(), "Office", "Home", "Shift"),
    )
    scenario = read_table(mixed, table, {"Pensioners": "Office"})
    assert (scenario.households, scenario.houses) == (180, None)
    assert {(g.empty_min, g.empty_max) for g in scenario.groups} == {(0.05, 0.1)}, (
        "half, unless a column says"
    )
    counts = {group.name: round(group.share * 180) for group in scenario.groups}
    assert [*counts.items()] == [("Pensioners", 60), ("Office", 90), ("Shift", 30)], "as in the table"
    office, _, shift = mixed.models[0].habits
    assert scenario.models[0].habits == (office, office, shift)
    shop = read_table(mixed, f"{OF_GROUPS},habits\nOffice,5,1,.1,\nKiosk,5,1,.1,shop\n").models[0].habits
    assert shop == (office, PRESETS["feeder"].models[0].habits[2])
    castle = read_table(scenario, f"{HEADER}\nKeep,Pensioners,8,1\n").houses
    assert castle == (House(name="Keep", group="Pensioners", occupied=8.0, empty=1.0),)


@pytest.mark.parametrize(
    ("content", "named"),
    [
        *(
            (f"{HOUSES}{row}\n", f"^Row 4, column {column} ")
            for column, rows in BAD_ROWS.items()
            for row in rows
        ),
        ("", "no rows"),
        ("house,group,occupied\nA,B,1", "empty"),
        (f"{HEADER},colour\nA,B,1,1,red", "^Column 5 .*colour"),
        (f"{'x' * 5000},b\nA,B", "^Column 1 "),
        (HOUSES.replace("occupied", "occupied (kWh)"), "^Column 3 .* W, kW, MW"),
        (HOUSES.replace("empty", "empty [mW]"), "^Column 4 .* W, kW, MW"),  # a thousandth of a watt
        (",".join("x" * (spreadsheet.MAX_COLUMNS + 1)) + "\n1", f"at most {spreadsheet.MAX_COLUMNS}"),
        (f"{HOUSES}C,Households,1,0,x\n", "^Row 4 "),
        (f"{HEADER},left out\nA,B,1,1,maybe", "^Row 2, column left out .*yes or no"),
        (f"{HEADER},left out\nA,B,1,1,yes", "at least one"),
        (f"{OF_GROUPS}\nHouseholds,6.5,1,1", "^Row 2, column houses "),
        (f"{OF_GROUPS}\nHouseholds,0,1,1", "^households "),
        (f"{OF_GROUPS}\nA,1,1,1\nA,1,1,1", "^Row 2, column group "),
        (f"{OF_GROUPS},occupied_min\nHouseholds,1,4.5,1,5", "^Row 2, column occupied_min .*occupied_max"),
        (f"{OF_GROUPS}\n" + "".join(f"G{i},1,1,1\n" for i in range(MAX_GROUPS + 1)), f"at most {MAX_GROUPS}"),
        (f'{HEADER}\n"A,B,1,1', "rows and columns"),
        (f"{HEADER}\n" + "".join(f"H{i},G,1,1\n" for i in range(MAX_LISTED + 1)), f"at most {MAX_LISTED:,}"),
        (
            f"{HEADER}\n" + "a,b,1,1\n" * (spreadsheet.MAX_TABLE_ROWS + 1),
            f"{spreadsheet.MAX_TABLE_ROWS:,} rows",
        ),
        (parquet(pd.DataFrame({"house": ["A"] * 30_000})), f"at most {spreadsheet.MAX_TABLE_ROWS:,}"),
        (b"\x00\x01\x02\x03", "XLSX"),
        (b"PK\x03\x04garbage", "workbook"),
        (b"PAR1garbage", "Parquet"),
        (
            workbook(["house", "group", "occupied", "empty"], ["A", "B", "=1+1", 0]),
            "^Row 2, column occupied .*formula",
        ),
    ],
)
def test_a_bad_table_is_refused_in_one_short_sentence(content: bytes | str, named: str) -> None:
    with pytest.raises(ScenarioError, match=named) as refused:
        read_table(Scenario(), content)
    assert len(str(refused.value)) < 300


def test_what_a_house_uses_may_be_said_under_the_screens_headings() -> None:
    head = "Group\tHouses\tPeak from\tPeak to (W)\tStandby from\tStandby to"
    rows = "Flats\t110\t2.5\t4000\t0.1\t0.2", "Shops\t15\t6\t20000\t0.3\t0.5"
    for title, used in (("kWh a year", ("2400", "")), ("kWh a month", ("200", ""))):
        table = "\n".join(
            [f"{head}\t{title}", *(f"{row}\t{kwh}" for row, kwh in zip(rows, used, strict=True))]
        )
        flats, shops = read_table(PRESETS["feeder"], table).groups
        assert (flats.occupied_min, flats.occupied_max, flats.yearly_kwh) == (2.5, 4.0, 2400)
        assert (shops.empty_min, shops.empty_max, shops.yearly_kwh) == (0.3, 0.5, None)
    without = read_table(PRESETS["feeder"], "\n".join([head, *rows])).groups
    assert [group.yearly_kwh for group in without] == [2000, 10_000], "as before"


def test_a_workbook_that_unpacks_to_too_much_is_not_unpacked() -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as parts:
        parts.writestr("xl/worksheets/sheet1.xml", b"0" * (spreadsheet.MAX_WORKBOOK_BYTES + 1))
    with pytest.raises(ScenarioError, match=f"at most {spreadsheet.MAX_WORKBOOK_BYTES:,}"):
        read_table(Scenario(), file.getvalue())


# Parquet files of strangers: bombs and damaged ones are refused in one sentence, within time and memory


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


@pytest.mark.long
def test_what_ends_its_reader_or_takes_all_memory_is_refused() -> None:
    assert "damaged" in refuse(lambda: read_apart(os.abort))
    assert "300 MB" in refuse(lambda: read_apart(bytearray, 10**9, memory=300 * 2**20))
    assert read_apart(len, b"abc") == 3
    assert "epsilon" in refuse(lambda: read_apart(Scenario, epsilon=-1.0))


FEEDER = """Name,Count,Peak,Standby,kWh a year,Habits,Hours,Closed
Terraced,84,6,0.3,"3,800",house,,
Flats,40,4,0.2,2 200,working couple,,
Farms,12,30,2,18000,farm,,
Shops,9,15,1,15000,shop,8:30–18,weekend
School,1,60,2,60000,School,8-14,weekend
"""


def test_a_feeder_is_one_table_with_habits_in_words() -> None:
    street = read_table(PRESETS["feeder"], FEEDER)
    groups = {group.name: group for group in street.groups}
    assert street.households == 146
    assert (groups["School"].occupied_min, groups["School"].occupied_max) == (60.0, 60.0), "one has its own"
    assert [groups[name].yearly_kwh for name in ("Terraced", "Flats")] == [3800.0, 2200.0]
    habits = dict(zip(groups, street.models[0].habits, strict=True))
    for name, opens, closes in (("Shops", 8.5, 18.0), ("School", 8.0, 14.0)):
        day = {part.name: part.start for part in habits[name].periods}
        assert (day["Day"], day["Closing"]) == (opens, closes)
        spec = draw_day(street.replace(days=7, first_weekday="Monday", habit_spread=0.0))
        share = spec.expected_occupied(0, list(groups).index(name)).reshape(7, -1)
        inside = slice(*(round(hour * street.steps_per_day / 24) for hour in (opens + 1, closes)))
        houses = round(groups[name].share * street.households)
        assert share[2, inside].min() > 0.8 * houses
        assert share[5].max() < 0.1 * houses


@given(
    st.sampled_from(sorted({*habit_words.WORDS, *habit_words.BUSINESSES})),
    st.sampled_from(["", "9–18", "8:30–12:15", "22–6", "17 to 24"]),
    st.sampled_from(["", *habit_words.DAYS_CLOSED]),
)
def test_habits_that_a_word_says_are_said_again(word: str, hours: str, closed: str) -> None:
    opens = word in habit_words.BUSINESSES
    habits = habit_words.habits_of(word, hours if opens else "", closed if opens else "")
    for name in ("Others", f"{word.capitalize()}s"):
        said = habit_words.said_of(habits, name)
        assert said is not None
        assert habit_words.habits_of(*said) == habits
    assert (said.word if said else "") == word
    assert habit_words.said_of(habits.replace(initial_occupied=0.123)) is None


@pytest.mark.parametrize(
    ("closed", "open_on"),
    [
        ("weekend", set()),
        ("Sat + sundays", set()),
        ("Sunday", {"Saturday"}),
        ("Saturdays", {"Sunday"}),
        ("never", {"Saturday", "Sunday"}),
    ],
)
@pytest.mark.parametrize("hours", ["8:30–18", "21–5"])
def test_a_shop_is_closed_on_the_days_that_are_said(hours: str, closed: str, open_on: set[str]) -> None:
    """A night shift is in at three, and away at noon."""
    closes_late = hours.startswith("2")
    habits = habit_words.habits_of("shop", hours, closed)
    street = edit.set_habits(Scenario(households=100, days=7, habit_spread=0.0), 0, habits)
    share = draw_day(street).expected_occupied(0, 0).reshape(7, 24, -1).mean(axis=2) / 100
    for day, weekday in enumerate(WEEKDAYS):
        works = weekday in open_on or weekday not in WEEKEND
        before = WEEKDAYS[day - 1]
        assert (share[day, 3 if closes_late else 12] > 0.5) == works or (closes_late and before in WEEKEND)
        assert (share[day, 23 if closes_late else 16] > 0.8) == works, weekday
        assert share[day, 12 if closes_late else 3] < 0.1


@pytest.mark.parametrize(
    ("column", "cell", "named"),
    [
        ("8:30–18", "6–5", "Row 5, column Hours .*closed"),
        ("8:30–18", "early", "Row 5, column Hours"),
        ("8:30–18", "8.30–18", "Row 5, column Hours .*8:30"),
        ("8:30–18", "9–25", "Row 5, column Hours .*25"),
        ("9,15,1,15000,shop,8:30–18,weekend", "9,15,1,15000,shop,,Monday", "Row 5, column Closed .*Sunday"),
        ("18000,farm,,", "18000,farm,9–18,", "Row 4, column Hours .*farm"),
        ("18000,farm,,", "18000,tractor,,", "Row 4, column Habits .*farm"),
        ("60000", "sixty", "^Row 6, column kWh a year is"),
        ("60000", "600000", "^Row 6, column kWh a year is"),
        ("9,15,1,15000", "9,–,1,15000", "^Row 5, column Peak is empty"),
    ],
)
def test_what_a_table_says_wrong_is_named_once(column: str, cell: str, named: str) -> None:
    assert column in FEEDER
    with pytest.raises(ScenarioError, match=named):
        read_table(PRESETS["feeder"], FEEDER.replace(column, cell))
