"""The audit, exactly: what every release gives away, house by house."""

from dataclasses import replace

import numpy as np
import pytest

from rtp import PRESETS, Scenario, simulate
from rtp.audit.exact import exact_loss, exact_losses
from rtp.mechanisms import REGISTRY
from rtp.simulation import draw_day, publish_day


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_every_promise_is_kept_at_every_step(preset: str) -> None:
    scenario = PRESETS[preset].replace(households=min(PRESETS[preset].households, 300))
    day = simulate(scenario)
    for name, spent in exact_losses(day).items():
        assert spent.kept, name
        promised = np.cumsum(np.full(scenario.steps, spent.promised))
        assert (spent.spent_so_far <= promised * (1 + 1e-9)).all()
        assert spent.spent_so_far[-1] == spent.total.max()


def test_blowfish_noise_is_tight_for_a_house_that_uses_its_bound_or_nothing() -> None:
    day = simulate(PRESETS["mansions"].replace(households=200))
    spent = exact_loss(day, "blowfish")
    np.testing.assert_allclose(spent.any_use, day.scenario.epsilon, rtol=1e-12)
    assert spent.spent.max() < day.scenario.epsilon
    assert exact_loss(day, "calibrated").any_use.max() > day.scenario.epsilon


@pytest.mark.parametrize("name", ["blowfish", "calibrated", "filtered"])
def test_noise_too_narrow_is_not_accepted(name: str) -> None:
    """By whatever use of energy the promise allows: to Blowfish, all of the bound or nothing."""
    day = simulate(Scenario(households=50))
    narrow = replace(day.release[name], scale=0.99 * day.release[name].scale)
    assert not exact_loss(replace(day, release={**day.release, name: narrow}), name).kept


def test_an_emptied_protected_set_fools_nobody() -> None:
    """The audit works out by itself whose state is open: with nobody protected the exact rate goes out."""
    scenario = Scenario(households=30)
    life = draw_day(scenario)
    nobody = replace(
        life.support_classes, both_states_possible=np.zeros_like(life.support_classes.both_states_possible)
    )
    found = exact_losses(publish_day(scenario, replace(life, support_classes=nobody)))
    guarding = [name for name in REGISTRY if REGISTRY[name].protects in ("uncertain", "likely")]
    assert [name for name, spent in found.items() if not spent.kept] == guarding
    assert np.isinf(found["blowfish"].spent).all()
