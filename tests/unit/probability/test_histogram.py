"""Histograms plus Laplace noise: against slow integrals, the uniform closed form, and planted ratios."""

from itertools import pairwise

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rtp.core.types import Floats
from rtp.mechanisms.calibrated import calibrate
from rtp.probability.histogram import Histograms
from rtp.probability.privacy_loss import (
    log_mean_exp_slope,
    log_mean_fall,
    privacy_loss,
)


def one(edges: list[float], occupied: list[float], empty: list[float]) -> Histograms:
    mass = np.array([[empty], [occupied]], dtype=float)
    return Histograms(edges=np.array([edges], dtype=float), mass=mass / mass.sum(axis=2, keepdims=True))


def density(x: Floats, edges: Floats, mass: Floats, b: float) -> Floats:
    """The slow way: every bin's share of Laplace's distribution function, point by point."""

    def below(y: Floats) -> Floats:
        return np.where(y < 0, np.exp(np.minimum(y, 0) / b) / 2, 1 - np.exp(-np.maximum(y, 0) / b) / 2)

    bins = zip(edges[:-1], edges[1:], mass, strict=True)
    return np.asarray(np.sum([p / (c - a) * (below(x - a) - below(x - c)) for a, c, p in bins], axis=0))


def on_a_grid(law: Histograms, b: float) -> Floats:
    """The log-ratio on a grid as fine as 3e-5, and at the edges."""
    edges = law.edges[0]
    x = np.concatenate([np.linspace(edges[0] - 0.1, edges[-1] + 0.1, 40_001), edges])
    empty, occupied = (np.log(density(x, edges, mass[0], b)) for mass in law.mass)
    np.testing.assert_allclose(
        law.log_likelihood_ratio(x[:, None], np.full((len(x), 1), b))[:, 0], occupied - empty, atol=1e-9
    )
    return np.asarray(occupied - empty)


LAWS = {
    "rising": one([0, 0.3, 0.6, 1.0], [1, 2, 5], [5, 2, 1]),
    "hump": one([0, 0.3, 0.45, 0.55, 0.7, 1.0], [2, 0.5, 5, 0.5, 2], [2, 2.9, 0.2, 2.9, 2]),
    "two humps": one([0, 0.2, 0.3, 0.7, 0.8, 1.0], [2, 4, 0.2, 4, 2], [2, 0.2, 7.8, 0.2, 2]),
    "gap": one([0, 0.2, 0.5, 0.6, 0.8, 1.0], [2, 3, 0, 3, 2], [2, 0, 6, 0, 2]),
}


@pytest.mark.parametrize("name", LAWS)
@pytest.mark.parametrize("b", [0.05, 0.3, 2.0])
def test_the_supremum_is_what_a_fine_grid_finds(name: str, b: float) -> None:
    """At either end never less, and more by no more than the grid is coarse: slopes are at most 2/b."""
    (lowest,), (highest,) = LAWS[name].llr_range(b)
    found = on_a_grid(LAWS[name], b)
    assert lowest * (1 + 1e-9) <= found.min() < lowest + 2 / b * 3e-5
    assert highest * (1 + 1e-9) >= found.max() > highest - 2 / b * 3e-5
    assert LAWS[name].loss(b)[0] == max(-lowest, highest)


@pytest.mark.long
@pytest.mark.parametrize("epsilon", [0.05, 0.5, 1.0])
@pytest.mark.parametrize("name", LAWS)
def test_the_scale_keeps_the_promise_and_a_smaller_breaks_it(name: str, epsilon: float) -> None:
    b = float(LAWS[name].scale(np.array([epsilon]))[0, 0])
    assert np.abs(on_a_grid(LAWS[name], b)).max() <= epsilon * (1 + 1e-9)
    assert np.abs(on_a_grid(LAWS[name], 0.95 * b)).max() > epsilon


