"""Uniforms plus Laplace noise: the closed form against 120 digits, quadrature, and itself state by state."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.random import default_rng

from rtp.algorithm1 import all_states
from rtp.core.types import Floats
from rtp.probability.laplace_uniform import FLOAT_TOLERANCE, density, joint_log_density
from tests.help import oracles


def test_without_noise_or_houses_it_is_the_sum_or_the_noise() -> None:
    x = np.array([-0.1, 0.0, 0.5, 1.0, 1.5, 2.1])
    np.testing.assert_allclose(density(x, np.ones(2), 0.0), [0, 0, 0.5, 1.0, 0.5, 0], atol=1e-15)
    np.testing.assert_allclose(density(x, np.zeros(3), 0.5), np.exp(-np.abs(x) / 0.5))
    np.testing.assert_array_equal(density(x, np.zeros(2), 0.0), x == 0)


def widths_of(occupied: Floats, empty: Floats) -> Floats:
    """(2^N, N): how much every house uses at most, in every joint state."""
    return np.where(all_states(len(occupied)), occupied, empty)


sizes = st.builds(lambda digits, power: digits * 10.0**power, st.floats(1.0, 9.9), st.integers(-6, 5))


@pytest.mark.long
@settings(max_examples=8)
@given(
    bounds=st.lists(st.tuples(sizes, st.one_of(st.just(0.0), sizes)), min_size=6, max_size=8),
    epsilon=st.sampled_from([0.05, 0.5, 7.0, 1e3, 1e5]),
    place=st.sampled_from([0.0123, 0.31, 0.777, 0.99]),
    seed=st.integers(0, 2**32 - 1),
)
def test_bounds_of_very_different_sizes_match_120_digits(
    bounds: list[tuple[float, float]], epsilon: float, place: float, seed: int
) -> None:
    """Inside the support: inclusion and exclusion in 120 digits, of which these cancel at most 8 · 12."""
    occupied, empty = np.array(bounds).T
    b, x = float(occupied.max() / epsilon), place * float(occupied.sum())
    widths = widths_of(occupied, empty)
    ours = density(x, widths, b)
    reach = np.flatnonzero(widths.sum(axis=1) > x)
    for state in {len(widths) - 1, *default_rng(seed).choice(reach, 2).tolist()}:
        exact = oracles.density(x, widths[state].tolist(), b)
        assert abs(ours[state] / exact - 1) < FLOAT_TOLERANCE


@pytest.mark.parametrize("b", [0.0, 0.002, 0.3, 20.0])
@pytest.mark.parametrize("houses", [3, 7, 10])
def test_joint_density_is_the_exact_density_of_each_state(houses: int, b: float) -> None:
    rng = default_rng(houses)
    occupied, empty = rng.uniform(0.1, 1, houses), rng.uniform(0.05, 0.5, houses)
    x = 0.4 * float(np.maximum(occupied, empty).sum())
    (logs,) = joint_log_density(np.array([x]), np.array([b]), occupied, empty)
    states = all_states(houses)
    for state in rng.choice(len(states), 6, replace=False):
        widths = np.where(states[state], occupied, empty)
        exact = float(density(x, widths, b))
        assert abs(np.exp(logs[state]) - exact) <= 1e-9 * np.exp(logs.max())


@pytest.mark.parametrize("houses", [2, 8])
def test_with_noise_no_state_is_impossible_however_small_it_is(houses: int) -> None:
    """Outside a state's range the log-density is that of Laplace's tail: −distance/b and a constant."""
    occupied, empty = np.full(houses, 1.0), np.full(houses, 0.1)
    b = 1e-5
    first, second = joint_log_density(np.array([houses + 1.0, houses + 3.0]), np.full(2, b), occupied, empty)
    assert np.isfinite(first).all()
    assert first[0] < -1e4  # e to this power is 0 to a float
    np.testing.assert_allclose(second - first, -2.0 / b, rtol=1e-9)
    assert (first[1:] >= first[0]).all()
