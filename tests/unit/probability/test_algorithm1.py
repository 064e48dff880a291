"""Algorithm 1 on all 2^N states: what the fast mechanism must equal, and exact in itself."""

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings

from rtp import PRESETS, Day, Scenario, simulate
from rtp.algorithm1 import Step, algorithm, all_states
from rtp.mechanisms.blowfish import sensitivity_by_model
from rtp.simulation import draw_day, publish_day
from tests.help import oracles
from tests.help.strategies import scenarios

FIRST_HOURS = 2.5  # all four periods start within them, so a dozen steps see every matrix
STEPS = 14


def literal(day: Day, steps: int) -> list[Step]:
    """Algorithm 1 on the rates that the fast mechanism published."""
    s, street = day.scenario, day.street
    models = range(len(s.models))
    return list(
        algorithm(
            epsilon=s.epsilon,
            alpha=s.alpha,
            beta=s.beta,
            occupied_bound=street.occupied_bound,
            empty_bound=street.empty_bound,
            initial=[oracles.chances(s, street, m)[0] for m in models],
            matrices=[list(oracles.matrices(s, street, m)) for m in models],
            published=day.release["blowfish"].rate[:steps].tolist(),
            fixed_demand=s.inelastic_demand,
        )
    )


def agree(scenario: Scenario, steps: int) -> None:
    """κ, λ and setter of every step, and λ and κ of every model; no other mechanism publishes beside it."""
    day = publish_day(scenario, draw_day(scenario), ["blowfish"])
    release, kinds = day.release["blowfish"], day.street_day.support_classes
    by_model = sensitivity_by_model(day.market.public)
    for t, step in enumerate(literal(day, steps)):
        protected = set().union(*(m.protected for m in step.models))
        assert release.protected[t] == len(protected)
        assert release.scale[t] == pytest.approx(step.scale, rel=1e-14)
        assert release.setter[t] == step.noise_setting_house
        assert set(np.flatnonzero(kinds.protected[t, kinds.of_house]).tolist()) == protected
        for m, model in enumerate(step.models):
            assert set(np.flatnonzero(kinds.both_states_possible[m, t, kinds.of_house]).tolist()) == set(
                model.protected
            )
            assert by_model[m, t] == pytest.approx(model.sensitivity, rel=1e-14)


@pytest.mark.long
@given(scenarios(max_households=4, last_start=FIRST_HOURS))
def test_fast_blowfish_is_algorithm_1_on_a_hundred_small_streets(scenario: Scenario) -> None:
    agree(scenario, STEPS)


@pytest.mark.slow
@settings(max_examples=12)
@given(scenarios(max_households=3, max_models=2))
def test_fast_blowfish_is_algorithm_1_over_a_whole_day(scenario: Scenario) -> None:
    agree(scenario, scenario.steps)


def test_a_likelihood_that_underflows_makes_no_state_impossible() -> None:
    """At ε = 10⁴ a rate far above what an empty street can use has a chance of e⁻⁵⁰⁰⁰: 0 as a float."""
    still = [np.broadcast_to(np.eye(2), (3, 2, 2))] * 3
    steps = algorithm(
        epsilon=1e4,
        alpha=1.0,
        beta=0.0,
        occupied_bound=np.array([0.9, 0.8, 0.7]),
        empty_bound=np.array([0.1, 0.1, 0.1]),
        initial=[np.full(3, 0.5)],
        matrices=[still],
        published=[1.5, 1.5, 1.5],
    )
    for step in steps:
        assert (step.models[0].posterior == 0).any()
        assert step.models[0].protected == (0, 1, 2)
        assert step.noise_setting_house == 0


@pytest.mark.parametrize(("houses", "steps", "seed"), [(1, 4, 0), (2, 3, 1), (2, 3, 2), (3, 2, 3)])
def test_posterior_equals_the_sum_over_all_state_paths(houses: int, steps: int, seed: int) -> None:
    """Equation (4) step by step against every path of joint states weighed in 120 digits."""
    day = simulate(PRESETS["paper"].replace(households=houses, beta=1.0, seed=seed, epsilon=1.0))
    street, release = day.street, day.release["blowfish"]
    rates = release.rate[:steps].tolist()
    likelihoods = [
        [
            oracles.density(
                rate - 1.0,
                np.where(state, street.occupied_bound, street.empty_bound).tolist(),
                release.scale[t],
            )
            for state in all_states(houses)
        ]
        for t, rate in enumerate(rates)
    ]
    initial = oracles.chances(day.scenario, street, 0)[0]
    moves = oracles.matrices(day.scenario, street, 0)
    expected = oracles.posterior_by_paths(initial, moves, likelihoods, houses)[-1]
    ours = literal(day, steps)[-1].models[0].posterior
    np.testing.assert_allclose(ours, [float(p) for p in expected], rtol=1e-9)
    assert float(mpmath.fsum(expected)) == pytest.approx(1)
