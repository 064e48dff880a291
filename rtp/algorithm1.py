"""Algorithm 1 of the paper, literally: all 2^N joint states, line by line.

Exponential in N, so for small streets only: it is what the fast mechanism is tested against, and what a
class can watch. Line numbers are those of Algorithm 1. A state is a row of 0 (empty) and 1 (occupied), house
0 first; states are in counting order, so the joint transition matrix is the Kronecker product of the houses'.

Probabilities are kept as logarithms: at a large ε a rate can be e^5000 times as likely under one state as
under another, which no float holds. Line 5, μ, is kept on booleans all the same: Laplace noise explains any
rate, so only an exact 0 of the model is impossible.

Two houses may be known to come and go together (`linked`): the joint distribution is then no product, and
has probability only where both are in the same state. The paper's algorithm is the same; what it then leaves
out is said in `rtp.teaching.linked`.

One departure: line 4 multiplies by A^t, but Section II defines A^t as driving S^t → S^{t+1}, which is also
what the published figure shows. So the prior of step t uses the matrix of step t − 1.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rtp.core.types import Bools, Floats
from rtp.probability.laplace_uniform import log_density

Linked = tuple[int, int] | None  # two houses that are known to come and go together


@dataclass(frozen=True, kw_only=True)
class ModelStep:
    """One step under one θ. Arrays over states are (2^N,)."""

    log_prior: Floats  # line 3 or 4
    possible: Bools  # line 5, μ
    neighbours: tuple[tuple[int, int, int], ...]  # line 6, ν: (state, state, the house they differ in)
    protected: tuple[int, ...]  # line 7, κ
    sensitivity: float  # line 8, λ^{t,θ}
    log_posterior: Floats  # line 15

    @property
    def prior(self) -> Floats:
        return np.exp(self.log_prior)

    @property
    def posterior(self) -> Floats:
        return np.exp(self.log_posterior)


@dataclass(frozen=True, kw_only=True)
class Step:
    """One step of the algorithm: what each model says, and what follows for all."""

    models: tuple[ModelStep, ...]
    sensitivity: float  # line 10, λ^t
    scale: float  # line 12
    noise_setting_house: int  # −1 where none
    published: float  # line 14
    log_likelihood: Floats  # ln Pr[r̂ | state]

    @property
    def likelihood(self) -> Floats:
        return np.exp(self.log_likelihood)


def all_states(houses: int) -> NDArray[np.int8]:
    """(2^N, N): every joint state."""
    return np.array(list(product((0, 1), repeat=houses)), dtype=np.int8)


def together(houses: int, linked: Linked) -> Floats:
    """(2^N,): 1 for states in which the linked houses are both in or both out, or for all; else 0."""
    states = all_states(houses)
    return np.ones(len(states)) if linked is None else 1.0 * (states[:, linked[0]] == states[:, linked[1]])


def initial_distribution(initial_occupied: Floats, linked: Linked = None) -> Floats:
    """Π: the joint distribution of independent houses, from each one's Pr[occupied].

    The second of two linked houses does as the first: any factor of its own, where they agree, gives the
    first one's probability.
    """
    own = np.column_stack([1 - initial_occupied, initial_occupied])
    if linked is not None:
        own[linked[1]] = 1.0
    return np.asarray(reduce(np.kron, own) * together(len(own), linked))


def transition(matrices: Floats, linked: Linked = None) -> Floats:
    """A: (2^N, 2^N) from the houses' own (N, 2, 2); the second of two linked houses does as the first."""
    own = matrices
    if linked is not None:
        own = matrices.copy()
        own[linked[1]] = 1.0
    return np.asarray(reduce(np.kron, own) * together(len(own), linked))


def neighbours(possible: Bools) -> tuple[tuple[int, int, int], ...]:
    """ν: pairs of possible states at distance one, with the house they differ in."""
    houses = len(possible).bit_length() - 1
    is_possible = possible.tolist()
    return tuple(
        (state, state | bit, house)
        for house in range(houses)
        for bit in [1 << (houses - 1 - house)]
        for state in range(len(is_possible))
        if not state & bit and is_possible[state] and is_possible[state | bit]
    )


def log_likelihood(
    rate: float,
    *,
    alpha: float,
    beta: float,
    scale: float,
    occupied_bound: Floats,
    empty_bound: Floats,
) -> Floats:
    """ln Pr[r̂ | M] for every joint state M."""
    widths = np.where(all_states(len(occupied_bound)), occupied_bound, empty_bound)
    return np.asarray(log_density((rate - beta) / alpha, widths, scale / alpha) - np.log(alpha))


def bayes(log_prior: Floats, log_likelihoods: Floats) -> Floats:
    """The paper's equation (3), in logarithms. A rate that no possible state explains teaches nothing."""
    joint = log_prior + log_likelihoods
    largest = joint.max()
    if largest == -np.inf:
        return log_prior
    return np.asarray(joint - (largest + np.log(np.exp(joint - largest).sum())))


class Prior(NamedTuple):
    """What one θ says of the joint states before the rate."""

    log_prior: Floats
    possible: Bools


