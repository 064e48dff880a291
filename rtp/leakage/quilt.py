"""Markov quilt: noise that hides one moment of a chain in a whole record.

Song, Wang and Chaudhuri, *Pufferfish Privacy Mechanisms for Correlated Data*, SIGMOD 2017. A quilt of moment
i is a pair of moments {i − a, i + b}, or one of them, or none: given it, what lies beyond says nothing more
about S at i. What the quilt itself says is its influence e, the largest over x ≠ x′ of

    ln Pr[x′]/Pr[x]  +  max over z of ln Pr[x | S at i − a is z] / Pr[x′ | S at i − a is z]
                     +  max over z of ln Pr[S at i + b is z | x] / Pr[S at i + b is z | x′],

over all z, as published, also those that the start makes impossible. The `card` moments inside may all change
with S at i, so noise for so many rates at budget ε − e is enough: the score card/(ε − e). The best quilt of
every moment, and of the moments the worst, multiplies the sensitivity of one rate. Quilts reach a day at most
to either side; leaving some out only makes the score larger.
"""

import numpy as np

from rtp.core.types import Floats
from rtp.leakage.secret import HouseChain

REACH = 96  # steps


def quilt_score(chain: HouseChain, epsilon: float) -> float:
    """The worst moment's best score; times the sensitivity it is the Laplace scale of every rate."""
    occupied = chain.occupied()
    past, future = _influences(chain)
    worst = 0.0
    for i in np.flatnonzero((occupied > 0) & (occupied < 1)).tolist():
        odds = float(np.log(occupied[i]) - np.log1p(-occupied[i]))
        worst = max(
            worst, _best(past[:i, i], future[: len(occupied) - 1 - i, i], odds, i, len(occupied), epsilon)
        )
    return worst


def _influences(chain: HouseChain) -> tuple[Floats, Floats]:
    """(past, future), each (REACH, T, 2): the two sums' last terms for a or b = 1, 2, … at every moment, for
    (x, x′) = (0, 1) and (1, 0)."""
    steps = len(chain.leave) + 1
    past, future = np.full((REACH, steps, 2), np.inf), np.full((REACH, steps, 2), np.inf)
    reached = np.tile([0.0, 1.0], (steps, 1))  # Pr[S at j + b = 1 | S at j = x], from (j, x), so far b = 0
    with np.errstate(divide="ignore", invalid="ignore"):  # what cannot be has an infinite influence
        for b in range(1, min(REACH, steps - 1) + 1):
            reached = reached[: steps - b]
            leave, arrive = (chances[b - 1 :][:, None] for chances in (chain.leave, chain.arrive))
            reached = reached * (1 - leave) + (1 - reached) * arrive
            ones, zeros = np.log(reached), np.log1p(-reached)  # (j, x)
            ahead = np.stack([zeros[:, 0] - zeros[:, 1], ones[:, 0] - ones[:, 1]])  # (z, j) of (0, 1)
            future[b - 1, : steps - b] = np.stack([np.nanmax(ahead, 0), np.nanmax(-ahead, 0)], axis=1)
            behind = (zeros - ones).T  # (z, j) of (0, 1)
            past[b - 1, b:] = np.stack([behind.max(axis=0), (-behind).max(axis=0)], axis=1)
    return past, future


def _best(past: Floats, future: Floats, odds: float, i: int, steps: int, epsilon: float) -> float:
    """The least card/(ε − e) of all quilts of moment i."""
    a, b = np.arange(1, len(past) + 1), np.arange(1, len(future) + 1)
    back = past + np.array([odds, -odds])  # ln Pr[x′]/Pr[x]
    best = steps / epsilon  # no quilt: all moments change
    candidates = (
        (np.add.outer(a, b) - 1, (back[:, None] + future).max(axis=-1)),
        (a + steps - i - 1, back.max(axis=-1)),
        (i + b, future.max(axis=-1)),
    )
    for card, influence in candidates:
        near = influence < epsilon
        if near.any():
            best = min(best, float((card[near] / (epsilon - influence[near])).min()))
    return best
