"""The filter: causal, a function of noisy rates and the public model alone, right about its own error."""

import numpy as np
import pytest
from numpy.random import default_rng

from rtp import PRESETS, Scenario
from rtp.core.types import Floats
from rtp.mechanisms import REGISTRY, Public, filtered
from rtp.simulation import draw_day, market
from rtp.simulation.publish import publish
from rtp.street.schedule import DemandMoments
from tests.help import oracles

FILTERED = REGISTRY["filtered"]


def _known(scenario: Scenario) -> tuple[Public, Floats]:
    public = market(scenario, draw_day(scenario)).public
    return public, FILTERED.scale(public).scale[:, 0]


def published(public: Public, scale: Floats, noisy: Floats, response: Floats | None = None) -> Floats:
    """The filter's answers to a day of noisy rates."""
    g = np.ones_like(noisy) if response is None else response
    return filtered.postprocess(public, slice(0, len(noisy)), scale, noisy, g, None)[0]


def conditional_expectation(public: Public, scale: Floats, noisy: Floats) -> Floats:
    """E[rate | noisy rates so far] the direct way: the covariance of the whole day, one inverse per step.

    Per group the covariance of presence at steps s ≤ t is the variance at s times everything carried since.
    """
    o, steps = public.moments, len(noisy)
    carry = np.divide(
        o.lag1_covariance,
        o.occupancy_variance,
        out=np.zeros_like(o.occupancy_variance),
        where=o.occupancy_variance > 0,
    )
    cov = np.zeros((steps, steps))
    for g in range(len(carry)):
        for s in range(steps):
            since = np.concatenate([[1.0], np.cumprod(carry[g, s : steps - 1])])
            cov[s, s:] += o.occupancy_variance[g, s] * since
    cov = np.triu(cov) + np.triu(cov, 1).T + np.diag(o.consumption_variance.sum(axis=0)[:steps])
    tariff = public.tariff
    noise = 2 * (scale[:steps] / tariff.alpha) ** 2
    mean = o.expected_demand[:steps] + tariff.inelastic_demand
    seen = (noisy - tariff.beta) / tariff.alpha
    result = np.empty(steps)
    for t in range(steps):
        past = slice(0, t + 1)
        weights = np.linalg.solve(cov[past, past] + np.diag(noise[past]), cov[past, t])
        result[t] = mean[t] + weights @ (seen[past] - mean[past])
    return tariff.alpha * result + tariff.beta


@pytest.mark.parametrize("name", ["paper", "mixed street", "mansions", "quiet night"])
def test_the_filter_is_the_conditional_expectation(name: str) -> None:
    scenario = PRESETS[name].replace(households=60, alpha=2.0, inelastic_demand=3.0)
    public, scale = _known(scenario)
    tariff = public.tariff
    demand = public.moments.expected_demand + tariff.inelastic_demand
    noisy = tariff.alpha * demand + tariff.beta + default_rng(0).normal(0, 5, scenario.steps)
    expected = conditional_expectation(public, scale, noisy)
    np.testing.assert_allclose(published(public, scale, noisy), expected, rtol=1e-9)


@pytest.mark.parametrize("elasticity", [0.0, 0.8])
def test_the_same_noisy_rates_give_the_same_published_rates(elasticity: float) -> None:
    """Two worlds, other states and consumption, noise chosen so that the noisy rates agree."""
    scenario = Scenario(households=100, elasticity=elasticity, epsilon=0.3)
    life = draw_day(scenario)
    public = market(scenario, life).public
    scale = FILTERED.scale(public).scale[:, 0]
    rng = default_rng(3)
    one, two = oracles.textbook_days([scenario], life.street, 2, rng)
    assert (one != two).all()
    unit = rng.laplace(size=scenario.steps)
    demand, optimal, rates, _ = publish(FILTERED, public, one, unit, scale)
    response = (demand - public.tariff.inelastic_demand) / one
    # the same noisy rate from the other demand
    compensated = unit + public.tariff.alpha * response * (one - two) / scale
    again = publish(FILTERED, public, two, compensated, scale).rate
    np.testing.assert_allclose(again, rates, rtol=1e-12)
    noisy = optimal + scale * unit
    np.testing.assert_allclose(published(public, scale, noisy, response), rates, rtol=1e-12)


@pytest.mark.parametrize("name", ["paper", "mixed street", "mansions", "quiet night"])
def test_error_variance_under_the_assumed_model_is_its_own(name: str) -> None:
    """The general formula for a filter that may be wrong, where it is right."""
    scenario = PRESETS[name].replace(households=80)
    public, scale = _known(scenario)
    assert FILTERED.error_moments is not None
    response = np.linspace(1.0, 0.5, scenario.steps)
    noisy = np.full(scenario.steps, 100.0)
    _, own, _ = filtered.postprocess(public, slice(0, len(noisy)), scale, noisy, response, None)
    found = FILTERED.error_moments(public, public.moments, scale, response)
    np.testing.assert_allclose(found.variance, own, rtol=1e-9, atol=1e-12)
    # An error is uncorrelated with what is published, so it varies against demand as by itself.
    np.testing.assert_allclose(
        -public.tariff.alpha * found.covariance.sum(axis=0), own, rtol=1e-9, atol=1e-12
    )


@pytest.mark.parametrize("name", ["paper", "mixed street", "elastic demand"])
def test_without_variance_of_demand_the_noise_alone_is_left(name: str) -> None:
    """One impulse per step through the filter: their squares, times the variance 2 of unit Laplace noise."""
    scenario = PRESETS[name].replace(households=80)
    public, scale = _known(scenario)
    assert FILTERED.error_moments is not None
    response = np.linspace(1.0, 0.5, scenario.steps)
    quiet = np.full((scenario.steps, 1), 100.0)
    impulses = published(public, scale[:, None], quiet + np.diag(scale), response[:, None])
    sent = 2 * np.sum((impulses - published(public, scale[:, None], quiet, response[:, None])) ** 2, axis=1)
    given = DemandMoments(*np.zeros((5, len(scenario.groups), scenario.steps)))
    np.testing.assert_allclose(
        FILTERED.error_moments(public, given, scale, response).variance, sent, rtol=1e-9
    )
