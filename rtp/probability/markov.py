"""Two-state Markov chains, one per house: propagated, filtered, smoothed, reversed.

States are 0 (empty) and 1 (occupied). Houses are independent, so each is a chain of its own and n of them are
worked on at once: time is the first axis, houses the last. Observations enter as log-likelihood ratios
ln Pr[y | occupied] − ln Pr[y | empty]; 0 says nothing.

    predict   Pr[S⁺ = 1] = Pr[S = 1]·(1 − leave) + Pr[S = 0]·arrive                  (the paper's (2))
    update    Pr[S = s | y] ∝ Pr[y | s]·Pr[S = s]                                    (the paper's (3))
    smooth    Pr[S = 1 | all y] = Σ over s⁺ of Pr[S = 1 | S⁺ = s⁺, y so far]·Pr[S⁺ = s⁺ | all y]

The last one is the backward pass of Rauch, Tung and Striebel (1965) for two states (Rabiner 1989). Both
probabilities of a house are carried, so that neither is lost in the rounding of 1 − the other, and exactly 0
still means impossible.

*In blocks.* A filter goes step by step, and every step of a few houses takes as long as its calls. Products
of matrices can be taken in any order (a scan; Blelloch, 1990): within each of √T blocks the products from its
first step on, one step of all blocks at once, and then from block to block. That multiplies matrices where
the filter multiplies vectors, K times the work, in 2√T calls for T. A row of a product is what follows from
one state. Rows fade at different speeds, so each is kept with its sum as a logarithm.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, isqrt
from typing import NamedTuple

import numpy as np

from rtp.core.types import Floats, Ints

MAX_LOG_ODDS = 700.0  # beyond which a probability is 0 or 1 to a float


@dataclass(frozen=True, kw_only=True)
class Chains:
    """n independent houses over T steps."""

    initial: Floats  # (n,) Pr[occupied] at step 0
    leave: Floats  # (P, n) Pr[1 → 0] from a step to the next
    arrive: Floats  # (P, n) Pr[0 → 1]
    row: Ints  # (T − 1,) which of the P rows drives each step to the next

    @property
    def steps(self) -> int:
        return len(self.row) + 1

    def transitions(self) -> Iterator[tuple[Floats, Floats]]:
        """(leave, arrive) from every step to the next, T − 1 times, both (n,)."""
        return ((self.leave[row], self.arrive[row]) for row in self.row.tolist())

    def select(self, houses: Ints | slice) -> "Chains":
        """The chains of some houses."""
        return Chains(
            initial=self.initial[houses],
            leave=self.leave[:, houses],
            arrive=self.arrive[:, houses],
            row=self.row,
        )

    def between(self, first: int, last: int, initial: Floats) -> "Chains":
        """The chains from step `first` to `last` − 1, which start with these probabilities."""
        return Chains(initial=initial, leave=self.leave, arrive=self.arrive, row=self.row[first : last - 1])


class Filtered(NamedTuple):
    """Pr[occupied], (T, n), before and after each observation."""

    prior: Floats
    posterior: Floats


def predict(occupied: Floats, empty: Floats, leave: Floats, arrive: Floats) -> tuple[Floats, Floats]:
    """Return (Pr[occupied], Pr[empty]) one step ahead."""
    return occupied * (1 - leave) + empty * arrive, empty * (1 - arrive) + occupied * leave


def predict_occupied(occupied: Floats, persistence: Floats, arrive: Floats) -> None:
    """Fill in Pr[occupied], (k + 1, n), from its first row, every row one step after that before it.

    `persistence` is 1 − leave − arrive. Rounding is monotone, so it stays within [0, 1], and
    fl(fl(1 − a) + a) = 1: who is certain stays so.
    """
    for before, after in pairwise(occupied):
        np.multiply(before, persistence, out=after)
        after += arrive


def update(occupied: Floats, empty: Floats, log_likelihood_ratio: Floats) -> tuple[Floats, Floats]:
    """Return (Pr[occupied], Pr[empty]) given an observation. What is certain stays so."""
    return _bayes(occupied, empty, *_likelihoods(log_likelihood_ratio))


def _likelihoods(log_likelihood_ratio: Floats) -> tuple[Floats, Floats]:
    """Pr[y | occupied] and Pr[y | empty], the larger of the two scaled to 1."""
    return np.exp(np.minimum(log_likelihood_ratio, 0.0)), np.exp(-np.maximum(log_likelihood_ratio, 0.0))


def _bayes(occupied: Floats, empty: Floats, if_occupied: Floats, if_empty: Floats) -> tuple[Floats, Floats]:
    one, other = occupied * if_occupied, empty * if_empty
    total = one + other
    if not total.all():  # a certain house, and a ratio that no float holds
        one, other, total = np.where(total, (one, other, total), (occupied, empty, occupied + empty))
    return one / total, other / total


def marginals(chains: Chains) -> tuple[Floats, Floats]:
    """Return Pr[occupied at t] and Pr[empty at t] before any observation, (T, n) each."""
    occupied = np.empty((chains.steps, len(chains.initial)))
    empty = np.empty_like(occupied)
    occupied[0], empty[0] = chains.initial, 1 - chains.initial
    for t, (leave, arrive) in enumerate(chains.transitions()):
        occupied[t + 1], empty[t + 1] = predict(occupied[t], empty[t], leave, arrive)
    return occupied, empty


def propagate(chains: Chains) -> Floats:
    """Return Pr[occupied at t] before any observation, (T, n)."""
    occupied, _ = marginals(chains)
    return np.minimum(occupied, 1.0, out=occupied)  # two roundings may add up to a little more than one


def forward_filter(chains: Chains, log_likelihood_ratio: Floats) -> Filtered:
    """Return Pr[occupied at t | observations up to t], (T, n), and the same before the step's own."""
    prior, posterior = np.empty_like(log_likelihood_ratio), np.empty_like(log_likelihood_ratio)
    occupied, empty = chains.initial, 1 - chains.initial
    transitions = chains.transitions()
    if_occupied, if_empty = _likelihoods(log_likelihood_ratio)
    for t in range(chains.steps):
        prior[t] = np.where(empty > 0, occupied, 1.0)  # where both are rounded, 0 alone says what is certain
        occupied, empty = _bayes(occupied, empty, if_occupied[t], if_empty[t])
        posterior[t] = occupied
        if t + 1 < chains.steps:
            occupied, empty = predict(occupied, empty, *next(transitions))
    return Filtered(np.minimum(prior, 1.0, out=prior), posterior)


