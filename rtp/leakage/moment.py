"""One moment: was this house occupied at 14:00? How far the rates so far, and the whole record, can tell.

A rate's promise is ε per step, and Theorem 2 adds the steps up to ε·T. What they can do to the odds of one
moment is far less, because neighbouring moments forget: see `leak`. The losses are those really spent on a
house at each step, exactly as the audit finds them, or the promised ε.

How far all rates together can shift the odds of one moment: temporal leakage, exact for two states.

One house under one model is a chain S¹, …, Sᵀ. Each rate's evidence, ln Pr[r̂ | 1] − ln Pr[r̂ | 0], lies in
[−e, e], e the loss that its noise leaves; the insider, who knows what everyone else used, sees no more than
that. Given Sˢ past and future are independent, so the largest shift of the log-odds of Sˢ is the past's plus
the step's own plus the future's. Of the log-likelihood ratio x that a neighbour hands on a step makes

    g(x) = ln (a₁eˣ + 1 − a₁) − ln (a₀eˣ + 1 − a₀)

with a_k = Pr[S⁺ = 1 | S = k], and for the past the reversed chain's Pr[S⁻ = 1 | S = k], by Bayes under the
model. g is monotone, so the extremes travel: x = lowest − e and x = highest + e of the neighbour. This is
temporal privacy leakage (Cao, Yoshikawa, Xiao and Xiong, ICDE 2017), made tight for two states; O(T) a house.

An extreme is kept as z = e^|x| − 1 ≥ 0. Evidence makes of it z·eᵉ + (eᵉ − 1), and g makes of it
|a₁ − a₀|·z/(1 + p·z) (`chain`): nothing cancels, and logarithms are taken of the largest only. Losses whose
sum is too large for that, or infinite, are handed on in logarithms, more slowly: an underflow is no proof.

A moment whose state the model is certain of has nothing to lose. The leak is infinite where a rate without
noise proves the state, and where such a proof at another moment leaves the chain no other way.

Houses as chains of two states, and how what is known of one step reaches its neighbour.

Of the odds ratio eˣ that evidence gives a neighbour's state a step makes
(a₁eˣ + 1 − a₁)/(a₀eˣ + 1 − a₀), with a_k = Pr[neighbour = 1 | S = k]: for the future the model's own chances,
for the past those of the reversed chain, by Bayes. Written for z = e^|x| − 1 it is |a₁ − a₀|·z/(1 + p·z),
with p = a₀ for the highest and 1 − a₁ for the lowest or, where a₁ < a₀ and they change places, 1 − a₀ and a₁.
None of that depends on any noise, so one `Chain` serves every mechanism and every budget.

Which rates give a moment away: how much less its whole record could tell without each of them.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rtp.attack.beliefs import Chains, chains_of
from rtp.audit.exact import noise_widths
from rtp.core.types import Bools, Floats, Ints
from rtp.mechanisms import REGISTRY
from rtp.scenario import Bounds, must_be_house, must_be_one_of, must_be_within
from rtp.simulation import Day
from rtp.street.draw import BLOCK, Street
from rtp.street.room import Room, steps_in_cache
from rtp.street.simulate import StreetDay

if TYPE_CHECKING:
    import pandas as pd


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

    def __init__(self, life: StreetDay, houses: Ints, *, keep: bool = False) -> None:
        self.life, self.houses = life, houses
        self.kept = [self._model(number, Room()) for number in self._numbers()] if keep else None

    def models(self) -> Iterator[tuple[Chain, Links]]:
        """One by one; what is not kept lasts until the next."""
        if self.kept is not None:
            return iter(self.kept)
        return (self._model(number, ROOM) for number in self._numbers())

    def _numbers(self) -> range:
        return range(len(self.life.support_classes.both_states_possible))

    def _model(self, number: int, room: Room) -> tuple[Chain, Links]:
        life = self.life
        chains = chains_of(life.spec, life.street, number, self.houses)
        uncertain = life.support_classes.both_states_possible[number][
            :, life.support_classes.of_house[self.houses]
        ]
        chain = chain_of(chains, uncertain, room)
        return chain, chain.links(room)


def parts_of(life: StreetDay, houses: Ints, *, keep: bool = False) -> Iterator[Part]:
    """As many houses at a time as memory bears."""
    size = max(min(AT_MOST // life.spec.steps, BLOCK), 1)
    for start in range(0, len(houses), size):
        yield Part(life, houses[start : start + size], keep=keep)


class Houses:
    """All houses of a street, part by part, as often as asked: made ready once where memory bears it."""

    def __init__(self, life: StreetDay) -> None:
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


ROOM = Room()
CARRIED = 600.0  # the largest sum of a day's losses that needs no logarithms


class Losses(NamedTuple):
    """What each step's rate can say of each house: U rows that differ, and which of them each step has."""

    rows: Floats  # (U, n)
    of_step: Ints  # (T,)

    def each(self) -> Floats:
        """(T, n)"""
        return np.asarray(self.rows[self.of_step])

    def total(self) -> Floats:
        """(n,)"""
        return np.asarray(np.bincount(self.of_step, minlength=len(self.rows)) @ self.rows)


