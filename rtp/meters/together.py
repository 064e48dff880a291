"""What is learned of one group: a piece of work that can travel to another process."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rtp.arrays import Floats, Ints
from rtp.meters.block import observed
from rtp.meters.chain import Chains
from rtp.meters.counted import counted_moves
from rtp.meters.counts import Moves, intervals
from rtp.meters.learned import LearnedGroup
from rtp.meters.readings import Powers
from rtp.meters.tied import AGAIN, Tied, tie, weekly_moves


@dataclass(frozen=True, kw_only=True)
class Together:
    """Houses of one group, m of which the common chances are learned from."""

    name: str
    houses: Ints  # all of the group
    at_midnight: float
    power: Powers  # (m, T)
    occupied: NDArray[np.int8] | None  # (m, T)
    edges: Floats  # (m, K + 1)
    chains: Chains  # of m
    period: Ints
    week: Ints  # (T,)
    weights: Floats  # (R, weeks): how often each week counts when the learning is done again


def learn_group(work: Together) -> LearnedGroup:
    """Common chances, their intervals, and the same on weeks drawn anew."""
    if work.occupied is None:
        tied, found, again = _hidden(work)
    else:
        tied, found, again = _counted(work)
    leave, arrive = intervals(found, tied.leave, tied.arrive)
    return LearnedGroup(
        name=work.name,
        houses=work.houses,
        at_midnight=work.at_midnight,
        leave=leave,
        arrive=arrive,
        again=tuple(again),
    )


def _hidden(work: Together) -> tuple[Tied, Moves, list[Tied]]:
    seen = observed(work.power, work.edges, work.period)
    alone = weekly_moves(seen, work.chains, work.week)
    leave, arrive = alone.chances()
    tied, (chains,) = tie([(seen, work.chains)], Tied(initial=work.at_midnight, leave=leave, arrive=arrive))
    again = [tie([(seen, chains)], tied, weight[work.week], AGAIN)[0] for weight in work.weights]
    return tied, weekly_moves(seen, chains, work.week), again


def _counted(work: Together) -> tuple[Tied, Moves, list[Tied]]:
    assert work.occupied is not None
    periods = len(work.chains.leave)
    found = counted_moves(np.ascontiguousarray(work.occupied.T), work.period, periods, work.week)
    every = [found.chances(), *(found.chances(weight) for weight in work.weights)]
    tied, *again = [Tied(initial=work.at_midnight, leave=out, arrive=back) for out, back in every]
    return tied, found, again
