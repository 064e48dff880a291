"""Histograms plus Laplace noise: against slow integrals, the uniform closed form, and planted ratios."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rtp.attack.observation import uniform_llr
from rtp.core.types import Floats
from rtp.mechanisms.calibrated import calibrate
from rtp.probability.histogram import Histograms, extremes
from rtp.probability.privacy_loss import privacy_loss


def one(edges: list[float], occupied: list[float], empty: list[float]) -> Histograms:
    mass = np.array([[empty], [occupied]], dtype=float)
    return Histograms(edges=np.array([edges], dtype=float), mass=mass / mass.sum(axis=2, keepdims=True))


def density(x: Floats, edges: Floats, mass: Floats, b: float) -> Floats:
    """The slow way: every bin's share of Laplace's distribution function, point by point."""

    def below(y: Floats) -> Floats:
        return np.where(y < 0, np.exp(np.minimum(y, 0) / b) / 2, 1 - np.exp(-np.maximum(y, 0) / b) / 2)

    bins = zip(edges[:-1], edges[1:], mass, strict=True)
    return np.asarray(np.sum([p / (c - a) * (below(x - a) - below(x - c)) for a, c, p in bins], axis=0))


def slow_loss(law: Histograms, b: float) -> float:
    edges = law.edges[0]
    x = np.concatenate([np.linspace(edges[0] - 0.1, edges[-1] + 0.1, 40_001), edges])
    ratio = [np.log(density(x, edges, mass[0], b)) for mass in law.mass]
    return float(np.abs(ratio[1] - ratio[0]).max())


LAWS = {
    "rising": one([0, 0.3, 0.6, 1.0], [1, 2, 5], [5, 2, 1]),
    "hump": one([0, 0.3, 0.45, 0.55, 0.7, 1.0], [2, 0.5, 5, 0.5, 2], [2, 2.9, 0.2, 2.9, 2]),
    "two humps": one([0, 0.2, 0.3, 0.7, 0.8, 1.0], [2, 4, 0.2, 4, 2], [2, 0.2, 7.8, 0.2, 2]),
    "gap": one([0, 0.2, 0.5, 0.6, 0.8, 1.0], [2, 3, 0, 3, 2], [2, 0, 6, 0, 2]),
}


@pytest.mark.parametrize("name", LAWS)
@pytest.mark.parametrize("b", [0.05, 0.3, 2.0])
def test_the_supremum_is_what_a_fine_grid_finds(name: str, b: float) -> None:
    """Never less, and more by no more than the grid is coarse: its steps are 3e-5, slopes at most 2/b."""
    exact, found = LAWS[name].loss(b)[0], slow_loss(LAWS[name], b)
    assert found <= exact * (1 + 1e-9)
    assert exact - found < 2 / b * 3e-5


@pytest.mark.parametrize("name", LAWS)
def test_both_ends_of_the_log_ratio_are_those_of_a_fine_grid(name: str) -> None:
    law, b = LAWS[name], 0.3
    y = np.linspace(-1.0, 2.0, 100_001)[:, None]
    ratio = law.log_likelihood_ratio(y, np.full_like(y, b))
    lowest, highest = law.llr_range(b)
    assert lowest[0] <= ratio.min() + 1e-12
    assert highest[0] >= ratio.max() - 1e-12
    assert (lowest[0], highest[0]) == pytest.approx((ratio.min(), ratio.max()), abs=2 / b * 3e-5)


@pytest.mark.parametrize("name", ["hump", "two humps", "gap"])
def test_a_ratio_that_turns_is_worst_inside(name: str) -> None:
    """The planted laws: looking at ±∞ only, as for uniform laws, would miss half the loss or more."""
    law = LAWS[name]
    far = [
        np.log(density(np.array([x]), law.edges[0], mass[0], 0.05)) for mass in law.mass for x in (-0.2, 1.2)
    ]
    at_infinity = max(abs(far[2] - far[0])[0], abs(far[3] - far[1])[0])
    assert law.loss(0.05)[0] > 2 * at_infinity + 0.5


@pytest.mark.parametrize("epsilon", [0.05, 0.5, 1.0])
@pytest.mark.parametrize("name", LAWS)
def test_the_scale_keeps_the_promise_and_a_smaller_breaks_it(name: str, epsilon: float) -> None:
    law = LAWS[name]
    b = float(law.scale(epsilon)[0])
    assert law.loss(b)[0] <= epsilon
    assert slow_loss(law, b) <= epsilon * (1 + 1e-9)
    assert law.loss(0.95 * b)[0] > epsilon * 1.01
    assert slow_loss(law, 0.95 * b) > epsilon


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
    assert law.scale(epsilon)[0] == pytest.approx(expected, rel=1e-6)
    assert law.loss(expected)[0] == pytest.approx(
        privacy_loss(expected, np.array([high]), np.array([low]))[0], rel=1e-6
    )


@given(st.lists(st.tuples(st.floats(0.01, 1), st.floats(0, 1), st.floats(0, 1)), min_size=2, max_size=6))
def test_more_noise_never_tells_more(bins: list[tuple[float, float, float]]) -> None:
    widths, occupied, empty = (np.array(each) for each in zip(*bins, strict=True))
    law = one([0, *np.cumsum(widths).tolist()], (occupied + 0.01).tolist(), (empty + 0.01).tolist())
    losses = [law.loss(b)[0] for b in (0.03, 0.1, 0.3, 1.0, 3.0)]
    assert all(after <= before + 1e-12 for before, after in pairwise(losses))


def test_a_point_mass_is_the_limit_of_a_narrow_bin() -> None:
    point = one([0, 0, 1.0], [1, 4], [6, 1])
    narrow = one([0, 1e-7, 1.0], [1, 4], [6, 1])
    assert point.loss(0.2)[0] == pytest.approx(narrow.loss(0.2)[0], rel=1e-5)
    nothing = one([0, 0, 0, 1.0], [0, 0, 1], [1, 0, 0])
    assert nothing.loss(0.2)[0] == pytest.approx(privacy_loss(0.2, np.array([1.0]), np.array([0.0]))[0])


def test_without_noise_a_reading_tells_what_its_bin_does() -> None:
    """Proof where one law never is; the same law, or a budget above the largest ratio, needs no noise."""
    assert LAWS["gap"].loss(0.0)[0] == np.inf
    assert LAWS["gap"].loss(np.inf)[0] == 0
    assert LAWS["rising"].loss(0.0)[0] == pytest.approx(np.log(5))
    assert LAWS["rising"].scale(1.7)[0] == 0
    same = one([0, 0.5, 1], [1, 2], [1, 2])
    assert (same.loss(0.0)[0], same.scale(1.0)[0]) == (0, 0)


def test_houses_are_worked_out_side_by_side() -> None:
    both = Histograms(
        edges=np.concatenate([LAWS["two humps"].edges, LAWS["hump"].edges]),
        mass=np.concatenate([LAWS["two humps"].mass, LAWS["hump"].mass], axis=1),
    )
    for i, name in enumerate(("two humps", "hump")):
        lowest, highest = extremes(both.edges, both.mass, np.array([0.2, 0.2]))
        assert max(-lowest[i], highest[i]) == LAWS[name].loss(0.2)[0]
        assert both.scale(0.5)[i] == LAWS[name].scale(0.5)[0]
        assert both.only(np.array([i])).loss(0.3)[0] == LAWS[name].loss(0.3)[0]


EDGES = np.array([[0.0, 0.2, 0.2, 0.7, 1.5], [0.0, 0.0, 0.3, 0.4, 0.4]])  # with point masses
MASS = np.array(
    [[[0.5, 0.2, 0.2, 0.1], [0.4, 0.3, 0.2, 0.1]], [[0.1, 0.1, 0.3, 0.5], [0.05, 0.15, 0.3, 0.5]]]
)
STREET = Histograms(edges=EDGES, mass=MASS)
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
    result = STREET.log_density(np.repeat(VALUES[:, None], 2, axis=1), np.full((len(VALUES), 1), b))
    for state in (0, 1):
        for house in (0, 1):
            slow = [slow_density(y, EDGES[house], MASS[state, house], b) for y in VALUES.tolist()]
            np.testing.assert_allclose(result[state, :, house], np.log(slow), rtol=1e-4, atol=1e-4)


def test_one_bin_is_uniform_use() -> None:
    """Occupied in (0, 0.9), empty in (0, 0.3)."""
    laws = Histograms(edges=np.array([[0.0, 0.3, 0.9]]), mass=np.array([[[1.0, 0.0]], [[1 / 3, 2 / 3]]]))
    y = np.linspace(-1.0, 2.0, 31)[:, None]
    for b in (0.01, 0.4, 10.0):
        scale = np.full_like(y, b)
        theirs = uniform_llr(y, scale, np.array([0.9]), np.array([0.3]))
        np.testing.assert_allclose(laws.log_likelihood_ratio(y, scale), theirs, rtol=1e-9, atol=1e-12)


def test_the_supremum_is_reached_and_never_exceeded() -> None:
    y = np.repeat(np.linspace(-1.0, 3.0, 4001)[:, None], 2, axis=1)
    for b in (0.05, 0.5):
        largest = np.abs(STREET.log_likelihood_ratio(y, np.full((len(y), 1), b))).max(axis=0)
        assert (largest <= STREET.loss(b) * (1 + 1e-9)).all()
        np.testing.assert_allclose(largest, STREET.loss(b), rtol=2e-3)


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


def test_means_and_variances_are_those_of_the_bins() -> None:
    for state in (0, 1):
        for house in (0, 1):
            low, high, mass = EDGES[house][:-1], EDGES[house][1:], MASS[state, house]
            mean = (mass * (low + high) / 2).sum()
            square = (mass * ((high - low) ** 2 / 12 + ((low + high) / 2) ** 2)).sum()
            assert STREET.mean[state, house] == pytest.approx(mean)
            assert STREET.variance[state, house] == pytest.approx(square - mean**2)
    assert np.array_equal(
        Histograms(edges=EDGES, mass=MASS, moments=(MASS[:, :, 0], MASS[:, :, 1])).only(slice(1)).mean,
        MASS[:, :1, 0],
    )
