"""From demand to rate and cost, back through the price response."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rtp import PRESETS, Scenario, simulate
from rtp.scenario import BOUNDS
from rtp.scenario.share import read_link, to_link
from rtp.simulation import draw_day, market
from rtp.tariff import Tariff


def tariff(**changes: Any) -> Tariff:
    return replace(
        Tariff(
            alpha=1.0, beta=62.5, inelastic_demand=0.0, elasticity=0.0, reference=62.5, clip_at_zero=False
        ),
        **changes,
    )


def test_the_optimal_rate_is_the_marginal_cost() -> None:
    demand, h, rules = np.array([0.0, 10.0, 400.0]), 1e-4, tariff(alpha=1.5)
    marginal = (rules.cost(demand + h, gamma=7.0) - rules.cost(demand - h, gamma=7.0)) / (2 * h)
    np.testing.assert_allclose(rules.rate(demand), marginal, rtol=1e-6)


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


def test_the_reference_is_the_mean_rate_unless_one_is_stated() -> None:
    scenario = PRESETS["elastic demand"].replace(households=20, alpha=2.0, beta=10.0, inelastic_demand=3.0)
    life = draw_day(scenario)
    expected = 2.0 * (life.true_moments.expected_demand.mean() + 3.0) + 10.0
    assert market(scenario, life).tariff.reference == pytest.approx(expected, rel=1e-12)
    assert market(scenario.replace(reference_rate=9.5), life).tariff.reference == 9.5


def test_a_cap_changes_nothing_but_what_is_published_above_it() -> None:
    free = Scenario(households=30, epsilon=0.05)
    before = simulate(free)
    cap = float(np.median(before.release["naive"].rate))
    after = simulate(free.replace(price_cap=cap))
    for name, release in before.release.items():
        np.testing.assert_array_equal(after.release[name].rate, np.minimum(release.rate, cap))
        np.testing.assert_array_equal(after.release[name].scale, release.scale)
    assert "price_cap" not in free.to_json()
    assert read_link(to_link(free.replace(price_cap=cap))).scenario.price_cap == cap
