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

EMPTY_SUM = 1e-300
LEAST = np.float32(1e-37)


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
    left, right = others.initial.shape
    own = np.stack([1 - ways.initial, ways.initial], axis=1)
    start = own[:, None, :, None] * others.initial[:, None]  # (way, left, own state, right)
    shape = (2, *readings.shape[1:], left, 2, right)
    ahead = np.broadcast_to(start[:, None, None], shape).astype(np.float32)
    log_likelihood = np.zeros(shape[:3])
    moves = [each.astype(np.float32)[:, :, None, None, None, None] for each in (ways.leave, ways.arrive)]
    for t, likely in enumerate(others.likelihoods(readings, at)):
        ahead *= likely.reshape(shape[1:])
        total = ahead.sum(axis=(3, 4, 5), dtype=np.float64)
        with np.errstate(divide="ignore"):
            log_likelihood += np.log(total)
        ahead /= np.where(total > EMPTY_SUM, total, 1.0).astype(np.float32)[..., None, None, None]
        if t + 1 < len(readings):
            leave, arrive = (each[t] for each in moves)
            moved = others.move(ahead.reshape(*shape[:3], -1), t).reshape(shape)
            empty, occupied = moved[..., 0, :], moved[..., 1, :]
            ahead = np.empty(shape, dtype=np.float32)
            ahead[..., 0, :] = empty * (1 - arrive) + occupied * leave
            ahead[..., 1, :] = empty * arrive + occupied * (1 - leave)
    ordinary, secret = log_likelihood
    return log_ratio(secret, ordinary)


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
    total = states.sum(axis=-1, keepdims=True)
    return np.asarray(states / np.where(total > LEAST, total, np.float32(1)))
