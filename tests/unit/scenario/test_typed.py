"""Numbers as people type them: the same number, or a sentence."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rtp import Group, Scenario
from rtp.scenario import BOUNDS, Bounds, ScenarioError
from rtp.scenario.typed import parse, parse_hour, shown
from rtp.scenario.units import PAID, absurd_prices, set_units

ANY = Bounds(-1e300, 1e300, "Number")
WHOLE = Bounds(-(10**9), 10**9, "Count")
UNDERSTOOD = {
    0.1: ["0.1", "0,1", ".1", "1/10", "10 %", "1E-1"],
    1234.5: ["1234,5", "1 234.5", "1\u00a0234,5", "1\u202f234.5", "1'234.5", "12345e-1", "\t1234.5 "],
    -5.0: ["-5", "−5", "–5", "﹣5", "－5", "- 5", "-5."],
    10.0: ["10.000", "+10", " 20 / 2 "],
}
WHY = {
    "whole": ["1/2", "1 %", "10.000", "1,5", "10,000"],
    "thousands": ["1,500", "1,234,567"],
    "number": ["1,234.5", "1.234,5", "1 2", "10 00", "e5", "", "nan", "inf", "0x10", "1_000", "١٢", "--5"],
    "divides": ["1/0"],
    "closer": ["1e-400"],
    "too long": ["9" * 61],
    "must be": ["1e999", "-1e999"],
}


@pytest.mark.parametrize(
    ("text", "value"), [(text, value) for value in UNDERSTOOD for text in UNDERSTOOD[value]]
)
def test_what_people_type_is_understood(text: str, value: float) -> None:
    assert parse(text, ANY) == value
    assert parse(f"{value!r} %", ANY, percents=True) == value, "where percents are asked for"


@pytest.mark.parametrize(("text", "why"), [(text, why) for why in WHY for text in WHY[why]])
def test_what_cannot_be_understood_is_refused_with_the_reason(text: str, why: str) -> None:
    bounds = WHOLE if why == "whole" else ANY
    with pytest.raises(ScenarioError, match="point or comma|whole" if why == "whole" else why) as refused:
        parse(text, bounds)
    assert refused.value.path == bounds.words


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


@given(st.floats(-1e300, 1e300), st.integers(-(10**9), 10**9))
@example(5e-324, 0)
@example(1e-7, 0)
@example(9999999999999998.0, 0)
def test_what_is_shown_is_read_as_exactly_the_same_number(value: float, count: int) -> None:
    assert parse(shown(value), ANY) == value
    for text in (shown(count), f"{count:,}".replace(",", " ")):
        assert parse(text, WHOLE) == count
        assert isinstance(parse(text, WHOLE), int)


def test_hours_are_typed_as_on_a_clock_or_as_a_number() -> None:
    for text, hour in {"7:15": 7.25, " 07:45 ": 7.75, "0:00": 0.0, "23:30": 23.5, "7.25": 7.25}.items():
        assert parse_hour(text, BOUNDS["start"]) == hour
    for text in ("24:30", "7:60", "7:1", "25"):
        with pytest.raises(ScenarioError, match=BOUNDS["start"].words):
            parse_hour(text, BOUNDS["start"])


# Units: what they are called, that money follows them, and that without them nothing changes


METERED = Scenario(power_unit="kW", currency="EUR")


@pytest.mark.parametrize("currency", PAID)
def test_a_first_tariff_is_a_third_fixed_and_else_of_middling_demand(currency: str) -> None:
    """To two digits: houses use half of their bounds, and half of them are occupied."""
    group = Group(occupied_min=2.0, occupied_max=4.0, empty_min=1.0, empty_max=1.0)
    for street, demand in ((Scenario(), 187.5), (Scenario(groups=(group,), inelastic_demand=500.0), 1500.0)):
        priced = set_units(street, power_unit="kW", currency=currency)
        assert priced.beta == pytest.approx(PAID[currency] / 3, rel=0.05)
        assert priced.alpha * demand == pytest.approx(PAID[currency] * 2 / 3, rel=0.05)


def test_absurd_prices_are_pointed_out() -> None:
    """Above ten times what households pay, and below zero; bare numbers have no size."""
    bare, low, fair = Scenario(power_unit="kW", currency="EUR"), np.array([0.0, -0.2]), np.array([0.0, 0.3])
    paid = 10 * PAID["EUR"]
    assert [len(absurd_prices(bare, np.array([high]), {})) for high in (paid, paid + 0.01)] == [0, 1]
    (said,) = absurd_prices(bare, fair, {"Naive": low, "Filtered": fair})
    assert "Naive at 1 of 2" in said
    assert "Filtered" not in said
    assert absurd_prices(Scenario(), np.array([300.0]), {"Naive": low}) == []
