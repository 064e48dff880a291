"""Sums of weighted powers by matrix products, against taking every power."""

import numpy as np
import pytest
from numpy.random import default_rng

from rtp.street.powers import power_sums, powers
from rtp.street.room import Room


@pytest.mark.parametrize("count", [1, 2, 3, 4, 28, 32, 93])
def test_power_sums_are_sums_of_powers(count: int) -> None:
    rng, room = default_rng(count), Room()
    base, weights = rng.uniform(-1, 1, 3000), rng.random((4, 3000))
    base[:3] = 0, 1, -1
    low, high = powers(base, count, room)
    ours = power_sums(weights, low, high, room)
    assert ours.shape[1] >= count
    for k in range(1, ours.shape[1] + 1):
        np.testing.assert_allclose(ours[:, k - 1], weights @ base**k, rtol=1e-11, atol=1e-12)
