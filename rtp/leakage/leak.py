"""How far all rates together can shift the odds of one moment: temporal leakage, exact for two states.

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
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from rtp.core.types import Bools, Floats, Ints
from rtp.leakage.chain import Chain, Links
from rtp.street.room import Room, steps_in_cache

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
