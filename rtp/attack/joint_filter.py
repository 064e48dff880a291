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

Several streets of as many houses, which know nothing of each other, are followed side by side: time is the
first axis, streets the second, joint states the last.

Where houses have consumption distributions of their own, each is a mixture of uniforms on its bins. Of a few
houses a joint state's density is the mixture over every choice of one bin for each house, weighed with its
mass. Without noise, a demand that houses reach at point masses of theirs alone is proof that they are there:
a point is infinitely denser than a bin. Of more houses it is their convolution on a grid
(`rtp.probability.joint_use`), on which a point is as wide as a cell.
"""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import NamedTuple

import numpy as np

from rtp.attack.observation import Observed
from rtp.core.types import Bools, Floats, Ints
from rtp.probability.histogram import Histograms
from rtp.probability.joint_use import joint_use
from rtp.probability.laplace_uniform import MAX_EXACT, joint_log_density, log_density
from rtp.probability.markov import Chains
from rtp.street.draw import Street

MAX_JOINT_HOUSES = 12
MAX_MIXTURE = 4_096  # choices of one bin for each house, of at most `MAX_EXACT`
ROUNDING = 1e-9  # of the largest demand: what tariffs and back cost its digits
UNDERFLOW = 1e-250  # a sum in which digits may have been lost

Watched = tuple[Observed, Street, Chains]  # what rates show of a street, and its houses' chains
LogMatrices = Floats  # (N, D, 1, 2, 2, 1): ln of every house's matrix on all streets, rows from, columns to


class Beliefs(NamedTuple):
    """What she holds of some houses, step by step; arrays are (T, n)."""

    belief: Floats  # Pr[occupied | rates so far], or of the whole day
    prior: Floats  # the same before the step's own rate
    log_likelihood_ratio: Floats  # of the step's rate; 0 where the state is certain anyway


def is_exact(street: Street) -> bool:
    """Return whether the street is small enough for the joint distribution of its states."""
    return len(street.group) <= MAX_JOINT_HOUSES


def rate_log_likelihoods(streets: Sequence[Street], x: Floats, b: Floats) -> Floats:
    """Return ln Pr[x | state] of what rates show, consumption plus Lap(b), for every joint state of each of D
    streets, (L, D, 2^N); 0 where b is infinite. x and b are (L, D)."""
    informative = np.isfinite(b)
    x, b = np.where(informative, x, 0.0), np.where(informative, b, 1.0)
    if len(streets[0].group) <= MAX_EXACT and all(street.distributions is None for street in streets):
        occupied_bound = np.array([street.occupied_bound for street in streets])
        empty_bound = np.array([street.empty_bound for street in streets])
        result = joint_log_density(x, b, occupied_bound, empty_bound)
    else:
        each = zip(streets, x.T, b.T, strict=True)
        result = np.stack([_street_log_likelihood(*own) for own in each], axis=1)
    return np.where(informative[:, :, None], result, 0.0)


def _street_log_likelihood(street: Street, x: Floats, b: Floats) -> Floats:
    if street.distributions is not None:
        if _is_small_mixture(street.distributions):
            return mixed_log_density(x, b, street.distributions)
        return joint_use(street.distributions).log_density(x, b)
    return joint_log_density(x, b, street.occupied_bound, street.empty_bound)


def _is_small_mixture(distributions: Histograms) -> bool:
    bins = (distributions.mass > 0).any(axis=0).sum(axis=1)
    return len(bins) <= MAX_EXACT and bool(np.prod(bins) <= MAX_MIXTURE)


def mixed_log_density(x: Floats, b: Floats, distributions: Histograms) -> Floats:
    """Return the log-density at every x of consumption plus Lap(b), (L, 2^N), where use has distributions."""
    houses = np.arange(len(distributions.edges))
    states = np.array(list(product((0, 1), repeat=len(houses))))
    used = [np.flatnonzero(mass.any(axis=0)).tolist() for mass in distributions.mass.transpose(1, 0, 2)]
    choices = np.array(list(product(*used)))  # (C, N) one bin for each house
    low, high = distributions.edges[houses, choices], distributions.edges[houses, choices + 1]
    beyond = x[:, None] - low.sum(axis=1)  # (L, C)
    density = log_density(beyond, high - low, b[:, None])
    points = (b == 0)[:, None] & (low == high).all(axis=1)
    points &= np.abs(beyond) <= ROUNDING * distributions.edges[:, -1].sum()
    density = np.where(points.any(axis=1, keepdims=True), _log(points.astype(float)), density)
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
    smoothing: bool,
) -> Beliefs:
    """Return her beliefs about some houses by the joint distribution of all."""
    (beliefs,) = joint_filters([(observed, street, chains)], houses[None], steps_per_day, smoothing=smoothing)
    return beliefs


def joint_filters(
    watched: Sequence[Watched],
    houses: Ints,
    steps_per_day: int,
    *,
    smoothing: bool,
) -> list[Beliefs]:
    """Return her beliefs about some houses of each street, (D, n): streets of as many houses, whose chains
    have the same rows."""
    beliefs = np.empty((3, watched[0][2].steps, *houses.shape))
    for day in _follow(watched, steps_per_day):
        before, after = house_marginals(day.prior), house_marginals(day.filtered)
        belief = _smooth(day) if smoothing else occupied(after)
        each = belief, occupied(before), _log_odds_gained(before, after)
        beliefs[:, day.steps] = [_of(houses, values) for values in each]
    return [Beliefs(*own) for own in beliefs.transpose(2, 0, 1, 3)]


class FollowedDay(NamedTuple):
    """One day of all streets, in logarithms; arrays are (L, D, 2^N)."""

    steps: slice
    prior: Floats  # Pr[state | rates before]
    filtered: Floats  # Pr[state | rates up to the step's own]
    likelihood: Floats  # Pr[rate | state]; 1 where no state explains it
    moves: list[LogMatrices]  # from each step to the next, L − 1


def _follow(watched: Sequence[Watched], steps_per_day: int) -> Iterator[FollowedDay]:
    """The filter, day by day."""
    streets, chains = [street for _, street, _ in watched], [own for _, _, own in watched]
    steps, rows = chains[0].steps, chains[0].row.tolist()
    leave = np.stack([own.leave for own in chains], axis=1)
    arrive = np.stack([own.arrive for own in chains], axis=1)
    matrices = [_transition_logs(*of_row) for of_row in zip(leave, arrive, strict=True)]
    moves = [matrices[row] for row in rows]
    total = np.column_stack([seen.total for seen, _, _ in watched])
    b = np.column_stack([seen.b for seen, _, _ in watched])
    state = initial_states(np.array([own.initial for own in chains]))
    for first in range(0, steps, steps_per_day):
        today = slice(first, min(first + steps_per_day, steps))
        likelihood = rate_log_likelihoods(streets, total[today], b[today])
        prior, filtered = np.empty_like(likelihood), np.empty_like(likelihood)
        for t in range(today.start, today.stop):
            prior[t - first] = state
            state, explained = condition(state, likelihood[t - first])
            likelihood[t - first, ~explained] = 0.0
            filtered[t - first] = state
            if t < len(moves):
                state = predict_states(state, moves[t])
        yield FollowedDay(today, prior, filtered, likelihood, moves[today.start : today.stop - 1])


def _of(houses: Ints, values: Floats) -> Floats:
    """Of all houses of each street, (L, D, N), those that she follows, (L, D, n)."""
    return np.take_along_axis(values, houses[None], axis=2)


def _smooth(day: FollowedDay) -> Floats:
    """Return Pr[occupied] of every house given all rates of a day, (L, D, N), backwards from the last
    step."""
    log_beta = np.zeros_like(day.filtered)
    for t in reversed(range(len(day.moves))):
        transposed = day.moves[t].swapaxes(3, 4)  # E[· of the next step | the state now]
        now = predict_states(log_beta[t + 1] + day.likelihood[t + 1], transposed)
        log_beta[t] = now - now.max(axis=1, keepdims=True)
    return occupied(house_marginals(day.filtered + log_beta))


def initial_states(initial: Floats) -> Floats:
    """Return the log-probability of every joint state of independent houses, (D, 2^N)."""
    state = np.zeros((len(initial), 1))
    for p in initial.T:
        house = _log(np.column_stack([1 - p, p]))
        state = (state[:, :, None] + house[:, None]).reshape(len(initial), -1)
    return state


def condition(state: Floats, log_likelihood: Floats) -> tuple[Floats, Bools]:
    """Return the distributions given the rates, (D, 2^N), and whether any state explains each, (D,): one
    that none explains teaches nothing."""
    joint = state + log_likelihood
    explained = np.isfinite(joint.max(axis=1))
    joint = np.where(explained[:, None], joint, state)
    top = joint.max(axis=1, keepdims=True)
    return joint - (top + np.log(np.exp(joint - top).sum(axis=1, keepdims=True))), explained


def house_marginals(states: Floats) -> Floats:
    """Return ln Pr[Sᵢ = empty] and ln Pr[Sᵢ = occupied] of each distribution, (L, D, N, 2); they need not
    sum to one."""
    houses = states.shape[-1].bit_length() - 1
    each = states.reshape(-1, states.shape[-1])
    top = each.max(axis=1)[:, None, None]
    sums: Floats = (np.exp(each - top[:, 0]) @ _members(houses)).reshape(-1, houses, 2)
    result: Floats = top + _log(sums)
    for house in np.flatnonzero((sums < UNDERFLOW).any(axis=(0, 2))).tolist():
        lost = (sums[:, house] < UNDERFLOW).any(axis=1)  # beside the other state next to nothing
        mine = each[lost].reshape(lost.sum(), 2**house, 2, -1)
        own = np.maximum(mine.max(axis=(1, 3)), -1e300)
        result[lost, house] = own + _log(np.exp(mine - own[:, None, :, None]).sum(axis=(1, 3)))
    return result.reshape(*states.shape[:-1], houses, 2)


def _members(houses: int) -> Floats:
    """(2^N, 2N): 1 where a joint state has a house empty, and where it has it occupied."""
    states = np.array(list(product((0, 1), repeat=houses)))
    return np.stack([1.0 - states, states], axis=2).reshape(len(states), -1)


def _transition_logs(leave: Floats, arrive: Floats) -> LogMatrices:
    """The logarithms of every house's 2×2 matrix, rows from, columns to; both are (D, N)."""
    logs = _log(np.array([[1 - arrive, arrive], [leave, 1 - leave]]))
    return logs.transpose(3, 2, 0, 1)[:, :, None, :, :, None]


