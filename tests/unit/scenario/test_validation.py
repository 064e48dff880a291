"""The refusals that the rooms share: they name the field, its value and what is allowed."""

import tracemalloc
from collections.abc import Callable
from math import inf, nan

import pytest

from rtp.scenario import (
    Bounds,
    ScenarioError,
    must_be_house,
    must_be_one_of,
    must_be_positive,
    must_be_within,
)
from rtp.scenario.validation import field_words

WHOLE, REAL = Bounds(2, 5000, "Whole"), Bounds(0.5, 1e6, "Real")


@pytest.mark.parametrize(
    ("must", "value", "allowed"),
    [
        *(
            (lambda value: must_be_within("it", value, WHOLE), bad, "2 to 5,000")
            for bad in (1, 5001, 3.0, True)
        ),
        *(
            (lambda value: must_be_within("it", value, REAL), bad, "1,000,000")
            for bad in (0.4, nan, inf, "1")
        ),
        *((lambda value: must_be_positive("it", value), bad, "above 0") for bad in (0.0, inf, nan)),
        *((lambda value: must_be_one_of("it", value, ["a", None]), bad, "one of a") for bad in ("c", ["a"])),
        *((lambda value: must_be_house("it", value, 1000), bad, "0 to 999") for bad in (-1, 1000)),
    ],
)
def test_a_refusal_says_field_value_and_what_is_allowed(
    must: Callable[[object], None], value: object, allowed: str
) -> None:
    with pytest.raises(ScenarioError) as refused:
        must(value)
    assert str(refused.value).startswith(f"it is {value!r};")
    assert allowed in str(refused.value)


def test_both_ends_and_everything_offered_are_accepted() -> None:
    for whole, real in ((2, 0.5), (5000, 1e6)):
        must_be_within("n", whole, WHOLE)
        must_be_within("x", real, REAL)
    must_be_positive("x", 1e-300)
    must_be_one_of("kind", None, ["a", None])
    for house in (0, 999, None):
        must_be_house("house", house, 1000)


def test_refusing_a_house_lists_no_houses() -> None:
    """A list of ten million numbers takes 80 MB; the sentence takes less than a kilobyte."""
    tracemalloc.start()
    with pytest.raises(ScenarioError, match="9,999,999"):
        must_be_house("house", -1, 10_000_000)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 1e6


def test_a_refusal_shows_control_characters_and_does_not_obey_them() -> None:
    assert str(ScenarioError("a\x1b[2J", "is é\n\u202eb.")) == r"a\x1b[2J is é\n\u202eb."
    assert [len(field_words("x" * size)) for size in (40, 41)] == [40, 30], "nor repeats a long name"
    assert [field_words(name) for name in ("a b", "")] == ["'a b'", "''"]
