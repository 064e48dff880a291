"""How a file is written, from its first bytes; and which column is what where names and cells disagree."""

import pytest

from rtp.meters.layout import Dialect, Layout, assign
from tests.help.sentence import refuse
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


def test_a_reading_per_hour_is_no_clock() -> None:
    """Whole numbers beside midnights, or beside a date and a clock, could be hours but for their unit."""
    at_midnight = laid_out("house,time,kWh per hour", f"a,{STAMP},1", f"b,{STAMP},2")
    assert (at_midnight.house, at_midnight.clock, at_midnight.values) == (0, None, (2,))
    apart = laid_out("date,hour,Wh per hour", "2024-05-06,0,11", "2024-05-06,1,12")
    assert (apart.clock, apart.values) == (1, (2,))
