"""Arrays in, numbers out."""

from itertools import pairwise

import numpy as np
import pytest
from scipy import integrate

from rtp import metrics


def test_rmsre_has_1_over_t_outside_the_root() -> None:
    published, optimal = np.array([11.0, 18.0, 33.0]), np.array([10.0, 20.0, 30.0])
    assert metrics.rmsre(published, optimal) == pytest.approx(np.sqrt(0.01 + 0.01 + 0.01) / 3)
    typical = metrics.typical_error(metrics.rmsre(published, optimal), 3)
    assert typical == pytest.approx(np.sqrt(np.mean([0.01, 0.01, 0.01])))
    assert metrics.printed_rmsre(typical, 3) == pytest.approx(metrics.rmsre(published, optimal), rel=1e-15)


def test_a_relative_error_has_its_sign_and_none_at_zero() -> None:
    published, optimal = np.array([11.0, 18.0, 0.0, 0.1]), np.array([10.0, 20.0, 0.0, 0.0])
    assert metrics.relative_error(published, optimal).tolist() == pytest.approx([0.1, -0.1, 0.0, np.inf])


@pytest.mark.parametrize("optimal", [0.0, 0.5, 3.0, 100.0])
@pytest.mark.parametrize("scale", [0.2, 1.0, 5.0])
def test_squared_error_of_laplace_noise_matches_quadrature(optimal: float, scale: float) -> None:
    def squared(noise: float, low: float, high: float) -> float:
        published = min(max(optimal + noise, low), high)
        return (published - optimal) ** 2 * float(np.exp(-abs(noise) / scale)) / (2 * scale)

    for low, high in ((-np.inf, np.inf), (0.0, np.inf), (-np.inf, 2.0), (0.0, 3.5)):
        kinks = (end - optimal for end in (low, high))
        edges = sorted({0.0, *np.clip([-np.inf, np.inf, *kinks], -60 * scale, 60 * scale).tolist()})
        expected = sum(
            integrate.quad(squared, a, b, args=(low, high), epsabs=1e-12)[0] for a, b in pairwise(edges)
        )
        ours = metrics.laplace_squared_error(np.array([scale]), np.array([optimal]), low, high)[0]
        assert ours == pytest.approx(expected, rel=1e-8)
