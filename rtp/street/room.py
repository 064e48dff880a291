"""Memory that is used again: on some machines a fresh page, or one that has left the processor's cache, costs
more than the arithmetic done in it.
"""

import threading
from collections.abc import Iterator
from math import prod

import numpy as np

from rtp.arrays import Bools, Floats

IN_CACHE = 8_000  # houses × steps that the processor has at hand


class Room(threading.local):
    """Arrays by name, kept for the next time, in each thread its own; they hold whatever was left in them."""

    def __init__(self) -> None:
        self.kept_floats: dict[str, Floats] = {}
        self.kept_bools: dict[str, Bools] = {}

    def floats(self, name: str, *shape: int) -> Floats:
        size = prod(shape)
        if name not in self.kept_floats or self.kept_floats[name].size < size:
            self.kept_floats[name] = np.empty(size)
        return self.kept_floats[name][:size].reshape(shape)

    def bools(self, name: str, *shape: int) -> Bools:
        size = prod(shape)
        if name not in self.kept_bools or self.kept_bools[name].size < size:
            self.kept_bools[name] = np.empty(size, dtype=bool)
        return self.kept_bools[name][:size].reshape(shape)


def blocks(steps: int, houses: int) -> Iterator[slice]:
    """So many steps at a time that they stay in the processor's cache."""
    size = max(IN_CACHE // max(houses, 1), 1)
    return (slice(first, min(first + size, steps)) for first in range(0, steps, size))
