"""Tables as spreadsheets give them: understood, or refused in one sentence that names row and column."""

import io
import sys
import zipfile

import openpyxl
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from rtp import PRESETS, House, Scenario, ScenarioError, read_table, simulate
from rtp.scenario import MAX_LISTED, house_table
from tests.help.sentence import exactly

HEADER = "house,group,occupied,empty\n"
HOUSES = f"{HEADER}A,Households,1.2,0.1\nB,Households,4.5,0.1\n"
GROUPS = (
    "group\thouses\toccupied_min\toccupied_max\tempty_max\n"
    "Pensioners\t60\t0,9\t1,2\t0,1\nOffice\t90\t4\t4,5\t0,1\nShift\t30\t4\t4,5\t0,1\n"
)
NO_ROWS = "The table has no rows; it needs a header and at least one row beneath it."
NEEDS = (
    "one line per house needs house, group, occupied, empty, one line per group group, houses, occupied_max, "
    "empty_max."
)
KNOWN = "house, group, occupied, empty, houses, occupied_max, empty_max, left_out, occupied_min, empty_min"
LETTERS = "it must start with a letter or digit and use only letters, digits, spaces and ' ( ) . , & / + -."
READ = (
    House(name="A", group="Households", occupied=1.2, empty=0.1),
    House(name="B", group="Households", occupied=4.5, empty=0.1),
)


def workbook(*rows: list[object]) -> bytes:
    book, file = openpyxl.Workbook(), io.BytesIO()
    for row in rows:
        book.worksheets[0].append(row)
    book.save(file)
    return file.getvalue()


def parquet(**columns: list[object]) -> bytes:
    file = io.BytesIO()
    pd.DataFrame(columns).to_parquet(file)
    return file.getvalue()


@pytest.mark.parametrize(
    "content",
    [
        HOUSES,
        HOUSES.encode(),
        HOUSES.encode("utf-8-sig"),
        HOUSES.encode("utf-16"),
        "\ufeff".encode("utf-16-be") + HOUSES.encode("utf-16-be"),
        f"\ufeff\r\n{HOUSES}",
        HOUSES.replace("\n", "\r\n"),
        HOUSES.replace(",", ";").replace(".", ","),
        HOUSES.replace(",", "\t").replace(".", ","),
        "Empty (kW),Name,Group,Occupied bound\n0.1,A,Households,1.2\n.1,B,Households,45e-1\n,,,\n",
        workbook(
            ["house", "group", "occupied", "empty"],
            ["A", "Households", 1.2, 0.1],
            ["B", "Households", 4.5, 0.1],
        ),
        parquet(house=["A", "B"], group=["Households"] * 2, occupied=[1.2, 4.5], empty=[0.1, 0.1]),
        workbook(
            ["house", "group", "occupied", "empty", "left_out", None],
            ["A", "Households", 1.2, 0.1, None, None],
            ["B", "Households", 4.5, 0.1, False],
            [None],
        ),
    ],
)
def test_the_same_houses_from_every_kind_of_table(content: bytes | str) -> None:
    assert read_table(Scenario(), content).houses == READ


def test_a_table_as_large_as_any_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    limits = {"MAX_TABLE_ROWS": 2, "MAX_COLUMNS": 4, "MAX_LISTED": 2, "MAX_GROUPS": 1}
    for name, largest in (limits | {"MAX_BYTES": len(HOUSES)}).items():
        monkeypatch.setattr(house_table, name, largest)
    assert read_table(Scenario(), HOUSES).houses == READ
    file = parquet(house=["A", "B"], group=["Households"] * 2, occupied=[1.2, 4.5], empty=[0.1, 0.1])
    monkeypatch.setattr(house_table, "MAX_BYTES", len(file))
    assert read_table(Scenario(), file).houses == READ
    book = workbook(["house", "group", "occupied", "empty"], ["A", "Households", 1.2, 0.1])
    monkeypatch.setattr(house_table, "MAX_BYTES", len(book))
    unpacked = sum(part.file_size for part in zipfile.ZipFile(io.BytesIO(book)).infolist())
    monkeypatch.setattr(house_table, "MAX_WORKBOOK_BYTES", unpacked)
    assert read_table(Scenario(), book).houses == READ[:1]


