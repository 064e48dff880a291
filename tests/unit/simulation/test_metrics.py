"""Arrays in, numbers out."""

from itertools import pairwise

import numpy as np
import pytest
from scipy import integrate

from rtp import metrics
from rtp.paper.comparison import printed_rmsre


def test_the_error_is_the_root_mean_square_and_the_paper_divides_it_by_the_root_of_t() -> None:
    published, optimal = np.array([11.0, 18.0, 36.0]), np.array([10.0, 20.0, 30.0])
    error = metrics.rmsre(published, optimal)
    assert error == pytest.approx(np.sqrt((0.01 + 0.01 + 0.04) / 3))
    assert printed_rmsre(error, 3) == pytest.approx(np.sqrt(0.01 + 0.01 + 0.04) / 3)


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
