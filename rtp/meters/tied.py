"""What the houses of a group have in common: one set of chances for all, each with its own consumption laws.

Expectation and maximisation go on from what the houses learned alone, but departures are added up over all of
them. Weeks may count more than once or not at all: that is how the learning is done again on weeks that are
drawn anew, to see how far it would have come out otherwise.

A visit to an empty house that shows in one or two readings can always be explained without a visit: by an
empty house that seldom uses much, as every house has a law of its own, with a chance for every bin. Maximum
likelihood then takes rare visits for such use and learns half of them. So a bin of an empty house's law has
to earn its place: the prior is 1/f for every bin, the one without a scale, which costs a reading each
(Figueiredo and Jain 2002); with n readings expected in it, Σ (n − 1)·ln f is largest at f ∝ n − 1, and at the
smallest f allowed where n ≤ 1. What an empty house does more often than that stays in its law.
"""

from dataclasses import dataclass, replace

import numpy as np

from rtp.core.types import Floats, Ints
from rtp.meters.chain import Chains, Observed, expect
from rtp.meters.counts import INSIDE, Moves, moves, share
from rtp.meters.fit import PRIOR, in_state, own_law

MOST = 40  # iterations
STILL = 1e-3  # a change of all log-odds by less ends it
PLACE = 1.0  # readings that a bin of an empty house's law costs


@dataclass(frozen=True, kw_only=True)
class Tied:
    """Chances per step of G groups."""

    initial: Floats  # (G,)
    leave: Floats  # (P, G)
    arrive: Floats  # (P, G)


def tie(
    seen: Observed,
    chains: Chains,
    group: Ints,
    first: Tied,
    weight: Floats | None = None,
    most: int = MOST,
) -> tuple[Tied, Chains]:
    """The chances of all groups, and every house's laws with them; `group` (n,) is of the houses."""
    member = (group[:, None] == np.arange(len(first.initial))).astype(float)  # (n, G)
    total = _weighted(seen, weight)
    now, own = first, shared(first, chains, group)
    for _ in range(most):
        found = expect(seen, own, weight)
        before, now = (
            now,
            Tied(
                initial=np.clip(found.occupied[0] @ member / member.sum(axis=0), INSIDE, 1 - INSIDE),
                leave=share(found.departures @ member, found.from_occupied @ member, now.leave),
                arrive=share(found.arrivals @ member, found.from_empty @ member, now.arrive),
            ),
        )
        own = shared(now, replace(own, law=laws(in_state(found, total), PRIOR * own_law(seen))), group)
        if _apart(before, now) < STILL:
            break
    return now, own


def laws(expected: Floats, prior: Floats) -> Floats:
    """(2, n, K), from the readings expected in each bin; `prior` (n, K) is added to the occupied."""
    left = np.maximum(expected[0] - PLACE, 0.0)
    kept = left > 0
    most = 1 - INSIDE * (~kept).sum(axis=1, keepdims=True)
    empty = np.where(kept, most * left / np.maximum(left.sum(axis=1, keepdims=True), INSIDE), INSIDE)
    both = np.array([empty, expected[1] + prior])
    return np.asarray(both / both.sum(axis=2, keepdims=True))


def daily_moves(seen: Observed, chains: Chains, day: Ints) -> Moves:
    """The expected moves of houses, by day."""
    found = expect(seen, chains)
    known = np.ones((len(found.departing), 1))
    return moves(
        found.departing,
        found.arriving,
        found.occupied[:-1],
        known,
        seen.period[:-1],
        len(chains.leave),
        day[:-1],
    )


def shared(tied: Tied, chains: Chains, group: Ints) -> Chains:
    """Every house with its group's chances and its own laws."""
    return Chains(
        initial=tied.initial[group], leave=tied.leave[:, group], arrive=tied.arrive[:, group], law=chains.law
    )


def _apart(one: Tied, other: Tied) -> float:
    """How far the log-odds differ."""
    both = [np.concatenate([each.leave, each.arrive]) for each in (one, other)]
    odds = [np.log(p) - np.log1p(-p) for p in both]
    return float(np.abs(odds[0] - odds[1]).max())


def _weighted(seen: Observed, weight: Floats | None) -> Floats:
    """(n, K + 1): how often each bin counts."""
    if weight is None:
        return seen.count
    weights = np.repeat(weight, seen.chains)
    total = np.bincount(seen.cell.ravel(), weights=weights, minlength=seen.count.size)
    return np.asarray(total, dtype=float).reshape(seen.count.shape)
