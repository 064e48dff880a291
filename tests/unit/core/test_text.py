"""Numbers, moments and tables as people read them, and as they come back."""

import csv
import io
import re
from math import inf

import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rtp.core.formatting import change, percent, plain
from rtp.core.time import duration, hhmm, weekday, when
from rtp.scenario.export import neutral, to_csv


@given(st.floats(1e-15, 1e15), st.integers(2, 7))
@example(0.00999, 2)
def test_plain_numbers_keep_their_digits_whatever_their_size(value: float, digits: int) -> None:
    said = plain(value, digits)
    assert re.fullmatch(r"\d{1,3}(,\d{3})*(\.\d*[1-9])?", said)
    assert float(said.replace(",", "")) == pytest.approx(value, rel=0.5001 * 10.0 ** (1 - digits))
    assert len(said.replace(",", "").replace(".", "").strip("0")) <= digits
    assert percent(value, digits) == f"{plain(100 * value, digits)} %"


def test_zero_infinity_and_differences_have_their_own_form() -> None:
    assert [percent(x) for x in (0.0, -0.0, inf)] == ["0 %", "0 %", "∞ %"]
    assert [change(x) for x in (-0.469, -1e-9, 12.5)] == ["−46.9 %", "+0.0 %", "+1,250.0 %"]


@given(st.integers(0, 24 * 12 * 31 - 1), st.sampled_from([5, 15, 30, 60]))
def test_a_moment_is_its_day_and_its_time(step: int, minutes: int) -> None:
    day, rest = divmod(step * minutes, 24 * 60)
    clock = f"{rest // 60:02}:{rest % 60:02}"
    assert hhmm(step * minutes / 60) == clock
    assert when(step, days=400, step_minutes=minutes) == f"day {day + 1}, {clock}"
    assert weekday(step, "Friday") == weekday(step + 7, "Friday") == weekday(step + 4, "Monday")


FORMULAS = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", " =1", "Night\r=1", "\n=1"]
DISGUISED = ["\u200b=1", "\uff1d1", "\ufeff+1", "\u00a0-1", "\u2060\uff20SUM(A1)"]


@pytest.mark.parametrize("text", [*FORMULAS, *DISGUISED])
def test_no_text_can_start_a_formula_and_numbers_stay(text: str) -> None:
    frame = pd.DataFrame({"text": [text, "a"], text: [-1.5, 0.0]})
    head, first, second = csv.reader(io.StringIO(to_csv(frame, {"lab_seed": 0}), newline=""))
    for cell in (head[1], first[0]):
        assert cell == neutral(text)
        assert not cell.strip().startswith(("=", "+", "-", "@"))
        assert cell.startswith("'") or text not in DISGUISED
    assert (first[1], second) == ("-1.5", ["a", "0.0", "0"])


@given(st.integers(0, 10**6))
def test_a_duration_is_read_back_from_its_clock(seconds: int) -> None:
    first, *rest = map(int, duration(seconds).split(":"))
    assert all(0 <= part < 60 for part in rest)
    for part in rest:
        first = 60 * first + part
    assert first == seconds
