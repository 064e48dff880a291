"""The density of all joint states at once, against the density state by state."""

import numpy as np
import pytest
from numpy.random import default_rng

from rtp.arrays import Floats
from rtp.density import states
from rtp.density.states import FEW, LOST_OF_MANY, every_state
from rtp.density.uniforms import LOST, uniforms_plus_laplace
from rtp.joint import all_states


def one_by_one(x: float, occupied: Floats, empty: Floats, b: float) -> Floats:
    widths = [np.where(state, occupied, empty) for state in all_states(len(occupied))]
    return np.array([uniforms_plus_laplace(np.array([x]), each, b)[0] for each in widths])


@pytest.mark.slow
@pytest.mark.parametrize("houses", [1, 2, 3, 5, 6])
@pytest.mark.parametrize("epsilon", [0.05, 0.5, 3.0, 40.0, 1e4, np.inf])
@pytest.mark.parametrize("empty_max", [0.5, 0.0])
def test_it_agrees_with_the_states_one_by_one(houses: int, epsilon: float, empty_max: float) -> None:
    rng = default_rng([houses, int(min(epsilon, 1e6) * 100), int(empty_max * 10)])
    occupied, empty = rng.random(houses), empty_max * rng.random(houses)
    b = float(occupied.max() / epsilon)
    for place in (-0.2, 0.0, 0.1, 0.5, 0.9, 0.99, 1.3):
        x = place * float(occupied.sum())
        ours, theirs = every_state(x, occupied, empty, b), one_by_one(x, occupied, empty, b)
        np.testing.assert_allclose(
            ours, theirs, rtol=2 * LOST if houses <= FEW else LOST + LOST_OF_MANY, atol=0
        )


def test_houses_that_use_nothing_or_next_to_nothing_do_no_harm() -> None:
    occupied, empty = np.array([1.0, 1e-9, 0.0, 3e5]), np.array([1e-200, 0.0, 0.0, 0.4])
    for b in (0.0, 1e-3, 2.0):
        for x in (0.0, 0.3, 2e5):
            np.testing.assert_allclose(
                every_state(x, occupied, empty, b),
                one_by_one(x, occupied, empty, b),
                rtol=LOST + LOST_OF_MANY,
                atol=0,
            )
    assert every_state(0.0, np.zeros(2), np.zeros(2), 0.0).tolist() == [1, 1, 1, 1]
    assert every_state(0.1, np.zeros(2), np.zeros(2), 0.0).tolist() == [0, 0, 0, 0]


def test_a_state_floats_cannot_carry_is_summed_in_decimals(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Floats] = []

    def alone(x: Floats, widths: Floats, b: float) -> Floats:
        asked.append(widths)
        return uniforms_plus_laplace(x, widths, b)

    monkeypatch.setattr(states, "uniforms_plus_laplace", alone)
    occupied, empty = np.ones(6), np.full(6, 2e-4)
    ours = every_state(0.4, occupied, empty, 2.0)
    assert 0 < len(asked) < 2**6
    np.testing.assert_allclose(ours, one_by_one(0.4, occupied, empty, 2.0), rtol=LOST + LOST_OF_MANY, atol=0)
