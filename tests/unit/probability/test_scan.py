"""A chain followed in blocks is the chain that is followed step by step."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rtp.probability import markov
from rtp.probability.hmm import forward_backward


@given(
    seed=st.integers(0, 2**32 - 1),
    steps=st.integers(1, 90),
    states=st.integers(1, 4),
    houses=st.integers(1, 3),
    impossible=st.sampled_from([0.0, 0.4]),
    spread=st.sampled_from([0.0, 5.0, 200.0]),
)
def test_blocks_give_what_the_filter_gives(
    seed: int, steps: int, states: int, houses: int, impossible: float, spread: float
) -> None:
    """Also where moves are impossible, and where readings all but rule out states for long."""
    rng = np.random.default_rng(seed)
    first = rng.random((states, houses)) + 1e-3
    weight = rng.random((steps, states, states, houses)) + 1e-3
    weight[rng.random(weight.shape) < impossible] = 0.0
    weight[:, range(states), range(states)] += 0.5  # who stays is always possible
    weight *= np.exp(-spread * rng.random((steps, 1, states, houses)))
    found = []
    for least in (0, steps + 1):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(markov, "LONG", least)
            found.append(forward_backward(first, weight))
    blocks, steps_alone = found
    np.testing.assert_allclose(blocks.states, steps_alone.states, atol=1e-9)
    np.testing.assert_allclose(blocks.moves, steps_alone.moves, atol=1e-9)
    np.testing.assert_allclose(blocks.evidence, steps_alone.evidence, atol=1e-9, rtol=1e-9)
