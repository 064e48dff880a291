"""Memory that is used again: on some machines a fresh page costs more than the arithmetic done in it.

Every row begins on a cache line: the processor's widest instructions read a whole line at once, and take
about twice as long where what they read lies across two. And no row begins at the same place of a page as the
one before: a processor tells what it reads from what it writes by their places in the page first, and waits
where those are the same.
"""

import threading
from collections.abc import Iterator
from math import prod
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

LINE = 64  # bytes
PAGE = 4096  # bytes
SHAPES = 64  # that are at hand
IN_CACHE = 8_000  # houses × steps that the processor has at hand
Scalar = TypeVar("Scalar", bound=np.generic)


def aligned(kind: type[Scalar], *shape: int) -> NDArray[Scalar]:
    """An array that begins on a cache line and holds whatever was left there."""
    size = prod(shape) * np.dtype(kind).itemsize
    memory = np.empty(size + LINE, dtype=np.uint8)
    first = -memory.ctypes.data % LINE
    return memory[first : first + size].view(kind).reshape(shape)


class Arrays(Generic[Scalar]):
    """Of one type, by name; what is asked for again in the same shape costs no more than looking it up."""

    def __init__(self, kind: type[Scalar]) -> None:
        self.kind = kind
        self.memory: dict[str, NDArray[Scalar]] = {}
        self.shaped: dict[tuple[str, tuple[int, ...]], NDArray[Scalar]] = {}

    def __call__(self, name: str, *shape: int) -> NDArray[Scalar]:
        known = self.shaped.get((name, shape))
        if known is not None:
            return known
        if len(self.shaped) == SHAPES:
            self.shaped.clear()
        self.shaped[name, shape] = self._part(name, *shape[:-1], length=shape[-1])
        return self.shaped[name, shape]

    def _part(self, name: str, *rows: int, length: int) -> NDArray[Scalar]:
        """Of the memory under this name, which grows where it must."""
        row = -(-length * np.dtype(self.kind).itemsize // LINE) * LINE
        row += LINE * (row % PAGE == 0)
        stride = row // np.dtype(self.kind).itemsize
        size = prod(rows) * stride
        if name not in self.memory or self.memory[name].size < size:
            self.memory[name] = aligned(self.kind, size)
        return self.memory[name][:size].reshape(*rows, stride)[..., :length]


class Room(threading.local):
    """Arrays by name, kept for the next time, in each thread its own; they hold whatever was left in them."""

    def __init__(self) -> None:
        self.floats = Arrays(np.float64)
        self.bools = Arrays(np.bool_)
        self.words = Arrays(np.uint32)


def steps_in_cache(steps: int, houses: int) -> Iterator[slice]:
    """So many steps at a time that they stay in the processor's cache."""
    size = max(IN_CACHE // max(houses, 1), 1)
    return (slice(first, min(first + size, steps)) for first in range(0, steps, size))
