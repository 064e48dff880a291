"""The audit, exactly: what every release gives away, house by house."""

from dataclasses import replace
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rtp import PRESETS, Scenario, simulate
from rtp.audit.exact import both_possible, exact_loss, exact_losses, possible_states, required_scale
from rtp.core.time import STEPS_PER_DAY
from rtp.mechanisms import REGISTRY
from rtp.simulation import draw_day, market, publish_day
from tests.help.few import few
from tests.help.hourly import HOURLY


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


# Whose state is open and how much noise that takes: the audit's own answers beside the mechanisms'


CHANCES = st.sampled_from([0.0, 0.3, 1.0])


@given(CHANCES, st.lists(CHANCES, min_size=4, max_size=4))
def test_a_state_is_possible_where_a_path_leads_to_it(initial: float, moves: list[float]) -> None:
    """Every path of six steps, through two periods, with its probability."""
    leave, arrive = moves[:2], moves[2:]
    period = [step // 3 for step in range(STEPS_PER_DAY)]
    reached = np.zeros((6, 2))
    for path in product((0, 1), repeat=6):
        chance = initial if path[0] else 1 - initial
        for step, (start, end) in enumerate(pairwise(path)):
            p = period[step]
            away = leave[p] if start else arrive[p]
            chance *= away if start != end else 1 - away
        for step, state in enumerate(path):
            reached[step, state] += chance
    assert both_possible(initial, period, leave, arrive, 6) == (reached > 0).all(axis=1).tolist()


@pytest.mark.parametrize("preset", few(HOURLY, *list(HOURLY)[1::3]))
def test_the_audit_finds_whom_the_mechanisms_protect_and_the_noise_they_add(preset: str) -> None:
    few = min(HOURLY[preset].households, 120)
    scenario = HOURLY[preset].replace(households=few, days=2, negligible=0.02)
    life = draw_day(scenario)
    possible, kinds = possible_states(life), life.support_classes
    np.testing.assert_array_equal(possible.both[:, possible.house_class], kinds.protected[:, kinds.of_house])
    known = market(scenario, life).public
    for name, mechanism in REGISTRY.items():
        asked, added = required_scale(mechanism, scenario, life, possible), mechanism.scale(known)
        if mechanism.protects in ("uncertain", "likely"):
            np.testing.assert_allclose(asked.scale * scenario.alpha, added.scale[:, 0], rtol=1e-12)
            np.testing.assert_array_equal(asked.house, added.noise_setting_house[:, 0])
        assert (asked.scale * scenario.alpha <= added.scale[:, 0] * (1 + 1e-12)).all(), name
