"""Hidden Markov models of two and four states against a slow twin: sums over all paths of a house."""

from dataclasses import replace
from itertools import pairwise, product

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import multivariate_normal, norm

from rtp.core.types import Floats, Ints
from rtp.meters import four_states, two_states
from rtp.meters.four_states import ASLEEP, AWAY, BUSY, HOURS, QUIET
from rtp.probability.hmm import CLOSEST, SMOOTHING, Model, e_step, log_prior, m_step
from rtp.probability.observations import BINS, Observations

PERIOD = np.array([0, 0, 1, 1, 1, 0, 0, 1, 1])
SEEN = np.array([[0, 4, 9, BINS, 9, 0, 4, 4, 9], [9, 9, BINS, BINS, 0, 0, 0, 4, 9]], dtype=np.int8).T
NIGHT_AND_DAY = np.array([0, 1, 2, 4, 6, 7])  # periods of four states: in each other moves can happen


def random_two(houses: int, periods: int, seed: int = 0) -> Model:
    rng = np.random.default_rng(seed)
    occupied = rng.uniform(0.1, 0.9, houses)
    correlation = np.array([0.0, 0.6, -0.3])[np.arange(houses) % 3] * (seed % 2)
    model = two_states.alone(rng.dirichlet(np.ones(BINS), (2, houses)), periods)
    return replace(
        model,
        initial=np.array([1 - occupied, occupied]),
        probability={name: rng.uniform(0.05, 0.6, (periods, houses)) for name in ("leave", "arrive")},
        correlation=correlation[None],
    )


def random_four(houses: int, seed: int = 0) -> Model:
    rng = np.random.default_rng(seed)
    table = four_states.table(60, weekend=False)
    return Model(
        table=table,
        initial=rng.dirichlet(np.ones(4), houses).T,
        probability={move.name: rng.uniform(0.05, 0.6, (move.size, houses)) for move in table.moves},
        group=np.arange(houses),
        emission=rng.dirichlet(np.ones(BINS), (2, houses)),
        correlation=np.array([[-0.3], [0.6]]).repeat(houses, axis=1),
    )


def by_hand(model: Model, house: int) -> Floats:
    """(P, K, K): every period's chances of moving from a state to the next."""
    if len(model.table.level) == 2:
        leave, arrive = model.leave[:, house], model.arrive[:, house]
        return np.array([[1 - arrive, arrive], [leave, 1 - leave]]).transpose(2, 0, 1)
    return np.array([[[chance(model, h, a, b, house) for b in range(4)] for a in range(4)] for h in HOURS])


def chance(model: Model, hour: int, now: int, then: int, house: int) -> float:
    """Of one move: who is up goes to bed, else leaves, else is busy or quiet; who sleeps gets up."""
    period = 3 if hour < 6 or hour >= 22 else 0 if hour < 9 else 1 if hour < 16 else 2
    of = {
        name: float(values[min(period, len(values) - 1), house]) for name, values in model.probability.items()
    }
    bed = of["go to bed"] if hour >= 20 or hour < 6 else 0.0
    rise = of["get up"] if 4 <= hour < 12 else 1.0 if 12 <= hour < 20 else 0.0
    if now == AWAY:
        arrive = of["arrive"]
        return {AWAY: 1 - arrive, BUSY: arrive / 2, QUIET: arrive / 2}.get(then, 0.0)
    if now == ASLEEP:
        return {ASLEEP: 1 - rise, BUSY: rise / 2, QUIET: rise / 2}.get(then, 0.0)
    change = of["become quiet" if now == BUSY else "become busy"]
    if then in (ASLEEP, AWAY):
        return bed if then == ASLEEP else (1 - bed) * of["leave"]
    return (1 - bed) * (1 - of["leave"]) * (1 - change if then == now else change)


def emission_after(model: Model, level: int, house: int, before: int) -> Floats:
    """(BINS,): of a level that stays: the density of two normal scores over the product of their own."""
    emission = model.emission[level, house]
    rho = model.correlation[min(level, len(model.correlation) - 1), house]
    if before == BINS:
        return np.asarray(emission)
    rank = [min(max(emission[:k].sum() + emission[k] / 2, 1e-3), 1 - 1e-3) for k in range(BINS)]
    pairs = np.column_stack([np.full(BINS, norm.ppf(rank[before])), norm.ppf(rank)])
    joint = multivariate_normal([0, 0], [[1, rho], [rho, 1]]).pdf(pairs)
    weight = emission * joint / norm.pdf(pairs).prod(axis=1)
    return np.asarray(weight / weight.sum())


