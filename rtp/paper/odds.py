"""How often luck alone makes the published difference."""

from typing import NamedTuple

import numpy as np

from rtp.core.stats import Range
from rtp.paper import published
from rtp.paper.reproduction import MECHANISMS, Days, chance_apart


class Odds(NamedTuple):
    two_runs: dict[str, Range]  # by mechanism: that two runs of it differ by so much
    naive_worse: float  # share of days on which the naive error is above Blowfish's by so much
    blowfish_worse: float  # and the other way round


def odds(days: Days, excess: float = published.NAIVE_EXCESS) -> Odds:
    """Over the simulated days, each mechanism with noise of its own."""
    above = days.excess(luck=True)
    return Odds(
        two_runs={name: chance_apart(days.errors(name), excess) for name in MECHANISMS[:2]},
        naive_worse=float(np.mean(above >= excess)),
        blowfish_worse=float(np.mean(1 / (1 + above) - 1 >= excess)),
    )
