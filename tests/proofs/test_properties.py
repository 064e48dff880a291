"""Laws that hold on every street."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rtp import Scenario, simulate
from rtp.mechanisms import REGISTRY
from tests.help.strategies import scenarios


@pytest.mark.slow
@given(scenarios(max_households=8), st.floats(0.1, 10), st.sampled_from([0.0, 0.8]))
def test_changing_the_budget_changes_neither_occupancy_nor_demand(
    scenario: Scenario, factor: float, elasticity: float
) -> None:
    """Unless it follows prices with noise: one key serves the rates without noise of every ε."""
    scenario = scenario.replace(elasticity=elasticity)
    here, there = simulate(scenario), simulate(scenario.replace(epsilon=factor * scenario.epsilon))
    assert here.occupancy.tobytes() == there.occupancy.tobytes()
    for name, mechanism in REGISTRY.items():
        same = ("demand", "optimal") * (not elasticity) + ("demand", "rate") * (not mechanism.adds_noise)
        for field in same:
            one, other = (getattr(day.release[name], field) for day in (here, there))
            assert one.tobytes() == other.tobytes()


@pytest.mark.slow
@given(scenarios(max_households=8), st.floats(0.1, 10))
def test_a_street_in_another_currency_has_the_same_errors(scenario: Scenario, factor: float) -> None:
    """α and β scaled together scale every rate and leave every relative error."""
    dearer = scenario.replace(alpha=factor * scenario.alpha, beta=factor * scenario.beta)
    here, there = simulate(scenario), simulate(dearer)
    for name in here.release:
        np.testing.assert_allclose(
            there.release[name].rate, factor * here.release[name].rate, rtol=1e-9, atol=1e-9
        )
        np.testing.assert_allclose(there.release[name].rmsre, here.release[name].rmsre, rtol=1e-6, atol=1e-14)
        np.testing.assert_allclose(
            there.release[name].expected_rmsre, here.release[name].expected_rmsre, rtol=1e-6, atol=1e-14
        )
