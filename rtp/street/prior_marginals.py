"""What the models say of every house before any rate is seen, and whose doubt is worth guarding.

A house is *open* where both its states are possible under some model. It is *covered* where, under some
model, both have more than a negligible probability, and *neglected* where it is open and not covered. The
rate may betray a neglected house, but only one that is in the state that was so unlikely: at one step that
happens with the smaller of its two probabilities, and over the record with the chance that its chain ever
enters such a state, which follows exactly by taking those who do out of the forward recursion.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from rtp.core.types import Bools, Floats, Ints
from rtp.street.draw import Street, StreetSpec
from rtp.street.schedule import Schedule, both_states_possible, personal_habits

KEPT = 4  # thresholds whose answers are remembered
Schedules = Sequence[Sequence[Schedule]]  # by model and group


@dataclass(frozen=True, kw_only=True)
class SupportClasses:
    """Houses that agree on what is possible: one kind per group, or finer where habits decide."""

    of_house: NDArray[np.integer]  # (N,)
    members: tuple[slice | Ints, ...]  # (K,) the houses of each kind
    count: Ints  # (K,)
    both_states_possible: Bools  # (M, T, K) under each model, where both states are still possible

    @cached_property
    def protected(self) -> Bools:
        """(T, K): uncertain under some model, which is what every promise is about."""
        return np.asarray(self.both_states_possible.any(axis=0))

    @cached_property
    def protected_houses(self) -> Ints:
        """(T,): how many."""
        return np.asarray(self.protected @ self.count)

    def protected_under(self, model: int) -> Ints:
        """(T,): how many houses that model alone would protect."""
        return np.asarray(self.both_states_possible[model] @ self.count)


def support_classes(spec: StreetSpec, street: Street) -> SupportClasses:
    """Sort the houses by their zero patterns under every model."""
    schedules, spread, steps = spec.schedules, spec.habit_spread, spec.steps
    sort = _by_group if spec.habit_clip == "interior" or spread == 0 else _by_pattern
    of_house, members, of_group, can = sort(street, schedules, spread)
    return SupportClasses(
        of_house=of_house,
        members=members,
        count=np.bincount(of_house, minlength=len(of_group)),
        both_states_possible=np.array(
            [
                both_states_possible(
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
        leave, arrive = personal_habits(schedule, street.habit_draws[houses], spread, "closed")
        result[houses] = np.array([[arrive < 1, arrive > 0], [leave > 0, leave < 1]]).transpose(3, 2, 0, 1)
    return result


@dataclass(frozen=True, kw_only=True)
class ProtectedSet:
    """The covered houses of every step, (T,)."""

    count: Ints
    largest: Floats  # the largest bound among them
    house: Ints  # whose it is; −1 where nobody is covered


@dataclass(frozen=True, kw_only=True)
class ThresholdFailure:
    """The chance that a neglected house is in its unlikely state, under the worst model."""

    of_one: Floats  # (T,) for the house where it is most likely; never more than what counts as negligible
    of_any: Floats  # (T,) for any house of the street
    day_of_one: float  # at some step of all
    day_of_any: float


class PriorMarginals:
    """One street's chances under every model. Nothing of size N·T is kept."""

    def __init__(self, spec: StreetSpec, street: Street, support_classes: SupportClasses) -> None:
        self.spec, self.street, self.support_classes = spec, street, support_classes
        self.protected_set = lru_cache(maxsize=KEPT)(self._protected_set)
        self.failure = lru_cache(maxsize=KEPT)(self._failure)

    def transitions(self) -> Iterator[tuple[Floats, Floats]]:
        """(leave, arrive) of every house under every model, (M, N), from each step to the next."""
        models = range(len(self.spec.schedules))
        chances = [
            [self.spec.transition_probabilities(self.street, model, block) for block in self.spec.blocks]
            for model in models
        ]
        leave, arrive = (
            np.stack([np.concatenate([pair[k] for pair in blocks], axis=1) for blocks in chances])
            for k in (0, 1)
        )  # (M, P, N)
        period = np.array([[schedule.period for schedule in model] for model in self.spec.schedules])
        houses = np.arange(len(self.street.group))
        for step in range(self.spec.steps):
            now = period[:, :, step % period.shape[2]]
            if (now == now[0, 0]).all():
                yield leave[:, now[0, 0]], arrive[:, now[0, 0]]
            else:
                rows = now[:, self.street.group]
                yield (
                    np.stack([leave[m, rows[m], houses] for m in models]),
                    np.stack([arrive[m, rows[m], houses] for m in models]),
                )

    def initial(self) -> Floats:
        """(M, N)"""
        return np.array([[schedule.initial for schedule in model] for model in self.spec.schedules])[
            :, self.street.group
        ]

    def marginals(self) -> Iterator[Floats]:
        """Pr[occupied] of every house under every model, (M, N), step by step."""
        chance = self.initial()
        for leave, arrive in self.transitions():
            yield chance
            chance = chance * (1 - leave - arrive) + arrive

    def protected_sets(self, negligible: float) -> Iterator[Bools]:
        """(N,): the houses of each step that are covered."""
        for open_, unlikely in self._unlikely():
            yield np.asarray((open_ & (unlikely > negligible)).any(axis=0))

    def _unlikely(self) -> Iterator[tuple[Bools, Floats]]:
        """Whether each house is open, and the smaller of its two chances, both (M, N)."""
        of_house = self.support_classes.of_house
        for step, chance in enumerate(self.marginals()):
            yield (
                self.support_classes.both_states_possible[:, step][:, of_house],
                np.minimum(chance, 1 - chance),
            )

    def _protected_set(self, negligible: float) -> ProtectedSet:
        count, largest, house = [], [], []
        for covered in self.protected_sets(negligible):
            bounds = np.where(covered, self.street.bound, -1.0)
            most = int(bounds.argmax())
            count.append(int(covered.sum()))
            largest.append(max(float(bounds[most]), 0.0))
            house.append(most if count[-1] else -1)
        return ProtectedSet(count=np.array(count), largest=np.array(largest), house=np.array(house))

    def _failure(self, negligible: float) -> ThresholdFailure:
        occupied = self.initial()
        empty = 1 - occupied  # of those who never were where nobody guards them
        of_one, of_any = [], []
        for (open_, unlikely), chance, (leave, arrive) in zip(
            self._unlikely(), self.marginals(), self.transitions(), strict=True
        ):
            covered = (open_ & (unlikely > negligible)).any(axis=0)
            neglected = open_ & ~covered
            fails = np.where(neglected, unlikely, 0.0)
            of_one.append(float(fails.max()))
            of_any.append(float(_some(fails).max()))
            occupied = np.where(neglected & (chance <= 0.5), 0.0, occupied)
            empty = np.where(neglected & (chance > 0.5), 0.0, empty)
            occupied, empty = occupied * (1 - leave) + empty * arrive, empty * (1 - arrive) + occupied * leave
        gone = np.clip(1 - (occupied + empty), 0.0, 1.0)
        gone[gone < 1e-12] = 0.0  # rounding
        return ThresholdFailure(
            of_one=np.array(of_one),
            of_any=np.array(of_any),
            day_of_one=float(gone.max()),
            day_of_any=float(_some(gone).max()),
        )


def _some(chance: Floats) -> Floats:
    """(M,): that it happens to any of the houses, which are independent, from (M, N)."""
    with np.errstate(divide="ignore"):
        return np.asarray(-np.expm1(np.log1p(-chance).sum(axis=1)))
