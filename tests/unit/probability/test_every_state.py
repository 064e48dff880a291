"""The density of all joint states at once, against the density state by state."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.random import default_rng

from rtp.algorithm1 import all_states
from rtp.core.types import Bools, Floats
from rtp.probability import states
from rtp.probability.decimals import every_state_in_decimals
from rtp.probability.states import every_state
from rtp.probability.uniforms import LOST, uniforms_plus_laplace
from tests.help import oracles


def one_by_one(x: float, occupied: Floats, empty: Floats, b: float) -> Floats:
    return at_each(np.array([x]), occupied, empty, b)[:, 0]


def at_each(x: Floats, occupied: Floats, empty: Floats, b: float) -> Floats:
    """(2^N, len(x)), state by state."""
    widths = [np.where(state, occupied, empty) for state in all_states(len(occupied))]
    return np.array([uniforms_plus_laplace(x, each, b) for each in widths])


@pytest.mark.slow
@pytest.mark.parametrize("houses", [1, 2, 3, 5, 6])
@pytest.mark.parametrize("epsilon", [0.05, 0.5, 3.0, 40.0, 1e4, np.inf])
@pytest.mark.parametrize("empty_max", [0.5, 0.0])
def test_it_agrees_with_the_states_one_by_one(houses: int, epsilon: float, empty_max: float) -> None:
    rng = default_rng([houses, int(min(epsilon, 1e6) * 100), int(empty_max * 10)])
    occupied, empty = rng.random(houses), empty_max * rng.random(houses)
    b = float(occupied.max() / epsilon)
    places = np.array([-0.2, 0.0, 0.1, 0.5, 0.9, 0.99, 1.3]) * occupied.sum()
    for x, theirs in zip(places.tolist(), at_each(places, occupied, empty, b).T, strict=True):
        np.testing.assert_allclose(every_state(x, occupied, empty, b), theirs, rtol=2 * LOST, atol=0)


def test_houses_that_use_nothing_or_next_to_nothing_do_no_harm() -> None:
    occupied, empty = np.array([1.0, 1e-9, 0.0, 3e5]), np.array([1e-200, 0.0, 0.0, 0.4])
    for b in (0.0, 1e-3, 2.0):
        for x in (0.0, 0.3, 2e5):
            together, apart = every_state(x, occupied, empty, b), one_by_one(x, occupied, empty, b)
            np.testing.assert_allclose(together, apart, rtol=2 * LOST, atol=0)
    assert every_state(0.0, np.zeros(2), np.zeros(2), 0.0).tolist() == [1, 1, 1, 1]
    assert every_state(0.1, np.zeros(2), np.zeros(2), 0.0).tolist() == [0, 0, 0, 0]


sizes = st.builds(lambda digits, power: digits * 10.0**power, st.floats(1.0, 9.9), st.integers(-6, 5))


@pytest.mark.slow
@settings(max_examples=20)
@given(
    bounds=st.lists(st.tuples(sizes, st.one_of(st.just(0.0), sizes)), min_size=6, max_size=8),
    epsilon=st.sampled_from([0.05, 0.5, 7.0, 1e3, 1e5]),
    place=st.sampled_from([0.0123, 0.31, 0.777, 0.99]),
    seed=st.integers(0, 2**32 - 1),
)
def test_bounds_of_very_different_sizes_match_120_digits(
    bounds: list[tuple[float, float]], epsilon: float, place: float, seed: int
) -> None:
    """Inside the support: inclusion and exclusion in 120 digits, of which these cancel at most 8 · 12."""
    occupied, empty = np.array(bounds).T
    b, x = float(occupied.max() / epsilon), place * float(occupied.sum())
    ours, states = every_state(x, occupied, empty, b), all_states(len(occupied))
    reach = np.flatnonzero(np.where(states, occupied, empty).sum(axis=1) > x)
    for state in {len(states) - 1, *default_rng(seed).choice(reach, 2).tolist()}:
        exact = oracles.density(x, np.where(states[state], occupied, empty).tolist(), b)
        assert abs(ours[state] / exact - 1) < LOST


def test_what_floats_cannot_carry_is_summed_in_decimals_all_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Bools] = []

    def counted(x: float, widths: Floats, b: float, wanted: Bools) -> Floats:
        asked.append(wanted)
        return every_state_in_decimals(x, widths, b, wanted)

    monkeypatch.setattr(states, "every_state_in_decimals", counted)
    occupied, empty = np.ones(6), np.full(6, 2e-4)
    ours = every_state(0.4, occupied, empty, 2.0)
    assert len(asked) == 1
    assert 0 < asked[0].sum() < 2**6
    np.testing.assert_allclose(ours, one_by_one(0.4, occupied, empty, 2.0), rtol=2 * LOST, atol=0)
