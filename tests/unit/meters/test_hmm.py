"""Hidden Markov models against a slow twin: sums over all paths, in logarithms, one house at a time."""

from dataclasses import replace
from itertools import product
from math import exp, log

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import multivariate_normal, norm

from rtp.core.types import Floats
from rtp.meters.hmm import (
    SMOOTHING,
    Model,
    baum_welch,
    e_step,
    first_guess,
    log_likelihoods,
    log_prior,
    m_step,
    occupied_uses_more,
)
from rtp.meters.readings import BINS, Observations
from rtp.street.schedule import INTERIOR

PERIOD = np.array([0, 0, 1, 1, 1, 0, 0, 1, 1])
SEEN = np.array([[0, 4, 9, BINS, 9, 0, 4, 4, 9], [9, 9, BINS, BINS, 0, 0, 0, 4, 9]], dtype=np.int8).T


Tables = dict[tuple[int, int], Floats]  # of a state and the bin before: ln Pr[each bin]


def random_model(houses: int, periods: int, seed: int = 0) -> Model:
    rng = np.random.default_rng(seed)
    return Model(
        initial=rng.uniform(0.1, 0.9, houses),
        leave=rng.uniform(0.05, 0.6, (periods, houses)),
        arrive=rng.uniform(0.05, 0.6, (periods, houses)),
        group=np.arange(houses),
        emission=rng.dirichlet(np.ones(BINS), (2, houses)),
        correlation=np.array([0.0, 0.6, -0.3])[np.arange(houses) % 3] * (seed % 2),
    )


def emission_after(model: Model, state: int, house: int, before: int) -> Floats:
    """(K,): of a state that stays: the density of two normal scores over the product of their own."""
    emission, rho = model.emission[state, house], model.correlation[house]
    if before == BINS:
        return np.asarray(emission)
    rank = [min(max(emission[:k].sum() + emission[k] / 2, 1e-3), 1 - 1e-3) for k in range(BINS)]
    pairs = np.column_stack([np.full(BINS, norm.ppf(rank[before])), norm.ppf(rank)])
    joint = multivariate_normal([0, 0], [[1, rho], [rho, 1]]).pdf(pairs)
    weight = emission * joint / norm.pdf(pairs).prod(axis=1)
    return np.asarray(weight / weight.sum())


def log_weight(
    path: tuple[int, ...], bins: NDArray[np.int8], model: Model, house: int, tables: Tables
) -> float:
    """Of one path and what was seen along it."""
    total = log(model.initial[house] if path[0] else 1 - model.initial[house])
    for step, state in enumerate(path):
        if bins[step] < BINS:
            stayed = step > 0 and path[step - 1] == state
            total += tables[state, bins[step - 1] if stayed else BINS][bins[step]]
        if step + 1 < len(path):
            probability = (model.leave if state else model.arrive)[PERIOD[step], house]
            total += log(probability if path[step + 1] != state else 1 - probability)
    return total


def twin(bins: NDArray[np.int8], model: Model, house: int) -> dict[str, Floats]:
    """What is expected of a house, by adding up all 2^T paths."""
    steps = len(bins)
    tables = {
        (state, before): np.log(emission_after(model, state, house, before))
        for state, before in product((0, 1), (*bins.tolist(), BINS))
    }
    weights = {path: log_weight(path, bins, model, house, tables) for path in product((0, 1), repeat=steps)}
    top = max(weights.values())
    whole = sum(exp(weight - top) for weight in weights.values())
    result = {"occupied": np.zeros(steps), "departures": np.zeros(steps - 1), "arrivals": np.zeros(steps - 1)}
    for path, weight in weights.items():
        share = exp(weight - top) / whole
        for step, state in enumerate(path):
            result["occupied"][step] += share * state
            if step + 1 < steps and path[step + 1] != state:
                result["departures" if state else "arrivals"][step] += share
    return result | {"log_likelihood": np.array(top + log(whole))}


@pytest.mark.parametrize("seed", range(4))
def test_the_e_step_equals_the_sum_over_all_paths(seed: int) -> None:
    model = random_model(2, 2, seed)
    expected = e_step(Observations(SEEN, PERIOD), model)._asdict()
    for house in range(2):
        for name, value in twin(SEEN[:, house], model, house).items():
            own = expected[name][..., house]
            np.testing.assert_allclose(own, value, rtol=1e-10, atol=1e-12, err_msg=name)


