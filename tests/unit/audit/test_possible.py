"""Whose state is open and how much noise that takes: the audit's own answers beside the mechanisms'."""

from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rtp.audit.possible import both_possible, possible_states, required_scale
from rtp.core.time import STEPS_PER_DAY
from rtp.mechanisms import REGISTRY
from rtp.simulation import draw_day, market
from tests.help.few import few
from tests.help.hourly import HOURLY

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
