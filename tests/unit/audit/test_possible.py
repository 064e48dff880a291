"""Whose state is open and how much noise that takes: the audit's own answers beside the mechanisms'."""

from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rtp import PRESETS, Habits, OccupancyModel, Scenario
from rtp.audit.possible import (
    Shape,
    both_likely,
    both_possible,
    loss_at_share,
    possible_states,
    required_scale,
    widest_noise,
)
from rtp.core.time import STEPS_PER_DAY
from rtp.core.types import Bools
from rtp.mechanisms import REGISTRY
from rtp.probability.privacy_loss import privacy_loss
from rtp.simulation import draw_day, market
from tests.help.hourly import HOURLY
from tests.unit.attack.streets import bare_street

CHANCES = st.sampled_from([0.0, 0.3, 1.0])


@given(CHANCES, st.lists(CHANCES, min_size=4, max_size=4))
@settings(max_examples=60, deadline=None)
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


@pytest.mark.parametrize("clip", ["interior", "closed"])
@pytest.mark.parametrize("preset", HOURLY)
def test_the_audit_finds_whom_the_mechanisms_protect_and_the_noise_they_add(preset: str, clip: str) -> None:
    few = min(HOURLY[preset].households, 120)
    scenario = HOURLY[preset].replace(households=few, habit_clip=clip, days=2, negligible=0.02)
    life = draw_day(scenario)
    possible, kinds = possible_states(life), life.support_classes
    np.testing.assert_array_equal(possible.both[:, possible.house_class], kinds.protected[:, kinds.of_house])
    known = market(scenario, life).public
    for name, mechanism in REGISTRY.items():
        asked, added = required_scale(mechanism, scenario, life, possible), mechanism.scale(known)
        if mechanism.protects in ("uncertain", "likely"):
            np.testing.assert_allclose(asked.scale * scenario.alpha, added.scale, rtol=1e-12)
            np.testing.assert_array_equal(asked.house, added.noise_setting_house)
        assert (asked.scale * scenario.alpha <= added.scale * (1 + 1e-12)).all(), name


@pytest.mark.parametrize("epsilon", [1e-4, 0.5, 8.0, 1e4])
def test_narrower_noise_gives_away_what_is_said(epsilon: float) -> None:
    """Point masses: ε/share. Uniform consumption: more than that, as the loss is convex in 1/b."""
    scenario = PRESETS["paper"].replace(households=20, epsilon=epsilon)
    life = draw_day(scenario)
    one, other = (
        [loss_at_share(share, REGISTRY[name], scenario, life, possible_states(life)) for share in (1.0, 0.95)]
        for name in ("blowfish", "calibrated")
    )
    assert one == pytest.approx([epsilon, epsilon / 0.95], rel=1e-12)
    assert other[0] == pytest.approx(epsilon, rel=1e-9)
    assert other[1] >= epsilon / 0.95 * (1 - 1e-9)


@pytest.mark.parametrize(
    ("threshold", "likely"), [(0.2499, True), (0.25 * (1 - 5e-10), False), (0.25, False), (0.2501, False)]
)
def test_a_state_that_is_just_as_likely_as_the_threshold_is_not_likelier(
    threshold: float, likely: bool
) -> None:
    """Rounding, of a billionth, decides nothing."""
    habits = Habits().replace(initial_occupied=0.25)
    model = OccupancyModel(name="Out", habits=(habits,))
    life = draw_day(Scenario(households=2, models=(model,), habit_spread=0.0))
    assert both_likely(life, threshold)[0].tolist() == [likely] * 2


# the first house has the largest gap; the third loses most, as it uses far more in either state
USES = bare_street(np.array([1.0, 0.3, 10.0]), np.array([0.0, 0.3, 9.2]))
ONLY_ALIKE, NOBODY, ALL = np.array([False, True, False]), np.zeros(3, dtype=bool), np.ones(3, dtype=bool)


@pytest.mark.parametrize(
    ("who", "shape", "needed"),
    [
        (NOBODY, "point", (0.0, -1)),
        (NOBODY, "uniform", (0.0, -1)),
        (ONLY_ALIKE, "point", (0.3 / 0.32, 1)),
        (ONLY_ALIKE, "uniform", (0.0, -1)),
        (ALL, "point", (10 / 0.32, 2)),
    ],
)
def test_noise_for_some_houses(who: Bools, shape: Shape, needed: tuple[float, int]) -> None:
    assert widest_noise(USES, who, 0.32, shape) == needed


def test_the_house_that_needs_most_noise_need_not_be_the_one_that_moves_demand_most() -> None:
    b, house = widest_noise(USES, ALL, 0.32, "uniform")
    losses = privacy_loss(b, USES.occupied_bound, USES.empty_bound)
    assert house == losses.argmax() == 2
    assert losses[2] == pytest.approx(0.32, rel=1e-13)
