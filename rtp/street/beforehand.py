"""What the models say of every house before any rate is seen, and whose doubt is worth guarding.

A house is *open* where both its states are possible under some model. It is *covered* where, under some
model, both have more than a negligible probability, and *neglected* where it is open and not covered. The
rate may betray a neglected house, but only one that is in the state that was so unlikely: at one step that
happens with the smaller of its two probabilities, and over the record with the chance that its chain ever
enters such a state, which follows exactly by taking those who do out of the forward recursion.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from rtp.core.types import Bools, Floats, Ints
from rtp.street.draw import Street
from rtp.street.kinds import Kinds
from rtp.street.spec import StreetSpec

KEPT = 4  # thresholds whose answers are remembered


@dataclass(frozen=True, kw_only=True)
class Covered:
    """The covered houses of every step, (T,)."""

    count: Ints
    largest: Floats  # the largest bound among them
    house: Ints  # whose it is; −1 where nobody is covered


@dataclass(frozen=True, kw_only=True)
class Failure:
    """The chance that a neglected house is in its unlikely state, under the worst model."""

    of_one: Floats  # (T,) for the house where it is most likely; never more than what counts as negligible
    of_any: Floats  # (T,) for any house of the street
    day_of_one: float  # at some step of all
    day_of_any: float


class Beforehand:
    """One street's chances under every model. Nothing of size N·T is kept."""

    def __init__(self, spec: StreetSpec, street: Street, kinds: Kinds) -> None:
        self.spec, self.street, self.kinds = spec, street, kinds
        self.covered = lru_cache(maxsize=KEPT)(self._covered)
        self.failure = lru_cache(maxsize=KEPT)(self._failure)

    def moves(self) -> Iterator[tuple[Floats, Floats]]:
        """(leave, arrive) of every house under every model, (M, N), from each step to the next."""
        models = range(len(self.spec.schedules))
        chances = [
            [self.spec.chances(self.street, model, block) for block in self.spec.blocks] for model in models
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

    def chances(self) -> Iterator[Floats]:
        """Pr[occupied] of every house under every model, (M, N), step by step."""
        chance = self.initial()
        for leave, arrive in self.moves():
            yield chance
            chance = chance * (1 - leave - arrive) + arrive

    def covers(self, negligible: float) -> Iterator[Bools]:
        """(N,): the houses of each step that are covered."""
        for open_, unlikely in self._unlikely():
            yield np.asarray((open_ & (unlikely > negligible)).any(axis=0))

    def _unlikely(self) -> Iterator[tuple[Bools, Floats]]:
        """Whether each house is open, and the smaller of its two chances, both (M, N)."""
        of_house = self.kinds.of_house
        for step, chance in enumerate(self.chances()):
            yield self.kinds.uncertain[:, step][:, of_house], np.minimum(chance, 1 - chance)

    def _covered(self, negligible: float) -> Covered:
        count, largest, house = [], [], []
        for covered in self.covers(negligible):
            bounds = np.where(covered, self.street.bound, -1.0)
            most = int(bounds.argmax())
            count.append(int(covered.sum()))
            largest.append(max(float(bounds[most]), 0.0))
            house.append(most if count[-1] else -1)
        return Covered(count=np.array(count), largest=np.array(largest), house=np.array(house))

    def _failure(self, negligible: float) -> Failure:
        occupied = self.initial()
        empty = 1 - occupied  # of those who never were where nobody guards them
        of_one, of_any = [], []
        for (open_, unlikely), chance, (leave, arrive) in zip(
            self._unlikely(), self.chances(), self.moves(), strict=True
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
        return Failure(
            of_one=np.array(of_one),
            of_any=np.array(of_any),
            day_of_one=float(gone.max()),
            day_of_any=float(_some(gone).max()),
        )


def _some(chance: Floats) -> Floats:
    """(M,): that it happens to any of the houses, which are independent, from (M, N)."""
    with np.errstate(divide="ignore"):
        return np.asarray(-np.expm1(np.log1p(-chance).sum(axis=1)))
