"""Pr[r̂ | state]: the closed form against 120 digits, against quadrature, and as a density."""

from itertools import pairwise

import numpy as np
import pytest
from numpy.random import Generator, default_rng
from scipy import integrate

from rtp.algorithm1 import all_states, likelihood
from rtp.core.types import Floats
from rtp.probability.decimals import in_decimals
from rtp.probability.states import every_state
from rtp.probability.uniforms import LOST, uniforms_plus_laplace
from tests.help import oracles


def _relative_error(x: Floats, widths: Floats, b: float) -> float:
    ours = uniforms_plus_laplace(x, widths, b)
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
        assert _relative_error(_points(rng, widths, b, 3), widths, b) < LOST


@pytest.mark.parametrize("houses", [3, 5, 6])
def test_density_survives_houses_that_use_next_to_nothing(houses: int) -> None:
    rng = default_rng(houses)
    widths = 10.0 ** rng.uniform(-6, -3, houses)
    widths[0] = 0.9
    for b in (0.01, 0.1, 1.0):
        assert _relative_error(_points(rng, widths, b, 2), widths, b) < LOST


def test_decimals_agree_with_floats_where_both_are_good() -> None:
    widths = np.array([0.9, 0.4, 0.6])
    for b in (0.0, 0.05, 0.5):
        for y in (0.1, 0.3, 0.8):
            expected = uniforms_plus_laplace(np.array([y]), widths, b)[0]
            assert in_decimals(y, widths, b) == pytest.approx(expected, rel=1e-12)
    assert in_decimals(0.4, np.array([0.9]), 0.05) == pytest.approx(
        uniforms_plus_laplace(np.array([0.4]), np.array([0.9]), 0.05)[0], rel=1e-12
    )


@pytest.mark.parametrize("b", [0.02, 0.3, 4.0])
def test_density_integrates_to_one(b: float) -> None:
    widths = np.array([0.9, 0.35, 0.2])
    kinks = [float(state @ widths) for state in all_states(3)]
    edges = sorted({*kinks, -40 * b, widths.sum() + 40 * b})
    pieces = [
        integrate.quad(lambda x: uniforms_plus_laplace(np.array([x]), widths, b)[0], low, high, epsabs=1e-12)[
            0
        ]
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
    assert uniforms_plus_laplace(np.array([x]), np.array([first, second]), b)[0] == pytest.approx(
        expected, rel=1e-8
    )


def test_density_without_noise_is_that_of_the_sum() -> None:
    triangle = uniforms_plus_laplace(np.array([-0.1, 0.0, 0.5, 1.0, 1.5, 2.1]), np.ones(2), 0.0)
    np.testing.assert_allclose(triangle, [0, 0, 0.5, 1.0, 0.5, 0], atol=1e-15)
    np.testing.assert_allclose(uniforms_plus_laplace(np.array([0.2, 0.7]), np.array([0.5]), 0.0), [2.0, 0.0])


def test_density_without_houses_is_the_noise_and_without_both_a_point() -> None:
    x = np.array([-1.0, 0.0, 2.0])
    np.testing.assert_allclose(uniforms_plus_laplace(x, np.zeros(3), 0.5), np.exp(-np.abs(x) / 0.5))
    np.testing.assert_array_equal(uniforms_plus_laplace(x, np.zeros(2), 0.0), [0, 1, 0])


@pytest.mark.parametrize("b", [0.0, 0.05, 0.4, 3.0])
def test_every_state_at_once_is_each_state_on_its_own(b: float) -> None:
    rng = default_rng(8)
    for bounds in (
        rng.random((2, 4)),
        np.array([[0.9, 0.7, 1e-5, 0.4], [1e-4, 1e-6, 0.0, 0.4]]),
        np.zeros((2, 3)),
    ):
        occupied, empty = bounds
        for x in (-0.2, 0.0, 0.3, 0.8, 1.5):
            together = every_state(x, occupied, empty, b)
            apart = [
                uniforms_plus_laplace(np.array([x]), np.where(state, occupied, empty), b)[0]
                for state in all_states(len(occupied))
            ]
            np.testing.assert_allclose(together, apart, rtol=1e-9)


def test_likelihood_is_the_density_of_the_rate() -> None:
    """Rates are α times demand plus β: the density is shifted, stretched and divided by α."""
    occupied, empty, alpha, beta, scale, rate = np.array([0.9, 0.5]), np.array([0.2, 0.4]), 3.0, 7.0, 2.0, 8.5
    ours = likelihood(rate, alpha=alpha, beta=beta, scale=scale, occupied_bound=occupied, empty_bound=empty)
    for state, value in zip(all_states(2), ours, strict=True):
        widths = np.where(state, occupied, empty)
        exact = oracles.density((rate - beta) / alpha, widths.tolist(), scale / alpha) / alpha
        assert value == pytest.approx(float(exact), rel=1e-12)
