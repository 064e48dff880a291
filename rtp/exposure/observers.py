"""What an exact observer makes of a record: passes over the joint states of the house and its neighbours.

Forward, the likelihood of a record is Π over steps of Σ over states of Pr[reading | states]·Pr[states |
readings before]; of a day or a week its log-ratio, with the house empty all along and as modelled, is her
score. Forward and backward together give what she believes of every house and moment given the whole day,

    Pr[states at t | all readings] ∝ αₜ·βₜ,    βₜ = E[Pr[reading t+1 | states]·βₜ₊₁ | states at t],

and her score of a moment is what that takes its log-odds away from those of habits. Arrays are (…, width,
record, states), in single precision: each step is divided by its sum.
"""

from collections.abc import Iterator
from typing import Protocol

import numpy as np

from rtp.core.types import Floats, Ints
from rtp.exposure.neighbours import Singles
from rtp.probability.laplace_uniform import log_ratio
from rtp.probability.markov import Chains, forward_filter, marginals, predict, reverse, smooth, update

LEAST = np.float32(1e-37)


class Neighbours(Protocol):
    """The house, everybody else, and the noise: `rtp.exposure.neighbours`. `house` is where it stands among
    houses that are followed one by one: states are (2**house, its own, the rest)."""

    @property
    def initial(self) -> Floats: ...

    @property
    def occupied(self) -> Floats: ...

    def move(self, states: Singles, step: int, back: bool = False, still: int = -1) -> Singles: ...

    def likelihoods(self, readings: Floats, at: Ints, steps: slice = ...) -> Iterator[Singles]: ...


def moment_scores(
    own: Chains, house: int, step: int, others: Neighbours, readings: Floats, at: Ints
) -> Floats:
    """Return ln Pr[readings | occupied at a step] − ln Pr[readings | empty], (W, B), of readings (T, W, B) at
    some of the widths."""
    ahead = back = np.ones((*readings.shape[1:], len(others.initial)), dtype=np.float32)
    ahead = ahead * others.initial.astype(np.float32)
    for t, likely in enumerate(others.likelihoods(readings, at, slice(step))):
        ahead = others.move(_divided(ahead * likely), t)
    later = others.likelihoods(readings, at, slice(None, step, -1))
    for t, likely in zip(range(len(readings) - 1, step, -1), later, strict=True):
        back = others.move(_divided(back * likely), t - 1, back=True)
    (likely,) = others.likelihoods(readings, at, slice(step, step + 1))
    both = np.multiply(ahead * likely, back, dtype=float)
    empty, occupied = np.moveaxis(both.reshape(*both.shape[:-1], 2**house, 2, -1).sum(axis=(-3, -1)), -1, 0)
    return _beside_habits(own, step, occupied, empty)


def away_scores(house: int, others: Neighbours, readings: Floats, at: Ints) -> Floats:
    """Return ln Pr[readings | empty all along] − ln Pr[readings | as modelled], (W, B)."""
    usual = others.initial.reshape(2**house, 2, -1)
    away = np.stack([usual.sum(axis=1), np.zeros_like(usual[:, 0])], axis=1)
    ways = [each.astype(np.float32).ravel() for each in (usual, away)]
    log_likelihood = np.zeros((2, *readings.shape[1:]))
    for t, likely in enumerate(others.likelihoods(readings, at)):
        for way, still in enumerate((-1, house)):
            ahead = ways[way] * likely
            total = _sums(ahead)
            with np.errstate(divide="ignore"):
                log_likelihood[way] += np.log(total[..., 0])
            ahead /= np.where(total > LEAST, total, np.float32(1))
            ways[way] = others.move(ahead, t, still=still) if t + 1 < len(readings) else ahead
    ordinary, secret = log_likelihood
    return log_ratio(secret, ordinary)


