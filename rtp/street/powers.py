"""Σ weight·cᵏ over many houses, for k = 0, 1, …, at a fraction of the cost of taking every power.

Any k is i + I·j with 0 ≤ i < I: with the low powers cⁱ and the high ones c^(I·j) of every house, the sums for
all k are one matrix product, (weights × high) by low.
"""

from itertools import pairwise
from math import ceil, sqrt

import numpy as np

from rtp.core.types import Floats
from rtp.street.room import Room

ALONE = 2**18  # multiplications of a matrix product that BLAS does not spread over threads of its own


def powers(base: Floats, count: int, room: Room) -> tuple[Floats, Floats]:
    """The low powers (I, n) and the high ones (J, n) of n bases: I·J ≥ count.

    Weights are multiplied by the high ones, so those are fewer.
    """
    many = max(
        round(sqrt(count / 3)), 2
    )  # a product with one row would be a job for another, threaded, routine
    few = max(ceil(count / many), 2)
    rows = room.floats("powers", few + many, len(base))
    rows[0], rows[1], rows[few] = 1.0, base, 1.0
    low, high = list(rows[1:few]), list(rows[few + 1 :])
    for before, after in pairwise(low):
        np.multiply(before, base, after)
    np.multiply(low[-1], base, high[0])
    for before, after in pairwise(high):
        np.multiply(before, high[0], after)
    return rows[:few], rows[few:]


def power_sums(weights: Floats, low: Floats, high: Floats, steps: int, room: Room) -> tuple[Floats, Floats]:
    """Σ weight·baseᵏ over n houses: (W − 1, > steps) of all weights but the last for k = 0, 1, …, and
    (≥ 2·steps,) of the last, which is asked for twice as far. Weights are (W, n)."""
    count, houses = weights.shape
    near, far = ceil((steps + 1) / len(low)), ceil(2 * steps / len(low))
    cut = (count - 1) * near
    rows = room.floats("rows", cut + far, houses)
    np.multiply(weights[:-1, None], high[:near], out=rows[:cut].reshape(count - 1, near, houses))
    np.multiply(weights[-1], high[:far], out=rows[cut:])
    size = ALONE // (len(rows) * len(low))
    total = rows[:, :size] @ low[:, :size].T
    for start in range(size, houses, size):
        total += rows[:, start : start + size] @ low[:, start : start + size].T
    return total[:cut].reshape(count - 1, -1), total[cut:].ravel()
