"""Numbers as people read them: no powers of ten, enough digits, an error in two lines."""

import re
from math import inf, sqrt

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rtp.core.formatting import change, percent, plain, signed
from rtp.metrics import error_lines


@pytest.mark.parametrize(
    ("share", "said"),
    [
        (0.000012, "0.0012 %"),
        (0.0123, "1.23 %"),
        (0.012344, "1.23 %"),
        (0.45, "45 %"),
        (2.3, "230 %"),
        (0.9996, "100 %"),
        (123.456, "12,300 %"),
        (1e-9, "0.0000001 %"),
        (0.0, "0 %"),
        (-0.0, "0 %"),
        (inf, "∞ %"),
    ],
)
def test_a_percent_has_three_digits_and_no_power_of_ten(share: float, said: str) -> None:
    assert percent(share) == said


@given(st.floats(1e-15, 1e15), st.integers(2, 7))
@example(0.00999, 2)
def test_plain_numbers_keep_their_digits_whatever_their_size(value: float, digits: int) -> None:
    said = plain(value, digits)
    assert re.fullmatch(r"\d{1,3}(,\d{3})*(\.\d*[1-9])?", said)
    assert float(said.replace(",", "")) == pytest.approx(value, rel=0.5001 * 10.0 ** (1 - digits))
    assert len(said.replace(",", "").replace(".", "").strip("0")) <= digits


def test_an_error_is_a_percentage_with_rmsre_beneath() -> None:
    assert error_lines(0.0014567, 96) == (f"{100 * sqrt(96) * 0.0014567:.3g} %", "RMSRE 0.001457")
    assert error_lines(0.0014567, 96 * 30).percent == "7.82 %"


def test_a_difference_has_its_sign_and_rounding_leaves_none() -> None:
    assert [change(x) for x in (-0.469, 0.0, -1e-9, 12.5)] == ["-46.9 %", "+0.0 %", "+0.0 %", "+1,250.0 %"]
    assert [signed(x) for x in (4.8, -3_504_000.0, -1e-15, 0.0)] == ["+4.8", "-3,504,000", "+0", "+0"]
    assert [signed(x) for x in (-1e-9, 4e-10, 1.23456789)] == ["-0.000000001", "+0", "+1.23457"]