def insider_scores(own: Chains, step: int | None, ratio: Floats) -> Floats:
    """Return the score of what an insider reads of a house at a step, or of whether it is away, (W, B), from
    the log-likelihood ratios of its own state, (T, W, B)."""
    flat = ratio.reshape(len(ratio), -1)
    if step is not None:
        occupied, empty = marginals(own)
        left, arrived = reverse(own)  # of the step before, given that the house is empty, or occupied
        rows = own.row[:step]
        before = _filtered(occupied[0], empty[0], flat[:step], own.leave[rows], own.arrive[rows])
        after = _filtered(occupied[-1], empty[-1], flat[:step:-1], arrived[step:][::-1], left[step:][::-1])
        told = before + after + flat[step] - 2 * np.log(occupied[step] / empty[step])
        return np.asarray(told.reshape(ratio.shape[1:]))
    prior = forward_filter(_repeated(own, 1, flat.shape[1]), flat).prior
    # Pr[reading | readings before] / Pr[reading | empty] = Pr[empty | before] + Pr[occupied | before]·e^ratio
    with np.errstate(divide="ignore", invalid="ignore"):
        likely = np.where(prior > 0, np.log(prior) + flat, -np.inf)
        told = np.logaddexp(likely, np.log1p(-prior))
    return np.asarray(-told.sum(axis=0).reshape(ratio.shape[1:]))


def _filtered(occupied: Floats, empty: Floats, ratio: Floats, leave: Floats, arrive: Floats) -> Floats:
    """Return the log-odds one step after these readings, (k, n), of a chain that moves after each."""
    for seen, out, back in zip(ratio, leave, arrive, strict=True):
        occupied, empty = predict(*update(occupied, empty, seen), out, back)
    return np.clip(np.log(np.maximum(occupied, LEAST) / np.maximum(empty, LEAST)), -80.0, 80.0)


def _beside_habits(own: Chains, step: int, occupied: Floats, empty: Floats) -> Floats:
    """Return how far the log-odds of these are from those by habits."""
    by_habits = [float(each[step, 0]) for each in marginals(own)]
    with np.errstate(divide="ignore"):
        beside = log_ratio(np.log(occupied), np.log(empty))
    return np.asarray(beside - np.log(by_habits[0] / by_habits[1]))


def beliefs(others: Neighbours, readings: Floats, at: Ints) -> Floats:
    """Return Pr[occupied | all readings of the day] of all houses, (T, W, R, n)."""
    steps, members = len(readings), np.column_stack([others.occupied, np.ones(len(others.initial))])
    members = members.astype(np.float32)
    filtered, likely = [], []
    ahead = np.broadcast_to(others.initial.astype(np.float32), (*readings.shape[1:], len(members)))
    for t, now in enumerate(others.likelihoods(readings, at)):
        likely.append(now)
        filtered.append(_divided(ahead * now))
        if t + 1 < steps:
            ahead = others.move(filtered[t], t)
    belief = np.empty((*readings.shape, members.shape[1] - 1))
    back = np.ones_like(ahead)
    for t in range(steps - 1, -1, -1):
        both = (filtered[t] * back) @ members
        belief[t] = both[..., :-1] / np.maximum(both[..., -1:], LEAST)
        if t:
            back = _divided(others.move(back * likely[t], t - 1, back=True))
    return np.clip(belief, 0.0, 1.0)


def insider_beliefs(chains: Chains, ratio: Floats) -> Floats:
    """Return the same of n houses that an insider reads, from log-likelihood ratios (T, W, R, n)."""
    many = _repeated(chains, ratio.shape[-1], ratio[0, ..., 0].size)
    return smooth(many, forward_filter(many, ratio.reshape(len(ratio), -1))).reshape(ratio.shape)


def _repeated(chains: Chains, houses: int, times: int) -> Chains:
    return chains.select(np.tile(np.arange(houses), times))


def _sums(states: Singles) -> Singles:
    return np.asarray(states @ np.ones((states.shape[-1], 1), dtype=np.float32))


def _divided(states: Singles) -> Singles:
    """Divide the states by their sum, in place; where it is 0 they stay as they are."""
    total = _sums(states)
    states /= np.where(total > LEAST, total, np.float32(1))
    return states
