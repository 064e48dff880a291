"""Chains of two states: against brute force over all paths, and against hmmlearn."""

from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rtp.core.types import Floats
from rtp.probability.markov import Chains, forward_filter, marginals, propagate, smooth

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


@pytest.mark.long
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