def twin(bins: NDArray[np.int8], period: Ints, model: Model, house: int) -> tuple[Floats, Floats, float]:
    """Pr[state], Pr[state, next state] and the log-likelihood, by adding up all K^T paths."""
    steps, level, matrices = len(bins), model.table.level, by_hand(model, house)
    after = {
        (use, before): emission_after(model, use, house, before)
        for use, before in product(set(level), {*bins.tolist(), BINS})
    }
    states, moves, total = np.zeros((steps, len(level))), np.zeros((steps - 1, len(level), len(level))), 0.0
    for path in product(range(len(level)), repeat=steps):
        weight = model.initial[path[0], house]
        for step, state in enumerate(path):
            if step:
                weight *= matrices[period[step - 1], path[step - 1], state]
            if bins[step] < BINS:
                stayed = step > 0 and level[path[step - 1]] == level[state]
                weight *= after[level[state], bins[step - 1] if stayed else BINS][bins[step]]
        total += weight
        states[range(steps), path] += weight
        moves[range(steps - 1), path[:-1], path[1:]] += weight
    return states / total, moves / total, float(np.log(total))


@pytest.mark.parametrize(
    ("model", "steps", "period"),
    [
        *((random_two(2, 2, seed), 9, PERIOD) for seed in range(4)),
        (random_four(2), 6, NIGHT_AND_DAY),
        (random_four(2, 1), 6, np.array([5, 3, 7, 7, 0, 2])),
    ],
)
def test_the_e_step_equals_the_sum_over_all_paths(model: Model, steps: int, period: Ints) -> None:
    found = e_step(Observations(SEEN[:steps], period), model)
    for house in range(2):
        states, moves, total = twin(SEEN[:steps, house], period, model, house)
        np.testing.assert_allclose(found.states[..., house], states, rtol=1e-10, atol=1e-12)
        np.testing.assert_allclose(found.moves[..., house], moves, rtol=1e-10, atol=1e-12)
        assert found.evidence[:, house].sum() == pytest.approx(total, rel=1e-10)


def test_the_m_step_divides_expected_moves_and_readings() -> None:
    """From the sums over all paths of two houses that are one group, by hand."""
    alone = random_two(2, 2, 6)
    first = {name: np.repeat(values[:, :1], 2, axis=1) for name, values in alone.probability.items()}
    alone = replace(alone, probability=first, initial=np.repeat(alone.initial[:, :1], 2, axis=1))
    model = replace(alone.only_groups(np.array([True, True])), group=np.array([0, 0]))
    model = replace(
        model,
        initial=model.initial[:, :1],
        probability={name: values[:, :1] for name, values in model.probability.items()},
    )
    seen = Observations(SEEN, PERIOD)
    better = m_step(seen, model, e_step(seen, model))
    houses = [twin(SEEN[:, house], PERIOD, alone, house) for house in range(2)]
    for period in (0, 1):
        here = np.flatnonzero(PERIOD[:-1] == period)
        (still, came), (left, stayed) = sum(moves[here].sum(axis=0) for _, moves, _ in houses)
        assert better.leave[period, 0] == pytest.approx(left / (left + stayed))
        assert better.arrive[period, 0] == pytest.approx(came / (came + still))
    assert better.initial[1, 0] == pytest.approx(np.mean([states[0, 1] for states, _, _ in houses]))
    for house, bins in enumerate(SEEN.T):
        own = np.array([(bins == k).sum() + 0.1 for k in range(BINS)])
        in_bin = np.array([houses[house][0][bins == k, 1].sum() for k in range(BINS)])
        count = in_bin + SMOOTHING * own / own.sum()
        np.testing.assert_allclose(better.emission[1, house], count / count.sum(), rtol=1e-10)


def crowded(houses: int) -> NDArray[np.int8]:
    """Readings that crowd into a few bins, so that others lose their place on the way."""
    rng = np.random.default_rng(3)
    return np.minimum(rng.geometric(0.4, (200, houses)) - 1, BINS).astype(np.int8)


def three_and_three(seen: Observations) -> Model:
    """Two groups of three houses."""
    guess = two_states.alone(two_states.low_and_high(seen, 0.5), 4, 0.1)
    group = np.array([0, 0, 0, 1, 1, 1])
    probability = {name: values[:, :2] for name, values in guess.probability.items()}
    return replace(guess, initial=guess.initial[:, :2], probability=probability, group=group)


@pytest.mark.parametrize("kind", ["two", "two, sparse", "four"])
def test_the_objective_never_falls(kind: str) -> None:
    sparse, four = kind.endswith("sparse"), kind == "four"
    seen = Observations(crowded(6), np.arange(200) % (len(HOURS) if four else 4))
    model = four_states.first_guess(seen, 60, False) if four else three_and_three(seen)
    model = m_step(seen, model, e_step(seen, model), sparse=sparse)  # within the bounds of an emission
    heights = []
    for _ in range(30):
        found = e_step(seen, model)
        heights.append(found.evidence.sum() + log_prior(seen, model, sparse=sparse).sum())
        model = m_step(seen, model, found, sparse=sparse)
    assert min(after - before for before, after in pairwise(heights)) > -1e-6  # what rounding may cost
    assert heights[-1] > heights[0] + 1
    assert (model.emission[0] < 1.5 * CLOSEST).any() == sparse
