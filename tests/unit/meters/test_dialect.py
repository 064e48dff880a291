"""How a file is written, from its first bytes; and which column is what where names and cells disagree."""

import pytest

from rtp.meters.layout import Dialect, Layout, assign, one_kind
from rtp.scenario import ScenarioError
from tests.help.sentence import exactly, refuse
from tests.unit.meters.files import csv, table

STAMP = "2024-05-06 00:00"
WHOLE = f"time,a\n{STAMP},1\n{STAMP},2".encode()


def dialect(text: str | bytes) -> Dialect:
    data = text if isinstance(text, bytes) else text.encode()
    return Dialect.of(data, len(data) + 1)


def test_of_a_sample_that_ends_within_a_line_that_line_is_left_out() -> None:
    assert Dialect.of(WHOLE, len(WHOLE) + 1).rows == ((STAMP, "1"), (STAMP, "2"))
    assert Dialect.of(WHOLE, len(WHOLE)).rows == ((STAMP, "1"),)
    assert Dialect.of(b"time;a", 6).names == ("time", "a")


def test_fifty_rows_are_looked_at() -> None:
    assert len(dialect(csv(table(60, houses=1, days=3))).rows) == 50


@pytest.mark.parametrize(("lines", "header"), [(0, 0), (1, 1), (19, 19), (20, 0)])
def test_up_to_nineteen_lines_may_stand_before_the_header(lines: int, header: int) -> None:
    """Two columns, one row and no line end at the end are enough."""
    found = dialect("Account: 1; 2\n" * lines + f"time,a\n{STAMP},1")
    assert found.header_line == header
    assert found.names == (("time", "a") if header == lines else ("Account: 1", "2"))


def test_a_preamble_may_have_as_many_commas_as_the_table() -> None:
    found = dialect(f'Name,"A, B"\n\nRoad,1\ntime,a\n{STAMP},1\n')
    assert (found.header_line, found.names) == (3, ("time", "a"))


@pytest.mark.parametrize("text", ["x", "xy", "Zähler", "x" * 70])
def test_a_line_without_columns_is_quoted_up_to_sixty_letters(text: str) -> None:
    assert refuse(lambda: dialect(text)) == f"The first line is '{text[:60]}'; it must name columns."


@pytest.mark.parametrize(
    ("cells", "decimal"),
    [("1,5", ","), (",5", ","), ("-1,5", ","), ("1.5", "."), ("1,", "."), ("a1,5", "."), ("1,5 kWh", ".")],
)
def test_a_comma_within_a_number_is_a_decimal_sign(cells: str, decimal: str) -> None:
    assert dialect(f"time;a\n{STAMP}; {cells} \n").decimal == decimal


def test_a_name_in_another_encoding_is_read() -> None:
    for encoding in ("utf-8", "utf-8-sig", "cp1252", "utf-16", "utf-16-le", "utf-16-be"):
        assert dialect(f" Zeit ;Zähler\n{STAMP};1\n".encode(encoding)).names == ("Zeit", "Zähler")


def test_as_many_zeros_as_letters_are_utf_16_and_a_few_are_none() -> None:
    assert dialect(WHOLE).encoding == "utf-8"
    assert dialect("é".encode("cp1252") + WHOLE).encoding == "cp1252"
    assert refuse(lambda: dialect(WHOLE + b"\x00")) == (
        "The file is no text; readings come as CSV, gzipped CSV or Parquet."
    )


def laid_out(names: str, *rows: str) -> Layout:
    return assign(names.split(","), [row.split(",") for row in rows])


def test_a_house_may_be_called_as_a_line_of_nem12() -> None:
    assert laid_out("100,time", f"1,{STAMP}").values == (0,)
    assert laid_out("time,NEM1", f"{STAMP},1").values == (1,)
    assert refuse(lambda: laid_out(" 100, nem12,x", "200,1,2")) == (
        "The file is in the layout NEM12; turn it into a table with the columns nmi, time and kWh first."
    )


def test_a_count_that_looks_like_a_moment_is_a_reading_where_it_is_called_so() -> None:
    layout = laid_out("house,time,kWh", f"A,{STAMP},1700000000", f"A,{STAMP},1700000100")
    assert (layout.house, layout.time, layout.values) == (0, 1, (2,))


