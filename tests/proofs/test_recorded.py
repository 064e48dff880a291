"""Every recorded room still gives its numbers: `make record` records them anew, and prints what changed."""

import pytest

from tests.help.numbers import ROOMS, numbers
from tests.help.record import RENEW, changes, forgotten, recorded


@pytest.mark.parametrize("room", ROOMS)
def test_numbers_are_those_that_were_recorded(room: str) -> None:
    assert list(changes(recorded(room), numbers(room))) == [], RENEW


def test_nothing_is_recorded_that_nobody_asks() -> None:
    assert forgotten() == [], RENEW
