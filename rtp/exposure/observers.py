"""What an exact observer makes of a record: passes over the house's state and its neighbours'.

Forward, the likelihood of a record is Π over steps of Σ over states of Pr[reading | states]·Pr[states |
readings before]. Forward and backward together give what she believes of every moment given the whole day,

    Pr[states at t | all readings] ∝ αₜ·βₜ,    βₜ = E[Pr[reading t+1 | states]·βₜ₊₁ | states at t].

A moment's score is the log-odds of her belief less those of the habits; a day's or a week's the logarithm of
how much likelier "empty all along" makes the record than living as modelled. Arrays are (width, record, own
state, others' state), in single precision: each step is divided by its sum.
"""

from typing import Protocol

import numpy as np

from rtp.core.types import Floats
from rtp.exposure.neighbours import Singles
from rtp.exposure.secrets import Life
from rtp.probability.laplace_uniform import log_ratio

EMPTY_SUM = 1e-300


class Neighbours(Protocol):
    """Everybody else, and the noise: `rtp.exposure.neighbours`."""

    exact: bool
    initial: Floats

    def move(self, states: Singles, step: int, back: bool = False) -> Singles: ...

    def likelihood(self, step: int, reading: Floats) -> Singles: ...


def moment_scores(life: Life, step: int, others: Neighbours, readings: Floats) -> Floats:
    """Return her log-odds that the house is occupied at a step given a day's readings, (T, W, B), less those
    of its habits, (W, B)."""
    ahead = _start(life, others, readings)
    for t in range(step):
        ahead = _predict(life, others, _divided(ahead * others.likelihood(t, readings[t]))[0], t)
    ahead = ahead * others.likelihood(step, readings[step])
    back = np.ones_like(ahead)
    for t in range(len(readings) - 1, step, -1):
        back = _divided(_expect(life, others, back * others.likelihood(t, readings[t]), t - 1))[0]
    empty, occupied = np.moveaxis((ahead * back).sum(axis=3, dtype=np.float64), 2, 0)
    with np.errstate(divide="ignore"):
        ratio = log_ratio(np.log(occupied), np.log(empty))
        return np.asarray(ratio - np.subtract(*np.log(life.marginal(step))))


def away_scores(life: Life, others: Neighbours, readings: Floats) -> Floats:
    """Return ln Pr[readings | empty all along] − ln Pr[readings | living as modelled], (W, B)."""
    usual = _start(life, others, readings)
    away = np.broadcast_to(others.initial, (*usual.shape[:2], 1, usual.shape[3])).astype(np.float32)
    score = np.zeros(usual.shape[:2])
    for t, reading in enumerate(readings):
        likely = others.likelihood(t, reading)
        usual, of_usual = _divided(usual * likely)
        away, of_away = _divided(away * likely[:, :, :1])
        with np.errstate(divide="ignore"):
            score += log_ratio(np.log(of_away), np.log(of_usual))
        if t + 1 < len(readings):
            usual, away = _predict(life, others, usual, t), others.move(away, t)
    return score


def moment_beliefs(life: Life, others: Neighbours, readings: Floats, members: Singles | None) -> Floats:
    """Return Pr[occupied | all readings of the day], (T, W, B, n), of the house or, with `members`, (2J, n),
    of all whose states those are."""
    steps, size = len(readings), 2 * len(others.initial)
    sums = np.repeat([[0.0], [1.0]], len(others.initial), axis=0) if members is None else members
    sums = np.concatenate([sums, np.ones((size, 1))], axis=1).astype(np.float32)
    filtered, likely = [], []
    ahead = _start(life, others, readings)
    for t in range(steps):
        likely.append(others.likelihood(t, readings[t]))
        filtered.append(_divided(ahead * likely[t])[0])
        if t + 1 < steps:
            ahead = _predict(life, others, filtered[t], t)
    belief = np.empty((steps, *readings.shape[1:], sums.shape[1] - 1))
    back = np.ones_like(ahead)
    for t in range(steps - 1, -1, -1):
        both = (filtered[t] * back).reshape(-1, size) @ sums
        share = both[:, :-1] / np.maximum(both[:, -1:], np.float32(1e-37))
        belief[t] = share.reshape(belief.shape[1:])
        if t:
            back = _divided(_expect(life, others, back * likely[t], t - 1))[0]
    return np.clip(belief, 0.0, 1.0)


def _start(life: Life, others: Neighbours, readings: Floats) -> Singles:
    own = np.multiply.outer([1 - life.initial, life.initial], others.initial)
    return np.broadcast_to(own, (*readings.shape[1:], *own.shape)).astype(np.float32)


def _divided(states: Singles) -> tuple[Singles, Floats]:
    """Return the states divided by their sum, and that; as they are where it is 0."""
    total = states.sum(axis=(2, 3), dtype=np.float64)
    by = np.where(total > EMPTY_SUM, total, 1.0).astype(np.float32)
    return states / by[:, :, None, None], total


def _predict(life: Life, others: Neighbours, states: Singles, t: int) -> Singles:
    """Return the states one step ahead."""
    ahead = others.move(states, t)
    leave, arrive = np.float32(life.leave[t]), np.float32(life.arrive[t])
    empty, occupied = ahead[:, :, 0], ahead[:, :, 1]
    result = np.empty_like(ahead)
    result[:, :, 0] = empty * (1 - arrive) + occupied * leave
    result[:, :, 1] = empty * arrive + occupied * (1 - leave)
    return result


def _expect(life: Life, others: Neighbours, after: Singles, t: int) -> Singles:
    """Return the mean of what states hold at t + 1, given the states at t."""
    later = others.move(after, t, back=True)
    leave, arrive = np.float32(life.leave[t]), np.float32(life.arrive[t])
    result = np.empty_like(later)
    result[:, :, 0] = later[:, :, 0] * (1 - arrive) + later[:, :, 1] * arrive
    result[:, :, 1] = later[:, :, 0] * leave + later[:, :, 1] * (1 - leave)
    return result
