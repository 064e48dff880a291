"""Demand that houses reach at point masses alone: without noise it says which of them can be there.

What so many alike houses use at points of theirs is kept by how many of them are occupied, group by group; a
house that is followed by itself is a group of one. Sums that differ by what floats lose are one.
"""

from collections.abc import Sequence
from math import comb

import numpy as np
from numpy.typing import NDArray

from rtp.core.types import Floats, Ints
from rtp.probability.histogram import Histograms
from rtp.probability.joint_use import TOLERANCE

MOST_POINTS = 2**21  # sums in joint states that are told apart


class Points:
    """Sums with their probabilities in each joint state; those at one place of `first` and `last` are alike.

    `known` says whether they are all there: of too many none are.
    """

    def __init__(self, groups: Sequence[Histograms]) -> None:
        self.known, self.states = bool(groups), 1
        self.rounding = TOLERANCE * sum(float(laws.edges.max(axis=1).sum()) for laws in groups)
        value, mass, state = np.zeros(1), np.ones(1), np.zeros(1, dtype=np.intp)
        if not groups:
            value, mass, state = value[:0], mass[:0], state[:0]
        for laws in groups:
            own, each = self._alike(laws)
            occupied, place = np.nonzero(each)
            self.states *= len(each)
            self.known &= len(value) * len(place) <= MOST_POINTS
            if not self.known:
                value, mass, state = value[:0], mass[:0], state[:0]
                break
            value = np.add.outer(value, own[place]).ravel()
            mass = np.multiply.outer(mass, each[occupied, place]).ravel()
            state = np.add.outer(state * len(each), occupied).ravel()
            value, place = self._distinct(value)
            key, again = np.unique(place * self.states + state, return_inverse=True)
            mass, state = np.asarray(np.bincount(again, mass, len(key)), dtype=float), key % self.states
            value = value[key // self.states]
        self.value, self.mass, self.state = value, mass, state
        total = np.bincount(state, mass, self.states)
        self.sure = bool((total > 1 - TOLERANCE).all())  # nobody uses anything else
        self._by_state = np.argsort(state, kind="stable")
        self._starts = np.searchsorted(state[self._by_state], np.arange(self.states))

    def _distinct(self, value: Floats) -> tuple[Floats, Ints]:
        """Return the values but for rounding, rising, and the place of each among them."""
        order = np.argsort(value, kind="stable")
        new = np.diff(value[order], prepend=-np.inf) > self.rounding
        place = np.empty(len(value), dtype=np.intp)
        place[order] = np.cumsum(new) - 1
        return value[order][new], place

    def _alike(self, laws: Histograms) -> tuple[Floats, Floats]:
        """Return sums of so many alike houses, (P,), with their probabilities where 0, 1, … are occupied."""
        point = np.diff(laws.edges[0]) == 0
        places, which = self._distinct(laws.edges[0, :-1][point])
        chances = np.stack([np.bincount(which, own[0, point], len(places)) for own in laws.mass])
        value, each = np.zeros(1), np.ones((1, 1))
        for _ in range(len(laws.edges)):
            together = np.add.outer(places, value)
            value, place = self._distinct(together.ravel())
            larger = np.zeros((len(each) + 1, len(value)))
            for at, (empty, occupied) in zip(place.reshape(together.shape), chances.T, strict=True):
                larger[:-1, at] += empty * each
                larger[1:, at] += occupied * each
            each = larger
        n = len(laws.edges)  # so far of any who are occupied
        return value, each / np.array([[comb(n, occupied)] for occupied in range(n + 1)], dtype=float)

    def explaining(self, reading: float) -> Floats | None:
        """Return Pr[a demand that is read] in every state, where points alone can reach it."""
        first, last = np.searchsorted(self.value, [reading - self.rounding, reading + self.rounding])
        if first == last:
            return None
        return np.asarray(
            np.bincount(self.state[first:last], self.mass[first:last], self.states), dtype=float
        )

    def around(self, readings: Floats, b: float) -> NDArray[np.float32]:
        """Return how likely noisy readings are in every state where all use points alone, (B, J), up to a
        factor of each."""
        away = -np.abs(readings[:, None] - self.value[self._by_state]) / b
        weight = np.exp(np.maximum(away - away.max(axis=1, keepdims=True), -80.0)) * self.mass[self._by_state]
        return np.asarray(np.add.reduceat(weight, self._starts, axis=1), dtype=np.float32)
