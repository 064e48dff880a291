"""Whose state is open, worked out anew: the audit asks no mechanism whom it protects.

The slow and obvious way. A house's possible states are a set, and from step to step every state in it leads
to those that the house's own chances allow: the very chances that the street lives by. Houses of one group
whose chances are 0 or 1 in the same places have the same sets, so one of them is followed for all. Of several
models one under which both states are possible is enough.

Where a promise leaves out houses whose states are not both likely, their chances are followed one step at a
time, both states apart.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from rtp.core.types import Bools, Floats, Ints
from rtp.street.draw import StreetSpec
from rtp.street.simulate import StreetDay

Sets = Iterator[tuple[Bools, Bools]]  # when, (T,), and who, (N,)
SLACK = 1e-9  # by which a chance must exceed what is negligible: rounding decides nothing


@dataclass(frozen=True, kw_only=True)
class Uncertain:
    """Which houses may be in either state at each step, under some model."""

    alike: Ints  # (N,) the number of each house's kind
    both: Bools  # (T, kinds)

    def at(self, step: int) -> Bools:
        """(N,)"""
        return np.asarray(self.both[step][self.alike])

    def sets(self) -> Sets:
        """Every set of houses that is ever uncertain together."""
        rows, of_step = np.unique(self.both, axis=0, return_inverse=True)
        for i, row in enumerate(rows):
            yield of_step.ravel() == i, row[self.alike]


def covered_sets(neglects: bool, negligible: float, life: StreetDay, open_: Uncertain) -> Sets:
    """The houses that a promise is about: all whose state is open, or only while both states are likely."""
    if not (neglects and negligible > 0):
        yield from open_.sets()
        return
    for step, who in enumerate(likely(life, negligible)):
        yield np.arange(life.spec.steps) == step, who


def covered_houses(neglects: bool, negligible: float, life: StreetDay, open_: Uncertain) -> Iterator[Bools]:
    """The same step by step, (N,) each."""
    if neglects and negligible > 0:
        yield from likely(life, negligible)
    else:
        yield from (open_.at(step) for step in range(life.spec.steps))


def likely(life: StreetDay, negligible: float) -> Bools:
    """(T, N): whether under some model both states are likelier than that, before any rate."""
    spec = life.spec
    result = np.zeros((spec.steps, spec.households), dtype=bool)
    for block in spec.blocks:
        for model, schedules in enumerate(spec.schedules):
            schedule = schedules[block.group]
            leave, arrive = spec.transition_probabilities(life.street, model, block)
            empty, occupied = (np.full(len(block), c) for c in (1 - schedule.initial, schedule.initial))
            for step in range(spec.steps):
                both = np.minimum(empty, occupied) > negligible * (1 + SLACK)
                result[step, block.houses] |= both
                p = schedule.period[step % len(schedule.period)]
                left, arrived = occupied * leave[p], empty * arrive[p]
                empty, occupied = empty + left - arrived, occupied + arrived - left
    return result


def uncertain(life: StreetDay) -> Uncertain:
    spec, street = life.spec, life.street
    alike = np.empty(spec.households, dtype=np.intp)
    kinds: dict[tuple[int, bytes], int] = {}
    both: list[Bools] = []
    for block in spec.blocks:
        chances = [
            np.array(spec.transition_probabilities(street, model, block))
            for model in range(len(spec.schedules))
        ]
        stacked = np.array(chances).reshape(-1, len(block)).T
        where = (stacked > 0).astype(np.int8) + (stacked >= 1)  # 0, 1 or neither, house by house
        rows, first, of_house = np.unique(where, axis=0, return_index=True, return_inverse=True)
        for row, house in zip(rows, first.tolist(), strict=True):
            if kinds.setdefault((block.group, row.tobytes()), len(both)) == len(both):
                both.append(_under_some_model(spec, block.group, [c[:, :, house] for c in chances]))
        number = np.array([kinds[block.group, row.tobytes()] for row in rows])
        alike[block.houses] = number[of_house.ravel()]
    return Uncertain(alike=alike, both=np.stack(both, axis=1))


def _under_some_model(spec: StreetSpec, group: int, chances: list[Floats]) -> Bools:
    """(T,) of one house, from its leave and arrive chances, (2, periods) under each model."""
    result = np.zeros(spec.steps, dtype=bool)
    for model, (leave, arrive) in enumerate(c.tolist() for c in chances):
        schedule = spec.schedules[model][group]
        result |= possible(schedule.initial, schedule.period.tolist(), leave, arrive, spec.steps)
    return result


def possible(
    initial: float, period: list[int], leave: list[float], arrive: list[float], steps: int
) -> list[bool]:
    """Of one house under one model: whether both states are possible, step by step."""
    states = {state for state, chance in ((0, 1 - initial), (1, initial)) if chance > 0}
    result = []
    for step in range(steps):
        result.append(len(states) == 2)
        p = period[step % len(period)]
        moves = {(0, 0): 1 - arrive[p], (0, 1): arrive[p], (1, 0): leave[p], (1, 1): 1 - leave[p]}
        states = {end for (start, end), chance in moves.items() if start in states and chance > 0}
    return result
