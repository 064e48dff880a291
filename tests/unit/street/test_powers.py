"""Sums of weighted powers by matrix products, against taking every power."""

import numpy as np
import pytest
from numpy.random import default_rng

from rtp.street.powers import power_sums, powers
from rtp.street.room import Room


@pytest.mark.parametrize("steps", [1, 2, 3, 4, 28, 32, 93])
@pytest.mark.parametrize("longest", [0, 5])
def test_power_sums_are_sums_of_powers(steps: int, longest: int) -> None:
    """Whether the powers were taken as far as is asked for, or further."""
    rng, room = default_rng(steps), Room()
    base, weights = rng.uniform(-1, 1, 3000), rng.random((5, 3000))
    base[:3] = 0, 1, -1
    low, high = powers(base, 2 * (steps + longest), room)
    linear, twice_as_far = power_sums(weights, low, high, steps, room)
    assert linear.shape[1] > steps
    assert len(twice_as_far) >= 2 * steps
    for k in range(steps + 1):
        np.testing.assert_allclose(linear[:, k], weights[:-1] @ base**k, rtol=1e-11, atol=1e-12)
    for k in range(2 * steps):
        np.testing.assert_allclose(twice_as_far[k], weights[-1] @ base**k, rtol=1e-11, atol=1e-12)
