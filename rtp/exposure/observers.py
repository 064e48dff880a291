"""What an exact observer makes of a record: passes over the house's state and its neighbours'.

Forward, the likelihood of a record is Π over steps of Σ over states of Pr[reading | states]·Pr[states |
readings before]: once with the house living in either of two ways, whose log-ratio is her score of a record.
Forward and backward together give what she believes of every house and moment given the whole day,

    Pr[states at t | all readings] ∝ αₜ·βₜ,    βₜ = E[Pr[reading t+1 | states]·βₜ₊₁ | states at t].

Arrays are (…, width, record, states), in single precision: each step is divided by its sum.
"""

from collections.abc import Iterator
from typing import Protocol

import numpy as np

from rtp.core.types import Floats, Ints
from rtp.exposure.insider import Nobody
from rtp.exposure.neighbours import Joint, Singles
from rtp.exposure.secrets import Ways
from rtp.probability.laplace_uniform import log_ratio
from rtp.probability.markov import Chains, forward_filter, smooth

LEAST = np.float32(1e-37)
WHOLE = 32  # states up to which a step is one matrix


class Neighbours(Protocol):
    """Everybody else, and the noise: `rtp.exposure.neighbours`."""

    @property
    def exact(self) -> bool: ...

    @property
    def initial(self) -> Floats: ...

    def move(self, states: Singles, step: int) -> Singles: ...

    def likelihoods(self, readings: Floats, at: Ints) -> Iterator[Singles]: ...


def scores(ways: Ways, others: Neighbours, readings: Floats, at: Ints) -> Floats:
    """Return ln Pr[readings | the second way] − ln Pr[readings | the first], (W, B), of readings (T, W, B) at
    some of the widths."""
    steps, *shape = readings.shape
    rest, own = others.initial, np.stack([1 - ways.initial, ways.initial], axis=1)
    start = (own[:, None, :, None] * rest[:, None]).reshape(2, -1)  # (way, left × own state × right)
    count = start.shape[1]
    ahead = np.tile(start[:, None].astype(np.float32), (1, shape[0] * shape[1], 1))  # (way, W × B, states)
    log_likelihood = np.zeros(ahead.shape[:2])
    every, whole = np.ones(count, dtype=np.float32), np.zeros((0, 2, count, count), dtype=np.float32)
    if count <= WHOLE:
        each = np.broadcast_to(np.eye(count, dtype=np.float32), (2, count, count))
        whole = np.stack([_moved(each, t, ways, others, rest.shape) for t in range(steps - 1)])
    for t, likely in enumerate(others.likelihoods(readings, at)):
        ahead *= likely.reshape(-1, count)
        total = ahead @ every
        ahead /= np.where(total > LEAST, total, np.float32(1))[..., None]
        with np.errstate(divide="ignore"):
            log_likelihood += np.log(total)
        if t + 1 < steps:
            ahead = ahead @ whole[t] if len(whole) else _moved(ahead, t, ways, others, rest.shape)
    ordinary, secret = log_likelihood.reshape(2, *shape)
    return log_ratio(secret, ordinary)


def _moved(states: Singles, t: int, ways: Ways, others: Neighbours, around: tuple[int, ...]) -> Singles:
    """Return states, (way, …, left × own state × right), a step later; `around` is (left, right)."""
    leave, arrive = (each[t].astype(np.float32)[:, None, None, None] for each in (ways.leave, ways.arrive))
    moved = others.move(states, t).reshape(2, -1, around[0], 2, around[1])
    empty, occupied = moved[..., 0, :], moved[..., 1, :]
    result = np.empty_like(moved)
    result[..., 0, :] = empty * (1 - arrive) + occupied * leave
    result[..., 1, :] = empty * arrive + occupied * (1 - leave)
    return result.reshape(states.shape)


def joint_beliefs(joint: Joint, readings: Floats, at: Ints) -> Floats:
    """Return Pr[occupied | all readings of the day] of all houses, (T, W, R, n)."""
    n, steps = len(joint.chains.initial), len(readings)
    states = np.arange(2**n)[:, None] >> np.arange(n)[::-1]
    members = np.concatenate([states & 1, np.ones((2**n, 1))], axis=1).astype(np.float32)
    filtered, likely = [], []
    ahead = np.broadcast_to(joint.initial(slice(None)), (*readings.shape[1:], 2**n)).astype(np.float32)
    for t, now in enumerate(joint.likelihoods(readings, at)):
        likely.append(now)
        filtered.append(_divided(ahead * now))
        if t + 1 < steps:
            ahead = joint.move(filtered[t], t)
    belief = np.empty((*readings.shape, n))
    back = np.ones_like(ahead)
    for t in range(steps - 1, -1, -1):
        both = (filtered[t] * back) @ members
        belief[t] = both[..., :-1] / np.maximum(both[..., -1:], LEAST)
        if t:
            back = _divided(joint.move(back * likely[t], t - 1, back=True))
    return np.clip(belief, 0.0, 1.0)


def insider_beliefs(chains: Chains, each: list[tuple[Nobody, Floats]], at: Ints) -> Floats:
    """Return the same of houses that an insider reads, (T, W, R, n), from readings (T, W, R) of each."""
    ratio = np.stack([alone.ratios(readings, at) for alone, readings in each], axis=-1)
    many = chains.select(np.tile(np.arange(len(each)), ratio[0, ..., 0].size))
    return smooth(many, forward_filter(many, ratio.reshape(len(ratio), -1))).reshape(ratio.shape)


def _divided(states: Singles) -> Singles:
    """Return the states divided by their sum; as they are where it is 0."""
    total = states @ np.ones((states.shape[-1], 1), dtype=np.float32)
    return np.asarray(states / np.where(total > LEAST, total, np.float32(1)))
