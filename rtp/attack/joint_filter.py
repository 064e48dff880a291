"""The paper's adversary on up to a dozen houses: the joint distribution of all 2^N states, exactly.

A state is a row of 0 (empty) and 1 (occupied), house 0 first, in counting order. Probabilities are kept as
logarithms: a state that the rates make unlikely beyond what a float holds is still not impossible, so only
what truly is impossible counts as proof.

    filter     Pr[Sᵗ | rates up to t]   ∝ Pr[rate t | Sᵗ]·Pr[Sᵗ | rates before]       (the paper's (2), (3))
    smoother   Pr[Sᵗ | rates of the day] ∝ Pr[Sᵗ | rates up to t]·βᵗ,  βᵗ = E[Pr[rate t+1 | Sᵗ⁺¹]·βᵗ⁺¹ | Sᵗ]

The joint matrix is the Kronecker product of the houses', so one step of the chain is one 2×2 step per house.
The log-likelihood ratio of a rate on house i is ln Pr[rate | Sᵢ = 1, rates before] − ln Pr[rate | Sᵢ = 0,
rates before]. Given the rates before, houses are not independent: knowing one tells of the others, so this
can exceed the promised ε, which compares streets that differ in one house only.

Where houses have consumption distributions of their own, each is a mixture of uniforms on its bins, and a
joint state's density is the mixture over every choice of one bin for each house, weighed with its mass.
"""

from itertools import product
from typing import NamedTuple

import numpy as np

from rtp.attack.observation import Observed
from rtp.core.types import Floats, Ints
from rtp.probability.histogram import Histograms
from rtp.probability.laplace_uniform import joint_log_density, log_density
from rtp.probability.markov import Chains
from rtp.street.draw import Street

MAX_JOINT_HOUSES = 12
MAX_MIXED_HOUSES = 5  # with distributions of their own
MAX_MIXTURE = 4_096  # choices of one bin for each house
UNDERFLOW = 1e-250  # a sum in which digits may have been lost

LogMatrices = list[
    tuple[float, ...]
]  # of every house: ln Pr[0 → 0], ln Pr[0 → 1], ln Pr[1 → 0], ln Pr[1 → 1]


class Beliefs(NamedTuple):
    """What she holds of some houses, step by step; arrays are (T, n)."""

    belief: Floats  # Pr[occupied | rates so far], or of the whole day
    prior: Floats  # the same before the step's own rate
    log_likelihood_ratio: Floats  # of the step's rate; 0 where the state is certain anyway


def is_exact(street: Street) -> bool:
    """Return whether the street is small enough for the joint distribution of its states."""
    if street.distributions is None:
        return len(street.group) <= MAX_JOINT_HOUSES
    if len(street.group) > MAX_MIXED_HOUSES:
        return False
    bins = (street.distributions.mass > 0).any(axis=0).sum(axis=1)
    return bool(np.prod(bins) <= MAX_MIXTURE)


def rate_log_likelihood(street: Street, x: Floats, b: Floats) -> Floats:
    """Return ln Pr[x | state] of what rates show, consumption plus Lap(b), for every joint state, (L, 2^N);
    0 where b is infinite."""
    result = np.zeros((len(x), 2 ** len(street.group)))
    informative = np.isfinite(b)
    seen = x[informative], b[informative]
    if street.distributions is None:
        result[informative] = joint_log_density(*seen, street.occupied_bound, street.empty_bound)
    else:
        result[informative] = mixed_log_density(*seen, street.distributions)
    return result


def mixed_log_density(x: Floats, b: Floats, distributions: Histograms) -> Floats:
    """Return the log-density at every x of consumption plus Lap(b), (L, 2^N), where use has distributions."""
    houses = np.arange(len(distributions.edges))
    states = np.array(list(product((0, 1), repeat=len(houses))))
    used = [np.flatnonzero(mass.any(axis=0)).tolist() for mass in distributions.mass.transpose(1, 0, 2)]
    choices = np.array(list(product(*used)))  # (C, N) one bin for each house
    low, high = distributions.edges[houses, choices], distributions.edges[houses, choices + 1]
    density = log_density(x[:, None] - low.sum(axis=1), high - low, b[:, None])  # (L, C)
    result = np.full((len(x), len(states)), -np.inf)
    for bins, of_bins in zip(choices, density.T, strict=True):
        log_weight = _log(distributions.mass[states, houses, bins].prod(axis=1))
        result = np.logaddexp(result, of_bins[:, None] + log_weight)
    return result


