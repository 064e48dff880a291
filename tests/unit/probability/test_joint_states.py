"""The log-density of every joint state: exact inside the possible demand, and never lost outside."""

import numpy as np
import pytest
from numpy.random import default_rng

from rtp.algorithm1 import all_states
from rtp.probability.joint_states import RESOLVED, JointDensity
from rtp.probability.uniforms import uniforms_plus_laplace


@pytest.mark.parametrize("b", [0.0, 0.002, 0.3, 20.0])
@pytest.mark.parametrize("houses", [3, 7, 10])
def test_it_is_the_exact_density_of_each_state(houses: int, b: float) -> None:
    rng = default_rng(houses)
    occupied, empty = rng.uniform(0.1, 1, houses), rng.uniform(0.05, 0.5, houses)
    x = 0.4 * float(np.maximum(occupied, empty).sum())
    found = JointDensity(occupied, empty).log_at(x, b)
    states = all_states(houses)
    for state in rng.choice(len(states), 6, replace=False):
        widths = np.where(states[state], occupied, empty)
        exact = float(uniforms_plus_laplace(np.array([x]), widths, b)[0])
        assert abs(np.exp(found[state]) - exact) <= 1e-9 * np.exp(found.max())


@pytest.mark.parametrize("houses", [2, 8])
def test_with_noise_no_state_is_impossible_however_small_it_is(houses: int) -> None:
    """Outside a state's range the log-density is that of Laplace's tail: −distance/b and a constant."""
    occupied, empty = np.full(houses, 1.0), np.full(houses, 0.1)
    density, b = JointDensity(occupied, empty), 1e-5
    first, second = (density.log_at(x, b) for x in (houses + 1.0, houses + 3.0))
    assert np.isfinite(first).all()
    assert first[0] < -1e4  # e to this power is 0 to a float
    np.testing.assert_allclose(second - first, -2.0 / b, rtol=1e-9)
    assert (first[1:] >= first[0]).all()


def test_without_noise_only_what_cannot_be_is_impossible() -> None:
    density = JointDensity(np.full(7, 1.0), np.full(7, 0.1))
    found = density.log_at(3.0, 0.0)
    reach = np.where(all_states(7), 1.0, 0.1).sum(axis=1)
    np.testing.assert_array_equal(np.isfinite(found), reach > 3.0)
    assert found[np.isfinite(found)].min() >= np.log(RESOLVED) + found.max() - 1e-9
    nothing_used = JointDensity(np.full(7, 1.0), np.zeros(7)).log_at(0.0, 0.0)
    assert np.flatnonzero(np.isfinite(nothing_used)).tolist() == [0]
