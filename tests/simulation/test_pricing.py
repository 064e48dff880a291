"""From demand to rate and cost, and back through the price response."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rtp.pricing import cost, not_negative, rate, reference_rate, response
from rtp.scenario import BOUNDS


def test_the_optimal_rate_is_the_marginal_cost() -> None:
    demand, alpha, beta, h = np.array([0.0, 10.0, 400.0]), 1.5, 62.5, 1e-4
    marginal = (cost(demand + h, alpha, beta, 7.0) - cost(demand - h, alpha, beta, 7.0)) / (2 * h)
    np.testing.assert_allclose(rate(demand, alpha, beta), marginal, rtol=1e-6)


def test_the_optimal_rate_minimises_cost_less_income() -> None:
    alpha, beta, demand = 2.0, 5.0, 30.0
    r = rate(demand, alpha, beta)
    around = np.linspace(demand - 1, demand + 1, 201)
    objective = cost(around, alpha, beta) - r * around
    assert around[np.argmin(objective)] == pytest.approx(demand)


@given(
    st.floats(-1e6, 1e9),
    st.floats(BOUNDS["reference_rate"].low, 1e6),
    st.floats(BOUNDS["elasticity"].low, BOUNDS["elasticity"].high),
)
def test_response_saves_when_dear_and_never_adds(
    previous: float, reference: float, elasticity: float
) -> None:
    g = response(previous, reference, elasticity)
    assert 0 < g <= 1
    if elasticity == 0 or previous <= reference:
        assert g == 1.0
    else:
        assert g == pytest.approx((reference / previous) ** elasticity, rel=1e-12)


@given(
    st.lists(st.floats(-100, 1000), min_size=1, max_size=9),
    st.sampled_from([0.0, 1.0, 62.5]),
    st.floats(0, 5),
)
def test_many_days_respond_like_one(rates: list[float], reference: float, elasticity: float) -> None:
    together = response(np.array(rates), reference, elasticity)
    np.testing.assert_allclose(together, [response(r, reference, elasticity) for r in rates], rtol=1e-12)
    np.testing.assert_array_equal(not_negative(np.array(rates)), [not_negative(r) for r in rates])


def test_any_price_beside_a_reference_of_nothing_is_too_dear() -> None:
    assert response(1.0, 0.0, 0.5) == 0.0
    assert response(0.0, 0.0, 0.5) == 1.0
    assert response(-1.0, 0.0, 0.5) == 1.0


def test_the_default_reference_is_the_mean_rate() -> None:
    assert reference_rate(np.array([1.0, 3.0]), 2.0, 10.0) == 14.0
