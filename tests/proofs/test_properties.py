"""Laws that hold on every street."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rtp import Habits, Scenario, simulate
from rtp.mechanisms import REGISTRY
from rtp.scenario import period
from rtp.scenario.habits import step_probabilities
from tests.help.strategies import scenarios


@pytest.mark.long
@given(scenarios(max_households=8))
def test_a_period_in_steps_is_the_same_day(scenario: Scenario) -> None:
    """Stating per-step chances instead of the period's changes nothing: one street, two bases."""
    restated = scenario.replace(
        models=tuple(
            model.replace(habits=tuple(_in_steps(h, scenario) for h in model.habits))
            for model in scenario.models
        )
    )
    here, there = simulate(scenario), simulate(restated)
    np.testing.assert_allclose(here.expected_occupancy, there.expected_occupancy, atol=1e-9)
    np.testing.assert_array_equal(here.release["blowfish"].protected, there.release["blowfish"].protected)
    np.testing.assert_array_equal(here.release["blowfish"].scale, there.release["blowfish"].scale)


def _in_steps(habits: Habits, scenario: Scenario) -> Habits:
    return habits.replace(
        periods=tuple(
            period(p.name, p.start, leave=leave, arrive=arrive, basis="step")
            for p, n in zip(habits.periods, habits.steps(), strict=True)
            for leave, arrive in [step_probabilities(p, n, scenario.conversion)]
        )
    )


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


@pytest.mark.long
@given(scenarios(max_households=8, max_models=1))
def test_the_first_day_of_several_is_the_one_day(scenario: Scenario) -> None:
    """More days go on where the first ended; its expectations and protected sets stay."""
    one, three = simulate(scenario), simulate(scenario.replace(days=3))
    np.testing.assert_allclose(three.expected_occupancy[:96], one.expected_occupancy, atol=1e-13)
    assert three.occupancy[:96].tobytes() == one.occupancy.tobytes()
    np.testing.assert_array_equal(three.release["blowfish"].scale[:96], one.release["blowfish"].scale)
    assert len(three.occupancy) == 288
