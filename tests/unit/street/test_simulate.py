"""Simulated days: 64 random bits per house and step, probabilities of 0 and 1 exactly, a slow twin."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from fractions import Fraction
from math import ceil
from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.random import Generator, default_rng

from rtp import PRESETS, Habits
from rtp.simulation import draw_day
from rtp.simulation.setup import schedule_of
from rtp.street.draw import BLOCK, Use
from rtp.street.schedule import simulate_chain
from rtp.street.simulate import replay_houses
from tests.help.strategies import habits


def moves(probability: float, word: int) -> bool:
    """Whether a house that is occupied leaves, and one that is empty arrives, at this random word."""
    plan = schedule_of(Habits())
    bits = SimpleNamespace(random_raw=lambda shape: np.full(shape, word, dtype=np.uint64))
    rng = cast(Generator, SimpleNamespace(random=lambda shape: np.array([0.0, 0.9]), bit_generator=bits))
    same = np.full((4, 2), probability)
    (first, second) = (row for _, states, _ in simulate_chain(rng, plan, same, same, 2) for row in states)
    assert first.tolist() == [True, False]
    moved = (first != second).tolist()
    assert moved[0] == moved[1]
    return bool(moved[0])


@given(st.floats(0, 1))
def test_a_probability_is_met_to_within_two_to_the_minus_32(probability: float) -> None:
    favourable = ceil(Fraction(probability) * 2**32)
    assert favourable == 0 or moves(probability, (favourable - 1) * (2**32 + 1))
    assert favourable == 2**32 or not moves(probability, favourable * (2**32 + 1))


@given(habits(), st.integers(0, 99))
def test_a_simulated_day_is_what_its_random_bits_say(habit: Habits, seed: int) -> None:
    plan, houses, steps = schedule_of(habit), 3, 2 * 96
    leave, arrive = plan.leave[:, None] * [1.0, 0.5, 0.0], plan.arrive[:, None] * [1.0, 0.0, 0.5]
    bounds = np.array([1.0, 0.5, 2.0]), np.array([0.1, 0.7, 0.0])
    rng = default_rng(seed)
    now = (rng.random(houses) < plan.initial).tolist()
    states, used = [], []
    for step in range(steps):
        words = rng.integers(2**64, size=houses, dtype=np.uint64).view(np.uint32).tolist()
        states.append(list(now))
        used.append([words[houses + h] / 2**32 * bounds[not now[h]][h] for h in range(houses)])
        p = plan.period[step % len(plan.period)]
        for h in range(houses):
            happens = words[h] / 2**32 < (leave if now[h] else arrive)[p, h]
            now[h] = now[h] != happens
    use = Use(occupied_bound=bounds[0], empty_bound=bounds[1])
    simulated = list(simulate_chain(default_rng(seed), plan, leave, arrive, steps))
    np.testing.assert_array_equal(np.concatenate([own for _, own, _ in simulated]), states)
    ours = np.concatenate([use.at(own, uniform) for _, own, uniform in simulated])
    np.testing.assert_array_equal(ours, used)


def test_the_street_is_the_sum_of_its_houses_drawn_again() -> None:
    """Two groups of several blocks, the last of each cut short, over two days."""
    scenario = PRESETS["mixed street"].replace(households=3 * BLOCK + 77, days=2)
    day = draw_day(scenario)
    states, used = replay_houses(day.spec, day.street, range(scenario.households))
    np.testing.assert_array_equal(day.occupied, states.sum(axis=1))
    # sums of six thousand positive numbers in another order
    np.testing.assert_allclose(day.demand, used.sum(axis=1), rtol=1e-13)
    some = [5, BLOCK + 3, scenario.households - 1, 5]
    for whole, part in zip((states, used), replay_houses(day.spec, day.street, some), strict=True):
        np.testing.assert_array_equal(part, whole[:, some])


PIECES = PRESETS["mixed street"].replace(households=3 * BLOCK, step_minutes=60)


@pytest.mark.slow
@pytest.mark.parametrize("together", [1, 100])
def test_an_executor_changes_no_byte(together: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many blocks travel together; also where filter and forecast believe another model."""
    monkeypatch.setattr("rtp.street.simulate.TASK_BLOCKS", together)
    believing = PIECES.replace(
        models=(*PIECES.models, PIECES.models[0].replace(name="Other")), assumed_model="Other"
    )
    progress: list[float] = []
    with ThreadPoolExecutor(2) as pool:
        there, here = draw_day(believing, progress.append, pool), draw_day(believing)
    assert progress[-1] == 1.0
    np.testing.assert_array_equal(there.demand, here.demand)
    np.testing.assert_array_equal(there.occupied, here.occupied)
    for moments in ("true_moments", "assumed_moments"):
        for one, other in zip(
            *(asdict(getattr(day, moments)).values() for day in (there, here)), strict=True
        ):
            np.testing.assert_array_equal(one, other)
