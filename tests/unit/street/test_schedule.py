"""Coming and going: bases, habits, expected occupancy, what is possible."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.random import default_rng

from rtp.core.time import STEPS_PER_DAY
from rtp.scenario import Habits, period
from rtp.simulation.setup import schedule_of
from rtp.street.schedule import INTERIOR, both_states_possible, personal_habits
from tests.help.strategies import habits


def _draws(houses: int, seed: int = 0) -> np.ndarray:
    return default_rng(seed).standard_normal((houses, 2, 4), dtype=np.float32)


@given(habits(), st.sampled_from([0.0, 0.01, 0.5]))
def test_personal_habits_keep_structure_and_stay_probabilities(habit: Habits, spread: float) -> None:
    plan = schedule_of(habit)
    leave, arrive = personal_habits(plan, _draws(200), spread)
    for p, part in enumerate(habit.periods):
        for stated, ours in ((part.leave, leave[p]), (part.arrive, arrive[p])):
            if stated in (0, 1):
                assert (ours == stated).all()
            else:
                assert (ours >= INTERIOR).all()
                assert (ours <= 1 - INTERIOR).all()


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