def smooth(chains: Chains, filtered: Filtered) -> Floats:
    """Return Pr[occupied at t | all observations], (T, n), from what the earlier ones said."""
    prior, posterior = filtered
    occupied, leave = posterior.copy(), chains.leave[chains.row]
    stayed = _ratio(posterior[:-1] * (1 - leave), prior[1:])  # Pr[S = 1 | S⁺ = 1]
    left = _ratio(posterior[:-1] * leave, 1 - prior[1:])  # Pr[S = 1 | S⁺ = 0]
    for t in reversed(range(chains.steps - 1)):
        after = occupied[t + 1]
        occupied[t] = np.minimum(after * stayed[t] + (1 - after) * left[t], 1.0)
    return occupied


def reverse(chains: Chains) -> tuple[Floats, Floats]:
    """Return Pr[S⁻ = 1 | S = 0] and Pr[S⁻ = 0 | S = 1], (T − 1, n): the chain run backwards, by Bayes.

    Row t belongs to the step from t + 1 back to t; ½ where S cannot be.
    """
    occupied, empty = (each[:-1] for each in marginals(chains))
    leave, arrive = chains.leave[chains.row], chains.arrive[chains.row]
    left, arrived = occupied * leave, empty * arrive
    return (
        _ratio(left, left + empty * (1 - arrive), 0.5),
        _ratio(arrived, arrived + occupied * (1 - leave), 0.5),
    )


