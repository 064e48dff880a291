"""What the houses of a group have in common: one set of chances for all, each with its own consumption laws.

Expectation and maximisation go on from what the houses learned alone, but departures are added up over all of
them. Weeks may count more than once or not at all: that is how the learning is done again on weeks that are
drawn anew, to see how far it would have come out otherwise.
"""

from dataclasses import dataclass

import numpy as np

from rtp.arrays import Floats, Ints
from rtp.meters.chain import Chains, Expected, Observed, expect
from rtp.meters.counts import INSIDE, Moves, moves
from rtp.meters.fit import maximise

MOST = 40  # iterations
AGAIN = 10  # where weeks are drawn anew
STILL = 1e-3  # a change of all log-odds by less ends it


@dataclass(frozen=True, kw_only=True)
class Tied:
    """Chances per step of a group, (P,)."""

    initial: float
    leave: Floats
    arrive: Floats


def tie(
    blocks: list[tuple[Observed, Chains]],
    first: Tied,
    weight: Floats | None = None,
    most: int = MOST,
) -> tuple[Tied, list[Chains]]:
    """The group's chances, and every house's laws with them."""
    now, parts = first, [chains for _, chains in blocks]
    for _ in range(most):
        sums, initial, houses = np.zeros((4, len(now.leave))), 0.0, 0
        for i, (seen, _) in enumerate(blocks):
            shared = _shared(now, parts[i])
            found = expect(seen, shared, weight)
            sums += _totals(found)
            initial, houses = initial + found.occupied[0].sum(), houses + seen.chains
            parts[i] = maximise(seen, shared, found, total=_weighted(seen, weight))
        before, now = now, _from_sums(sums, initial / houses, now)
        if _apart(before, now) < STILL:
            break
    return now, [_shared(now, part) for part in parts]


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


def _shared(tied: Tied, chains: Chains) -> Chains:
    shape = chains.leave.shape
    return Chains(
        initial=np.full(shape[1], tied.initial),
        leave=np.broadcast_to(tied.leave[:, None], shape),
        arrive=np.broadcast_to(tied.arrive[:, None], shape),
        law=chains.law,
    )


def _totals(found: Expected) -> Floats:
    counts = (found.departures, found.from_occupied, found.arrivals, found.from_empty)
    return np.array([count.sum(axis=1) for count in counts])


def _from_sums(sums: Floats, initial: float, before: Tied) -> Tied:
    departures, from_occupied, arrivals, from_empty = sums
    chances = [
        np.clip(np.where(steps > INSIDE, events / np.maximum(steps, INSIDE), old), INSIDE, 1 - INSIDE)
        for events, steps, old in (
            (departures, from_occupied, before.leave),
            (arrivals, from_empty, before.arrive),
        )
    ]
    return Tied(initial=float(np.clip(initial, INSIDE, 1 - INSIDE)), leave=chances[0], arrive=chances[1])


def _apart(one: Tied, other: Tied) -> float:
    """How far the log-odds differ."""
    both = [np.concatenate([each.leave, each.arrive]) for each in (one, other)]
    odds = [np.log(p) - np.log1p(-p) for p in both]
    return float(np.abs(odds[0] - odds[1]).max())


def _weighted(seen: Observed, weight: Floats | None) -> Floats | None:
    if weight is None:
        return None
    weights = np.repeat(weight, seen.chains)
    total = np.bincount(seen.cell.ravel(), weights=weights, minlength=seen.count.size)
    return total.reshape(seen.count.shape)
