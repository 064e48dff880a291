"""Learning a house's chain by expectation and maximisation (Baum, Petrie, Soules and Weiss 1970).

The chances of a period become expected departures over expected steps from which to depart, kept inside
(0, 1); the law of a state its expected share of every bin, with a prior worth `PRIOR` readings that look like
the house's own: so the objective, likelihood and prior together, never falls. A house is started from several
points; the best end counts, and whether the others agree is said. Occupied is the state that uses more.
"""

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rtp.core.types import Bools, Floats, Ints
from rtp.meters.chain import Chains, Expected, Observed, expect, observe
from rtp.meters.counts import INSIDE, share

BINS = 12
PRIOR = 0.5  # readings
MOST = 40  # iterations
SETTLED = 0.05  # an objective that grows by less, in nats, has arrived
AGREE = 2.0  # ends that differ by less, in nats, are the same
# (the share of readings that count as occupied, the chance to change state)
STARTS = ((0.5, 0.1), (0.25, 0.05), (0.75, 0.2))


class Fit(NamedTuple):
    """Of n houses."""

    chains: Chains
    objective: Floats  # (n,)
    agree: Bools  # (n,) whether most starts ended at the same height
    settled: Bools  # (n,) whether it arrived


def start(seen: Observed, share: float, change: float, periods: int) -> Chains:
    """A first guess: the higher a bin, the likelier occupied."""
    own = own_law(seen)
    above = np.cumsum(own, axis=1) - own / 2
    lean = 1 / (1 + np.exp(-(above - (1 - share)) / 0.15))
    law = np.array([own * (1 - lean), own * lean])
    chance = np.full((periods, seen.chains), change)
    return Chains(
        initial=np.full(seen.chains, 0.5),
        leave=chance,
        arrive=chance,
        law=law / law.sum(axis=2, keepdims=True),
    )


def own_law(seen: Observed) -> Floats:
    """(n, K): how often each bin is seen, whatever the state; never quite 0."""
    count = seen.count[:, :-1] + 0.1
    return np.asarray(count / count.sum(axis=1, keepdims=True))


def prior(seen: Observed, chains: Chains) -> Floats:
    """(n,): what the prior adds to the log-likelihood."""
    return np.asarray(PRIOR * (own_law(seen) * np.log(chains.law)).sum(axis=(0, 2)))


def maximise(seen: Observed, chains: Chains, found: Expected, total: Floats) -> Chains:
    """The likeliest chains for what is expected; `total` (n, K + 1) is how often each bin counts."""
    law = in_state(found, total) + PRIOR * own_law(seen)
    return Chains(
        initial=np.clip(found.occupied[0], INSIDE, 1 - INSIDE),
        leave=share(found.departures, found.from_occupied, chains.leave),
        arrive=share(found.arrivals, found.from_empty, chains.arrive),
        law=law / law.sum(axis=2, keepdims=True),
    )


def in_state(found: Expected, total: Floats) -> Floats:
    """(2, n, K): the readings expected in each bin, empty and occupied."""
    return np.asarray(np.maximum(np.array([total - found.in_bin, found.in_bin])[:, :, :-1], 0.0))


def climb(seen: Observed, chains: Chains, most: int = MOST) -> tuple[Chains, Floats, Bools]:
    """From a first guess to the top: chains, objective, whether settled. A house that has settled stays where
    it is, whatever the others do; now and then those are left out of the work."""
    ended, objective = chains, np.full(seen.chains, -np.inf)
    settled = np.zeros(seen.chains, dtype=bool)
    now, here, left = chains, seen, np.arange(seen.chains)
    for _ in range(most):
        found = expect(here, now)
        height = found.likelihood + prior(here, now)
        moving = ~settled[left]
        arrived = height - objective[left] < SETTLED
        objective[left[moving]] = height[moving]
        ended = _put(ended, left[moving], columns(now, moving))
        settled[left[moving & arrived]] = True
        if settled.all():
            break
        now, going = maximise(here, now, found, here.count), ~settled[left]
        if going.mean() < 0.75:
            here, now, left = _only(here, going), columns(now, going), left[going]
    return ended, objective, settled


def fit(
    code: NDArray[np.int8], period: Ints, periods: int, most: int = MOST, starts: int = len(STARTS)
) -> Fit:
    """From bins (T, n), from every start, all at once; the best end of each house."""
    houses = code.shape[1]
    seen = observe(code, BINS, period)
    first = joined([start(seen, *each, periods) for each in STARTS[:starts]])
    ended, objective, settled = climb(observe(np.tile(code, (1, starts)), BINS, period), first, most)
    heights = objective.reshape(starts, houses)
    best = heights.argmax(axis=0) * houses + np.arange(houses)
    near = (heights.max(axis=0) - heights < AGREE).sum(axis=0)
    return Fit(ordered(columns(ended, best)), objective[best], 2 * near > starts, settled[best])


def ordered(chains: Chains) -> Chains:
    """Occupied is the state that uses more: bins are in the order of use."""
    ranks = np.arange(chains.law.shape[2])
    swap = chains.law[1] @ ranks < chains.law[0] @ ranks
    return Chains(
        initial=np.where(swap, 1 - chains.initial, chains.initial),
        leave=np.where(swap, chains.arrive, chains.leave),
        arrive=np.where(swap, chains.leave, chains.arrive),
        law=np.where(swap[:, None], chains.law[::-1], chains.law),
    )


def columns(chains: Chains, which: Bools | Ints) -> Chains:
    return Chains(
        initial=chains.initial[which],
        leave=chains.leave[:, which],
        arrive=chains.arrive[:, which],
        law=chains.law[:, which],
    )


def with_periods(chains: Chains, periods: int) -> Chains:
    """The same chances again in periods that come after theirs: so many in all."""
    again = np.arange(periods) % len(chains.leave)
    return replace(chains, leave=chains.leave[again], arrive=chains.arrive[again])


def joined(parts: list[Chains]) -> Chains:
    """Chains one after the other."""
    return Chains(
        initial=np.concatenate([part.initial for part in parts]),
        leave=np.concatenate([part.leave for part in parts], axis=1),
        arrive=np.concatenate([part.arrive for part in parts], axis=1),
        law=np.concatenate([part.law for part in parts], axis=1),
    )


def _only(seen: Observed, which: Bools) -> Observed:
    kept = np.flatnonzero(which)
    shift = (np.arange(len(kept)) - kept) * (seen.bins + 1)
    return replace(seen, cell=seen.cell[:, kept] + shift, count=seen.count[kept])


def _put(chains: Chains, which: Ints, some: Chains) -> Chains:
    """With some of them replaced."""
    result = Chains(
        initial=chains.initial.copy(),
        leave=chains.leave.copy(),
        arrive=chains.arrive.copy(),
        law=chains.law.copy(),
    )
    result.initial[which], result.law[:, which] = some.initial, some.law
    result.leave[:, which], result.arrive[:, which] = some.leave, some.arrive
    return result
