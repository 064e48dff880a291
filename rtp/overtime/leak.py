"""How far all rates together can shift the odds of one moment: temporal leakage, exact for two states.

One house under one model is a chain S¹, …, Sᵀ. Each rate's evidence about it, ln Pr[r̂ | 1] − ln Pr[r̂ | 0], lies
in [−e, e], e the loss that its noise leaves; the insider, who knows what everyone else used, sees no more than
that. Given Sˢ past and future are independent, so the largest shift of the log-odds of Sˢ is the past's plus
the step's own plus the future's. Of the log-likelihood ratio x that a neighbouring step hands on this one makes

    g(x) = ln (a₁eˣ + 1 − a₁) − ln (a₀eˣ + 1 − a₀)

with a_k = Pr[S⁺ = 1 | S = k], and for the past the reversed chain's Pr[S⁻ = 1 | S = k], by Bayes under the
model. g is monotone, so the extremes travel: x = lowest − e and x = highest + e of the neighbour. This is
temporal privacy leakage (Cao, Yoshikawa, Xiao and Xiong, ICDE 2017), made tight for two states; O(T) a house.

The ratio is carried as two likelihoods, the larger of them 1, so nothing overflows and an exact 0 stays one. A
moment whose state the model is certain of has nothing to lose. The leak is infinite where a rate without noise
proves the state, and where such a proof at another moment leaves the chain no other way.
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
        return np.divide(came, total, out=np.full_like(total, 0.5), where=total > 0)


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
    return np.maximum(-shift[0], shift[1])


def handed_on(chances: Floats, losses: Floats) -> Floats:
    """(2, T, n): the lowest and the highest log-likelihood ratio that all steps before each one hand to it.

    `chances`, (2, T − 1, n), are Pr[S⁻ = 1 | S = 0] and Pr[S⁻ = 1 | S = 1] of every step but the first.
    """
    steps, houses = losses.shape
    empty, occupied = np.ones((2, steps, 2, houses))  # likelihoods of S = 0 and S = 1; lowest and highest
    fade, other = np.exp(-losses), 1 - chances
    turned = chances[1] < chances[0]  # there the chain turns the evidence round
    turns = turned.any(axis=1).tolist()
    for step in range(1, steps):
        seen_empty, seen_occupied = empty[step - 1].copy(), occupied[step - 1].copy()
        seen_occupied[0] *= fade[step - 1]  # the lowest evidence speaks against S⁻ = 1, the highest for it
        seen_empty[1] *= fade[step - 1]
        (a0, a1), (b0, b1) = chances[:, step - 1], other[:, step - 1]
        if_empty, if_occupied = a0 * seen_occupied + b0 * seen_empty, a1 * seen_occupied + b1 * seen_empty
        if turns[step - 1]:
            at = turned[step - 1]
            if_empty[:, at], if_occupied[:, at] = if_empty[::-1, at], if_occupied[::-1, at]
        larger = np.maximum(if_empty, if_occupied)
        larger[larger == 0] = 1.0  # proof of what cannot be: the neighbour is certain and tells nothing
        np.divide(if_empty, larger, out=empty[step])
        np.divide(if_occupied, larger, out=occupied[step])
    nothing = (empty == 0) & (occupied == 0)
    with np.errstate(divide="ignore", invalid="ignore"):  # a likelihood of 0 is proof
        ratio = np.log(occupied / empty)
    ratio[nothing] = 0.0
    return ratio.swapaxes(0, 1)
