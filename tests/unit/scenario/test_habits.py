"""From the probability over a period to that per step, and back."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.linalg import matrix_power

from rtp.core.time import STEPS_PER_DAY
from rtp.core.types import Floats
from rtp.scenario import PAPER_PERIODS, period
from rtp.scenario.habits import matrix_root, restated_probabilities, step_probabilities
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
        with pytest.raises(ValueError, match="has no stochastic root"):
            matrix_root(leave, arrive, steps)
    else:
        root = matrix_root(leave, arrive, steps)
        assert max(root) <= 1
        np.testing.assert_allclose(matrix_power(_matrix(*root), steps), _matrix(leave, arrive), atol=2e-12)


def test_a_matrix_without_root_raises_one_sentence() -> None:
    sentence = "leave + arrive = 1.03 has no stochastic root over 4 steps."
    with pytest.raises(ValueError, match=exactly(sentence)):
        step_probabilities(PAPER_PERIODS[0], 4, "root")