def predict_states(values: Floats, matrices: LogMatrices) -> Floats:
    """Return the distribution one step ahead: each house's own 2×2 matrix applied along its axis, the sum
    over its rows. Streets on which digits may be lost are summed in logarithms, which takes far longer."""
    top = values.max(axis=1, keepdims=True)
    ahead = np.exp(values - top)
    for house, matrix in enumerate(np.exp(matrices)):
        now = ahead.reshape(len(values), 2**house, 2, -1)
        ahead = now[:, :, :1] * matrix[:, :, 0] + now[:, :, 1:] * matrix[:, :, 1]
    ahead = ahead.reshape(values.shape)
    lost = (ahead < UNDERFLOW).any(axis=1)
    result: Floats = top + _log(ahead)
    if lost.any():
        result[lost] = _predict_logs(values[lost], matrices[:, lost])
    return result


def _predict_logs(values: Floats, matrices: LogMatrices) -> Floats:
    """The same in logarithms."""
    shape = values.shape
    for house, matrix in enumerate(matrices):
        now = values.reshape(len(values), 2**house, 2, -1)
        values = np.logaddexp(now[:, :, :1] + matrix[:, :, 0], now[:, :, 1:] + matrix[:, :, 1])
    return values.reshape(shape)


def occupied(log_marginals: Floats) -> Floats:
    """Return Pr[occupied] of every house, (L, D, N)."""
    empty, full = log_marginals[..., 0], log_marginals[..., 1]
    return np.asarray(np.exp(full - np.logaddexp(empty, full)))


def _log_odds_gained(before: Floats, after: Floats) -> Floats:
    """The log-likelihood ratio on every house, (L, D, N); 0 where its state was certain anyway."""
    uncertain = np.isfinite(before).all(axis=3)
    gained = np.zeros(uncertain.shape)
    gained[uncertain] = np.subtract(*(np.diff(each[uncertain])[:, 0] for each in (after, before)))
    return gained


def _log(values: Floats) -> Floats:
    """ln, with −∞ for exactly 0."""
    return np.log(values, out=np.full_like(values, -np.inf), where=values > 0)