@pytest.mark.parametrize(
    ("names", "cells", "house", "values"),
    [
        ("odd", "1", 0, (2,)),
        ("odd,more,kWh", "1,2,3", 0, (4,)),
        ("kWh,kW", "1,2", 0, (2,)),
        ("use,load", "1,2", 0, (2,)),
        ("site,kWh", "7,1", 0, (3,)),
        ("site,a,b,c,d,e,kWh", "7,1,2,3,4,5,6", 0, (8,)),
        ("site,a,b,c,d,e,f,kWh", "7,1,2,3,4,5,6,7", None, (0, 2, 3, 4, 5, 6, 7, 8, 9)),
        ("a,b,c,d,e,f,g,kWh", "1,2,3,4,5,6,7,8", 0, (9,)),
        ("house 2,house 3", "1,2", None, (0, 2, 3)),
    ],
)
def test_a_column_named_like_houses_is_theirs_unless_many_are(
    names: str, cells: str, house: int | None, values: tuple[int, ...]
) -> None:
    """One such column, or the first of some among eight; where all are named so, each is a house."""
    layout = laid_out(f"house,time,{names}", f"1,{STAMP},{cells}", f"2,{STAMP},{cells}")
    assert (layout.house, layout.values) == (house, values)


@pytest.mark.parametrize(("others", "house"), [(6, 0), (7, None)])
def test_the_only_column_of_text_among_eight_is_the_houses(others: int, house: int | None) -> None:
    names = [*(f"x{i}" for i in range(others)), "kWh"]
    row = f"abc,{STAMP}," + ",".join("1" * len(names))
    assert laid_out(f"who,time,{','.join(names)}", row, row).house == house


def test_two_columns_of_text_are_no_house() -> None:
    assert laid_out("who,time,what,kWh", f"a,{STAMP},b,1").house is None
    assert laid_out("who,time,note,kWh", f"a,{STAMP},b,1").house == 0
    assert laid_out("who,time,what,kWh", f"a,{STAMP},1,1").house == 0


def test_a_letter_w_is_a_unit_beside_a_reading_and_a_house_beside_houses() -> None:
    assert laid_out("house,time,reading W", f"a,{STAMP},1").units == ("W",)
    assert laid_out("time,V,W,X kWh", f"{STAMP},1,2,3").units == (None, None, "kWh")
    assert laid_out("time,V [W],W (w)", f"{STAMP},1,2").units == ("W", "W")
    assert laid_out("time,V,W (old)", f"{STAMP},1,2").units == (None, None)


def test_a_name_may_be_split_by_its_capitals_or_not() -> None:
    assert laid_out("uploadedAt,readingTime,a", f"{STAMP},{STAMP},1").time == 1
    assert laid_out("house,time,value,UoM", f"a,{STAMP},1,Wh").unit == 3


@pytest.mark.parametrize(
    ("units", "kind"), [({"Wh", "kWh"}, "kWh"), ({"MWh"}, "kWh"), ({"W", "kW"}, "kW"), ({"MW"}, "kW")]
)
def test_units_of_one_kind_lead_to_its_usual_one(units: set[str], kind: str) -> None:
    assert one_kind(units) == kind


@pytest.mark.parametrize(
    ("name", "unit"),
    [
        ("kWh (per half hour)", "kWh"),
        ("power [ kW ]", "kW"),
        ("energyKwh", "kWh"),
        ("use{MWh}", "MWh"),
        ("kilowatt-hours", "kWh"),
        ("mega watt", "W"),
        ("kW and kWh", None),
        ("odd (kWh or kW)", None),
        ("wattage", None),
        ("LoadMWh", "MWh"),
    ],
)
def test_a_name_says_one_unit_or_none(name: str, unit: str | None) -> None:
    assert laid_out(f"house,time,{name}", f"a,{STAMP},1").units == (unit,)


def test_power_is_a_name_and_no_unit() -> None:
    assert laid_out("house,time,Leistung", f"a,{STAMP},1").is_power
    assert not laid_out("house,time,reading", f"a,{STAMP},1").is_power
    assert not laid_out("time,power 1,power 2", f"{STAMP},1,2").is_power