def _ratio(part: Floats, whole: Floats, otherwise: float = 0.0) -> Floats:
    """part/whole, at most 1; `otherwise` where the whole is 0."""
    result = np.divide(part, whole, out=np.full_like(whole, otherwise), where=whole > 0)
    return np.minimum(result, 1.0, out=result)


LONG, FEW = 256, 8  # steps and houses: of more houses, or fewer steps, the filter takes no longer


def is_long(weight: Floats) -> bool:
    """Return whether it pays to follow these, (T, K, K, n), in blocks."""
    return len(weight) >= LONG and weight.shape[3] <= FEW


def in_blocks(weight: Floats) -> Floats:
    """Return weights (T, K, K, n) as (step of the block, block, n, K, K), the last block filled up."""
    steps, states = weight.shape[:2]
    length = max(isqrt(steps), 1)
    whole = np.empty((ceil(steps / length) * length, weight.shape[3], states, states))
    whole[:steps] = weight.transpose(0, 3, 1, 2)
    whole[steps:] = np.eye(states)
    return np.ascontiguousarray(whole.reshape(-1, length, *whole.shape[1:]).swapaxes(0, 1))


def forward_in_blocks(first: Floats, weight: Floats) -> tuple[Floats, Floats]:
    """Return Pr[state at t | observations up to t], (T, K, n), and Pr[each observation | those before it],
    (T, n), from joint weights, as `rtp.probability.hmm.forward` does step by step."""
    blocks = in_blocks(weight)
    product, faded = blocks.copy(), np.empty(blocks.shape[:-1])
    so_far = np.zeros(blocks.shape[1:-1])
    for step in range(len(blocks)):
        if step:
            product[step] = product[step - 1] @ blocks[step]
        total = product[step].sum(axis=-1)
        none = total <= 0
        product[step] /= np.where(none, 1.0, total)[..., None]
        so_far = so_far + np.where(none, -np.inf, np.log(np.where(none, 1.0, total)))
        faded[step] = so_far
    evidence = np.empty((len(weight) + 1, first.shape[1]))
    evidence[0] = first.sum(axis=0)
    now = (first / evidence[0]).T  # (n, K)
    starts = np.empty((blocks.shape[1], *now.shape))
    for block, (last, scale) in enumerate(zip(product[-1], faded[-1], strict=True)):
        starts[block] = now
        now = _after(now, last, scale)
    states = np.empty((len(weight) + 1, *first.shape))
    states[0] = starts[0].T
    after = _after(starts, product, faded).swapaxes(0, 1)
    states[1:] = after.reshape(-1, *after.shape[2:])[: len(weight)].swapaxes(1, 2)
    evidence[1:] = np.einsum("tin,tijn->tn", states[:-1], weight)
    return states, evidence


def _after(states: Floats, product: Floats, faded: Floats) -> Floats:
    """Return the states (…, K) after products whose rows have faded so far."""
    kept = np.where(states > 0, faded, -np.inf)
    share = states * np.exp(kept - kept.max(axis=-1, keepdims=True))
    after = (share[..., None, :] @ product)[..., 0, :]
    return np.asarray(after / after.sum(axis=-1, keepdims=True))


def backward_in_blocks(scaled: Floats) -> Floats:
    """Return what later observations say of every state, (T, K, n), from joint weights over the evidence."""
    blocks = in_blocks(scaled)
    for step in reversed(range(len(blocks) - 1)):
        blocks[step] = blocks[step] @ blocks[step + 1]
    _, count, houses, states, _ = blocks.shape
    ends = np.ones((count + 1, houses, states))
    for block in reversed(range(count)):
        ends[block] = (blocks[0, block] @ ends[block + 1][..., None])[..., 0]
    whole = (blocks @ ends[1:, ..., None])[..., 0].swapaxes(0, 1)
    result = np.ones((len(scaled) + 1, states, houses))
    result[:-1] = whole.reshape(-1, houses, states)[: len(scaled)].swapaxes(1, 2)
    return result
