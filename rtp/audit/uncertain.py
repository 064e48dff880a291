"""Whose state is open, worked out anew: the audit asks no mechanism whom it protects.

The slow and obvious way. A house's possible states are a set, and from step to step every state in it leads
to those that the house's own chances allow: the very chances that the street lives by. Houses of one group
whose chances are 0 or 1 in the same places have the same sets, so one of them is followed for all. Of several
models one under which both states are possible is enough.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from rtp.arrays import Bools, Floats, Ints
from rtp.clock import STEPS_PER_DAY
from rtp.street.draw import Street
from rtp.street.life import Life
from rtp.street.spec import StreetSpec


@dataclass(frozen=True, kw_only=True)
class Uncertain:
    """Which houses may be in either state at each step, under some model."""

    alike: Ints  # (N,) the number of each house's kind
    both: Bools  # (T, kinds)

    def at(self, step: int) -> Bools:
        """(N,)"""
        return np.asarray(self.both[step][self.alike])

    def sets(self) -> Iterator[tuple[Bools, Bools]]:
        """Every set of houses that is ever uncertain together: when, (T,), and who, (N,)."""
        rows, of_step = np.unique(self.both, axis=0, return_inverse=True)
        for i, row in enumerate(rows):
            yield of_step.ravel() == i, row[self.alike]


def uncertain(life: Life) -> Uncertain:
    spec, street = life.spec, life.street
    alike = street.group.astype(np.intp)
    models = [_chances(spec, street, model) for model in range(len(spec.schedules))]
    for chances in models:
        for chance in chances.reshape(-1, chances.shape[-1]):
            # a chance is 0, 1 or neither: three ways to be
            _, alike = np.unique(3 * alike + (chance > 0) + (chance >= 1), return_inverse=True)
            alike = alike.ravel()
    _, first = np.unique(alike, return_index=True)
    both = np.zeros((spec.steps, len(first)), dtype=bool)
    for kind, house in enumerate(first.tolist()):
        for model, chances in enumerate(models):
            schedule = spec.schedules[model][street.group[house]]
            leave, arrive = chances[:, :, house].tolist()
            both[:, kind] |= possible(schedule.initial, schedule.period.tolist(), leave, arrive, spec.steps)
    return Uncertain(alike=alike, both=both)


def possible(
    initial: float, period: list[int], leave: list[float], arrive: list[float], steps: int
) -> list[bool]:
    """Of one house under one model: whether both states are possible, step by step."""
    states = {state for state, chance in ((0, 1 - initial), (1, initial)) if chance > 0}
    result = []
    for step in range(steps):
        result.append(len(states) == 2)
        p = period[step % STEPS_PER_DAY]
        moves = {(0, 0): 1 - arrive[p], (0, 1): arrive[p], (1, 0): leave[p], (1, 1): 1 - leave[p]}
        states = {end for (start, end), chance in moves.items() if start in states and chance > 0}
    return result


def _chances(spec: StreetSpec, street: Street, model: int) -> Floats:
    """(2, periods, N): every house's own leave and arrive chances."""
    blocks = [np.array(spec.chances(street, model, block)) for block in spec.blocks]
    return np.concatenate(blocks, axis=2)