class Protection(NamedTuple):
    """Whom one θ leaves uncertain, and the sensitivity they ask for."""

    neighbours: tuple[tuple[int, int, int], ...]
    protected: tuple[int, ...]
    sensitivity: float


def first_prior(initial_occupied: Floats, linked: Linked = None) -> Prior:
    """The prior of the first step."""
    prior = initial_distribution(initial_occupied, linked)  # line 3
    return Prior(_log(prior), possible=prior != 0)  # line 5


def next_prior(before: ModelStep, matrices: Floats, linked: Linked = None) -> Prior:
    """The prior a step later; `matrices` (N, 2, 2) drive the houses there."""
    move = transition(matrices, linked)
    log_prior = np.logaddexp.reduce(before.log_posterior[:, None] + _log(move), axis=0)  # line 4
    return Prior(np.asarray(log_prior), possible=before.possible @ (move != 0))  # line 5


def protection(possible: Bools, alpha: float, bound: Sequence[float]) -> Protection:
    """Whom possible states leave uncertain, and α times the largest of their bounds."""
    pairs = neighbours(possible)  # line 6
    houses = tuple(sorted({house for _, _, house in pairs}))  # line 7
    return Protection(pairs, houses, alpha * max((bound[h] for h in houses), default=0.0))  # line 8


def noise_setting_house(by_model: Sequence[Protection], bound: Sequence[float]) -> int:
    """The protected house with the largest bound, the first of several; −1 where none asks for noise."""
    houses = sorted(set().union(*(own.protected for own in by_model if own.sensitivity > 0)))
    return max(houses, key=bound.__getitem__, default=-1)


def algorithm(
    *,
    epsilon: float,
    alpha: float,
    beta: float,
    occupied_bound: Floats,
    empty_bound: Floats,
    initial: Sequence[Floats],
    matrices: Sequence[Sequence[Floats]],
    published: Sequence[float],
    fixed_demand: float = 0.0,
    response: Sequence[float] | None = None,
    linked: Linked = None,
) -> Iterator[Step]:
    """Run Algorithm 1 on the rates it published.

    Parameters
    ----------
    epsilon, alpha, beta : float
        The budget per step, and the tariff.
    occupied_bound, empty_bound : ndarray
        The bounds of every house, (N,).
    initial : sequence of ndarray
        For every θ Pr[occupied], (N,).
    matrices : sequence of sequence of ndarray
        For every θ and step t the houses' matrices, (N, 2, 2), that drive step t → t + 1.
    published : sequence of float
        The rates.
    fixed_demand : float
        Inelastic demand.
    response : sequence of float, optional
        A public number by which consumption is scaled at every step.
    linked : optional
        The houses that come and go together, if any.

    Yields
    ------
    Step
        One for every rate: what each model says, and what follows for all.

    Examples
    --------
    >>> import numpy as np
    >>> from rtp.algorithm1 import algorithm
    >>> bounds = np.array([1.0, 0.6])
    >>> stay = np.array([[[0.9, 0.1], [0.1, 0.9]]] * 2)
    >>> initial = np.array([0.5, 1.0])  # house 1 is surely occupied
    >>> steps = algorithm(
    ...     epsilon=0.5, alpha=1.0, beta=62.5, occupied_bound=bounds, empty_bound=bounds / 2,
    ...     initial=[initial], matrices=[[stay]], published=[63.1, 63.4],
    ... )
    >>> [(step.models[0].protected, step.scale) for step in steps]
    [((0,), 2.0), ((0, 1), 2.0)]
    """
    bound = np.maximum(occupied_bound, empty_bound).tolist()
    of_rate = partial(log_likelihood, alpha=alpha, beta=beta + alpha * fixed_demand)
    models: list[ModelStep] = []
    for t, rate in enumerate(published):  # line 1
        if t == 0:
            priors = [first_prior(occupied, linked) for occupied in initial]  # lines 3 and 5
        else:
            earlier = zip(models, matrices, strict=True)
            priors = [next_prior(own, moves[t - 1], linked) for own, moves in earlier]  # lines 4 and 5
        by_model = [protection(prior.possible, alpha, bound) for prior in priors]  # lines 6 to 8
        sensitivity = max(own.sensitivity for own in by_model)  # line 10
        scale = sensitivity / epsilon  # line 12
        g = 1.0 if response is None else response[t]
        seen = of_rate(rate, scale=scale, occupied_bound=g * occupied_bound, empty_bound=g * empty_bound)
        models = [
            ModelStep(**prior._asdict(), **own._asdict(), log_posterior=bayes(prior.log_prior, seen))
            for prior, own in zip(priors, by_model, strict=True)
        ]  # line 15
        yield Step(
            models=tuple(models),
            sensitivity=sensitivity,
            scale=scale,
            noise_setting_house=noise_setting_house(by_model, bound),
            published=rate,  # line 14
            log_likelihood=seen,
        )


def _log(probability: Floats) -> Floats:
    """ln, with −∞ for exactly 0."""
    return np.log(probability, out=np.full_like(probability, -np.inf), where=probability > 0)