def every_step(losses: Floats) -> Losses:
    """From a row for each step, (T, n)."""
    return Losses(losses, np.arange(len(losses)))


@dataclass(frozen=True, kw_only=True)
class Leak:
    """The largest shift of every moment's log-odds, either way; (T, n)."""

    so_far: Floats  # by the rates up to and including the moment's own
    whole: Floats  # by the whole record
    odds: bool  # whether both are kept as e^shift − 1

    def shift(self, values: Floats) -> Floats:
        """Some of these values as shifts."""
        return np.log1p(values) if self.odds else values

    def shifts(self) -> "Leak":
        """All of them."""
        return Leak(so_far=self.shift(self.so_far), whole=self.shift(self.whole), odds=False)

    def at_least(self, other: "Leak") -> "Leak":
        """At every moment the larger of both."""
        one, two = (self, other) if self.odds == other.odds else (self.shifts(), other.shifts())
        np.maximum(one.so_far, two.so_far, out=one.so_far)
        np.maximum(one.whole, two.whole, out=one.whole)
        return one


def leak(chain: Chain, links: Links, losses: Losses, place: int = 0) -> Leak:
    """From the loss of each step's rate on each house; where the state is certain there is none. What is
    found lasts until the next call with the same place."""
    certain = None if chain.secret.all() else ~chain.secret
    if losses.total().max(initial=0.0) <= CARRIED:
        return _by_odds(losses, links, certain, place)
    each = losses.each()
    if certain is not None:
        each[certain] = 0.0
    if each.sum(axis=0).max(initial=0.0) <= CARRIED:
        return _by_odds(every_step(each), links, certain, place)
    return _by_logarithms(chain, each, certain)


def _by_odds(losses: Losses, links: Links, certain: Bools | None, place: int) -> Leak:
    grows, adds, of_step = _factors(losses, certain)
    told = odds_handed_on(links, grows, adds, np.stack([of_step, of_step[::-1]], axis=1))
    past, future = told[:, 0], told[::-1, 1]
    found = ROOM.floats(f"found {place}", *past.shape)  # so far, and by the whole record
    for some in steps_in_cache(len(past), past.shape[2]):
        before, after, row = past[some], future[some], found[some]
        np.maximum(before[:, 0], before[:, 1], out=row[:, 0])
        after *= 1 + before  # (1 + z)(1 + z′) − 1
        after += before
        np.maximum(after[:, 0], after[:, 1], out=row[:, 1])
        row *= grows[of_step[some], None]  # and the moment's own rate
        row += adds[of_step[some], None]
    if certain is not None:
        np.copyto(found, 0.0, where=certain[:, None])
    return Leak(so_far=found[:, 0], whole=found[:, 1], odds=True)


def _factors(losses: Losses, certain: Bools | None) -> tuple[Floats, Floats, Ints]:
    """eᵉ and eᵉ − 1, (U, n), and which each step has; nothing is said of what is certain."""
    factors = np.exp(losses.rows), np.expm1(losses.rows)
    if certain is None:
        return *factors, losses.of_step
    for factor, nothing, name in zip(factors, (1.0, 0.0), ("grows", "adds"), strict=True):
        each = np.take(factor, losses.of_step, axis=0, out=ROOM.floats(name, *certain.shape), mode="clip")
        np.copyto(each, nothing, where=certain)
    return ROOM.floats("grows", *certain.shape), ROOM.floats("adds", *certain.shape), np.arange(len(certain))