def test_a_missing_number_of_a_parquet_file_is_an_empty_cell() -> None:
    file, nan = io.BytesIO(), float("nan")
    columns = {"house": ["A"], "group": ["Households"], "occupied": [1.2], "empty": [0.1], "left_out": [nan]}
    pq.write_table(pa.table(columns), file)
    assert read_table(Scenario(), file.getvalue()).houses == READ[:1]


def test_a_text_of_an_older_windows_is_read() -> None:
    (house,) = (
        read_table(Scenario(), HEADER.encode() + "Café,Households,1.2,0.1".encode("cp1252")).houses or ()
    )
    assert house == READ[0].replace(name="Café")


@pytest.mark.parametrize(
    ("word", "left_out"),
    [
        *((word, True) for word in ["yes", "Y", "true", "1", "x"]),
        *((w, False) for w in ("no", "N", "FALSE", "0", "")),
    ],
)
def test_a_house_is_left_out_by_any_word_for_yes(word: str, left_out: bool) -> None:
    table = f"house,group,occupied,empty,left out\nA,Households,1.2,0.1,{word}\nB,Households,4.5,0.1,\n"
    assert read_table(Scenario(), table).houses == (READ[0].replace(left_out=left_out), READ[1])


@pytest.mark.parametrize(
    ("occupied", "empty"),
    [
        ("occupied (W)", "empty (W)"),
        ("occupied_W", "Empty bound [W]"),
        ("Occupied bound W", "empty {watts}"),
    ],
)
def test_bounds_in_watts_are_read_in_kilowatts(occupied: str, empty: str) -> None:
    table = f"house,group,{occupied},{empty}\nA,Households,1200,100\nB,Households,4500,100\n"
    assert read_table(Scenario(), table).houses == READ


SPELLED = {
    0.001: "W w watt watts Watt Watts",
    1.0: "kW KW kw Kw kilowatt kilowatts",
    1000.0: "MW mw Mw megawatt megawatts",
}


@pytest.mark.parametrize(
    ("unit", "kilowatts"), [(unit, factor) for factor in SPELLED for unit in SPELLED[factor].split()]
)
def test_a_unit_may_be_spelled_as_people_do(unit: str, kilowatts: float) -> None:
    table = f"group,houses,occupied_max ({unit}),empty_max ({unit})\nHouseholds,7,2,1\n"
    (group,) = read_table(Scenario(), table).groups
    assert (group.occupied_max, group.empty_max) == (2 * kilowatts, kilowatts)


def test_each_column_has_its_own_unit() -> None:
    table = "group,houses,occupied_max [MW],empty_max (W)\nHouseholds,7,0.0045,100\n"
    (group,) = read_table(Scenario(), table).groups
    assert (group.occupied_max, group.empty_max) == (4.5, 0.1)


def test_columns_are_also_known_by_their_other_names() -> None:
    houses = "name,group,occupied bound,empty bound\nA,Households,1.2,0.1\nB,Households,4.5,0.1\n"
    assert read_table(Scenario(), houses).houses == READ
    columns = "group,count,occupied highest,empty highest,occupied lowest,empty lowest"
    scenario = read_table(Scenario(), f"{columns}\nHouseholds,7,4.5,0.4,2,0.1\n")
    (group,) = scenario.groups
    assert scenario.households == 7
    assert (group.occupied_min, group.occupied_max, group.empty_min, group.empty_max) == (2.0, 4.5, 0.1, 0.4)


def test_a_table_of_groups_defines_those_of_the_houses() -> None:
    defined = read_table(Scenario(), "group,houses,occupied_max,empty_max\nCastle,1,9,1\n")
    assert read_table(defined, "house,group,occupied,empty\nKeep,Castle,8,1\n").houses == (
        House(name="Keep", group="Castle", occupied=8.0, empty=1.0),
    )


@pytest.mark.parametrize("others", [(), READ])
def test_a_house_in_an_unknown_group_is_refused_with_known_names(others: tuple[House, ...]) -> None:
    castle = House(name="Keep", group="Castle", occupied=1.0, empty=0.5)
    sentence = f"houses[{len(others)}].group is 'Castle'; it must be one of Households."
    with pytest.raises(ScenarioError, match=exactly(sentence)):
        simulate(Scenario(), street=(*others, castle))


