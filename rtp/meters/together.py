"""What the groups of houses have in common, learned in one go; and learned again from weeks drawn anew."""

from collections.abc import Iterator
from concurrent.futures import Executor
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from rtp.core.parallel import Progress, each
from rtp.core.types import Floats, Ints
from rtp.meters.block import observed
from rtp.meters.chain import Chains
from rtp.meters.counted import counted_moves
from rtp.meters.counts import Moves
from rtp.meters.readings import Powers
from rtp.meters.tied import Tied, daily_moves, shared, tie


@dataclass(frozen=True, kw_only=True)
class Together:
    """The m houses from which the groups' chances are learned."""

    group: Ints  # (m,)
    at_midnight: Floats  # (G,) the chance to be occupied
    power: Powers  # (m, T)
    occupied: NDArray[np.int8] | None  # (m, T)
    edges: Floats  # (m, K + 1)
    chains: Chains  # of m
    period: Ints
    day: Ints  # (T,)
    weight: Floats | None = None  # (days,): how often each day counts
    first: Tied | None = None  # where to start

    def pooled(self, found: Moves) -> Tied:
        """Chances of every group from its houses' moves."""
        groups = range(len(self.at_midnight))
        pairs = [found.only(self.group == g).chances(self.weight) for g in groups]
        return Tied(
            initial=self.at_midnight,
            leave=np.stack([leave for leave, _ in pairs], axis=1),
            arrive=np.stack([arrive for _, arrive in pairs], axis=1),
        )


def common_chances(work: Together) -> tuple[Tied, Chains]:
    """A piece of work that can travel to another process."""
    if work.occupied is not None:
        return work.pooled(known_moves(work)), work.chains
    seen = observed(work.power, work.edges, work.period)
    first = work.first or work.pooled(daily_moves(seen, work.chains, work.day))
    weight = None if work.weight is None else work.weight[work.day]
    return tie(seen, work.chains, work.group, first, weight)


def known_moves(work: Together) -> Moves:
    assert work.occupied is not None
    states = np.ascontiguousarray(work.occupied.T)
    return counted_moves(states, work.period, len(work.chains.leave), work.day)


def moves_of(work: Together, tied: Tied, chains: Chains) -> Moves:
    """Of every house and week, as its group's chances make one expect."""
    if work.occupied is not None:
        return known_moves(work)
    seen = observed(work.power, work.edges, work.period)
    return daily_moves(seen, shared(tied, chains, work.group), work.day)


def again(
    work: Together,
    tied: Tied,
    chains: Chains,
    weights: Floats,
    executor: Executor | None,
    progress: Progress | None,
) -> Iterator[Tied]:
    """What it would have been, had each day counted as often as a row of `weights` says."""
    pieces = [replace(work, chains=chains, first=tied, weight=weight) for weight in weights]
    return (found for found, _ in each(common_chances, pieces, executor, progress))
