"""What pyarrow complains about is said in a few words, whole."""

import pytest

from rtp.meters.source import in_words

NAMES = ("house", "time", "k" * 60)
CONVERSION = "In CSV column #{}: In row 3 CSV conversion error to double: invalid value '{}'"
LONG, CUT = "y" * 60, "y" * 40


@pytest.mark.parametrize(
    ("complaint", "words"),
    [
        (CONVERSION.format(0, "0.3 kWh"), "has '0.3 kWh' in the column 'house', where a number must stand."),
        (
            CONVERSION.format(1, "y" * 60),
            f"has '{'y' * 40}' in the column 'time', where a number must stand.",
        ),
        (CONVERSION.format(2, "x"), f"has 'x' in the column '{'k' * 40}', where a number must stand."),
        (CONVERSION.format(3, "x\ny"), "has 'x\\ny' in the column '3', where a number must stand."),
        ("CSV parse error: Expected 3 columns, got 5: a,b", "has a row of 5 cells under 3 columns: 'a,b'."),
        ("Expected 3 columns, got 5: " + "z" * 60, f"has a row of 5 cells under 3 columns: '{'z' * 40}'."),
        ("Failed to parse string: 'abc' as a scalar of type double", "has 'abc' where a number must stand."),
        ("failed to parse string: '' as a scalar of type float", "has '' where a number must stand."),
        ("straddling object straddles two block boundaries", "has a line that is far too long."),
        ("  odd \n things " + "z" * 300, f"cannot be read (odd things {'z' * 109})."),
    ],
)
def test_a_complaint_in_words(complaint: str, words: str) -> None:
    assert in_words(complaint, NAMES) == words
