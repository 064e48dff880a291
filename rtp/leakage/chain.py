"""Houses as chains of two states, and how what is known of one step reaches its neighbour.

Of the odds ratio eˣ that evidence gives a neighbour's state a step makes
(a₁eˣ + 1 − a₁)/(a₀eˣ + 1 − a₀), with a_k = Pr[neighbour = 1 | S = k]: for the future the model's own chances,
for the past those of the reversed chain, by Bayes. Written for z = e^|x| − 1 it is |a₁ − a₀|·z/(1 + p·z),
with p = a₀ for the highest and 1 − a₁ for the lowest or, where a₁ < a₀ and they change places, 1 − a₀ and a₁.
None of that depends on any noise, so one `Chain` serves every mechanism and every budget.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from rtp.attack.beliefs import Chains, chains_of
from rtp.core.types import Bools, Floats, Ints
from rtp.street.draw import BLOCK
from rtp.street.life import Life
from rtp.street.room import Room, steps_in_cache

ROOM = Room()
AT_MOST = 100_000  # houses × steps that are worked on at once
KEPT = 500_000  # houses × steps that are made ready once for all budgets, at 56 bytes and model
OPEN = (1e-300, 1 - 2**-53)  # a chance that is neither 0 nor 1, however it was rounded


class Links(NamedTuple):
    """From neighbour to neighbour, T − 1 times, in d directions at once."""

    apart: Floats  # (T − 1, d, 1, n) |a₁ − a₀|
    push: Floats  # (T − 1, d, 2, n) p, of the lowest and of the highest
    flips: Sequence[Bools | None]  # (T − 1,) of (d, 1, n): where the ends change places, if anywhere


@dataclass(frozen=True, kw_only=True)
class Chain:
    """Houses as chains under one model. Where a state is certain its chance is exactly 0 or 1."""

    occupied: Floats  # (T, n) Pr[S = 1] before any rate
    leave: Floats  # (P, n) from a step to the next
    arrive: Floats
    period: Ints  # (T − 1,) which of the P rows drives each step to the next

    @cached_property
    def secret(self) -> Bools:
        """(T, n): where both states are possible."""
        return np.asarray((self.occupied > 0) & (self.occupied < 1))

    def ahead(self) -> Floats:
        """(T − 1, 2, n): Pr[S⁺ = 1 | S = 0], Pr[S⁺ = 1 | S = 1], from the last step but one to the first."""
        return self._chances(self._future)

    def back(self) -> Floats:
        """(T − 1, 2, n): Pr[S⁻ = 1 | S = 0], Pr[S⁻ = 1 | S = 1], from the second step to the last."""
        return self._chances(self._past)

    def links(self, room: Room) -> Links:
        """The past, met from the first step on, and the future, met from the last one back."""
        steps, houses = len(self.period), self.occupied.shape[1]
        push, apart = room.floats("push", steps, 2, 2, houses), room.floats("apart", steps, 2, 1, houses)
        turns = self.leave + self.arrive > 1  # of the chain reversed as of the chain itself
        both = [turns[self.period], turns[self.period[::-1]]] if turns.any() else []
        flips = np.stack(both, axis=1)[:, :, None] if both else None
        for some in steps_in_cache(steps, houses):
            self._past(some, push[some, 0])
            self._future(some, push[some, 1])
            np.add(push[some, :, :1], push[some, :, 1:], out=apart[some])
            np.subtract(1, apart[some], out=apart[some])
            np.abs(apart[some], out=apart[some])
            if flips is not None:
                np.subtract(1, push[some], out=push[some], where=flips[some])
        return Links(apart, push, [None] * steps if flips is None else list(flips))

    def _chances(self, write: Callable[[slice, Floats], None]) -> Floats:
        """From 1 − a₁ and a₀, as written, a₀ and a₁."""
        moves = np.empty((len(self.period), 2, self.occupied.shape[1]))
        write(slice(None), moves)
        return np.stack([moves[:, 1], 1 - moves[:, 0]], axis=1)

    def _future(self, some: slice, moves: Floats) -> None:
        rows = self.period[::-1][some]
        moves[:, 0], moves[:, 1] = self.leave[rows], self.arrive[rows]

    def _past(self, some: slice, moves: Floats) -> None:
        """Pr[S⁻ = 0 | S = 1] and Pr[S⁻ = 1 | S = 0], by Bayes; ½ where S cannot be."""
        before, rows = self.occupied[:-1][some], self.period[some]
        away, total = 1 - before, np.empty_like(moves)
        np.multiply(away, self.arrive[rows], out=moves[:, 0])
        np.multiply(before, self.leave[rows], out=moves[:, 1])
        np.subtract(before, moves[:, 1], out=total[:, 0])
        np.subtract(away, moves[:, 0], out=total[:, 1])
        total += moves
        if not total.all():
            never = total == 0
            moves[never], total[never] = 1.0, 2.0
        moves /= total


class Part:
    """Some houses of a street under every model."""

    def __init__(self, life: Life, houses: Ints, *, keep: bool = False) -> None:
        self.life, self.houses = life, houses
        self.kept = [self._model(number, Room()) for number in self._numbers()] if keep else None

    def models(self) -> Iterator[tuple[Chain, Links]]:
        """One by one; what is not kept lasts until the next."""
        if self.kept is not None:
            return iter(self.kept)
        return (self._model(number, ROOM) for number in self._numbers())

    def _numbers(self) -> range:
        return range(len(self.life.kinds.uncertain))

    def _model(self, number: int, room: Room) -> tuple[Chain, Links]:
        life = self.life
        chains = chains_of(life.spec, life.street, number, self.houses)
        uncertain = life.kinds.uncertain[number][:, life.kinds.of_house[self.houses]]
        chain = chain_of(chains, uncertain, room)
        return chain, chain.links(room)


def parts_of(life: Life, houses: Ints, *, keep: bool = False) -> Iterator[Part]:
    """As many houses at a time as memory bears."""
    size = max(min(AT_MOST // life.spec.steps, BLOCK), 1)
    for start in range(0, len(houses), size):
        yield Part(life, houses[start : start + size], keep=keep)


class Houses:
    """All houses of a street, part by part, as often as asked: made ready once where memory bears it."""

    def __init__(self, life: Life) -> None:
        self.life, self.all = life, np.arange(life.spec.households)
        small = len(self.all) * life.spec.steps <= KEPT
        self.kept = list(parts_of(life, self.all, keep=True)) if small else None

    def __iter__(self) -> Iterator[Part]:
        return parts_of(self.life, self.all) if self.kept is None else iter(self.kept)


def chain_of(chains: Chains, uncertain: Bools, room: Room) -> Chain:
    """The houses' chains with a row for every step; what is certain, (T, n), is decided on booleans."""
    steps = len(uncertain)
    days = -(-steps // chains.period.shape[1])
    period = np.tile(chains.period, days)[:, : steps - 1]  # (G, T − 1)
    together, row = np.unique(period, axis=1, return_inverse=True)  # (G, P): groups may keep different hours
    of_house, houses = together[chains.group].T, np.arange(len(chains.group))
    leave, arrive = chains.leave[of_house, houses], chains.arrive[of_house, houses]
    occupied = room.floats("occupied", steps, len(chains.initial))
    occupied[0] = chains.initial
    keep = 1 - leave - arrive
    for step, p in enumerate(row.tolist()):
        np.multiply(occupied[step], keep[p], out=occupied[step + 1])
        occupied[step + 1] += arrive[p]
    np.clip(occupied, *OPEN, out=occupied)
    if not uncertain.all():
        np.rint(occupied, out=occupied, where=~uncertain)
    return Chain(occupied=occupied, leave=leave, arrive=arrive, period=row)
