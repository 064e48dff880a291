"""Algorithm 1 of the paper, literally: all 2^N joint states, line by line.

Exponential in N, so for small streets only: it is what the fast mechanism is tested against, and what a
class can watch. Line numbers are those of Algorithm 1. A state is a row of 0 (empty) and 1 (occupied), house
0 first; states are in counting order, so the joint transition matrix is the Kronecker product of the houses'.

Line 5, μ, is kept on booleans: Laplace noise explains any rate, so a posterior that is exactly 0 is a
likelihood that underflowed, and must not make a state impossible.

One departure: line 4 multiplies by A^t, but Section II defines A^t as driving S^t → S^{t+1}, which is also
what the published figure shows. So the prior of step t uses the matrix of step t − 1.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial, reduce
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rtp.core.types import Bools, Floats
from rtp.probability.laplace_uniform import density

MAX_HOUSES = 8


@dataclass(frozen=True, kw_only=True)
class ModelStep:
    """One step under one θ. Arrays over states are (2^N,)."""

    prior: Floats  # line 3 or 4
    possible: Bools  # line 5, μ
    neighbours: tuple[tuple[int, int, int], ...]  # line 6, ν: (state, state, the house they differ in)
    protected: tuple[int, ...]  # line 7, κ
    sensitivity: float  # line 8, λ^{t,θ}
    posterior: Floats  # line 15


@dataclass(frozen=True, kw_only=True)
class Step:
    """One step of the algorithm: what each model says, and what follows for all."""

    models: tuple[ModelStep, ...]
    sensitivity: float  # line 10, λ^t
    scale: float  # line 12
    setter: int  # the house that sets the noise, −1 where none
    published: float  # line 14
    likelihood: Floats  # Pr[r̂ | state]


def all_states(houses: int) -> NDArray[np.int8]:
    """(2^N, N)."""
    return np.array(list(product((0, 1), repeat=houses)), dtype=np.int8)


def initial_law(initial_occupied: Floats) -> Floats:
    """Π: the joint law of independent houses, from each one's Pr[occupied]."""
    return np.asarray(reduce(np.kron, [np.array([1 - p, p]) for p in initial_occupied]))


def transition(matrices: Floats) -> Floats:
    """A: (2^N, 2^N) from the houses' own (N, 2, 2)."""
    return np.asarray(reduce(np.kron, matrices))


def neighbours(possible: Bools) -> tuple[tuple[int, int, int], ...]:
    """ν: pairs of possible states at distance one, with the house they differ in."""
    return _neighbours(possible.tobytes())


@lru_cache(maxsize=64)
def _neighbours(possible: bytes) -> tuple[tuple[int, int, int], ...]:
    """One byte, 0 or 1, per state; remembered, because μ seldom changes from step to step."""
    houses = len(possible).bit_length() - 1
    return tuple(
        (state, state | bit, house)
        for house in range(houses)
        for bit in [1 << (houses - 1 - house)]
        for state in range(len(possible))
        if not state & bit and possible[state] and possible[state | bit]
    )


def likelihood(
    rate: float,
    *,
    alpha: float,
    beta: float,
    scale: float,
    occupied_bound: Floats,
    empty_bound: Floats,
) -> Floats:
    """Pr[r̂ | M] for every joint state M."""
    widths = np.where(all_states(len(occupied_bound)), occupied_bound, empty_bound)
    return density((rate - beta) / alpha, widths, scale / alpha) / alpha


def bayes(prior: Floats, likelihoods: Floats) -> Floats:
    """The paper's equation (3). A rate that no possible state explains teaches nothing."""
    joint = prior * likelihoods
    total = joint.sum()
    return joint / total if total > 0 else prior


class Law(NamedTuple):
    """What one θ says of the joint states before the rate."""

    prior: Floats
    possible: Bools


class Protection(NamedTuple):
    """Whom one θ leaves uncertain, and the sensitivity they ask for."""

    neighbours: tuple[tuple[int, int, int], ...]
    protected: tuple[int, ...]
    sensitivity: float


def first_law(initial_occupied: Floats) -> Law:
    prior = initial_law(initial_occupied)  # line 3
    return Law(prior, possible=prior != 0)  # line 5


def next_law(before: ModelStep, matrices: Floats) -> Law:
    """A step later; `matrices` (N, 2, 2) drive the houses there."""
    move = transition(matrices)
    prior = before.posterior @ move  # line 4
    return Law(prior, possible=before.possible @ (move != 0))  # line 5


def protection(possible: Bools, alpha: float, bound: Sequence[float]) -> Protection:
    pairs = neighbours(possible)  # line 6
    houses = tuple(sorted({house for _, _, house in pairs}))  # line 7
    return Protection(pairs, houses, alpha * max((bound[h] for h in houses), default=0.0))  # line 8


def setter(asked: Sequence[Protection], bound: Sequence[float]) -> int:
    """The protected house with the largest bound, the first of several; −1 where none asks for noise."""
    houses = sorted(set().union(*(own.protected for own in asked if own.sensitivity > 0)))
    return max(houses, key=bound.__getitem__, default=-1)


def learned(law: Law, own: Protection, likelihoods: Floats) -> ModelStep:
    posterior = bayes(law.prior, likelihoods)  # line 15
    return ModelStep(**law._asdict(), **own._asdict(), posterior=posterior)


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
) -> Iterator[Step]:
    """Run Algorithm 1 on the rates it published; yields one Step per rate.

    initial[θ] is (N,) Pr[occupied]; matrices[θ][t] is (N, 2, 2), driving step t → t + 1. Every house's
    consumption at step t is scaled by response[t], a public number.
    """
    bound = np.maximum(occupied_bound, empty_bound).tolist()
    of_rate = partial(likelihood, alpha=alpha, beta=beta + alpha * fixed_demand)
    models: list[ModelStep] = []
    for t, rate in enumerate(published):  # line 1
        if t == 0:
            laws = [first_law(chances) for chances in initial]  # lines 3 and 5
        else:
            laws = [next_law(own, moves[t - 1]) for own, moves in zip(models, matrices, strict=True)]  # 4, 5
        asked = [protection(law.possible, alpha, bound) for law in laws]  # lines 6 to 8
        sensitivity = max(own.sensitivity for own in asked)  # line 10
        scale = sensitivity / epsilon  # line 12
        g = 1.0 if response is None else response[t]
        seen = of_rate(rate, scale=scale, occupied_bound=g * occupied_bound, empty_bound=g * empty_bound)
        models = [learned(law, own, seen) for law, own in zip(laws, asked, strict=True)]  # line 15
        yield Step(
            models=tuple(models),
            sensitivity=sensitivity,
            scale=scale,
            setter=setter(asked, bound),
            published=rate,  # line 14
            likelihood=seen,
        )