def joint_filter(
    observed: Observed,
    street: Street,
    chains: Chains,
    houses: Ints,
    steps_per_day: int,
    *,
    smoothing: bool = False,
) -> Beliefs:
    """Return her beliefs about some houses by the joint distribution of all."""
    beliefs = Beliefs(*np.empty((3, chains.steps, len(houses))))
    matrices = [_transition_logs(chains.leave[row], chains.arrive[row]) for row in range(len(chains.leave))]
    moves = [matrices[row] for row in chains.row.tolist()]
    state = initial_states(chains.initial)
    for first in range(0, chains.steps, steps_per_day):
        day = range(first, min(first + steps_per_day, chains.steps))
        today = slice(day.start, day.stop)
        likelihood = rate_log_likelihood(street, observed.total[today], observed.b[today])
        prior, filtered = np.empty_like(likelihood), np.empty_like(likelihood)
        for t in day:
            prior[t - first] = state
            state, explained = condition(state, likelihood[t - first])
            if not explained:
                likelihood[t - first] = 0.0
            filtered[t - first] = state
            if t < len(moves):
                state = predict_states(state, moves[t])
        before, after = house_marginals(prior), house_marginals(filtered)
        beliefs.prior[today], beliefs.belief[today] = occupied(before)[:, houses], occupied(after)[:, houses]
        beliefs.log_likelihood_ratio[today] = _log_odds_gained(before, after)[:, houses]
        if smoothing:
            within = moves[day.start : day.stop - 1]
            beliefs.belief[today] = _smooth(filtered, likelihood, within)[:, houses]
    return beliefs


def _smooth(filtered: Floats, likelihood: Floats, moves: list[LogMatrices]) -> Floats:
    """Return Pr[occupied] of every house given all rates of a day, (L, N), backwards from the last step."""
    log_beta = np.zeros_like(filtered)
    for t in reversed(range(len(moves))):
        now = expect_next(log_beta[t + 1] + likelihood[t + 1], moves[t])
        log_beta[t] = now - now.max()
    return occupied(house_marginals(filtered + log_beta))


def initial_states(initial: Floats) -> Floats:
    """Return the log-probability of every joint state of independent houses, (2^N,)."""
    state = np.zeros(1)
    for p in initial.tolist():
        state = np.add.outer(state, _log(np.array([1 - p, p]))).ravel()
    return state


def condition(state: Floats, log_likelihood: Floats) -> tuple[Floats, bool]:
    """Return the distribution given the rate, and whether any state explains it: else it teaches nothing."""
    joint = state + log_likelihood
    top = joint.max()
    if not np.isfinite(top):
        return state, False
    return joint - (top + np.log(np.exp(joint - top).sum())), True


def house_marginals(states: Floats) -> Floats:
    """Return ln Pr[Sᵢ = empty] and ln Pr[Sᵢ = occupied] of each of L distributions, (L, N, 2); they need not
    sum to one."""
    steps, houses = len(states), states.shape[1].bit_length() - 1
    top = states.max(axis=1, keepdims=True)
    weights = np.exp(states - top)
    result = np.empty((steps, houses, 2))
    for house in range(houses):
        sums = weights.reshape(steps, 2**house, 2, -1).sum(axis=(1, 3))
        result[:, house] = top + _log(sums)
        lost = (sums < UNDERFLOW).any(axis=1)  # beside the other state next to nothing
        if lost.any():
            mine = states[lost].reshape(lost.sum(), 2**house, 2, -1)
            own = np.maximum(mine.max(axis=(1, 3)), -1e300)
            result[lost, house] = own + _log(np.exp(mine - own[:, None, :, None]).sum(axis=(1, 3)))
    return result


def _transition_logs(leave: Floats, arrive: Floats) -> LogMatrices:
    """The logarithms of every house's 2×2 matrix, rows from, columns to."""
    return [tuple(each) for each in _log(np.array([1 - arrive, arrive, leave, 1 - leave])).T.tolist()]


def predict_states(state: Floats, matrices: LogMatrices) -> Floats:
    """Return the distribution one step ahead."""
    return _each_house(state, [(stay, leave, arrive, rest) for stay, arrive, leave, rest in matrices])


def expect_next(values: Floats, matrices: LogMatrices) -> Floats:
    """Return ln E[e^values of the next step | the state now]."""
    return _each_house(values, matrices)


def _each_house(values: Floats, matrices: LogMatrices) -> Floats:
    """Each house's own 2×2 matrix applied along its axis, in logarithms."""
    for house, (a, b, c, d) in enumerate(matrices):
        now = values.reshape(2**house, 2, -1)
        empty, full = now[:, 0], now[:, 1]
        values = np.empty_like(now)
        values[:, 0], values[:, 1] = np.logaddexp(empty + a, full + b), np.logaddexp(empty + c, full + d)
        values = values.ravel()
    return values


def occupied(log_marginals: Floats) -> Floats:
    """Return Pr[occupied] of every house, (L, N)."""
    empty, full = log_marginals[..., 0], log_marginals[..., 1]
    return np.asarray(np.exp(full - np.logaddexp(empty, full)))


def _log_odds_gained(before: Floats, after: Floats) -> Floats:
    """The log-likelihood ratio on every house, (L, N); 0 where its state was certain anyway."""
    uncertain = np.isfinite(before).all(axis=2)
    gained = np.zeros(uncertain.shape)
    gained[uncertain] = np.subtract(*(np.diff(each[uncertain])[:, 0] for each in (after, before)))
    return gained


def _log(values: Floats) -> Floats:
    """ln, with −∞ for exactly 0."""
    return np.log(values, out=np.full_like(values, -np.inf), where=values > 0)
