"""How far all rates together can shift the odds of one moment: temporal leakage, exact for two states.

One house under one model is a chain S¹, …, Sᵀ. Each rate's evidence, ln Pr[r̂ | 1] − ln Pr[r̂ | 0], lies in
[−e, e], e the loss that its noise leaves; the insider, who knows what everyone else used, sees no more than
that. Given Sˢ past and future are independent, so the largest shift of the log-odds of Sˢ is the past's plus
the step's own plus the future's. Of the log-likelihood ratio x that a neighbour hands on a step makes

    g(x) = ln (a₁eˣ + 1 − a₁) − ln (a₀eˣ + 1 − a₀)

with a_k = Pr[S⁺ = 1 | S = k], and for the past the reversed chain's Pr[S⁻ = 1 | S = k], by Bayes under the
model. g is monotone, so the extremes travel: x = lowest − e and x = highest + e of the neighbour. This is
temporal privacy leakage (Cao, Yoshikawa, Xiao and Xiong, ICDE 2017), made tight for two states; O(T) a house.

All of it in logarithms: an underflow is no proof. A moment whose state the model is certain of has nothing to
lose. The leak is infinite where a rate without noise proves the state, and where such a proof at another
moment leaves the chain no other way.
"""

from dataclasses import dataclass

import numpy as np

from rtp.arrays import Floats


@dataclass(frozen=True, kw_only=True)
class Chain:
    """Houses as chains under one model. Where a state is certain its chance is exactly 0 or 1."""

    occupied: Floats  # (T, n) Pr[S = 1] before any rate
    leave: Floats  # (T − 1, n) from each step to the next
    arrive: Floats

    def ahead(self) -> Floats:
        """(2, T − 1, n): Pr[S⁺ = 1 | S = 0] and Pr[S⁺ = 1 | S = 1] from each step to the next."""
        return np.array([self.arrive, 1 - self.leave])

    def back(self) -> Floats:
        """(2, T − 1, n): the same from every step but the first to the one before; ½ where S cannot be."""
        before = self.occupied[:-1]
        came = np.array([before * self.leave, before * (1 - self.leave)])  # S⁻ = 1, to S = 0 and to S = 1
        was_empty = np.array([(1 - before) * (1 - self.arrive), (1 - before) * self.arrive])
        total = came + was_empty
        return np.asarray(np.divide(came, total, out=np.full_like(total, 0.5), where=total > 0))


@dataclass(frozen=True, kw_only=True)
class Leak:
    """The largest shift of every moment's log-odds, either way; (T, n)."""

    so_far: Floats  # by the rates up to and including the moment's own
    whole: Floats  # by the whole record


def leak(chain: Chain, losses: Floats) -> Leak:
    """From the loss of each step's rate on each house, (T, n)."""
    back, ahead = chain.back(), chain.ahead()[:, ::-1]  # the future is a past told from its end
    both = handed_on(np.concatenate([back, ahead], axis=2), np.concatenate([losses, losses[::-1]], axis=1))
    houses = losses.shape[1]
    past, future = both[..., :houses], both[:, ::-1, houses:]
    secret = (chain.occupied > 0) & (chain.occupied < 1)
    return Leak(
        so_far=np.where(secret, _either_way(past) + losses, 0.0),
        whole=np.where(secret, _either_way(past + future) + losses, 0.0),
    )


def _either_way(shift: Floats) -> Floats:
    """The larger of the largest shift down and up; `shift` is (2, T, n)."""
    return np.asarray(np.maximum(-shift[0], shift[1]))


def handed_on(chances: Floats, losses: Floats) -> Floats:
    """(2, T, n): the lowest and the highest log-likelihood ratio that all steps before each one hand to it.

    `chances`, (2, T − 1, n), are Pr[S⁻ = 1 | S = 0] and Pr[S⁻ = 1 | S = 1] of every step but the first.
    """
    shift = np.zeros((2, *losses.shape))
    reach = np.array([-1.0, 1.0])[:, None, None] * losses  # the step's own evidence, lowest and highest
    with np.errstate(divide="ignore"):  # the logarithm of what cannot be
        logs = np.log(chances), np.log1p(-chances)
    for step in range(1, len(losses)):
        a, b = (values[:, step - 1] for values in logs)
        ends = hand_on(shift[:, step - 1] + reach[:, step - 1], a, b)
        shift[0, step], shift[1, step] = ends.min(axis=0), ends.max(axis=0)
    return shift


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