@pytest.mark.slow
@given(
    high=st.floats(0.1, 5.0),
    share=st.floats(0.02, 0.98),
    epsilon=st.floats(0.02, 8.0),
)
def test_uniform_laws_give_the_closed_form(high: float, share: float, epsilon: float) -> None:
    low = share * high
    law = one([0, low, high], [share, 1 - share], [1, 0])
    expected = calibrate(np.array([high]), np.array([low]), epsilon)[0]
    assert law.scale(np.array([epsilon]))[0, 0] == pytest.approx(expected, rel=1e-6)
    assert law.loss(expected)[0] == pytest.approx(
        privacy_loss(expected, np.array([high]), np.array([low]))[0], rel=1e-6
    )


@given(st.lists(st.tuples(st.floats(0.01, 1), st.floats(0, 1), st.floats(0, 1)), min_size=2, max_size=6))
def test_more_noise_never_tells_more(bins: list[tuple[float, float, float]]) -> None:
    widths, occupied, empty = (np.array(each) for each in zip(*bins, strict=True))
    law = one([0, *np.cumsum(widths).tolist()], (occupied + 0.01).tolist(), (empty + 0.01).tolist())
    losses = [law.loss(b)[0] for b in (0.03, 0.1, 0.3, 1.0, 3.0)]
    assert all(after <= before + 1e-12 for before, after in pairwise(losses))


def test_without_noise_a_reading_tells_what_its_bin_does() -> None:
    """Proof where one law never is; the same law, or a budget above the largest ratio, needs no noise."""
    assert [end[0] for end in LAWS["gap"].llr_range(0.0)] == [-np.inf, np.inf]
    assert LAWS["gap"].loss(0.0)[0] == np.inf
    assert LAWS["gap"].loss(np.inf)[0] == 0
    assert LAWS["rising"].loss(0.0)[0] == pytest.approx(np.log(5))
    assert LAWS["rising"].scale(np.array([1.7]))[0, 0] == 0
    same = one([0, 0.5, 1], [1, 2], [1, 2])
    assert (same.loss(0.0)[0], same.scale(np.ones(1))[0, 0]) == (0, 0)


EDGES = np.array([[0.0, 0.2, 0.2, 0.7, 1.5], [0.0, 0.0, 0.3, 0.4, 0.4]])  # with point masses
MASS = np.array(
    [[[0.5, 0.2, 0.2, 0.1], [0.4, 0.3, 0.2, 0.1]], [[0.1, 0.1, 0.3, 0.5], [0.05, 0.15, 0.3, 0.5]]]
)
STREET = Histograms(edges=EDGES, mass=MASS)


def test_a_reading_tells_its_bins_masses_points_first() -> None:
    """0.2 is a point mass of the first house, 0 and 0.4 are of the second; 4 counts as the last bin."""
    result = STREET.log_likelihood_ratio(np.array([[0.1, 0.1], [0.2, 0.0], [4.0, 0.4]]), np.zeros((3, 1)))
    ratios = [[0.1 / 0.5, 0.15 / 0.3], [0.1 / 0.2, 0.05 / 0.4], [0.5 / 0.1, 0.5 / 0.1]]
    np.testing.assert_allclose(result, np.log(ratios))


def test_far_from_everything_it_is_no_proof() -> None:
    """e^−2000 is no float, and no impossibility."""
    laws = Histograms(edges=np.array([[0.0, 1.0, 20.0]]), mass=np.array([[[1.0, 0.0]], [[0.5, 0.5]]]))
    largest = laws.log_likelihood_ratio(np.array([[20.0]]), np.array([[0.01]]))[0, 0]
    assert np.isfinite(largest)
    assert largest == pytest.approx(1900, rel=0.01)


# What noise leaves to learn of one house: its series next to nothing


@pytest.mark.parametrize("y", [1e-9, 5e-5, 0.99e-4, 1e-4, 1.01e-4, 1.0, 50.0, 1e5])
def test_the_first_terms_of_the_series_are_exact_where_they_are_used(y: float) -> None:
    with mpmath.workdps(60):
        exact = mpmath.mpf(y)
        fall = float(mpmath.log(-mpmath.expm1(-exact) / exact))
        slope = float(-1 / mpmath.expm1(-exact) - 1 / exact)
    assert log_mean_fall(np.array([y]))[0] == pytest.approx(fall, rel=2e-11)
    assert log_mean_exp_slope(np.array([y]))[0] == pytest.approx(slope, rel=2e-11)
