"""Memory that is used again: on some machines a fresh page costs more than the arithmetic done in it.

Every array begins on a cache line: the processor's widest instructions read a whole line at once, and take
about twice as long where what they read lies across two.
"""

import threading
from math import prod
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from rtp.arrays import Bools, Floats, Words

LINE = 64  # bytes
Scalar = TypeVar("Scalar", bound=np.generic)


def aligned(kind: type[Scalar], *shape: int) -> NDArray[Scalar]:
    """An array that begins on a cache line and holds whatever was left there."""
    size = prod(shape) * np.dtype(kind).itemsize
    memory = np.empty(size + LINE, dtype=np.uint8)
    first = -memory.ctypes.data % LINE
    return memory[first : first + size].view(kind).reshape(shape)


class Room(threading.local):
    """Arrays by name, kept for the next time, in each thread its own; they hold whatever was left in them."""

    def __init__(self) -> None:
        self.kept_floats: dict[str, Floats] = {}
        self.kept_bools: dict[str, Bools] = {}
        self.kept_words: dict[str, Words] = {}

    def floats(self, name: str, *shape: int) -> Floats:
        return _part(self.kept_floats, np.float64, name, shape)

    def bools(self, name: str, *shape: int) -> Bools:
        return _part(self.kept_bools, np.bool_, name, shape)

    def words(self, name: str, *shape: int) -> Words:
        return _part(self.kept_words, np.uint32, name, shape)


def _part(
    kept: dict[str, NDArray[Scalar]], kind: type[Scalar], name: str, shape: tuple[int, ...]
) -> NDArray[Scalar]:
    size = prod(shape)
    if name not in kept or kept[name].size < size:
        kept[name] = aligned(kind, size)
    return kept[name][:size].reshape(shape)
