"""Every recorded room still gives its numbers: `make record` records them anew, and prints what changed."""

import pytest

from tests.help.numbers import ROOMS, numbers
from tests.help.record import RELATIVE, RENEW, changes, forgotten, recorded


@pytest.mark.parametrize("room", ROOMS)
def test_numbers_are_those_that_were_recorded(room: str) -> None:
    assert list(changes(recorded(room), numbers(room))) == [], RENEW


def test_nothing_is_recorded_that_nobody_asks() -> None:
    assert forgotten() == [], RENEW


def test_a_moved_missing_or_new_number_is_noticed() -> None:
    kept = {"a": 1.0, "b": float("nan"), "c": 0.0}
    assert list(changes(kept, dict(kept))) == []
    assert len(list(changes(kept, kept | {"a": 1 + 3 * RELATIVE}))) == 1
    assert len(list(changes(kept, {"a": 1.0, "b": 2.0}))) == 2
    assert len(list(changes(kept, kept | {"d": 1.0}))) == 1
