"""All houses of a street by the model alone: what the joint Gaussian (`gaussian`) needs and no rate changes.

Whatever rates say of the states S they say through η = hᵀ(S − p), by which demand moves: h is the difference
of a house's mean use in its two states, p the model's chance that it is occupied, v = p(1 − p). From a step
to the next deviations are multiplied by D = 1 − ℓ − a, since a stretch began by F = D…D. Houses are
independent, so Cov(Sᵢₛ, Sᵢₜ) = vᵢₛ·Fᵢₜ/Fᵢₛ for s ≤ t, and

    Cov(ηₛ, ηₜ) = Σᵢ (h·v/F)ᵢₛ·(h·F)ᵢₜ.

A new stretch begins with every day, and wherever some house is as good as forgotten: F would be too small to
divide by, or is 0.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from rtp.attack.beliefs import Chains, move
from rtp.core.types import Floats
from rtp.street.draw import Street

LEAST = 1e-6  # of the largest rest there could be: an estimate may hold everyone to use nothing, and err
SMALLEST = 1e-6  # of F
KEPT = 500_000  # houses × steps of which all rows are kept, at 32 bytes


class Row(NamedTuple):
    """One step of all houses, (N,)."""

    occupied: Floats  # p
    empty: Floats  # 1 − p
    carried: Floats  # F
    own: Floats  # h·v/F


class Stretch(NamedTuple):
    """Steps over which nobody is forgotten."""

    first: int
    last: int  # the first of the next
    begin: tuple[Floats, Floats]  # p and 1 − p, (N,)
    covariance: Floats  # (L, L) of η
    expected: Floats  # (L,): hᵀp


class Course:
    """One street under one model. It serves every mechanism and every budget."""

    def __init__(self, street: Street, chains: Chains, steps: int) -> None:
        (m0, m1), (v0, v1) = street.moments()
        self.chains, self.steps = chains, steps
        self.swing = m1 - m0  # h
        self.by_state = v1 - v0  # how much more the rest of a house's use varies where it is occupied
        self.base = float(m0.sum()), float(v0.sum())
        self.least = LEAST * float(np.maximum(v0, v1).sum())
        self.kept: list[Row] = []
        self.stretches = list(self._stretches(chains.initial, 1 - chains.initial))
        if steps * len(m0) <= KEPT:
            self.kept = [
                row for stretch in self.stretches for row in self._rows(stretch.first, *stretch.begin)
            ]

    def rows(self, stretch: Stretch) -> Iterator[Row]:
        """Step by step."""
        if self.kept:
            return iter(self.kept[stretch.first : stretch.last])
        return self._rows(stretch.first, *stretch.begin)

    def kept_of(self, step: int) -> Floats:
        """D, (N,)"""
        leave, arrive = self.chains.chances(step)
        return 1 - leave - arrive

    def _rows(self, first: int, p: Floats, q: Floats) -> Iterator[Row]:
        """From a step on, to the end of its stretch."""
        carried, day = np.ones_like(p), self.chains.steps_per_day
        for step in range(first, min(first - first % day + day, self.steps)):
            if step > first and np.abs(carried).min() < SMALLEST:
                return
            yield Row(p, q, carried, self.swing * (p * q) / carried)
            carried = carried * self.kept_of(step)
            p, q = move(p, q, *self.chains.chances(step))

    def _stretches(self, p: Floats, q: Floats) -> Iterator[Stretch]:
        first, day = 0, self.chains.steps_per_day
        own = np.empty((min(day, self.steps), len(p)))
        while first < self.steps:
            begin, expected = (p, q), []
            covariance = np.zeros((len(own), len(own)))
            for t, row in enumerate(self._rows(first, p, q)):
                own[t] = row.own
                covariance[t, : t + 1] = own[: t + 1] @ (self.swing * row.carried)
                covariance[: t + 1, t] = covariance[t, : t + 1]
                expected.append(float(self.swing @ row.occupied))
                p, q = row.occupied, row.empty
            last = first + len(expected)
            p, q = move(p, q, *self.chains.chances(last - 1))
            size = len(expected)
            yield Stretch(first, last, begin, covariance[:size, :size].copy(), np.array(expected))
            first = last