def odds_handed_on(links: Links, grows: Floats, adds: Floats, met: Ints) -> Floats:
    """How far, at most, all steps met before each one lower and raise its odds: the ratio less one,
    (T, d, 2, n), which lasts until the next call.

    `grows` and `adds`, (U, n), are eᵉ and eᵉ − 1; `met`, (T, d), says which of them each step has.
    """
    told = ROOM.floats("told", *met.shape, 2, grows.shape[1])
    told[0] = 0.0
    divisor = np.empty_like(told[0])
    steps = zip(told, told[1:], met.tolist(), *links, strict=False)
    for now, z, evidence, apart, push, flips in steps:
        for direction, u in enumerate(evidence):
            np.multiply(now[direction], grows[u], out=z[direction])
            z[direction] += adds[u]
        if flips is not None:
            z[:] = np.where(flips, z[:, ::-1], z)
        np.multiply(push, z, out=divisor)
        divisor += 1
        z *= apart
        z /= divisor
    return told


def _by_logarithms(chain: Chain, losses: Floats, certain: Bools | None) -> Leak:
    past, future = handed_on(chain.back(), losses), handed_on(chain.ahead(), losses[::-1])[:, ::-1]
    so_far, whole = past.max(axis=0) + losses, (past + future).max(axis=0) + losses
    if certain is not None:
        so_far[certain], whole[certain] = 0.0, 0.0
    return Leak(so_far=so_far, whole=whole, odds=False)


def handed_on(chances: Floats, losses: Floats) -> Floats:
    """The logarithms of the same ratios, (2, T, n), however large; from a₀ and a₁, (T − 1, 2, n)."""
    shift = np.zeros((2, *losses.shape))
    reach = np.array([-1.0, 1.0])[:, None, None] * losses  # the step's own evidence, lowest and highest
    with np.errstate(divide="ignore"):  # the logarithm of what cannot be
        for step, chance in enumerate(chances):
            ends = hand_on(shift[:, step] + reach[:, step], np.log(chance), np.log1p(-chance))
            shift[0, step + 1], shift[1, step + 1] = ends.min(axis=0), ends.max(axis=0)
    return np.abs(shift, out=shift)


def hand_on(x: Floats, log_a: Floats, log_b: Floats) -> Floats:
    """g(x), from ln a_k and ln (1 − a_k), both (2, n): what x on the neighbour's state says about this one's.

    A certain neighbour tells nothing: there both a_k are 0, or both are 1.
    """
    sure = np.isinf(x)
    with np.errstate(invalid="ignore"):  # infinite less infinite: neither state is told from the other
        empty, occupied = (
            np.logaddexp(log_a[k] + np.where(sure, 0.0, x), np.broadcast_to(log_b[k], x.shape))
            for k in (0, 1)
        )
        proof = np.where(x > 0, log_a[1] - log_a[0], log_b[1] - log_b[0])
        ratio = np.where(sure, proof, occupied - empty)
    silent = np.isnan(ratio) | (log_a[0] == log_a[1]) | (x == 0)
    return np.where(silent, 0.0, ratio)


@dataclass(frozen=True, kw_only=True)
class MomentLeakage:
    """The largest shift of the log-odds of every moment, (T,) unless said; of several models the worst."""

    mechanism: str
    so_far: Floats  # by the rates up to the moment's own, for the house that loses most
    whole: Floats  # by the whole record
    so_far_house: Ints  # whose it is
    house: Ints
    by_house: Floats  # (n,) each house's worst moment, whole record
    houses: Ints  # (n,)
    theorem_2: float  # what the promise of single rates adds up to: ε·T

    @property
    def step(self) -> int:
        """The moment that can leak most."""
        return int(self.whole.argmax())

    @property
    def worst(self) -> float:
        return float(self.whole.max())


