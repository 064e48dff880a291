"""From the probability over a period to that per step, and back."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.linalg import matrix_power

from rtp import Habits, OccupancyModel, ScenarioError
from rtp.core.time import STEPS_PER_DAY
from rtp.core.types import Floats
from rtp.scenario import PAPER_PERIODS, period
from rtp.scenario.habits import complement, matrix_root, restated_probabilities, step_probabilities
from tests.help.sentence import exactly
from tests.help.strategies import chances

STEPS = st.integers(1, STEPS_PER_DAY - 3)


def _matrix(leave: float, arrive: float) -> Floats:
    return np.array([[1 - arrive, arrive], [leave, 1 - leave]])


def test_step_probabilities_are_those_of_independent_tries() -> None:
    leave, arrive = step_probabilities(period("Noon", 8.0, leave=0.95, arrive=0.05), 32)
    assert leave == pytest.approx(1 - 0.05 ** (1 / 32), rel=1e-14)
    assert arrive == pytest.approx(1 - 0.95 ** (1 / 32), rel=1e-14)


@given(chances(), chances(), STEPS)
def test_period_and_step_probabilities_are_inverse(leave: float, arrive: float, steps: int) -> None:
    part = period("P", 0.0, leave=leave, arrive=arrive)
    np.testing.assert_allclose(
        restated_probabilities(*step_probabilities(part, steps), steps), (leave, arrive), rtol=1e-12
    )


@given(chances(), chances(), STEPS)
def test_certain_and_impossible_stay_so_in_every_basis(leave: float, arrive: float, steps: int) -> None:
    per_step = step_probabilities(period("P", 0.0, leave=leave, arrive=arrive), steps)
    for stated, ours in zip((leave, arrive), per_step, strict=True):
        assert (ours == 0) == (stated == 0)
        assert (ours == 1) == (stated == 1)


def test_step_basis_is_taken_as_it_is() -> None:
    part = period("P", 0.0, leave=0.3, arrive=0.9, basis="step")
    assert step_probabilities(part, 32) == (0.3, 0.9)
    assert step_probabilities(part, 32, "root") == (0.3, 0.9)


@given(chances(), st.floats(0, 1), STEPS)
def test_the_power_of_a_root_is_the_stated_matrix(leave: float, share: float, steps: int) -> None:
    arrive = share * (1 - leave)
    part = period("P", 0.0, leave=leave, arrive=arrive)
    root_leave, root_arrive = step_probabilities(part, steps, "root")
    assert 0 <= root_leave <= 1
    assert 0 <= root_arrive <= 1
    np.testing.assert_allclose(
        matrix_power(_matrix(root_leave, root_arrive), steps), _matrix(leave, arrive), atol=2e-12
    )


@pytest.mark.parametrize(("leave", "arrive"), [(0.9, 0.1), (0.7, 0.3), (0.1, 0.9), (1.0, 0.0), (0.0, 1.0)])
def test_an_eigenvalue_of_0_has_itself_as_root(leave: float, arrive: float) -> None:
    """leave + arrive = 1 has eigenvalue 0; a rounding error's 32nd root would be 0.3."""
    assert step_probabilities(period("P", 0.0, leave=leave, arrive=arrive), 32, "root") == pytest.approx(
        (leave, arrive)
    )


@given(st.floats(0.1, 1), st.floats(1e-6, 1), st.integers(1, 9))
def test_a_sum_above_1_has_odd_stochastic_roots_only(leave: float, share: float, steps: int) -> None:
    """Over an even number of steps never; over one step it is the matrix itself."""
    arrive = 1 - leave + share * leave  # leave + arrive is above 1
    larger = (1 + (leave + arrive - 1) ** (1 / steps)) * max(leave, arrive) / (leave + arrive)
    assume(abs(larger - 1) > 1e-9)
    if steps % 2 == 0 or (larger > 1 and steps > 1):
        sentence = f"leave + arrive = {leave + arrive:.6g} has no stochastic root over {steps} steps."
        with pytest.raises(ValueError, match=exactly(sentence)):
            matrix_root(leave, arrive, steps)
    else:
        root = matrix_root(leave, arrive, steps)
        assert max(root) <= 1
        np.testing.assert_allclose(matrix_power(_matrix(*root), steps), _matrix(leave, arrive), atol=2e-12)


def test_a_matrix_without_root_raises_one_sentence() -> None:
    sentence = "leave + arrive = 1.03 has no stochastic root over 4 steps."
    with pytest.raises(ValueError, match=exactly(sentence)):
        step_probabilities(PAPER_PERIODS[0], 4, "root")


@pytest.mark.parametrize(
    ("ratio", "stated"), [(1, 0.6), (2, (1 - 0.04) / 2), (3, (1 + 0.008) / 2), (4, (1 - 0.0016) / 2)]
)
def test_a_negative_eigenvalue_has_every_whole_power(ratio: int, stated: float) -> None:
    """0.6 and 0.6 have the eigenvalue −0.2, and half of the houses are occupied."""
    assert restated_probabilities(0.6, 0.6, ratio, "root") == pytest.approx((stated, stated), rel=1e-12)


def test_a_negative_eigenvalue_has_no_power_between() -> None:
    sentence = "leave + arrive = 1.2 has no stochastic root over 0.4 steps."
    with pytest.raises(ValueError, match=exactly(sentence)):
        restated_probabilities(0.6, 0.6, 2.5, "root")


def test_who_never_moves_never_does_in_any_time() -> None:
    assert matrix_root(0.0, 0.0, 32) == (0, 0)


@pytest.mark.parametrize(
    ("chance", "rest"),
    [(0.7, 0.3), (0.1234567890123, 0.876543210988), (1e-13, 1 - 1e-13), (1 - 2**-50, 2**-50), (0, 1), (1, 0)],
)
def test_a_complement_has_twelve_digits_unless_they_make_it_certain(chance: float, rest: float) -> None:
    assert complement(chance) == rest


def test_habits_are_common_where_all_keep_the_same_hours() -> None:
    calm = Habits(periods=tuple(part.replace(matrix=((0.5, 0.5), (0.5, 0.5))) for part in PAPER_PERIODS))
    assert OccupancyModel(habits=(Habits(), calm)).common_habits == Habits()
    assert OccupancyModel(habits=(calm,)).common_habits == calm
    assert OccupancyModel(habits=(Habits(), Habits(weekend=PAPER_PERIODS))).common_habits is None
    later = Habits(periods=(PAPER_PERIODS[0].replace(start=6.5), *PAPER_PERIODS[1:]))
    renamed = Habits(periods=(PAPER_PERIODS[0].replace(name="Dawn"), *PAPER_PERIODS[1:]))
    assert [OccupancyModel(habits=(Habits(), each)).common_habits for each in (later, renamed)] == [None] * 2


def test_a_period_begins_with_a_step_wherever_rounding_puts_it() -> None:
    noon = period("Noon", 8 + 35 / 60, leave=0.5, arrive=0.5)
    assert [noon.starts_with_a_step(minutes) for minutes in (5, 10, 15)] == [True, False, False]
    assert noon.first_step(5) == 103
    assert Habits(periods=(noon, noon.replace(name="Late", start=23.0))).steps(5) == (173, 115)


def test_a_weekend_that_overlaps_is_refused_as_such() -> None:
    sentence = (
        "weekend start at [8.0, 8.0]; each must start after the one before, so that they neither overlap nor "
        "leave a gap."
    )
    with pytest.raises(ScenarioError, match=exactly(sentence)):
        Habits(weekend=(PAPER_PERIODS[1], PAPER_PERIODS[1]))
