"""ε in chances: exact by an integral of the density, by sampling, and never beyond the worst case."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rtp.probability.histogram import Histograms
from rtp.probability.laplace_uniform import density
from rtp.probability.privacy_loss import privacy_loss
from rtp.teaching import threat

HOUSES = [(1.998, 0.63, 0.03), (0.5, 0.2, 0.9), (1.0, 1.0, 0.0), (0.05, 1.0, 0.4), (3.0, 0.0, 2.0)]


def integrated(b: float, u1: float, u0: float, width: float) -> float:
    """∫ of the density of y over all y at which the one under u₁ is the larger: numerically."""
    grid = np.linspace(-40 * b, max(u1, u0) + 40 * b, 40_001)
    occupied, empty, own = (density(grid, np.array([u]), b) for u in (u1, u0, width))
    inside = np.where(occupied > empty, own, 0.0)
    return float(np.trapezoid(inside, grid))


@pytest.mark.parametrize(("b", "u1", "u0"), HOUSES)
def test_they_are_the_integral_of_the_density(b: float, u1: float, u0: float) -> None:
    """The grid's steps h = (80b + u)/40,000 and a density of at most 1/2b err by h/2b at the crossing."""
    found = threat.price_beliefs(b, u1, u0)
    h = (80 * b + max(u1, u0)) / 40_000
    for value, width in ((found.empty, u0), (found.occupied, u1)):
        assert value == pytest.approx(integrated(b, u1, u0, width), abs=h / b)


@given(st.floats(1e-3, 1e3), st.floats(0, 5), st.floats(0, 5))
def test_beliefs_keep_the_promise_and_beat_a_coin(b: float, u1: float, u0: float) -> None:
    found = threat.price_beliefs(b, u1, u0)
    loss = float(privacy_loss(b, np.array([u1]), np.array([u0]))[0])
    most = threat.worst_case(loss)
    slack = 1e-7  # ten times the narrowest consumption that counts
    assert found.occupied - found.empty >= -slack
    assert found.occupied - found.empty <= most.occupied - most.empty + slack
    assert found.occupied <= np.exp(min(loss, 700)) * found.empty + slack


def test_worst_is_the_vertex_of_the_promise() -> None:
    for epsilon in (1e-4, 0.5, 3.0):
        empty, occupied = threat.worst_case(epsilon)
        assert occupied / empty == pytest.approx(np.exp(epsilon))
        assert (1 - empty) / (1 - occupied) == pytest.approx(np.exp(epsilon))


def test_without_noise_without_a_difference_and_without_data() -> None:
    assert threat.price_beliefs(0.0, 1.0, 0.4) == threat.PriceBeliefs(0.0, 0.6)  # a price above 0.4 is proof
    assert threat.price_beliefs(0.0, 0.4, 1.0) == pytest.approx((0.4, 1.0))
    assert threat.price_beliefs(1.0, 0.7, 0.7) == threat.EVEN
    assert threat.price_beliefs(np.inf, 1.0, 0.1) == threat.EVEN
    assert threat.price_beliefs(1.0, threat.NARROW_WIDTH, 0.0) == threat.EVEN
    assert threat.price_beliefs(1.0, 2 * threat.NARROW_WIDTH, 0.0) != threat.EVEN


def test_without_noise_a_bin_tells_what_is_likelier_in_it() -> None:
    """Away in the first three bins, at home in the last three: the third is a tie, which a coin decides."""
    use = Histograms(
        edges=np.array([[0.0, 1.0, 2.0, 3.0, 4.0]]),
        mass=np.array([[[0.5, 0.3, 0.2, 0.0]], [[0.0, 0.4, 0.2, 0.4]]]),
    )
    exact = (0.3 + 0.1, 0.4 + 0.1 + 0.4)
    assert threat.histogram_price_beliefs(0.0, use) == pytest.approx(exact)
    assert threat.histogram_price_beliefs(threat.LEAST_NOISE * 4, use) == pytest.approx(exact)
