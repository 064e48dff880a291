"""Where occupancy is given, nothing is hidden: chances and laws are counted."""

import numpy as np
from numpy.typing import NDArray

from rtp.core.types import Floats, Ints
from rtp.meters.bins import codes_of, edges_of
from rtp.meters.block import Block, HeldOut, Houses, by_hour, moments
from rtp.meters.chain import Chains, observe
from rtp.meters.counts import Moves, moves
from rtp.meters.fit import BINS, PRIOR


def counted_moves(occupied: NDArray[np.int8], period: Ints, periods: int, day: Ints) -> Moves:
    """From states (T, n), −1 where unknown."""
    now, after = occupied[:-1], occupied[1:]
    known = ((now >= 0) & (after >= 0)).astype(float)
    return moves(
        known * ((now == 1) & (after == 0)),
        known * ((now == 0) & (after == 1)),
        (now == 1).astype(float),
        known,
        period[:-1],
        periods,
        day[:-1],
    )


def count_block(work: Block) -> Houses:
    """The same that `learn_block` gives, with no guess in it."""
    assert work.occupied is not None
    states = np.ascontiguousarray(work.occupied.T)
    edges = edges_of(work.power, BINS)
    seen = observe(codes_of(work.power, edges), BINS, work.period)
    known = states >= 0
    chance = np.where(known, states, np.nan)
    power = np.where(known, work.power.T, np.nan)
    mean, variance = moments(power, np.nan_to_num(chance))
    profile = by_hour(chance, work.per_day)
    houses = seen.chains
    leave, arrive = _own_chances(states, work)
    nothing = np.zeros(houses)
    return Houses(
        chains=Chains(initial=profile[0], leave=leave, arrive=arrive, law=_laws(seen.cell, states, houses)),
        edges=edges,
        mean=mean,
        variance=variance,
        profile=profile,
        used=by_hour(power, work.per_day),
        fitted=profile * mean[1] + (1 - profile) * mean[0],
        certainty=np.ones(houses),
        agree=np.ones(houses, dtype=bool),
        settled=np.ones(houses, dtype=bool),
        held_out=HeldOut(np.asarray(known.any(axis=0)), nothing, nothing, nothing, nothing),
    )


def _own_chances(states: NDArray[np.int8], work: Block) -> tuple[Floats, Floats]:
    """(P, n) each."""
    once = np.zeros(len(states), dtype=np.intp)
    found = counted_moves(states, work.period, work.periods, once)
    pairs = [found.only(np.array([house])).chances() for house in range(states.shape[1])]
    return np.stack([leave for leave, _ in pairs], axis=1), np.stack([arrive for _, arrive in pairs], axis=1)


def _laws(cell: Ints, states: NDArray[np.int8], houses: int) -> Floats:
    """(2, n, K)."""
    counts = [
        np.bincount(cell[states == state], minlength=houses * (BINS + 1)).reshape(houses, -1)[:, :-1]
        for state in (0, 1)
    ]
    law = np.array(counts, dtype=float) + PRIOR / BINS
    return np.asarray(law / law.sum(axis=2, keepdims=True))
