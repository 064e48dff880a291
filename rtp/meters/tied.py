"""What the houses of a group have in common: one set of chances for all, each with its own consumption laws.

Expectation and maximisation go on from what the houses learned alone, but departures are added up over all of
them. Weeks may count more than once or not at all: that is how the learning is done again on weeks that are
drawn anew, to see how far it would have come out otherwise.
"""

from dataclasses import dataclass

import numpy as np

from rtp.arrays import Floats, Ints
from rtp.meters.chain import Chains, Observed, expect
from rtp.meters.counts import INSIDE, Moves, moves, share
from rtp.meters.fit import maximise

MOST = 40  # iterations
AGAIN = 10  # where weeks are drawn anew
STILL = 1e-3  # a change of all log-odds by less ends it


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
        own = shared(now, maximise(seen, own, found, total), group)
        if _apart(before, now) < STILL:
            break
    return now, own


def weekly_moves(seen: Observed, chains: Chains, week: Ints) -> Moves:
    """The expected moves of houses, by week."""
    found = expect(seen, chains)
    known = np.ones((len(found.departing), 1))
    return moves(
        found.departing,
        found.arriving,
        found.occupied[:-1],
        known,
        seen.period[:-1],
        len(chains.leave),
        week[:-1],
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
