"""The walk through a day: 64 random bits per house and step, chances of 0 and 1 exactly, a slow twin."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rtp import PRESETS, Habits, Scenario
from rtp.scenario import period
from rtp.simulation import live
from rtp.street import draw, simulate
from rtp.street.draw import Use
from rtp.street.room import LINE, PAGE, SHAPES, Room
from rtp.street.schedule import INTERIOR, schedule_of
from rtp.street.simulate import LARGEST, UNIT, consumption, replay_houses, threshold, totals
from tests.help.strategies import habits

SMALLEST, LARGEST_WORD = np.array([[0]], dtype=np.uint32), np.array([[LARGEST]], dtype=np.uint32)


def happens(chance: float, word: np.ndarray) -> bool:
    out = np.empty((1, 1), dtype=bool)
    threshold(np.full((4, 1), chance)).beats(0, word, out)
    return bool(out[0, 0])


@given(st.floats(0, 1))
def test_a_chance_is_met_to_within_one_word_in_four_thousand_million(chance: float) -> None:
    ready = threshold(np.full((4, 1), chance))
    favourable = 2**32 if ready.sure is not None else int(ready.limit[0, 0])
    assert favourable - 1 < Fraction(chance) * 2**32 <= favourable <= 2**32
    if favourable < 2**32:
        assert not favourable or happens(chance, np.array([[favourable - 1]], dtype=np.uint32))
        assert not happens(chance, np.array([[favourable]], dtype=np.uint32))


def test_what_is_impossible_never_happens_and_what_is_sure_always_does() -> None:
    assert not happens(0.0, SMALLEST)
    assert happens(1.0, LARGEST_WORD)
    assert happens(5e-324, SMALLEST)
    assert not happens(1 - INTERIOR, LARGEST_WORD)
    assert UNIT / INTERIOR < 2.4e-4  # the most by which the smallest interior chance is off, relative to it


@given(habits(), st.integers(0, 99))
def test_a_walk_is_what_its_words_say_step_by_step(habit: Habits, seed: int) -> None:
    plan, houses, days = schedule_of(habit), 3, 2
    leave, arrive = plan.leave[:, None] * [1.0, 0.5, 0.0], plan.arrive[:, None] * [1.0, 0.0, 0.5]
    bounds = np.array([1.0, 0.5, 2.0]), np.array([0.1, 0.7, 0.0])
    rng = np.random.default_rng(seed)
    now = (rng.random(houses) < plan.initial).tolist()
    states, used = [], []
    for step in range(days * len(plan.period)):
        words = rng.integers(2**64, size=houses, dtype=np.uint64).view(np.uint32).tolist()
        states.append(list(now))
        used.append([words[houses + h] / 2**32 * bounds[not now[h]][h] for h in range(houses)])
        p = plan.period[step % len(plan.period)]
        for h in range(houses):
            moves = words[h] / 2**32 < (leave if now[h] else arrive)[p, h]
            now[h] = now[h] != moves
    use = Use(occupied_bound=bounds[0], empty_bound=bounds[1])
    drawn = [
        (s.copy(), consumption((s, w), use))
        for s, w in simulate.walk(simulate.alone(np.random.default_rng(seed)), plan, leave, arrive, days)
    ]
    np.testing.assert_array_equal(np.concatenate([s for s, _ in drawn]), states)
    np.testing.assert_array_equal(np.concatenate([c for _, c in drawn]), used)
    again = simulate.walk(simulate.alone(np.random.default_rng(seed)), plan, leave, arrive, days)
    count, demand = totals(again, use, Room())
    np.testing.assert_array_equal(count, np.sum(states, axis=1))
    np.testing.assert_allclose(demand, np.sum(used, axis=1), rtol=1e-14)


@pytest.mark.parametrize("length", [1, 5000, 10**6])
def test_the_length_of_a_stretch_changes_no_number(monkeypatch: pytest.MonkeyPatch, length: int) -> None:
    scenario = PRESETS["mixed street"].replace(households=700, days=2)
    reference = live(scenario)
    monkeypatch.setattr(simulate, "STRETCH", length)
    again = live(scenario)
    assert again.occupied.tobytes() == reference.occupied.tobytes()
    assert again.demand.tobytes() == reference.demand.tobytes()


def test_who_walks_side_by_side_changes_no_number(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two groups of several blocks, the last of each cut short: together, alone, and house by house."""
    scenario = PRESETS["mixed street"].replace(households=5 * draw.BLOCK + 77)
    together = live(scenario)
    monkeypatch.setattr(draw, "BATCH", 1)
    alone = live(scenario)
    assert len(alone.spec.batches) > len(together.spec.batches)
    np.testing.assert_array_equal(together.occupied, alone.occupied)
    states, used = replay_houses(alone.spec, alone.street, range(scenario.households))
    np.testing.assert_array_equal(together.occupied, states.sum(axis=1))
    # sums of eleven thousand positive numbers in another order
    for demand in (together.demand, alone.demand):
        np.testing.assert_allclose(demand, used.sum(axis=1), rtol=1e-13)
    np.testing.assert_allclose(together.true_moments.demand, alone.true_moments.demand, rtol=1e-13)


@pytest.mark.parametrize(("leave", "arrive"), [(0.0, 0.0), (1.0, 1.0), (1.0, 0.0), (0.0, 1.0)])
@pytest.mark.parametrize("initial", [0.0, 1.0])
def test_a_street_that_is_certain_leaves_exactly_nothing_uncertain(
    leave: float, arrive: float, initial: float
) -> None:
    parts = tuple(period(p.name, p.start, leave=leave, arrive=arrive, basis="step") for p in Habits().periods)
    model = Scenario().models[0].replace(habits=(Habits(initial_occupied=initial, periods=parts),))
    life = live(Scenario(models=(model,), households=777))
    assert not life.true_moments.occupancy_variance.any()
    assert not life.true_moments.lag1_covariance.any()
    np.testing.assert_array_equal(life.true_moments.occupied[0], life.occupied)


def test_memory_is_used_again_and_grows_where_it_must() -> None:
    room = Room()
    first = room.floats("a", 3, 2)
    assert np.shares_memory(first, room.floats("a", 2, 3))
    assert room.floats("a", 3, 2) is first
    assert room.floats("a", 4, 5).shape == (4, 5)
    assert not np.shares_memory(room.floats("b", 2, 3), room.floats("a", 2, 3))
    assert np.shares_memory(room.bools("a", 2, 2), room.bools("a", 6))
    assert room.bools("a", 7).dtype == bool
    for length in range(1, 3 * SHAPES):
        assert room.floats("c", 2, length).shape == (2, length)
    assert len(room.floats.shaped) <= SHAPES


@pytest.mark.parametrize("length", [1, 7, 504, 512, 1000, 4096])
def test_rows_begin_on_cache_lines_and_elsewhere_in_the_page_than_the_one_before(length: int) -> None:
    room = Room()
    for rows in (room.floats("a", 3, length), room.words("a", 3, length), room.bools("a", 3, length)):
        places = [row.ctypes.data for row in rows]
        assert not any(place % LINE for place in places)
        assert all((after - before) % PAGE for before, after in pairwise(places))
