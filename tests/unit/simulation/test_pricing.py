"""From demand to rate and cost, and back through the price response."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rtp import PRESETS
from rtp.scenario import BOUNDS
from rtp.simulation import draw_day, market
from rtp.tariff import Tariff


def tariff(
    *,
    alpha: float = 1.0,
    beta: float = 62.5,
    inelastic_demand: float = 0.0,
    elasticity: float = 0.0,
    reference: float = 62.5,
    clip_at_zero: bool = False,
) -> Tariff:
    return Tariff(
        alpha=alpha,
        beta=beta,
        inelastic_demand=inelastic_demand,
        elasticity=elasticity,
        reference=reference,
        clip_at_zero=clip_at_zero,
    )


def test_the_optimal_rate_is_the_marginal_cost() -> None:
    demand, h, rules = np.array([0.0, 10.0, 400.0]), 1e-4, tariff(alpha=1.5)
    marginal = (rules.cost(demand + h, gamma=7.0) - rules.cost(demand - h, gamma=7.0)) / (2 * h)
    np.testing.assert_allclose(rules.rate(demand), marginal, rtol=1e-6)


def test_the_cost_is_the_papers_parabola() -> None:
    rules = tariff(alpha=2.0, beta=5.0)
    assert rules.cost(np.array([0.0, 3.0]), gamma=7.0).tolist() == [7.0, 31.0]  # 2/2·9 + 5·3 + 7
    assert rules.cost(np.array([3.0])).tolist() == [24.0]


def test_the_optimal_rate_minimises_cost_less_income() -> None:
    rules, demand = tariff(alpha=2.0, beta=5.0), np.array(30.0)
    around = np.linspace(demand - 1, demand + 1, 201)
    objective = rules.cost(around) - rules.rate(demand) * around
    assert around[np.argmin(objective)] == pytest.approx(30.0)


def test_inelastic_demand_adds_to_what_households_use() -> None:
    rules = tariff(alpha=2.0, beta=10.0, inelastic_demand=3.0)
    assert rules.optimal(np.array([0.0, 4.0])).tolist() == [16.0, 24.0]
    assert rules.rate(np.array([0.0, 4.0])).tolist() == [10.0, 18.0]


@given(
    st.floats(-1e6, 1e9),
    st.floats(BOUNDS["reference_rate"].low, 1e6),
    st.floats(BOUNDS["elasticity"].low, BOUNDS["elasticity"].high),
)
def test_response_saves_when_dear_and_never_adds(
    previous: float, reference: float, elasticity: float
) -> None:
    (g,) = tariff(reference=reference, elasticity=elasticity).response(np.array([previous]))
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
    rules = tariff(reference=reference, elasticity=elasticity, clip_at_zero=True)
    each = np.array(rates)
    alone = [float(rules.response(one)) for one in each]
    np.testing.assert_allclose(rules.response(each), alone, rtol=1e-12)
    np.testing.assert_array_equal(rules.published(each), [max(r, 0.0) for r in rates])


def test_households_answer_the_rate_of_the_step_before() -> None:
    rules = tariff(reference=2.0, elasticity=1.0)
    assert rules.responses(np.array([8.0, 1.0, 4.0])).tolist() == [1.0, 0.25, 1.0]


def test_rates_below_zero_stay_unless_they_are_cut() -> None:
    assert tariff().published(np.array([-3.0, 2.0])).tolist() == [-3.0, 2.0]
    assert tariff(clip_at_zero=True).published(np.array([-3.0, 2.0])).tolist() == [0.0, 2.0]


def test_any_price_beside_a_reference_of_nothing_is_too_dear() -> None:
    rules = tariff(reference=0.0, elasticity=0.5)
    assert rules.response(np.array([1.0, 0.0, -1.0])).tolist() == [0.0, 1.0, 1.0]


def test_the_reference_is_the_mean_rate_unless_one_is_stated() -> None:
    scenario = PRESETS["elastic demand"].replace(households=20, alpha=2.0, beta=10.0, inelastic_demand=3.0)
    life = draw_day(scenario)
    expected = 2.0 * (life.true_moments.expected_demand.mean() + 3.0) + 10.0
    assert market(scenario, life).tariff.reference == pytest.approx(expected, rel=1e-12)
    assert market(scenario.replace(reference_rate=9.5), life).tariff.reference == 9.5