def test_the_m_step_divides_expected_moves_and_readings() -> None:
    """From the sums over all paths of two houses that are one group, by hand."""
    model = replace(random_model(2, 2, 6), group=np.array([0, 0]))
    model = replace(model, initial=model.initial[:1], leave=model.leave[:, :1], arrive=model.arrive[:, :1])
    alone = model.select(np.arange(2))
    seen = Observations(SEEN, PERIOD)
    better = m_step(seen, model, e_step(seen, model))
    houses = [twin(SEEN[:, house], alone, house) for house in range(2)]
    for period in (0, 1):
        here = np.flatnonzero(PERIOD[:-1] == period)
        left = sum(house["departures"][here].sum() for house in houses)
        stayed = sum(house["occupied"][here].sum() for house in houses)
        came = sum(house["arrivals"][here].sum() for house in houses)
        assert better.leave[period, 0] == pytest.approx(left / stayed)
        assert better.arrive[period, 0] == pytest.approx(came / (2 * len(here) - stayed))
    assert better.initial[0] == pytest.approx(np.mean([house["occupied"][0] for house in houses]))
    for house, bins in enumerate(SEEN.T):
        own = np.array([(bins == k).sum() + 0.1 for k in range(BINS)])
        in_bin = np.array([houses[house]["occupied"][bins == k].sum() for k in range(BINS)])
        count = in_bin + SMOOTHING * own / own.sum()
        np.testing.assert_allclose(better.emission[1, house], count / count.sum(), rtol=1e-10)


def test_weights_count_a_step_as_often_as_they_say() -> None:
    """Weights of whole days: the same as the days themselves, once more."""
    model = random_model(2, 2)
    twice = np.array([2.0] * 4 + [1.0] * 5)
    seen = Observations(SEEN, PERIOD, twice)
    expected = e_step(seen, model)
    better = m_step(seen, model, expected)
    for period in (0, 1):
        here = (PERIOD[:-1] == period) * twice[:-1]
        rate = here @ expected.departures / (here @ expected.occupied[:-1])
        np.testing.assert_allclose(better.leave[period], rate, rtol=1e-12)
    assert seen.count.sum() == 2 * twice.sum()


@pytest.mark.parametrize("sparse", [False, True])
def test_the_objective_never_falls(sparse: bool) -> None:
    """On readings that crowd into a few bins, so that others lose their place on the way."""
    rng = np.random.default_rng(3)
    bins = np.minimum(rng.geometric(0.4, (200, 6)) - 1, BINS).astype(np.int8)
    seen, group = Observations(bins, np.arange(200) % 4), np.array([0, 0, 0, 1, 1, 1])
    guess = first_guess(seen, 0.5, 0.1, 4)
    model = replace(guess, initial=guess.initial[:2], leave=guess.leave[:, :2], arrive=guess.arrive[:, :2])
    model = replace(model, group=group)
    model = m_step(seen, model, e_step(seen, model), sparse=sparse)  # within the bounds of an emission
    heights = []
    for _ in range(30):
        expected = e_step(seen, model)
        heights.append((expected.log_likelihood + log_prior(seen, model, sparse=sparse)).sum())
        model = m_step(seen, model, expected, sparse=sparse)
    assert np.diff(heights).min() > -1e-6  # what rounding an emission to a sum of one may cost
    assert heights[-1] > heights[0] + 1
    assert (model.emission[0] < 1.5 * INTERIOR).any() == sparse


@pytest.mark.slow
def test_a_house_that_has_converged_stays_where_it_is() -> None:
    """Whatever the others do: alone it ends at the same place."""
    rng = np.random.default_rng(4)
    bins, period = rng.integers(0, BINS, (300, 8)).astype(np.int8), np.arange(300) // 30 % 2
    seen = Observations(bins, period)
    together = baum_welch(seen, first_guess(seen, 0.5, 0.1, 2))
    for house in (0, 5):
        alone = Observations(bins[:, [house]], period)
        own = baum_welch(alone, first_guess(alone, 0.5, 0.1, 2))
        np.testing.assert_allclose(own.model.leave[:, 0], together.model.leave[:, house], rtol=1e-9)
        assert own.objective[0] == pytest.approx(together.objective[house], rel=1e-12)


def test_states_that_are_swapped_explain_the_same_readings() -> None:
    model = random_model(2, 2, 3)
    seen = Observations(SEEN, PERIOD)
    upright = occupied_uses_more(model)
    turned = replace(upright, initial=1 - upright.initial, leave=upright.arrive, arrive=upright.leave)
    for each in (upright, replace(turned, emission=upright.emission[::-1])):
        np.testing.assert_allclose(log_likelihoods(seen, each), log_likelihoods(seen, model), atol=1e-12)
        np.testing.assert_array_equal(occupied_uses_more(each).leave, upright.leave)
        np.testing.assert_array_equal(occupied_uses_more(each).emission, upright.emission)
