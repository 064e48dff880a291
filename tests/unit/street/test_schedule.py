"""Coming and going: bases, habits, expected occupancy, what is possible."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.random import default_rng

from rtp.core.time import STEPS_PER_DAY
from rtp.core.types import Bools, Floats
from rtp.scenario import Habits, period
from rtp.simulation.setup import schedule_of
from rtp.street.moments import block_moments
from rtp.street.schedule import INTERIOR, Schedule, both_states_possible, personal_habits
from tests.help.strategies import habits

PAPER = schedule_of(Habits())


def _matrix(leave: float, arrive: float) -> Floats:
    return np.array([[1 - arrive, arrive], [leave, 1 - leave]])


def test_the_matrix_of_the_period_containing_a_step_drives_it() -> None:
    """At 07:00 the street still looks like the night: step 28 is the first that the morning moves."""
    assert [int(PAPER.period[hour * 4]) for hour in (0, 6, 7, 8, 15, 16, 22, 23)] == [3, 3, 0, 1, 1, 2, 2, 3]
    assert PAPER.runs == [(0, 28, 3), (28, 32, 0), (32, 64, 1), (64, 92, 2), (92, 96, 3)]


def _draws(houses: int, seed: int = 0) -> np.ndarray:
    return default_rng(seed).standard_normal((houses, 2, 4), dtype=np.float32)


@given(habits(), st.sampled_from([0.0, 0.01, 0.5]), st.sampled_from(["interior", "closed"]))
def test_personal_habits_keep_structure_and_stay_probabilities(
    habit: Habits, spread: float, clip: str
) -> None:
    plan = schedule_of(habit)
    leave, arrive = personal_habits(plan, _draws(200), spread, clip)
    for p, part in enumerate(habit.periods):
        for stated, ours in ((part.leave, leave[p]), (part.arrive, arrive[p])):
            assert (ours >= 0).all()
            assert (ours <= 1).all()
            if stated in (0, 1):
                assert (ours == stated).all()
            elif clip == "interior":
                assert (ours >= INTERIOR).all()
                assert (ours <= 1 - INTERIOR).all()


@given(habits(), st.integers(1, 2))
def test_expected_occupancy_is_the_product_of_matrices(habit: Habits, days: int) -> None:
    plan = schedule_of(habit)
    leave, arrive = personal_habits(plan, _draws(3), 0.05, "interior")
    for house in range(3):
        one, use = slice(house, house + 1), np.ones((2, 1))
        ours = block_moments(plan, leave[:, one], arrive[:, one], use, use, days * STEPS_PER_DAY)[0]
        law = np.array([1 - plan.initial, plan.initial])
        for step in range(days * STEPS_PER_DAY):
            assert ours[step] == pytest.approx(law[1], abs=1e-13)
            p = plan.period[step % STEPS_PER_DAY]
            law = law @ _matrix(leave[p, house], arrive[p, house])


@given(habits())
def test_both_states_are_possible_where_both_can_be_reached(habit: Habits) -> None:
    plan = schedule_of(habit)
    both = both_states_possible(
        np.array([plan.initial]), plan.period[None], plan.possible[None], 2 * STEPS_PER_DAY
    )[:, 0]
    empty, occupied = _possible_by_reachability(plan, 2)
    np.testing.assert_array_equal(both, empty & occupied)


def _possible_by_reachability(plan: Schedule, days: int) -> tuple[Bools, Bools]:
    """Which states can be reached, by walking sets of states."""
    here = {s for s, p in ((0, 1 - plan.initial), (1, plan.initial)) if p > 0}
    reached = []
    for step in range(days * STEPS_PER_DAY):
        reached.append((0 in here, 1 in here))
        p = plan.period[step % STEPS_PER_DAY]
        matrix = _matrix(plan.leave[p], plan.arrive[p])
        here = {to for to in (0, 1) for come in here if matrix[come, to] > 0}
    empty, occupied = np.array(reached).T
    return empty, occupied


def test_possibility_never_comes_from_an_underflowed_probability() -> None:
    """Leaving at 1 − 10⁻¹⁵ a step leaves 10⁻¹⁴⁴⁰ after a day: 0 as a float, but possible."""
    sleepy = period("Night", 0.0, leave=1 - 1e-15, arrive=0.0, basis="step")
    plan = schedule_of(
        Habits(
            periods=tuple(sleepy.replace(name=f"P{i}", start=float(i)) for i in range(4)),
            initial_occupied=1.0,
        )
    )
    both = both_states_possible(np.array([1.0]), plan.period[None], plan.possible[None], STEPS_PER_DAY)[:, 0]
    assert not both[0]
    assert both[1:].all()
