"""Uniforms plus Laplace noise: the closed form against 120 digits, quadrature, and itself state by state."""

from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.random import Generator, default_rng
from scipy import integrate

from rtp.algorithm1 import all_states, log_likelihood
from rtp.core.types import Floats
from rtp.probability import laplace_uniform
from rtp.probability.laplace_uniform import FLOAT_TOLERANCE, RESOLVED, density, joint_log_density, log_density
from tests.help import oracles


def _relative_error(x: Floats, widths: Floats, b: float) -> float:
    ours = density(x, widths, b)
    exact = [oracles.density(float(at), widths.tolist(), b) for at in x]
    return max(abs(float((mine - true) / true)) for mine, true in zip(ours, exact, strict=True))


def _points(rng: Generator, widths: Floats, b: float, count: int) -> Floats:
    """Inside the support, at its ends, and in tails down to e⁻³⁰."""
    total = widths.sum()
    ends = np.array([0.0, total, -30 * b, total + 30 * b])
    return np.concatenate([ends, rng.uniform(0, total, count), rng.uniform(-5 * b, total + 5 * b, count)])


@pytest.mark.slow
@pytest.mark.parametrize("houses", [1, 2, 3, 5])
@pytest.mark.parametrize("epsilon", [0.1, 0.5, 1.0, 5.0, 50.0])
def test_density_matches_120_digits(houses: int, epsilon: float) -> None:
    rng = default_rng([houses, int(10 * epsilon)])
    for _ in range(4):
        widths = rng.uniform(0, 1, houses)
        b = widths.max() / epsilon
        assert _relative_error(_points(rng, widths, b, 3), widths, b) < FLOAT_TOLERANCE


@pytest.mark.parametrize("houses", [3, 5, 6])
def test_density_survives_houses_that_use_next_to_nothing(houses: int) -> None:
    rng = default_rng(houses)
    widths = 10.0 ** rng.uniform(-6, -3, houses)
    widths[0] = 0.9
    for b in (0.01, 0.1, 1.0):
        assert _relative_error(_points(rng, widths, b, 2), widths, b) < FLOAT_TOLERANCE


def test_decimals_agree_with_floats_where_both_are_good(monkeypatch: pytest.MonkeyPatch) -> None:
    x, widths = np.array([0.1, 0.4, 0.8, 1.7]), np.array([0.9, 0.4, 0.6])
    for n, b in product((1, 2, 3), (0.0, 0.05, 0.5, 5.0)):
        inside = x[x < widths[:n].sum()]
        floats = density(inside, widths[:n], b)
        with monkeypatch.context() as patch:
            patch.setattr(laplace_uniform, "FLOAT_TOLERANCE", 0.0)  # so that none are trusted
            np.testing.assert_allclose(density(inside, widths[:n], b), floats, rtol=1e-12)


@pytest.mark.parametrize("b", [0.02, 0.3, 4.0])
def test_density_integrates_to_one(b: float) -> None:
    widths = np.array([0.9, 0.35, 0.2])
    kinks = [float(state @ widths) for state in all_states(3)]
    edges = sorted({*kinks, -40 * b, widths.sum() + 40 * b})
    pieces = [
        integrate.quad(lambda x: density(np.array([x]), widths, b)[0], low, high, epsabs=1e-12)[0]
        for low, high in pairwise(edges)
    ]
    assert sum(pieces) == pytest.approx(1.0, abs=1e-10)


@pytest.mark.parametrize("x", [-0.3, 0.1, 0.6, 1.0, 1.6])
def test_density_matches_quadrature_over_consumption(x: float) -> None:
    """∫∫ Lap(x − x₁ − x₂) over both houses' uniforms, by adaptive quadrature split at the kink."""
    first, second, b = 0.9, 0.4, 0.2

    def noise(x2: float, x1: float) -> float:
        return float(np.exp(-abs(x - x1 - x2) / b) / (2 * b))

    def given_first(x1: float) -> float:
        kink = min(max(x - x1, 0.0), second)
        parts = [(0.0, kink), (kink, second)]
        return sum(integrate.quad(noise, low, high, args=(x1,))[0] for low, high in parts) / second

    breaks = [at for at in (x, x - second) if 0 < at < first]
    expected = integrate.quad(given_first, 0, first, points=breaks or None)[0] / first
    assert density(np.array([x]), np.array([first, second]), b)[0] == pytest.approx(expected, rel=1e-8)


def test_density_without_noise_is_that_of_the_sum() -> None:
    triangle = density(np.array([-0.1, 0.0, 0.5, 1.0, 1.5, 2.1]), np.ones(2), 0.0)
    np.testing.assert_allclose(triangle, [0, 0, 0.5, 1.0, 0.5, 0], atol=1e-15)
    np.testing.assert_allclose(density(np.array([0.2, 0.7]), np.array([0.5]), 0.0), [2.0, 0.0])


