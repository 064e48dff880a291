"""The hidden chain against a slow twin: sums over all paths, in logarithms, one house at a time."""

from itertools import product
from math import exp, log

import numpy as np
import pytest

from rtp.core.types import Floats, Ints
from rtp.meters.chain import Chains, expect, likelihoods, observe
from rtp.meters.counts import INSIDE
from rtp.meters.fit import PRIOR, climb, fit, maximise, own_law, prior, start
from rtp.meters.tied import PLACE, Tied, tie

BINS = 3
PERIOD = np.array([0, 0, 1, 1, 1, 0, 0, 1, 1])
CODE = np.array([[0, 1, 2, 3, 2, 0, 1, 1, 2], [2, 2, 3, 3, 0, 0, 0, 1, 2]]).T  # 3 is missing


def random_chains(houses: int, periods: int, bins: int, seed: int = 0) -> Chains:
    rng = np.random.default_rng(seed)
    return Chains(
        initial=rng.uniform(0.1, 0.9, houses),
        leave=rng.uniform(0.05, 0.6, (periods, houses)),
        arrive=rng.uniform(0.05, 0.6, (periods, houses)),
        law=rng.dirichlet(np.ones(bins), (2, houses)),
    )


def log_weight(path: tuple[int, ...], code: Ints, chains: Chains, house: int) -> float:
    """Of one path and what was seen along it."""
    total = log(chains.initial[house] if path[0] else 1 - chains.initial[house])
    for step, state in enumerate(path):
        if code[step] < BINS:
            total += log(chains.law[state, house, code[step]])
        if step + 1 < len(path):
            move = chains.leave if state else chains.arrive
            chance = move[PERIOD[step], house]
            total += log(chance if path[step + 1] != state else 1 - chance)
    return total


def twin(code: Ints, chains: Chains, house: int) -> dict[str, Floats]:
    """Everything that `expect` says, by adding up all 2^T paths."""
    steps, periods = len(code), len(chains.leave)
    weights = {path: log_weight(path, code, chains, house) for path in product((0, 1), repeat=steps)}
    top = max(weights.values())
    whole = sum(exp(weight - top) for weight in weights.values())
    found = {"occupied": np.zeros(steps), "in_bin": np.zeros(BINS + 1)}
    found |= {name: np.zeros(periods) for name in ("departures", "arrivals", "from_occupied", "from_empty")}
    for path, weight in weights.items():
        share = exp(weight - top) / whole
        for step, state in enumerate(path):
            found["occupied"][step] += share * state
            found["in_bin"][code[step]] += share * state
            if step + 1 < steps:
                found["from_occupied" if state else "from_empty"][PERIOD[step]] += share
                if path[step + 1] != state:
                    found["departures" if state else "arrivals"][PERIOD[step]] += share
    return found | {"likelihood": np.array(top + log(whole))}


@pytest.mark.parametrize("seed", range(5))
def test_what_is_expected_equals_the_sum_over_all_paths(seed: int) -> None:
    chains = random_chains(2, 2, BINS, seed)
    found = expect(observe(CODE, BINS, PERIOD), chains)._asdict()
    for house in range(2):
        for name, value in twin(CODE[:, house], chains, house).items():
            own = found[name][house] if name in ("in_bin", "likelihood") else found[name][..., house]
            np.testing.assert_allclose(own, value, rtol=1e-10, atol=1e-12, err_msg=name)


def test_an_iteration_equals_the_twins() -> None:
    """Five rounds of expectation and maximisation, by the fast way and by all paths."""
    seen = observe(CODE, BINS, PERIOD)
    fast = slow = random_chains(2, 2, BINS, 7)
    own = seen.count[:, :-1] + 0.1
    own /= own.sum(axis=1, keepdims=True)
    for _ in range(5):
        fast = maximise(seen, fast, expect(seen, fast), seen.count)
        counts = [twin(CODE[:, house], slow, house) for house in range(2)]
        law = np.array(
            [
                [seen.count[h, :-1] - c["in_bin"][:-1] + PRIOR * own[h] for h, c in enumerate(counts)],
                [c["in_bin"][:-1] + PRIOR * own[h] for h, c in enumerate(counts)],
            ]
        )
        slow = Chains(
            initial=np.array([c["occupied"][0] for c in counts]),
            leave=np.array([c["departures"] / c["from_occupied"] for c in counts]).T,
            arrive=np.array([c["arrivals"] / c["from_empty"] for c in counts]).T,
            law=law / law.sum(axis=2, keepdims=True),
        )
    for name in ("initial", "leave", "arrive", "law"):
        np.testing.assert_allclose(getattr(fast, name), getattr(slow, name), rtol=1e-8, err_msg=name)


