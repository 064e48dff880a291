"""An even sample of the street."""

from itertools import pairwise

import pytest

from rtp.street.draw import evenly


@pytest.mark.parametrize(("households", "count"), [(1000, 30), (30, 30), (31, 30), (5, 30), (1, 30), (2, 2)])
def test_the_sample_runs_from_the_first_house_to_the_last_in_even_steps(households: int, count: int) -> None:
    houses = evenly(households, count).tolist()
    assert len(houses) == min(households, count)
    assert (houses[0], houses[-1]) == (0, households - 1)
    steps = {b - a for a, b in pairwise(houses)}
    assert all(step >= 1 for step in steps)
    assert not steps or max(steps) - min(steps) <= 1