def test_one_line_per_group() -> None:
    scenario = read_table(PRESETS["mixed street"], GROUPS)
    assert (scenario.households, scenario.houses) == (180, None)
    assert [(g.name, round(g.share * 180)) for g in scenario.groups] == [
        ("Office", 90),
        ("Shift", 30),
        ("Pensioners", 60),
    ]
    assert [(g.occupied_min, g.occupied_max, g.empty_min, g.empty_max) for g in scenario.groups] == [
        (4.0, 4.5, 0.05, 0.1),
        (4.0, 4.5, 0.05, 0.1),
        (0.9, 1.2, 0.05, 0.1),
    ], "from half of the highest bound, unless a column says from where"
    mixed = PRESETS["mixed street"]
    names = [group.name for group in mixed.groups]
    office, shift = (mixed.models[0].habits[names.index(name)] for name in ("Office", "Shift"))
    assert scenario.models[0].habits == (office, shift, office), "a new group has the habits of the first"


def row(*cells_: str) -> str:
    return HOUSES + ",".join(cells_) + "\n"


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("", NO_ROWS),
        ("house,group,occupied,empty", NO_ROWS),
        ("house,group,occupied\nA,B,1", f"The table lacks the column empty; {NEEDS}"),
        ("group,houses\nA,1", f"The table lacks the column occupied_max, empty_max; {NEEDS}"),
        ("house,group,occupied,empty,colour\nA,B,1,1,red", f"Column 5 is 'colour'; known are {KNOWN}."),
        ("house,name,group,occupied,empty\nA,A,B,1,1", "Column 2 is 'name' again; each may stand once."),
        (f"{'x' * 41},b\nA,B", f"Column 1 is '{'x' * 40}'; known are {KNOWN}."),
        (f"house,name ({'x' * 41})\nA,B", f"Column 2 is 'name ({'x' * 34}' again; each may stand once."),
        (
            f"occupied ({'x' * 41})\n1",
            f"Column 1 is 'occupied ({'x' * 30}'; its unit must be one of W, kW, MW.",
        ),
        (",".join("x" * 101) + "\n1", "The table has 101 columns; at most 100 are read."),
        (row("A", "Households", "1", "1"), "Row 4, column house is 'A', as in row 2; each may be used once."),
        (
            row("C", "Households", "-1", "0"),
            "Row 4, column occupied is -1.0; it must be a number from 0 to 1,000,000.",
        ),
        (
            row("C", "Households", "nan", "0"),
            "Row 4, column occupied is not read: “nan” is not a number that can be read.",
        ),
        (
            row("C", "Households", "inf", "0"),
            "Row 4, column occupied is not read: “inf” is not a number that can be read.",
        ),
        (row("C", "Households", "", "0"), "Row 4, column occupied is empty; it needs a number."),
        (row("C", "Households", "=A1*2", "0"), "Row 4, column occupied holds a formula; paste its value."),
        (
            row("C", "Households", '"1,500"', "0"),
            "Row 4, column occupied is not read: “1,500” could mean thousands or a "
            "fraction; write a point, or no separator.",
        ),
        (
            row("C", "Households", "1", "much"),
            "Row 4, column empty is not read: “much” is not a number that can be read.",
        ),
        (row("<b>", "Households", "1", "0"), f"Row 4, column house is '<b>'; {LETTERS}"),
        (
            row("C", "Castle", "1", "0"),
            "Row 4, column group is 'Castle'; it must be one of Households. A table of groups "
            "defines new ones.",
        ),
        (
            HOUSES.replace("occupied", "occupied (kWh)"),
            "Column 3 is 'occupied (kWh)'; its unit must be one of W, kW, MW.",
        ),
        (
            HOUSES.replace("empty", "empty [mW]"),
            "Column 4 is 'empty [mW]'; its unit must be one of W, kW, MW.",
        ),
        (
            HOUSES.replace("occupied", "occupied [MW]").replace("4.5", "4500"),
            "Row 3, column occupied is 4500.0; it must be a number from 0 to 1,000.",
        ),
        (row("", "Households", "1", "0"), f"Row 4, column house is ''; {LETTERS}"),
        (row("C", "Households", "1", "0", "x"), "Row 4 has more cells than the header, which has 4."),
        (
            "house,group,occupied,empty,left out\nA,B,1,1,maybe",
            "Row 2, column left_out is 'maybe'; it must be yes or no.",
        ),
        (
            f"house,group,occupied,empty,left out\nA,B,1,1,{'x' * 41}",
            f"Row 2, column left_out is '{'x' * 40}'; it must be yes or no.",
        ),
        (
            "group,houses,occupied_max (W),empty_max\nA,1,0.0005,1",
            "Row 2, column occupied_max is 0.0005; it must be a number from 0.001 to 1,000,000,000.",
        ),
        (
            GROUPS.replace("60", "-1"),
            "Row 2, column houses is -1; it must be a whole number from 0 to 10,000,000.",
        ),
        (
            "group,houses,occupied_max,empty_max\nA,0,1,1",
            "households is 0; it must be a whole number from 1 to 10,000,000.",
        ),
        (
            "house,group,occupied,empty,left out\nA,B,1,1,yes",
            "The table leaves every house out; at least one must stay.",
        ),
        (
            'house,group,occupied,empty\n"A,B,1,1',
            "The table cannot be read as rows and columns: unexpected end of data.",
        ),
        (
            "group,houses,occupied_max,empty_max\n" + "".join(f"G{i},1,1,1\n" for i in range(9)),
            "The table has 9 groups; at most 8 are read.",
        ),
        (
            GROUPS.replace("Office", "Shift"),
            "Row 3, column group is 'Shift' and stands twice; each may be used once.",
        ),
        (
            GROUPS.replace("\t4\t4,5", "\t5\t4,5", 1),
            "Row 3, column occupied_min is 5.0; it must be at most occupied_max, 4.5.",
        ),
        (
            GROUPS.replace("60", "6.5"),
            "Row 2, column houses is not read: “6.5” has a point or comma, which some read as a "
            "fraction and some as thousands.",
        ),
        (b"\x00\x01\x02\x03", "The table is neither text, nor an XLSX, nor a Parquet file that can be read."),
        (b"\xff\xfe\x00", "The table is neither text, nor an XLSX, nor a Parquet file that can be read."),
        (b"PK\x03\x04garbage", "The workbook cannot be read; save it as XLSX or CSV again."),
        (b"PAR1garbage", "The Parquet file cannot be read; write it again."),
        (
            workbook(["house", "group", "occupied", "empty"], ["A", "B", "=1+1", 0]),
            "Row 2, column occupied holds a formula; paste its value.",
        ),
        (b"x" * (house_table.MAX_BYTES + 1), "The table has 2,000,001 bytes; at most 2,000,000 are read."),
        (
            "house,group,occupied,empty\n" + "".join(f"H{i},G,1,1\n" for i in range(MAX_LISTED + 1)),
            "The table has 5,001 houses; at most 5,000 are listed one by one. Describe a "
            "longer street by its groups.",
        ),
        (
            "house,group,occupied,empty\n" + "a,b,1,1\n" * (house_table.MAX_TABLE_ROWS + 1),
            "The table has more than 20,000 rows; no more are read.",
        ),
        (parquet(house=["A"] * 30_000), "The table has 30,000 rows; at most 20,000 are read."),
    ],
)
def test_a_bad_table_is_refused_in_one_sentence(content: bytes | str, sentence: str) -> None:
    with pytest.raises(ScenarioError) as refused:
        read_table(Scenario(), content)
    assert str(refused.value) == sentence


def test_a_workbook_that_unpacks_to_too_much_is_not_unpacked() -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as parts:
        parts.writestr("xl/worksheets/sheet1.xml", b"0" * (house_table.MAX_WORKBOOK_BYTES + 1))
    sentence = "The workbook unpacks to 20,000,001 bytes; at most 20,000,000 are read."
    with pytest.raises(ScenarioError, match=exactly(sentence)):
        read_table(Scenario(), file.getvalue())


@pytest.mark.parametrize(
    ("package", "content", "sentence"),
    [
        ("openpyxl", b"PK\x03\x04", "The workbook needs the package openpyxl; save it as CSV."),
        ("pyarrow", b"PAR1", "The Parquet file needs the package pyarrow; save it as CSV."),
    ],
)
def test_a_missing_package_is_named(
    package: str, content: bytes, sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ScenarioError) as refused:
        read_table(Scenario(), content)
    assert str(refused.value) == sentence
