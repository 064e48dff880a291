"""What the models say of every house before any rate is seen, and whose state is worth protecting.

Houses that agree on what is possible form a *support class*, so that protection is decided once for all of
them. Personal habits are kept inside (0, 1), so a group is one class, with the zero pattern of its matrices.

The threshold mechanism protects fewer: a house is *covered* where, under some model, both its states have
more than a threshold probability, and *neglected* where both are possible and it is not covered. The rate may
betray a neglected house, but only one that is in the state that was so unlikely: at one step that happens
with the smaller of its two probabilities, and over the record with the probability that its chain ever enters
such a state, which follows exactly by taking those who do out of the forward recursion.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, pairwise
from typing import NamedTuple

import numpy as np

from rtp.core.types import Bools, Floats, Ints
from rtp.probability.markov import predict
from rtp.street.draw import Street, StreetSpec
from rtp.street.schedule import both_states_possible

PROBABILITY_TOLERANCE = 1e-12  # of probabilities that add up to one


@dataclass(frozen=True, kw_only=True)
class SupportClasses:
    """Houses that agree on what is possible: one class per group, unless houses have habits of their own."""

    members: tuple[slice, ...]  # (K,) the houses of each class, one class after the other
    both_states_possible: Bools  # (M, T, K) under each model

    @cached_property
    def count(self) -> Ints:
        """(K,): how many houses each class has."""
        return np.array([members.stop - members.start for members in self.members])

    @cached_property
    def of_house(self) -> Ints:
        """(N,): the class of each house."""
        return np.repeat(np.arange(len(self.members)), self.count)

    @cached_property
    def protected(self) -> Bools:
        """(T, K): both states possible under some model, which is what every promise is about."""
        return np.asarray(self.both_states_possible.any(axis=0))

    @cached_property
    def protected_houses(self) -> Ints:
        """(T,): how many."""
        return np.asarray(self.protected @ self.count)

    def protected_under(self, model: int) -> Ints:
        """(T,): how many houses that model alone would protect."""
        return np.asarray(self.both_states_possible[model] @ self.count)


def support_classes(spec: StreetSpec, street: Street) -> SupportClasses:
    """The houses sorted by their zero patterns under every model: by their groups."""
    edges = np.searchsorted(street.group, np.arange(len(spec.groups) + 1))
    return SupportClasses(
        members=tuple(slice(a, b) for a, b in pairwise(edges.tolist())),
        both_states_possible=np.array(
            [
                both_states_possible(
                    np.array([own.initial for own in model]),
                    np.array([own.period for own in model]),
                    np.array([own.possible for own in model]),
                    spec.steps,
                )
                for model in spec.schedules
            ]
        ),
    )


@dataclass(frozen=True, kw_only=True)
class ProtectedSet:
    """The covered houses of every step, (T,)."""

    count: Ints
    largest: Floats  # the largest bound among them
    house: Ints  # whose it is; −1 where nobody is covered


@dataclass(frozen=True, kw_only=True)
class ThresholdFailure:
    """The probability that a neglected house is in its unlikely state, under the worst model."""

    of_one: Floats  # (T,) for the house where it is most likely; never more than the threshold
    of_any: Floats  # (T,) for any house of the street
    day_of_one: float  # at some step of all
    day_of_any: float


class PriorStep(NamedTuple):
    """One step of all houses under every model, (M, N)."""

    leave: Floats  # from the step before; 0 at the first
    arrive: Floats
    occupied: Floats  # Pr[occupied] before any rate
    empty: Floats
    both_possible: Bools

    @property
    def unlikely(self) -> Floats:
        """The smaller of the two probabilities."""
        return np.minimum(self.occupied, self.empty)

    def covered(self, probability_threshold: float) -> Bools:
        """(N,): the houses that some model gives two states above the threshold."""
        return np.asarray((self.both_possible & (self.unlikely > probability_threshold)).any(axis=0))


@dataclass(frozen=True)
class PriorMarginals:
    """One street's probabilities under every model. Nothing of size N·T is kept."""

    spec: StreetSpec
    street: Street
    support_classes: SupportClasses

    def steps(self) -> Iterator[PriorStep]:
        """The day, step by step."""
        chains = [self.spec.chains(self.street, model) for model in range(len(self.spec.schedules))]
        transitions = [own.transitions() for own in chains]
        occupied = np.stack([own.initial for own in chains])
        empty = 1 - occupied
        leave, arrive = np.zeros_like(occupied), np.zeros_like(occupied)
        possible, of_house = self.support_classes.both_states_possible, self.support_classes.of_house
        for t in range(self.spec.steps):
            if t:
                leave, arrive = np.stack([next(own) for own in transitions], axis=1)
            occupied, empty = predict(occupied, empty, leave, arrive)
            yield PriorStep(leave, arrive, occupied, empty, possible[:, t, of_house])

    def protected_set(self, probability_threshold: float) -> ProtectedSet:
        """How many houses are covered at every step, and which of them is largest."""
        count, largest, house = [], [], []
        for step in self.steps():
            covered = step.covered(probability_threshold)
            bounds = np.where(covered, self.street.bound, -1.0)
            most = int(bounds.argmax())
            count.append(int(covered.sum()))
            largest.append(max(float(bounds[most]), 0.0))
            house.append(most if count[-1] else -1)
        return ProtectedSet(count=np.array(count), largest=np.array(largest), house=np.array(house))

    def failure(self, probability_threshold: float) -> ThresholdFailure:
        """How likely it is that the promise fails somebody, at each step and on the whole record."""
        of_one, of_any = [], []
        steps = self.steps()
        first = next(steps)
        occupied, empty = first.occupied, first.empty  # of those who were protected at every step
        for step in chain([first], steps):
            occupied, empty = predict(occupied, empty, step.leave, step.arrive)
            neglected = step.both_possible & ~step.covered(probability_threshold)
            fails = np.where(neglected, step.unlikely, 0.0)
            of_one.append(float(fails.max()))
            of_any.append(float(_any_house(fails).max()))
            occupied = np.where(neglected & (step.occupied <= 0.5), 0.0, occupied)
            empty = np.where(neglected & (step.occupied > 0.5), 0.0, empty)
        failed = 1 - (occupied + empty)
        failed[failed < PROBABILITY_TOLERANCE] = 0.0
        return ThresholdFailure(
            of_one=np.array(of_one),
            of_any=np.array(of_any),
            day_of_one=float(failed.max()),
            day_of_any=float(_any_house(failed).max()),
        )


def _any_house(probability: Floats) -> Floats:
    """(M,): that it happens to any of the houses, which are independent, from (M, N)."""
    with np.errstate(divide="ignore"):
        return np.asarray(-np.expm1(np.log1p(-probability).sum(axis=1)))
