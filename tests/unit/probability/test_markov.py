"""Chains of two states: against brute force over all paths, and against hmmlearn."""

from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rtp.core.types import Floats
from rtp.probability.markov import (
    Chains,
    forward_backward,
    forward_filter,
    marginals,
    predict,
    predict_occupied,
    propagate,
    reverse,
    smooth,
    update,
)

STEPS, HOUSES = 6, 3


def chains(seed: int, *, steps: int = STEPS, certain: bool = False) -> Chains:
    rng = np.random.default_rng(seed)
    leave, arrive = rng.uniform(size=(2, 3, HOUSES))
    initial = rng.uniform(size=HOUSES)
    if certain:
        leave[0, 0], arrive[1, 1], initial[2] = 0.0, 1.0, 1.0
    return Chains(initial=initial, leave=leave, arrive=arrive, row=rng.integers(3, size=steps - 1))


def paths(house: int, some: Chains, ratio: Floats) -> dict[tuple[int, ...], float]:
    """The probability of every path of one house given all observations: the slow obvious twin."""
    weights = {}
    for path in product((0, 1), repeat=some.steps):
        weight = some.initial[house] if path[0] else 1 - some.initial[house]
        for t, (now, after) in enumerate(pairwise(path)):
            row = some.row[t]
            move = some.leave[row, house] if now else some.arrive[row, house]
            weight *= move if now != after else 1 - move
        weights[path] = weight * float(np.exp(ratio[:, house] @ np.array(path)))
    total = sum(weights.values())
    return {path: weight / total for path, weight in weights.items()}


@given(st.integers(0, 10_000), st.booleans())
def test_filter_and_smoother_equal_the_sum_over_all_paths(seed: int, certain: bool) -> None:
    some = chains(seed, certain=certain)
    ratio = np.random.default_rng(seed + 1).normal(scale=3, size=(STEPS, HOUSES))
    filtered = forward_filter(some, ratio)
    smoothed = smooth(some, filtered)
    for house in range(HOUSES):
        whole = paths(house, some, ratio)
        for t in range(STEPS):
            so_far = paths(house, some, np.where(np.arange(STEPS) <= t, ratio.T, 0.0).T)
            assert smoothed[t, house] == pytest.approx(through(whole, t, 1))
            assert filtered.posterior[t, house] == pytest.approx(through(so_far, t, 1))


def through(weights: dict[tuple[int, ...], float], t: int, *states: int) -> float:
    """The probability of all paths that pass through these states from step t on."""
    return sum(weight for path, weight in weights.items() if path[t : t + len(states)] == states)


def test_no_probability_is_above_one_however_it_rounds() -> None:
    """Nobody leaves and nearly everybody arrives: sums of two products that are next to one."""
    rng, houses, steps = np.random.default_rng(1), 4000, 30
    some = Chains(
        initial=rng.random(houses),
        leave=np.zeros((1, houses)),
        arrive=1 - 1e-3 * rng.random((1, houses)),
        row=np.zeros(steps - 1, int),
    )
    assert marginals(some)[0].max() > 1  # so that there is something to mend
    assert propagate(some).max() == 1
    filtered = forward_filter(some, rng.normal(size=(steps, houses)))
    assert (filtered.prior.max(), filtered.posterior.max()) == (1, 1)


def test_observations_that_depend_on_the_step_before_are_summed_over_all_paths() -> None:
    rng = np.random.default_rng(2)
    first, weight = rng.random((2, HOUSES)), rng.random((STEPS - 1, 2, 2, HOUSES))
    smoothed, log_evidence = forward_backward(first, weight)
    for house in range(HOUSES):
        joint = {}
        for path in product((0, 1), repeat=STEPS):
            steps = [weight[t, now, after, house] for t, (now, after) in enumerate(pairwise(path))]
            joint[path] = float(first[path[0], house] * np.prod(steps))
        total = sum(joint.values())
        whole = {path: each / total for path, each in joint.items()}
        assert np.exp(log_evidence[:, house].sum()) == pytest.approx(total)
        assert np.exp(log_evidence[0, house]) == pytest.approx(first[:, house].sum())
        for t in range(STEPS):
            assert smoothed.occupied[t, house] == pytest.approx(through(whole, t, 1))
        for t in range(STEPS - 1):
            assert smoothed.departures[t, house] == pytest.approx(through(whole, t, 1, 0))
            assert smoothed.arrivals[t, house] == pytest.approx(through(whole, t, 0, 1))


@given(st.integers(0, 10_000), st.booleans())
def test_a_reversed_chain_has_the_same_joint_probabilities(seed: int, certain: bool) -> None:
    some = chains(seed, certain=certain)
    before, after = propagate(some)[:-1], propagate(some)[1:]
    left, arrived = reverse(some)
    np.testing.assert_allclose((1 - after) * left, before * some.leave[some.row], atol=1e-15)
    np.testing.assert_allclose(after * arrived, (1 - before) * some.arrive[some.row], atol=1e-15)


def test_a_certain_house_learns_nothing_from_any_observation() -> None:
    occupied, empty = np.array([1.0, 0.0]), np.array([0.0, 1.0])
    for ratio in (-800.0, 800.0):
        assert np.array_equal(update(occupied, empty, np.full(2, ratio)), (occupied, empty))


@given(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1))
def test_predicted_occupancy_is_a_probability_and_keeps_certainty(
    p: float, leave: float, arrive: float
) -> None:
    def ahead_of(now: float, persistence: float, come: float, steps: int = 1) -> np.ndarray:
        occupied = np.full((steps + 1, 1), now)
        predict_occupied(occupied, np.array([persistence]), np.array([come]))
        assert occupied[0] == now
        return occupied[1:]

    one, (ahead,) = np.array([p]), ahead_of(p, 1 - leave - arrive, arrive)
    assert 0 <= ahead[0] <= 1
    both, _ = predict(one, 1 - one, np.array([leave]), np.array([arrive]))
    np.testing.assert_allclose(ahead, both, rtol=0, atol=4e-16)
    for reset in (0.0, 1.0):  # whoever is there leaves, or whoever is not arrives
        assert ahead_of(p, 1 - (1 - reset) - reset, reset) == reset
    for certain, stay, come in ((0.0, 1 - leave, 0.0), (1.0, 1 - arrive, arrive)):
        assert (ahead_of(certain, stay, come, 9) == certain).all()
