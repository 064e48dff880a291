"""Numbers as people type them: the same number, or a sentence."""

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rtp.scenario import BOUNDS, Bounds, ScenarioError
from rtp.scenario.typed import parse, parse_hour, shown
from tests.help.sentence import exactly

ANY = Bounds(-1e300, 1e300, "Number")
WHOLE = Bounds(-(10**9), 10**9, "Count")
CHANCE = BOUNDS["matrix"]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0.1", 0.1),
        ("0,1", 0.1),
        (",5", 0.5),
        (".5", 0.5),
        ("5.", 5.0),
        ("1e4", 1e4),
        ("1E-3", 1e-3),
        ("2,5e3", 2500.0),
        ("10 000", 1e4),
        ("10\u00a0000", 1e4),
        ("10\u202f000", 1e4),
        ("10\u2009000", 1e4),
        ("10'000", 1e4),
        ("1 234,5", 1234.5),
        ("1/2", 0.5),
        (" 1 / 3 ", 1 / 3),
        ("1 %", 0.01),
        ("12,5%", 0.125),
        ("−5", -5.0),
        ("–5", -5.0),
        ("﹣5", -5.0),
        ("－5", -5.0),
        ("- 5", -5.0),
        ("+5", 5.0),
        ("\t7 ", 7.0),
        ("10.000", 10.0),
    ],
)
def test_what_people_type_is_understood(text: str, value: float) -> None:
    assert parse(text, ANY) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [("7:15", 7.25), (" 07:45 ", 7.75), ("0:00", 0.0), ("23:30", 23.5), ("7.25", 7.25), ("7", 7.0)],
)
def test_hours_are_typed_as_on_a_clock_or_as_a_number(text: str, value: float) -> None:
    assert parse_hour(text, BOUNDS["start"]) == value


WITHIN_A_DAY = "it must be a number from 0 to 23.75."


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("24:30", f"Start hour is 24.5; {WITHIN_A_DAY}"),
        ("7:60", "Start hour stays as it was: “7:60” is not a number that can be read."),
        ("7:1", "Start hour stays as it was: “7:1” is not a number that can be read."),
        ("25", f"Start hour is 25.0; {WITHIN_A_DAY}"),
    ],
)
def test_an_hour_that_no_clock_shows_is_refused(text: str, sentence: str) -> None:
    with pytest.raises(ScenarioError, match=exactly(sentence)):
        parse_hour(text, BOUNDS["start"])


@pytest.mark.parametrize(
    ("text", "value"), [("1e4", 10_000), ("10 000", 10_000), ("4/2", 2), ("−3", -3), ("1e9", 10**9)]
)
def test_whole_numbers_too(text: str, value: int) -> None:
    assert parse(text, WHOLE) == value
    assert isinstance(parse(text, WHOLE), int)


NO_NUMBER = "is not a number that can be read"
POINT = "has a point or comma, which some read as a fraction and some as thousands"
THOUSANDS = "could mean thousands or a fraction; write a point, or no separator"


@pytest.mark.parametrize(
    ("text", "bounds", "why"),
    [
        ("10.000", WHOLE, POINT),
        ("1,5", WHOLE, POINT),
        ("10,000", WHOLE, POINT),
        ("1/2", WHOLE, "is no whole number"),
        ("1 %", WHOLE, "is no whole number"),
        ("1,500", ANY, THOUSANDS),
        ("1,234,567", ANY, THOUSANDS),
        ("1,234.5", ANY, NO_NUMBER),
        ("1.234,5", ANY, NO_NUMBER),
        ("1 2", ANY, NO_NUMBER),
        ("10 00", ANY, NO_NUMBER),
        ("e5", ANY, NO_NUMBER),
        ("abc", ANY, NO_NUMBER),
        ("", ANY, NO_NUMBER),
        ("nan", ANY, NO_NUMBER),
        ("inf", ANY, NO_NUMBER),
        ("0x10", ANY, NO_NUMBER),
        ("1_000", ANY, NO_NUMBER),
        ("١٢", ANY, NO_NUMBER),
        ("--5", ANY, NO_NUMBER),
        ("x" * 60, ANY, NO_NUMBER),
        ("1/0", ANY, "divides by 0"),
        ("1e-400", ANY, "is closer to 0 than a computer can say"),
    ],
)
def test_what_cannot_be_understood_is_refused_with_the_reason(text: str, bounds: Bounds, why: str) -> None:
    with pytest.raises(ScenarioError, match=exactly(f"{bounds.words} stays as it was: “{text}” {why}.")):
        parse(text, bounds)


def test_a_text_longer_than_any_number_is_cut_where_it_is_repeated() -> None:
    sentence = f"Number stays as it was: “{'9' * 59}…” is too long for a number."
    with pytest.raises(ScenarioError, match=exactly(sentence)):
        parse("9" * 61, ANY)
    assert parse("0" * 59 + "9", ANY) == 9


@pytest.mark.parametrize(
    ("text", "bounds", "sentence"),
    [
        ("1e999", ANY, "Number is inf; it must be a number from -1e+300 to 1e+300."),
        ("-1e999", ANY, "Number is -inf; it must be a number from -1e+300 to 1e+300."),
        ("1,01", CHANCE, "Transition matrix is 1.01; it must be a number from 0 to 1."),
        (
            "-1",
            WHOLE._replace(low=0),
            "Count is -1; it must be a whole number from 0 to 1,000,000,000.",
        ),
        (
            "1000000001",
            WHOLE,
            "Count is 1000000001.0; it must be a whole number from -1e+09 to 1,000,000,000.",
        ),
    ],
)
def test_a_number_beyond_its_bounds_is_refused(text: str, bounds: Bounds, sentence: str) -> None:
    with pytest.raises(ScenarioError, match=exactly(sentence)):
        parse(text, bounds)


def test_in_a_field_of_percents_the_sign_changes_nothing() -> None:
    assert parse("1.5 %", ANY, percents=True) == parse("1.5", ANY, percents=True) == 1.5
    assert parse_hour("5 %", BOUNDS["start"], percents=True) == 5
    assert parse_hour("5 %", BOUNDS["start"]) == 0.05


@given(st.floats(-1e300, 1e300))
@example(5e-324)
@example(0.49972703054396866)
@example(1e-7)
@example(9999999999999998.0)
def test_what_is_shown_is_read_as_exactly_the_same_number(value: float) -> None:
    assert parse(shown(value), ANY) == value


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (7, "7"),
        (0.0, "0"),
        (-2.5, "-2.5"),
        (1e-7, "0.0000001"),
        (9e-8, "9e-08"),
        (1e15, "1000000000000000"),
        (1e16, "1e+16"),
    ],
)
def test_only_the_very_small_and_very_large_are_shown_by_powers_of_ten(value: float, text: str) -> None:
    assert shown(value) == text


@given(st.integers(-(10**9), 10**9))
def test_a_whole_number_too(value: int) -> None:
    assert parse(shown(value), WHOLE) == value
    assert parse(f"{value:,}".replace(",", " "), WHOLE) == value


@given(st.text("0123456789.,eE+-−/% '\u00a0", max_size=12))
def test_nothing_typed_ever_becomes_another_number(text: str) -> None:
    """What is read is what Python reads once separators and signs are spelled its way."""
    try:
        value = parse(text, ANY)
    except ScenarioError:
        return
    plain = "".join(text.replace("−", "-").replace(",", ".").replace("'", "").split())
    top, _, bottom = plain.removesuffix("%").partition("/")
    meant = Fraction(Decimal(top)) / Fraction(Decimal(bottom or "1")) / (100 if plain.endswith("%") else 1)
    assert value == float(meant)