def moment_leakage(
    day: Day,
    mechanism: str,
    house: int | None = None,
    *,
    promised: bool = False,
    ready: Houses | None = None,
) -> MomentLeakage:
    """Every moment of one house, or of all: the worst of them. `promised`: as if every rate spent its ε;
    `ready`: all houses, where they have been made ready before."""
    must_be_one_of("mechanism", mechanism, day.release)
    must_be_house("house", house, day.scenario.households)
    houses = np.arange(day.scenario.households) if house is None else np.array([house])
    steps = day.scenario.steps
    so_far, whole = np.full(steps, -1.0), np.full(steps, -1.0)
    so_far_house, worst_house = np.zeros(steps, dtype=np.intp), np.zeros(steps, dtype=np.intp)
    by_house = np.empty(len(houses))
    first = 0
    for part in ready if ready is not None and house is None else parts_of(day.life, houses):
        found = worst_model(part, step_losses(day, mechanism, part.houses, promised))
        by_house[first : first + len(part.houses)] = found.shift(found.whole.max(axis=0))
        first += len(part.houses)
        for kept, whose, leaks in ((so_far, so_far_house, found.so_far), (whole, worst_house, found.whole)):
            most = leaks.argmax(axis=1)
            value = found.shift(leaks[np.arange(steps), most])
            whose[value > kept] = part.houses[most][value > kept]
            np.maximum(kept, value, out=kept)
    return MomentLeakage(
        mechanism=mechanism,
        so_far=so_far,
        whole=whole,
        so_far_house=so_far_house,
        house=worst_house,
        by_house=by_house,
        houses=houses,
        theorem_2=REGISTRY[mechanism].promised(day.scenario.epsilon) * steps,
    )


def moment_frame(day: Day, found: MomentLeakage) -> "pd.DataFrame":
    """One row per step: the leak so far and by the whole record, and whose it is."""
    import pandas as pd

    steps = np.arange(day.scenario.steps)
    return pd.DataFrame(
        {
            "time": [day.scenario.when(step) for step in steps.tolist()],
            "so_far": found.so_far,
            "so_far_house": found.so_far_house,
            "whole_record": found.whole,
            "whole_record_house": found.house,
        }
    )


def worst_model(part: Part, losses: Losses) -> Leak:
    """At every moment of some houses the worst of the models; it lasts until the next call."""
    found = (
        leak(chain, links, losses, min(number, 1)) for number, (chain, links) in enumerate(part.models())
    )
    return reduce(Leak.at_least, found)


def step_losses(day: Day, mechanism: str, houses: Ints, promised: bool = False) -> Losses:
    """What each step's rate leaves to learn about each house, as spent or as promised."""
    if promised:
        rows = np.full((1, len(houses)), REGISTRY[mechanism].promised(day.scenario.epsilon))
        return Losses(rows, np.zeros(day.scenario.steps, dtype=np.intp))
    return losses_at(noise_widths(day, mechanism), day.street, houses)


def losses_at(b: Floats, street: Street, houses: Ints) -> Losses:
    """What noise of these scales, (T,) in the unit of consumption, leaves to learn of each house."""
    scales, of_step = np.unique(b, return_inverse=True)
    return Losses(np.array([street.loss(float(scale), houses) for scale in scales]), of_step)


def giveaway(day: Day, mechanism: str, house: int, step: int) -> Floats:
    """(T,): by how much the leak of this moment falls without each step's rate, under the worst model.

    Without noise anywhere near, what falls is a difference of infinities, and is given as none.
    """
    must_be_one_of("mechanism", mechanism, day.release)
    must_be_house("house", house, day.scenario.households)
    must_be_within("step", step, Bounds(0, day.scenario.steps - 1, "Step"))
    steps, one = day.scenario.steps, np.array([house])
    losses = np.repeat(step_losses(day, mechanism, one).each(), steps + 1, axis=1)
    losses[np.arange(steps), np.arange(steps)] = 0.0  # all but one rate; the last column has all
    found = worst_model(Part(day.life, np.full(steps + 1, house)), every_step(losses))
    worst = found.shift(found.whole[step])
    with np.errstate(invalid="ignore"):
        return np.asarray(np.nan_to_num(worst[-1] - worst[:-1], nan=0.0, posinf=np.inf))
