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
|a₁ − a₀|·z/(1 + p·z), with p = a₀ for the highest and 1 − a₁ for the lowest or, where a₁ < a₀ and they
change places, 1 − a₀ and a₁: nothing cancels. Losses whose sum is too large for that, or infinite, are
handed on in logarithms, more slowly: an underflow is no proof.

A moment whose state the model is certain of has nothing to lose. The leak is infinite where a rate without
noise proves the state, and where such a proof at another moment leaves the chain no other way.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import cycle

import numpy as np

from rtp.arrays import Bools, Floats, Ints

CARRIED = 600.0  # the largest sum of a day's losses that needs no logarithms


@dataclass(frozen=True, kw_only=True)
class Chain:
    """Houses as chains under one model. Where a state is certain its chance is exactly 0 or 1."""

    occupied: Floats  # (T, n) Pr[S = 1] before any rate
    leave: Floats  # (P, n) from a step to the next
    arrive: Floats
    period: Ints  # (T − 1,) which of the P rows drives each step to the next

    def ahead(self) -> Iterator[Floats]:
        """(2, n): Pr[S⁺ = 1 | S = 0] and Pr[S⁺ = 1 | S = 1], from the last step but one to the first."""
        chances = np.stack([self.arrive, 1 - self.leave], axis=1)
        return (chances[p] for p in self.period[::-1].tolist())

    def back(self) -> Iterator[Floats]:
        """The same from the second step to the last, to the one before; ½ where S cannot be."""
        stay_away = 1 - self.arrive
        moves = np.stack([self.leave, 1 - self.leave], axis=1)
        total = np.empty((2, self.occupied.shape[1]))
        for before, p in zip(self.occupied, self.period.tolist(), strict=False):
            away = 1 - before
            came = before * moves[p]  # S⁻ = 1, to S = 0 and to S = 1
            np.multiply(away, stay_away[p], out=total[0])
            np.multiply(away, self.arrive[p], out=total[1])
            total += came
            if not total.all():
                never = total == 0
                came[never], total[never] = 1.0, 2.0
            yield np.divide(came, total, out=came)


@dataclass(frozen=True, kw_only=True)
class Leak:
    """The largest shift of every moment's log-odds, either way; (T, n)."""

    so_far: Floats  # by the rates up to and including the moment's own
    whole: Floats  # by the whole record


def leak(chain: Chain, losses: Floats) -> Leak:
    """From the loss of each step's rate on each house, (T, n)."""
    secret = (chain.occupied > 0) & (chain.occupied < 1)
    if not secret.all():
        losses = np.where(secret, losses, 0.0)
    if losses.sum(axis=0).max(initial=0.0) <= CARRIED:
        so_far, whole = _by_odds(chain, losses)
    else:
        past, future = handed_on(chain.back(), losses), handed_on(chain.ahead(), losses[::-1])[:, ::-1]
        so_far, whole = past.max(axis=0), (past + future).max(axis=0)
    so_far += losses
    whole += losses
    so_far[~secret], whole[~secret] = 0.0, 0.0
    return Leak(so_far=so_far, whole=whole)


def _by_odds(chain: Chain, losses: Floats) -> tuple[Floats, Floats]:
    """What past, and past and future, can do, each (T, n); no future is kept once it met its past."""
    grows, adds = np.exp(losses), np.expm1(losses)
    past = np.zeros((2, *losses.shape))
    for _ in odds_handed_on(chain.back(), grows, adds, past.swapaxes(0, 1)):
        pass
    whole = np.empty_like(losses)
    ends = cycle(np.zeros((2, 2, losses.shape[1])))
    both = np.empty((2, losses.shape[1]))
    future = odds_handed_on(chain.ahead(), grows[::-1], adds[::-1], ends)
    for before, row, after in zip(past.swapaxes(0, 1)[::-1], whole[::-1], future, strict=True):
        np.multiply(before, after, out=both)
        both += before
        both += after
        np.maximum(both[0], both[1], out=row)
    so_far = np.maximum(past[0], past[1], out=past[0])
    return np.log1p(so_far, out=so_far), np.log1p(whole, out=whole)


def odds_handed_on(
    chances: Iterable[Floats], grows: Floats, adds: Floats, rows: Iterable[Floats]
) -> Iterator[Floats]:
    """How far, at most, all steps before each one lower and raise its odds: the ratio less one, (2, n) each.

    `chances`, (2, n) for every step but the first, are Pr[S⁻ = 1 | S = 0] and Pr[S⁻ = 1 | S = 1]; `grows` and
    `adds`, (T, n), are eᵉ and eᵉ − 1. What is told is written to the `rows`, of which the first is 0.
    """
    places = iter(rows)
    now = next(places)
    yield now
    divisor, last = np.empty((2, grows.shape[1])), None
    for chance, grow, add in zip(chances, grows, adds, strict=False):
        if chance is not last:  # neighbouring steps often share theirs
            last, (apart, push, flips) = chance, _hand(*chance)
        z = np.multiply(now, grow, out=next(places))
        z += add
        if flips is not None:
            z[:] = np.where(flips, z[::-1], z)
        np.multiply(push, z, out=divisor)
        divisor += 1
        z *= apart
        z /= divisor
        yield z
        now = z


def _hand(none: Floats, one: Floats) -> tuple[Floats, Floats, Bools | None]:
    """|a₁ − a₀|, both p, and where the ends change places, if anywhere."""
    apart, push = one - none, np.array([1 - one, none])
    if apart.min() >= 0:
        return apart, push, None
    flips = apart < 0
    return np.abs(apart), np.where(flips, [one, 1 - none], push), flips


def handed_on(chances: Iterable[Floats], losses: Floats) -> Floats:
    """The logarithms of the same ratios, however large the losses."""
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
