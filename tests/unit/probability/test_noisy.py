"""Use of any law plus Laplace noise: against a sum over a fine grid, uniform use, and what noise may tell."""

import numpy as np
import pytest

from rtp.attack.evidence import alone
from rtp.probability.histogram import Histograms
from rtp.probability.noisy import log_ratio, noisy_log_density

EDGES = np.array([[0.0, 0.2, 0.2, 0.7, 1.5], [0.0, 0.0, 0.3, 0.4, 0.4]])  # with point masses
MASS = np.array(
    [[[0.5, 0.2, 0.2, 0.1], [0.4, 0.3, 0.2, 0.1]], [[0.1, 0.1, 0.3, 0.5], [0.05, 0.15, 0.3, 0.5]]]
)
LAWS = Histograms(edges=EDGES, mass=MASS)
VALUES = np.array([-0.5, 0.0, 0.1, 0.2, 0.33, 0.4, 1.2, 1.5, 4.0])


def slow_density(y: float, edges: np.ndarray, mass: np.ndarray, b: float) -> float:
    """Every bin as ten thousand points of equal mass."""
    total = 0.0
    for low, high, own in zip(edges, edges[1:], mass, strict=False):
        at = low + (high - low) * (np.arange(10_000) + 0.5) / 10_000
        total += own * np.mean(np.exp(-np.abs(y - at) / b)) / (2 * b)
    return total


@pytest.mark.parametrize("b", [0.02, 0.3, 5.0])
def test_densities_are_those_of_a_fine_grid(b: float) -> None:
    found = noisy_log_density(LAWS, np.repeat(VALUES[:, None], 2, axis=1), np.full((len(VALUES), 1), b))
    for state in (0, 1):
        for house in (0, 1):
            slow = [slow_density(y, EDGES[house], MASS[state, house], b) for y in VALUES.tolist()]
            np.testing.assert_allclose(found[state, :, house], np.log(slow), rtol=1e-4, atol=1e-4)


def test_one_bin_is_uniform_use() -> None:
    """Occupied in (0, 0.9), empty in (0, 0.3)."""
    laws = Histograms(edges=np.array([[0.0, 0.3, 0.9]]), mass=np.array([[[1.0, 0.0]], [[1 / 3, 2 / 3]]]))
    y = np.linspace(-1.0, 2.0, 31)[:, None]
    for b in (0.01, 0.4, 10.0):
        scale = np.full_like(y, b)
        theirs = alone(y, scale, np.array([0.9]), np.array([0.3]))
        np.testing.assert_allclose(log_ratio(laws, y, scale), theirs, rtol=1e-9, atol=1e-12)


def test_no_value_tells_more_than_the_supremum_and_one_tells_as_much() -> None:
    y = np.repeat(np.linspace(-1.0, 3.0, 4001)[:, None], 2, axis=1)
    for b in (0.05, 0.5):
        told = np.abs(log_ratio(LAWS, y, np.full((len(y), 1), b))).max(axis=0)
        assert (told <= LAWS.loss(b) * (1 + 1e-9)).all()
        np.testing.assert_allclose(told, LAWS.loss(b), rtol=2e-3)


def test_a_reading_itself_tells_its_bins_masses_and_a_point_comes_first() -> None:
    """0.2 is a point mass of the first house, 0 and 0.4 are of the second; 4 counts as the last bin."""
    found = log_ratio(LAWS, np.array([[0.1, 0.1], [0.2, 0.0], [4.0, 0.4]]), np.zeros((3, 1)))
    ratios = [[0.1 / 0.5, 0.15 / 0.3], [0.1 / 0.2, 0.05 / 0.4], [0.5 / 0.1, 0.5 / 0.1]]
    np.testing.assert_allclose(found, np.log(ratios))


def test_far_from_everything_it_is_no_proof() -> None:
    """e^−2000 is no float, and no impossibility."""
    laws = Histograms(edges=np.array([[0.0, 1.0, 20.0]]), mass=np.array([[[1.0, 0.0]], [[0.5, 0.5]]]))
    told = log_ratio(laws, np.array([[20.0]]), np.array([[0.01]]))[0, 0]
    assert np.isfinite(told)
    assert told == pytest.approx(1900, rel=0.01)


def test_means_and_variances_are_those_of_the_bins() -> None:
    for state in (0, 1):
        for house in (0, 1):
            low, high, mass = EDGES[house][:-1], EDGES[house][1:], MASS[state, house]
            mean = (mass * (low + high) / 2).sum()
            square = (mass * ((high - low) ** 2 / 12 + ((low + high) / 2) ** 2)).sum()
            assert LAWS.mean[state, house] == pytest.approx(mean)
            assert LAWS.variance[state, house] == pytest.approx(square - mean**2)
    assert np.array_equal(
        Histograms(edges=EDGES, mass=MASS, moments=(MASS[:, :, 0], MASS[:, :, 1])).only(slice(1)).mean,
        MASS[:, :1, 0],
    )
