"""Kinds of houses: those that agree on what is possible, so that protection is decided once for all of them.

With habits kept inside (0, 1) a group is one kind: its zero pattern is the stated matrix's. Where single
habits may be cut to 0 or 1, houses are sorted by their own zero patterns.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from rtp.core.types import Bools, Ints
from rtp.street.draw import Street
from rtp.street.occupancy import Schedule, personal, uncertain

Schedules = Sequence[Sequence[Schedule]]  # by model and group


@dataclass(frozen=True, kw_only=True)
class Kinds:
    """Houses that agree on what is possible: one kind per group, or finer where habits decide."""

    of_house: NDArray[np.integer]  # (N,)
    members: tuple[slice | Ints, ...]  # (K,) the houses of each kind
    count: Ints  # (K,)
    uncertain: Bools  # (M, T, K) under each model, where both states are still possible

    @cached_property
    def protected(self) -> Bools:
        """(T, K): uncertain under some model, which is what every promise is about."""
        return np.asarray(self.uncertain.any(axis=0))

    @cached_property
    def protected_houses(self) -> Ints:
        """(T,): how many."""
        return np.asarray(self.protected @ self.count)


def kinds(street: Street, schedules: Schedules, spread: float, clip: str, steps: int) -> Kinds:
    """Sort the houses by their zero patterns under every model."""
    sort = _by_group if clip == "interior" or spread == 0 else _by_pattern
    of_house, members, of_group, can = sort(street, schedules, spread)
    return Kinds(
        of_house=of_house,
        members=members,
        count=np.bincount(of_house, minlength=len(of_group)),
        uncertain=np.array(
            [
                uncertain(
                    np.array([model[g].initial for g in of_group]),
                    np.array([model[g].period for g in of_group]),
                    can[m],
                    steps,
                )
                for m, model in enumerate(schedules)
            ]
        ),
    )


# which kind each house is of; the houses of each kind; each kind's group; (M, K, P, 2, 2) possible entries
Sorted = tuple[NDArray[np.integer], tuple[slice | Ints, ...], Ints, Bools]


def _by_group(street: Street, schedules: Schedules, spread: float) -> Sorted:
    groups = np.arange(len(schedules[0]))
    edges = np.searchsorted(street.group, np.arange(len(groups) + 1))
    members = tuple(slice(int(a), int(b)) for a, b in pairwise(edges))
    return street.group, members, groups, np.array([[s.can for s in model] for model in schedules])


def _by_pattern(street: Street, schedules: Schedules, spread: float) -> Sorted:
    patterns = np.stack([_pattern(street, model, spread) for model in schedules], axis=1)
    keys = np.column_stack([street.group, patterns.reshape(len(street.group), -1)])
    rows, inverse = np.unique(keys, axis=0, return_inverse=True)
    of_house = inverse.ravel()
    can = rows[:, 1:].astype(bool).reshape(len(rows), len(schedules), -1, 2, 2).swapaxes(0, 1)
    order = np.argsort(of_house, kind="stable")
    members = tuple(np.split(order, np.flatnonzero(np.diff(of_house[order])) + 1))
    return of_house, members, rows[:, 0].astype(np.intp), can


def _pattern(street: Street, model: Sequence[Schedule], spread: float) -> NDArray[np.int8]:
    """(N, P, 2, 2): the entries that are not exactly 0 in each house's own matrices."""
    result = np.empty((len(street.group), len(model[0].leave), 2, 2), dtype=np.int8)
    for g, schedule in enumerate(model):
        houses = street.group == g
        leave, arrive = personal(schedule, street.habit_draws[houses], spread, "closed")
        result[houses] = np.array([[arrive < 1, arrive > 0], [leave > 0, leave < 1]]).transpose(3, 2, 0, 1)
    return result
