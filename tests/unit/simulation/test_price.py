"""Pricing a lived day: many days of noise at once are those days one by one."""

import numpy as np
import pytest
from numpy.random import default_rng

from rtp import PRESETS
from rtp.mechanisms import REGISTRY
from rtp.simulation import live, market, price, walk


@pytest.mark.parametrize("clip", [False, True])
@pytest.mark.parametrize("elasticity", [0.0, 0.8])
@pytest.mark.parametrize("name", REGISTRY)
def test_many_days_at_once_are_the_days_one_by_one(name: str, elasticity: float, clip: bool) -> None:
    scenario = PRESETS["mixed street"].replace(
        households=30, elasticity=elasticity, epsilon=0.05, beta=2.0, clip_at_zero=clip
    )
    known = market(scenario, live(scenario))
    mechanism = REGISTRY[name]
    scale = mechanism.scale(known.public).scale[:, None] * np.array([1.0, 0.5, 2.0])  # three budgets
    added = scale * default_rng(5).laplace(size=scale.shape)
    together = price(mechanism, known.public, known.life.demand, added, scale)
    for day in range(3):
        alone = price(mechanism, known.public, known.life.demand, added[:, day], scale[:, day])
        for ours, theirs in zip(together, alone, strict=True):
            own = np.broadcast_to(ours, scale.shape)[:, day]
            np.testing.assert_allclose(own, theirs, rtol=1e-9, atol=1e-12)


def test_the_walk_is_the_formula_where_a_rate_is_published_as_it_is() -> None:
    """Without price response and publisher there is nothing to carry from step to step."""
    scenario = PRESETS["paper"].replace(households=20, inelastic_demand=4.0)
    known = market(scenario, live(scenario))
    scale = REGISTRY["blowfish"].scale(known.public).scale
    added = scale * default_rng(6).laplace(size=scenario.steps)
    at_once = price(REGISTRY["blowfish"], known.public, known.life.demand, added, scale)
    steps = walk(REGISTRY["blowfish"], known.public, known.life.demand, added.tolist(), scale.tolist(), 1.0)
    for ours, theirs in zip(at_once, np.array(list(steps)).T, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-12)
    np.testing.assert_allclose(at_once.demand, known.life.demand + 4.0, rtol=1e-12)
    np.testing.assert_allclose(at_once.rate, known.life.demand + 4.0 + 62.5 + added, rtol=1e-12)
    np.testing.assert_array_equal(at_once.variance, 2 * scale**2)


@pytest.mark.parametrize("noise", [0.0, 1.0])
@pytest.mark.parametrize("preset", ["paper", "mixed street", "quiet night"])
@pytest.mark.parametrize("name", [name for name, mechanism in REGISTRY.items() if mechanism.whole_day])
def test_a_whole_day_at_once_is_its_steps_one_by_one(name: str, preset: str, noise: float) -> None:
    mechanism = REGISTRY[name]
    scenario = PRESETS[preset].replace(
        households=20, inelastic_demand=4.0, beta=0.0, alpha=0.5, epsilon=0.02, clip_at_zero=True
    )
    known = market(scenario, live(scenario))
    scale = noise * mechanism.scale(known.public).scale
    added = scale * default_rng(7).laplace(size=scenario.steps)
    at_once = price(mechanism, known.public, known.life.demand, added, scale)
    steps = walk(mechanism, known.public, known.life.demand, added.tolist(), scale.tolist(), 1.0)
    for ours, theirs in zip(at_once, np.array(list(steps)).T, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-12, atol=1e-12)