def test_density_without_houses_is_the_noise_or_a_point() -> None:
    x = np.array([-1.0, 0.0, 2.0])
    np.testing.assert_allclose(density(x, np.zeros(3), 0.5), np.exp(-np.abs(x) / 0.5))
    np.testing.assert_array_equal(density(x, np.zeros(2), 0.0), [0, 1, 0])


def test_likelihood_is_the_density_of_the_rate() -> None:
    """Rates are α times demand plus β: the density is shifted, stretched and divided by α."""
    occupied, empty, alpha, beta, scale, rate = np.array([0.9, 0.5]), np.array([0.2, 0.4]), 3.0, 7.0, 2.0, 8.5
    ours = log_likelihood(
        rate, alpha=alpha, beta=beta, scale=scale, occupied_bound=occupied, empty_bound=empty
    )
    for state, value in zip(all_states(2), ours, strict=True):
        widths = np.where(state, occupied, empty)
        exact = oracles.density((rate - beta) / alpha, widths.tolist(), scale / alpha) / alpha
        assert np.exp(value) == pytest.approx(float(exact), rel=1e-12)


def widths_of(occupied: Floats, empty: Floats) -> Floats:
    """(2^N, N): how much every house uses at most, in every joint state."""
    return np.where(all_states(len(occupied)), occupied, empty)


def one_by_one(x: Floats, occupied: Floats, empty: Floats, b: float) -> Floats:
    """(len(x), 2^N): each number by a call of its own."""
    widths = widths_of(occupied, empty)
    return np.array([[density(each, own, b) for own in widths] for each in x.tolist()])


@pytest.mark.slow
@pytest.mark.parametrize("houses", [1, 2, 3, 5, 6])
@pytest.mark.parametrize("epsilon", [0.05, 0.5, 3.0, 40.0, 1e4, np.inf])
@pytest.mark.parametrize("empty_max", [0.5, 0.0])
def test_all_states_at_once_are_the_states_one_by_one(houses: int, epsilon: float, empty_max: float) -> None:
    rng = default_rng([houses, int(min(epsilon, 1e6) * 100), int(empty_max * 10)])
    occupied, empty = rng.random(houses), empty_max * rng.random(houses)
    b = float(occupied.max() / epsilon)
    places = np.array([-0.2, 0.0, 0.1, 0.5, 0.9, 0.99, 1.3]) * occupied.sum()
    together = density(places[:, None], widths_of(occupied, empty), b)
    np.testing.assert_allclose(
        together, one_by_one(places, occupied, empty, b), rtol=2 * FLOAT_TOLERANCE, atol=0
    )


def test_houses_that_use_next_to_nothing_do_no_harm() -> None:
    occupied, empty = np.array([1.0, 1e-9, 0.0, 3e5]), np.array([1e-200, 0.0, 0.0, 0.4])
    x, widths = np.array([0.0, 0.3, 2e5]), widths_of(occupied, empty)
    for b in (0.0, 1e-3, 2.0):
        together, apart = density(x[:, None], widths, b), one_by_one(x, occupied, empty, b)
        np.testing.assert_allclose(together, apart, rtol=2 * FLOAT_TOLERANCE, atol=0)
    assert density(np.array([0.0, 0.1]), np.zeros((2, 2)), 0.0).tolist() == [1, 0]


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


@pytest.mark.parametrize("b", [1e-4, 0.002, 0.3])
def test_log_density_outside_never_underflows(b: float) -> None:
    """Far above what a street can use the logarithm falls by 1/b, long after the density is 0 to a float."""
    logs = log_density(np.array([2.0, 3.0, 1e3]), np.array([0.9, 0.4]), b)
    assert np.isfinite(logs).all()
    assert logs[1] - logs[0] == pytest.approx(-1 / b)
    assert logs[2] - logs[1] == pytest.approx(-997 / b)


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


def test_without_noise_only_what_cannot_be_is_impossible() -> None:
    (logs,) = joint_log_density(np.array([3.0]), np.zeros(1), np.full(7, 1.0), np.full(7, 0.1))
    reach = np.where(all_states(7), 1.0, 0.1).sum(axis=1)
    np.testing.assert_array_equal(np.isfinite(logs), reach > 3.0)
    assert logs[np.isfinite(logs)].min() >= np.log(RESOLVED) + logs.max() - 1e-9
    (nothing_used,) = joint_log_density(np.zeros(1), np.zeros(1), np.full(7, 1.0), np.zeros(7))
    assert np.flatnonzero(np.isfinite(nothing_used)).tolist() == [0]