def test_what_is_exported_or_no_house_is_named_where_it_is_left_out() -> None:
    """Beside a column of houses only what is exported is said; houses may all be called otherwise."""
    long = laid_out("house,time,kWh,export kWh,price", f"a,{STAMP},1,2,3")
    assert (long.values, long.left_out) == ((2,), ("export kWh",))
    wide = laid_out("time,a, pv ,price,note", f"{STAMP},1,2,3,x")
    assert (wide.values, wide.left_out) == ((1,), ("pv", "price", "note"))
    odd = laid_out("time,total,status,rate", f"{STAMP},1,x,", f"{STAMP},1,x,")
    assert (odd.values, odd.left_out) == ((1, 3), ("status",))


def test_a_column_is_what_half_of_its_cells_are() -> None:
    layout = laid_out("when,a", f"{STAMP},1", "?,1", f"{STAMP},1", "later,1")
    assert (layout.time, layout.values) == (0, (1,))
    sentence = "The table has no column of times among 'when', 'a', 'b', 'c', 'd', 'e'."
    cells = [f"{STAMP},1,2,3,4,5"] * 2 + ["?,1,2,3,4,5"] * 3
    assert refuse(lambda: laid_out("when,a,b,c,d,e", *cells)) == sentence
    short = assign(["time", "a", "b"], [[STAMP, "1"], [STAMP, "1", "2"]])
    assert short.values == (1, 2)


def test_a_date_that_changes_with_every_row_needs_no_clock() -> None:
    """A date that stands once is a time, beside whatever is called an hour."""
    daily = laid_out("date,hour,a", "2024-05-06,1,2", "2024-05-07,1,2")
    assert (daily.time, daily.clock) == (0, None)
    for dates in (("2024-05-06",) * 2, ("2024-05-06",)):
        assert laid_out("date,hour,a", *(f"{date},{i},2" for i, date in enumerate(dates))).clock == 1


def test_a_reading_per_hour_is_no_clock() -> None:
    """Whole numbers beside midnights, or beside a date and a clock, could be hours but for their unit."""
    at_midnight = laid_out("house,time,kWh per hour", f"a,{STAMP},1", f"b,{STAMP},2")
    assert (at_midnight.house, at_midnight.clock, at_midnight.values) == (0, None, (2,))
    apart = laid_out("date,hour,Wh per hour", "2024-05-06,0,11", "2024-05-06,1,12")
    assert (apart.clock, apart.values) == (1, (2,))


def test_a_layout_names_what_it_uses() -> None:
    layout = laid_out("kWh,house,date,hour,unit,occupied", "1,a,2024-05-06,1,kWh,1", "1,b,2024-05-06,1,kWh,1")
    assert layout.texts == (2, 3, 1, 4, 5)
    assert layout.used == ["date", "hour", "house", "unit", "occupied", "kWh"]
    assert laid_out("time,a (Wh),b (kWh)", f"{STAMP},1,2").common_unit() == ("kWh", [1e-3, 1.0])
    assert laid_out("time,a (Wh),b", f"{STAMP},1,2").common_unit() == ("Wh", [1.0, 1.0])
    assert laid_out("time,a,b", f"{STAMP},1,2").common_unit() == (None, [1.0, 1.0])


def test_houses_of_one_name_or_with_one_who_is_at_home_are_refused() -> None:
    assert refuse(lambda: laid_out("time, a,a", f"{STAMP},1,2")) == (
        "The table has two columns for the house 'a'; give each its own name."
    )
    assert laid_out("time,a,occupied", f"{STAMP},1,0").occupied == 2
    sentence = "occupied says who is at home, but of which house? Give a row per house and time."
    with pytest.raises(ScenarioError, match=exactly(sentence)):
        laid_out("time,a,b,occupied", f"{STAMP},1,1,0")


def test_times_alone_and_readings_alone_are_refused() -> None:
    assert refuse(lambda: laid_out("time,date", f"{STAMP},{STAMP}")) == (
        "The table has no column of readings beside the times."
    )
    assert refuse(lambda: laid_out(f"a,{STAMP}", "1,2")) == (
        "The first line holds readings; it must name the columns."
    )