def test_weights_count_a_step_as_often_as_they_say() -> None:
    """A departure is counted at the step it starts from."""
    seen, chains = observe(CODE, BINS, PERIOD), random_chains(2, 2, BINS)
    weight = np.array([2.0, 2, 2, 0, 0, 0, 1, 1, 1])
    plain, weighted = expect(seen, chains), expect(seen, chains, weight)
    departing = expect(seen, chains).departing
    for period in (0, 1):
        here = (PERIOD[:-1] == period) * weight[:-1]
        np.testing.assert_allclose(weighted.departures[period], here @ departing, atol=1e-12)
    assert weighted.in_bin.sum() == pytest.approx((weight @ plain.occupied).sum())


def test_steps_add_up_to_the_likelihood() -> None:
    seen, chains = observe(CODE, BINS, PERIOD), random_chains(2, 2, BINS)
    np.testing.assert_allclose(likelihoods(seen, chains).sum(axis=0), expect(seen, chains).likelihood)


def test_the_prior_is_worth_half_a_reading_for_each_state() -> None:
    """One that falls into the bins as the house's own readings do."""
    seen, chains = observe(CODE, BINS, PERIOD), random_chains(2, 2, BINS)
    for house, codes in enumerate(CODE.T):
        often = [(codes == k).sum() + 0.1 for k in range(BINS)]
        worth = sum(
            often[k] / sum(often) * log(chains.law[state, house, k])
            for state, k in product((0, 1), range(BINS))
        )
        assert prior(seen, chains)[house] == pytest.approx(0.5 * worth, rel=1e-12)


def test_the_objective_never_falls() -> None:
    """On readings of any kind, from every start; a step that forgets the prior is caught."""
    rng = np.random.default_rng(3)
    code = rng.integers(0, 13, (200, 6)).astype(np.int8)
    seen = observe(code, 12, np.arange(200) % 4)
    chains = start(seen, 0.5, 0.1, 4)
    heights = []
    for _ in range(30):
        found = expect(seen, chains)
        heights.append(found.likelihood + prior(seen, chains))
        chains = maximise(seen, chains, found, seen.count)
    assert np.diff(heights, axis=0).min() > -1e-9
    assert heights[-1].min() > heights[0].min()


def test_the_objective_of_a_group_never_falls_either() -> None:
    """Likelihood, the occupied law's prior, and 1/f for every bin of the empty one. Readings crowd into a few
    bins, so that others lose their place on the way."""
    rng = np.random.default_rng(3)
    code = np.minimum(rng.geometric(0.4, (200, 6)) - 1, 12).astype(np.int8)
    seen, group = observe(code, 12, np.arange(200) % 4), np.array([0, 0, 0, 1, 1, 1])
    chains = start(seen, 0.5, 0.1, 4)
    chances = Tied(initial=np.full(2, 0.5), leave=np.full((4, 2), 0.1), arrive=np.full((4, 2), 0.1))
    chances, chains = tie(seen, chains, group, chances, most=1)  # within the bounds of a law
    heights = []
    for _ in range(30):
        weight = (own_law(seen) * np.log(chains.law[1])).sum()
        heights.append(
            expect(seen, chains).likelihood.sum() + PRIOR * weight - PLACE * np.log(chains.law[0]).sum()
        )
        chances, chains = tie(seen, chains, group, chances, most=1)
    assert np.diff(heights).min() > -1e-6  # what rounding a law to a sum of one may cost
    assert heights[-1] > heights[0] + 1
    assert (chains.law[0] < 2 * INSIDE).any()


def test_a_house_that_has_settled_is_left_where_it_is() -> None:
    """Dropping settled houses changes nothing for the others."""
    rng = np.random.default_rng(4)
    code = rng.integers(0, 12, (300, 8)).astype(np.int8)
    period = np.arange(300) % 2
    seen = observe(code, 12, period)
    together, height, _ = climb(seen, start(seen, 0.5, 0.1, 2))
    for house in (0, 5):
        alone = observe(code[:, [house]], 12, period)
        chains, own, _ = climb(alone, start(alone, 0.5, 0.1, 2))
        np.testing.assert_allclose(chains.leave[:, 0], together.leave[:, house], rtol=1e-9)
        assert own[0] == pytest.approx(height[house], rel=1e-12)


def test_occupied_is_the_state_that_uses_more() -> None:
    rng = np.random.default_rng(5)
    state = np.repeat(rng.random((30, 4)) < 0.5, 20, axis=0)
    code = np.where(state, rng.integers(6, 12, state.shape), rng.integers(0, 6, state.shape)).astype(np.int8)
    found = fit(code, np.zeros(len(code), dtype=int), 1)
    occupied = expect(observe(code, 12, np.zeros(len(code), dtype=int)), found.chains).occupied
    assert (np.abs(occupied - state) < 0.05).mean() > 0.99
    assert found.agree.all()
