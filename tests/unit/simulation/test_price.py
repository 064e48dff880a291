"""Pricing a simulated day: many days of noise at once are those days one by one."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.random import default_rng

from rtp import PRESETS
from rtp.mechanisms import REGISTRY
from rtp.simulation import draw_day, market, price


@pytest.mark.parametrize("clip", [False, True])
@pytest.mark.parametrize("elasticity", [0.0, 0.8])
@pytest.mark.parametrize("name", REGISTRY)
def test_many_days_at_once_are_the_days_one_by_one(name: str, elasticity: float, clip: bool) -> None:
    """Two budgets and three days of noise, along axes of their own."""
    scenario = PRESETS["mixed street"].replace(
        households=30, elasticity=elasticity, epsilon=0.05, beta=2.0, clip_at_zero=clip
    )
    here = market(scenario, draw_day(scenario))
    mechanism, base = REGISTRY[name], here.street_day.demand
    scale = mechanism.scale(here.public).scale[:, None, None] * np.array([[1.0], [0.5]])
    unit = default_rng(5).laplace(size=(scenario.steps, 1, 3))
    together = price(mechanism, here.public, base, unit, scale)
    for budget in range(2):
        for day in range(3):
            alone = price(mechanism, here.public, base, unit[:, 0, day], scale[:, budget, 0])
            for ours, theirs in zip(together, alone, strict=True):
                np.testing.assert_allclose(ours[:, budget, day], theirs, rtol=1e-9, atol=1e-12)


def test_a_rate_published_as_it_is_has_the_plain_formula() -> None:
    scenario = PRESETS["paper"].replace(households=20, inelastic_demand=4.0)
    here = market(scenario, draw_day(scenario))
    scale = REGISTRY["blowfish"].scale(here.public).scale
    unit = default_rng(6).laplace(size=scenario.steps)
    priced = price(REGISTRY["blowfish"], here.public, here.street_day.demand, unit, scale)
    np.testing.assert_allclose(priced.demand, here.street_day.demand + 4.0, rtol=1e-12)
    np.testing.assert_allclose(priced.optimal, here.street_day.demand + 4.0 + 62.5, rtol=1e-12)
    np.testing.assert_allclose(priced.rate, here.street_day.demand + 4.0 + 62.5 + scale * unit, rtol=1e-12)
    np.testing.assert_array_equal(priced.variance, 2 * scale**2)


@pytest.mark.parametrize("noise", [0.0, 1.0])
@pytest.mark.parametrize("preset", ["paper", "mixed street", "quiet night"])
@pytest.mark.parametrize("name", REGISTRY)
def test_all_steps_at_once_are_the_steps_one_by_one(name: str, preset: str, noise: float) -> None:
    """An elasticity that moves nothing makes every step wait for the one before."""
    mechanism = REGISTRY[name]
    scenario = PRESETS[preset].replace(
        households=20, inelastic_demand=4.0, beta=0.0, alpha=0.5, epsilon=0.02, clip_at_zero=True
    )
    here = market(scenario, draw_day(scenario))
    public, base = here.public, here.street_day.demand
    waiting = replace(public, tariff=replace(public.tariff, elasticity=1e-300, reference=1.0))
    scale = noise * mechanism.scale(public).scale
    unit = default_rng(7).laplace(size=scenario.steps)
    at_once, by_steps = (price(mechanism, known, base, unit, scale) for known in (public, waiting))
    for ours, theirs in zip(at_once, by_steps, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-12, atol=1e-12)
