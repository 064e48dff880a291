"""From the probability over a period to that per step, and back."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rtp.core.time import STEPS_PER_DAY
from rtp.scenario import period
from rtp.scenario.habits import restated_probabilities, step_probabilities
from tests.help.strategies import chances

STEPS = st.integers(1, STEPS_PER_DAY - 3)


@given(chances(), chances(), STEPS)
def test_period_and_step_probabilities_are_inverse(leave: float, arrive: float, steps: int) -> None:
    """What is certain or impossible stays so in every basis; what is stated per step is taken as it is."""
    per_step = step_probabilities(period("P", 0.0, leave=leave, arrive=arrive), steps)
    np.testing.assert_allclose(restated_probabilities(*per_step, steps), (leave, arrive), rtol=1e-12)
    for stated, ours in zip((leave, arrive), per_step, strict=True):
        assert (ours == 0, ours == 1) == (stated == 0, stated == 1)
    part = period("P", 0.0, leave=leave, arrive=arrive, basis="step")
    assert step_probabilities(part, steps) == (leave, arrive)
