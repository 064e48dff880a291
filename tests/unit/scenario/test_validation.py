"""The refusals that the rooms share: one sentence that names the field, its value and what is allowed."""

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
from tests.help.sentence import exactly

WHOLE, REAL = Bounds(2, 5000, "Whole"), Bounds(0.5, 1e6, "Real")


@pytest.mark.parametrize(
    ("refuse", "sentence"),
    [
        (lambda: must_be_within("n", 1, WHOLE), "n is 1; it must be a whole number from 2 to 5,000."),
        (lambda: must_be_within("n", 5001, WHOLE), "n is 5001; it must be a whole number from 2 to 5,000."),
        (lambda: must_be_within("n", 3.0, WHOLE), "n is 3.0; it must be a whole number from 2 to 5,000."),
        (lambda: must_be_within("n", True, WHOLE), "n is True; it must be a whole number from 2 to 5,000."),
        (lambda: must_be_within("x", 0.4, REAL), "x is 0.4; it must be a number from 0.5 to 1,000,000."),
        (lambda: must_be_within("x", nan, REAL), "x is nan; it must be a number from 0.5 to 1,000,000."),
        (lambda: must_be_within("x", "1", REAL), "x is '1'; it must be a number from 0.5 to 1,000,000."),
        (lambda: must_be_positive("x", 0.0), "x is 0.0; it must be a number above 0."),
        (lambda: must_be_positive("x", inf), "x is inf; it must be a number above 0."),
        (lambda: must_be_positive("x", nan), "x is nan; it must be a number above 0."),
        (lambda: must_be_one_of("kind", "c", {"a": 1, "b": 2}), "kind is 'c'; it must be one of a, b."),
        (lambda: must_be_one_of("kind", ["a"], ["a", None]), "kind is ['a']; it must be one of a."),
        (
            lambda: must_be_house("house", 5000, 1000),
            "house is 5000; it must be a whole number from 0 to 999.",
        ),
        (
            lambda: must_be_house("house", 1000, 1000),
            "house is 1000; it must be a whole number from 0 to 999.",
        ),
        (lambda: must_be_house("house", -1, 1000), "house is -1; it must be a whole number from 0 to 999."),
    ],
)
def test_what_is_refused_is_said_in_one_sentence(refuse: Callable[[], None], sentence: str) -> None:
    with pytest.raises(ScenarioError, match=exactly(sentence)):
        refuse()


def test_both_ends_and_everything_offered_are_accepted() -> None:
    for value in (2, 5000):
        must_be_within("n", value, WHOLE)
    for number in (0.5, 1, 1e6):
        must_be_within("x", number, REAL)
    must_be_positive("x", 1e-300)
    for choice in ("a", None):
        must_be_one_of("kind", choice, ["a", None])
    for house in (0, 999, None):
        must_be_house("house", house, 1000)


def test_refusing_a_house_lists_no_houses() -> None:
    """A list of ten million numbers takes 80 MB; the sentence takes less than a kilobyte."""
    tracemalloc.start()
    sentence = "house is -1; it must be a whole number from 0 to 9,999,999."
    with pytest.raises(ScenarioError, match=exactly(sentence)):
        must_be_house("house", -1, 10_000_000)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 1e6


def test_a_refusal_shows_control_characters_and_does_not_obey_them() -> None:
    assert str(ScenarioError("a\x1b[2J", "is é\n\u202eb.")) == r"a\x1b[2J is é\n\u202eb."


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("x" * 40, "x" * 40),
        ("x" * 41, "'xxxxxxxxxxxx...xxxxxxxxxxxxx'"),
        ("a b", "'a b'"),
        ("", "''"),
    ],
)
def test_whatever_is_no_fields_name_is_quoted_and_cut_short(key: str, words: str) -> None:
    assert field_words(key) == words
