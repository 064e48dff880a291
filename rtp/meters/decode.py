"""Guessed occupancy: the chance that a house was occupied at a step, given all its readings."""

import numpy as np

from rtp.core.types import Floats, Ints
from rtp.meters.block import observed
from rtp.meters.chain import Chains, expect
from rtp.meters.fit import columns
from rtp.meters.learned import Learned, period_of_steps
from rtp.meters.learning import taken
from rtp.meters.readings import Powers, Readings


def decode_block(power: Powers, edges: Floats, chains: Chains, period: Ints) -> Floats:
    """(n, T)"""
    return np.ascontiguousarray(expect(observed(power, edges, period), chains).occupied.T)


def decode(readings: Readings, learned: Learned, house: int) -> tuple[Powers, Floats]:
    """Power and the chance to be occupied of one learned house, (T,) each, on the days learned from."""
    power, occupied, minutes = taken(readings, learned.which[[house]])
    if occupied is not None:
        return power[0], np.where(occupied[0] < 0, np.nan, occupied[0])
    period = period_of_steps(learned.periods, minutes, learned.days)
    chains = columns(learned.houses.chains, np.array([house]))
    return power[0], decode_block(power, learned.houses.edges[[house]], chains, period)[0]
