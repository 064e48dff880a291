"""Σ weight·cᵏ over many houses, for k = 1, 2, …, at a fraction of the cost of taking every power.

Any k is i + I·j with 1 ≤ i ≤ I: with the low powers cⁱ and the high ones c^(I·j) of every house, the sums for
all k are one matrix product, (weights × high) by low.
"""

from math import ceil, sqrt

import numpy as np

from rtp.arrays import Floats
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
    low, high = room.floats("low", few, len(base)), room.floats("high", many, len(base))
    low[0], high[0] = base, 1.0
    for i in range(1, few):
        np.multiply(low[i - 1], base, low[i])
    for j in range(1, many):
        np.multiply(high[j - 1], low[-1], high[j])
    return low, high


def power_sums(weights: Floats, low: Floats, high: Floats, room: Room) -> Floats:
    """(W, I·J): Σ weight·baseᵏ for k = 1 … I·J, by weights (W, n)."""
    count, houses = weights.shape
    rows = room.floats("rows", count * len(high), houses)
    np.multiply(weights[:, None], high, out=rows.reshape(count, -1, houses))
    size = ALONE // (len(rows) * len(low))
    total = rows[:, :size] @ low[:, :size].T
    for start in range(size, houses, size):
        total += rows[:, start : start + size] @ low[:, start : start + size].T
    return np.asarray(total.reshape(count, -1))
