"""From the probability over a period to that per step, and back."""

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from numpy.linalg import matrix_power

from rtp.core.time import STEPS_PER_DAY
from rtp.core.types import Floats
from rtp.scenario import PAPER_PERIODS, period
from rtp.scenario.habits import matrix_root, restated_probabilities, step_probabilities
from tests.help.strategies import chances

STEPS = st.integers(1, STEPS_PER_DAY - 3)


def _matrix(leave: float, arrive: float) -> Floats:
    return np.array([[1 - arrive, arrive], [leave, 1 - leave]])


@given(chances(), chances(), STEPS)
def test_period_and_step_probabilities_are_inverse(leave: float, arrive: float, steps: int) -> None:
    """What is certain or impossible stays so in every basis; what is stated per step is taken as it is."""
    per_step = step_probabilities(period("P", 0.0, leave=leave, arrive=arrive), steps)
    np.testing.assert_allclose(restated_probabilities(*per_step, steps), (leave, arrive), rtol=1e-12)
    for stated, ours in zip((leave, arrive), per_step, strict=True):
        assert (ours == 0, ours == 1) == (stated == 0, stated == 1)
    for conversion in ("geometric", "root"):
        part = period("P", 0.0, leave=leave, arrive=arrive, basis="step")
        assert step_probabilities(part, steps, conversion) == (leave, arrive)


@given(chances(), st.floats(0, 1), STEPS)
@example(0.9, 1.0, 32)  # an eigenvalue of 0: the 32nd root of its rounding error would be 0.3
@example(0.7, 1.0, 32)
def test_the_power_of_a_root_is_the_stated_matrix(leave: float, share: float, steps: int) -> None:
    arrive = share * (1 - leave)
    root = step_probabilities(period("P", 0.0, leave=leave, arrive=arrive), steps, "root")
    assert 0 <= min(root) <= max(root) <= 1
    np.testing.assert_allclose(matrix_power(_matrix(*root), steps), _matrix(leave, arrive), atol=2e-12)


@given(st.floats(0.1, 1), st.floats(1e-6, 1), st.integers(1, 9))
def test_a_sum_above_1_has_odd_stochastic_roots_only(leave: float, share: float, steps: int) -> None:
    """Over an even number of steps never; over one step it is the matrix itself."""
    arrive = 1 - leave + share * leave  # leave + arrive is above 1
    larger = (1 + (leave + arrive - 1) ** (1 / steps)) * max(leave, arrive) / (leave + arrive)
    assume(abs(larger - 1) > 1e-9)
    if steps % 2 == 0 or (larger > 1 and steps > 1):
        with pytest.raises(ValueError, match=f"{leave + arrive:.6g} .* {steps} steps"):
            matrix_root(leave, arrive, steps)
    else:
        root = matrix_root(leave, arrive, steps)
        assert max(root) <= 1
        np.testing.assert_allclose(matrix_power(_matrix(*root), steps), _matrix(leave, arrive), atol=2e-12)


def test_a_matrix_without_root_raises_one_sentence() -> None:
    """A negative eigenvalue, −0.2 of 0.6 and 0.6, has every whole power and none between."""
    with pytest.raises(ValueError, match=r"1\.03 .* 4 steps"):
        step_probabilities(PAPER_PERIODS[0], 4, "root")
    with pytest.raises(ValueError, match=r"1\.2 .* 0\.4 steps"):
        restated_probabilities(0.6, 0.6, 2.5, "root")
    for ratio in (1, 2, 3, 4):
        stated = (1 - (-0.2) ** ratio) / 2  # half of the houses are occupied
        assert restated_probabilities(0.6, 0.6, ratio, "root") == pytest.approx((stated, stated), rel=1e-12)
    assert matrix_root(0.0, 0.0, 32) == (0, 0)
