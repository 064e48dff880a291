"""The reproduction as tables and sentences."""

from dataclasses import replace

import pytest

from rtp.core.stats import middle
from rtp.paper.comparison import (
    JUDGED,
    VERDICTS,
    ComparisonRow,
    comparison_frame,
    narrow_frame,
    not_counted_words,
    reading_error_words,
    reading_range,
    table,
    unbroken,
    verdict_words,
    whole_exponents,
)
from rtp.paper.published import figure2, printed
from rtp.paper.reproduction import PaperDays
from tests.help.paper import paper_days


@pytest.fixture(scope="module")
def days() -> PaperDays:
    return paper_days(40)


@pytest.fixture(scope="module")
def rows(days: PaperDays) -> list[ComparisonRow]:
    return table(days)


def wrong(row: ComparisonRow) -> ComparisonRow:
    """The row with another number published."""
    return replace(row, number=printed("-1"))


def test_no_line_break_can_split_a_number() -> None:
    assert unbroken("1.089e-3") == "1.089e\u20113"
    assert unbroken("-5 %") == "\u20115\u00a0%"
    assert whole_exponents("one-day 1e-3 apart") == "one-day 1e\u20113 apart"


def test_the_table_to_take_away_has_every_row_and_why(rows: list[ComparisonRow]) -> None:
    frame = comparison_frame(rows)
    columns = ["Quantity", "Published", "Ours", "95 % of days", "Verdict", "Judged by", "Why"]
    assert list(frame.columns) == columns
    for row, (_, cells) in zip(rows, frame.iterrows(), strict=True):
        told = [row.quantity, row.number.text, row.value(), row.range(), row.verdict_text]
        assert cells.tolist() == [*told, JUDGED[row.section], row.why]


def test_the_narrow_table_holds_value_and_range_in_one_cell(rows: list[ComparisonRow]) -> None:
    frame = narrow_frame(rows)
    assert list(frame.columns) == ["Quantity", "Published", "Ours (95 % of days)", "Verdict"]
    naive = next(row for row in rows if row.quantity == "RMSRE, naive")
    low, high = naive.range().split(" to ")
    cell = f"{unbroken(naive.value())} ({unbroken(low)} to {unbroken(high)})"
    assert frame.set_index("Quantity").loc["RMSRE, naive", "Ours (95 % of days)"] == cell
    assert frame.set_index("Quantity").loc["Time steps T", "Ours (95 % of days)"] == "96"


def test_verdicts_are_counted_of_what_was_computed_alone(rows: list[ComparisonRow]) -> None:
    computed = [row for row in rows if row.kind == "computed"]
    agrees, explained, left = (sum(row.verdict == v for row in computed) for v in VERDICTS)
    assert (len(computed), agrees + explained + left) == (24, 24)
    assert verdict_words(rows) == (
        f"Of 24 published numbers {agrees} agree with ours, {explained} are explained; open: {left}."
    )
    assert not_counted_words(rows) == (
        "Not counted: 16 settings, put in as published (16 equal), and 1 that follows from the paper's own "
        "numbers."
    )
    changed = [wrong(row) if row.quantity == "Time steps T" else row for row in rows]
    assert "16 settings, put in as published (15 equal)" in not_counted_words(changed)


def test_what_was_put_in_is_not_said_to_agree(rows: list[ComparisonRow]) -> None:
    said = {row.quantity: row.verdict_text for row in rows}
    assert said["Time steps T"] == "= set so"
    assert said["The same, from the two printed errors"] == "= theirs"
    assert said["RMSRE, naive"] == "✓ agrees"
    setting = next(row for row in rows if row.kind == "setting")
    assert wrong(setting).verdict_text == "? open"


def test_steps_inside_are_counted_as_read_and_within_the_error(days: PaperDays) -> None:
    words = reading_error_words(days)
    counts = []
    for theirs, ours in zip(figure2()[1:], (days.occupancy, days.consumption), strict=True):
        for low, high in (middle(ours), reading_range(ours)):
            counts.append(sum(a <= x <= b for a, x, b in zip(low, theirs, high, strict=True)))
    assert f"95 % range of 40 of our days at {counts[0]} (2a) and {counts[2]} (2b) of 96 steps." in words
    assert words.endswith(f"0.25 of a step wide: within that it is {counts[1]} and {counts[3]}.")
    assert counts[1] > counts[0]
