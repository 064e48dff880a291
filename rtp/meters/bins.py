"""Readings in bins: every house has its own, each with about as many readings in it.

What is learned of a state's consumption is then a histogram, whatever its shape.
"""

import numpy as np
from numpy.typing import NDArray

from rtp.core.types import Floats
from rtp.meters.readings import Powers


def edges_of(power: Powers, bins: int) -> Floats:
    """(n, bins + 1): from 0 to the largest reading of each house, by quantiles. Edges may coincide."""
    edges = np.zeros((len(power), bins + 1))
    for own, values in zip(edges, power, strict=True):
        known = np.sort(values[np.isfinite(values)])
        if len(known):
            own[1:] = known[np.ceil(np.arange(1, bins + 1) / bins * len(known)).astype(int) - 1]
    return edges


def codes_of(power: Powers, edges: Floats) -> NDArray[np.int8]:
    """(T, n): the bin of every reading, the last edge included; one more where it is missing."""
    bins = edges.shape[1] - 1
    codes = np.full(power.shape[::-1], bins, dtype=np.int8)
    for house, (values, own) in enumerate(zip(power, edges, strict=True)):
        known = np.isfinite(values)
        codes[known, house] = np.minimum(np.searchsorted(own[1:], values[known], side="left"), bins - 1)
    return codes
