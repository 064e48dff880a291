"""What reading a curve off the paper's picture does to it.

The picture blurs steep edges: a reading takes a little of its neighbours,
y_t = x_t + w·(x_{t−1} − 2x_t + x_{t+1}). The weight w is fitted to Figure 2a by least squares against the
mean of our days; one number, mostly set by the edges, then held against everything else.

It matters for the *unrest* of Figure 2b, how far mean consumption scatters from step to step around what the
occupancy makes one expect, which tells bounds drawn once from bounds drawn anew. With X ~ U(0, u) and
u ~ U(0, u_max) at every step, a step's mean has variance u_max²(1/9 − 1/16)/N; a fixed bound leaves u²/12
of each house, on average u_max²/36.
"""

import numpy as np
from numpy.random import Generator

from rtp.core.stats import Range, middle, spread
from rtp.core.types import Floats
from rtp.paper import published
from rtp.paper.reproduction import PAPER, Days

REDRAWN_VARIANCE = 1 / 9 - 1 / 16  # of X/u_max
DRAWS = 1000


def blurred(curves: Floats, weight: float) -> Floats:
    """Curves (…, T) as the picture shows them; the ends have one neighbour."""
    before = np.concatenate([curves[..., :1], curves[..., :-1]], axis=-1)
    after = np.concatenate([curves[..., 1:], curves[..., -1:]], axis=-1)
    return np.asarray(curves + weight * (before - 2 * curves + after))


def blur_weight(days: Days) -> float:
    """How much of each neighbour a reading of Figure 2a takes, by least squares."""
    _, theirs, _ = published.figure2()
    ours = days.occupancy.mean(axis=0)
    bend = blurred(ours, 1.0) - ours
    return float(bend @ (theirs - ours) / (bend @ bend))


def inside(curves: Floats, theirs: Floats) -> int:
    """At how many steps a published curve lies in the 95 % range of our days' curves (n, T)."""
    low, high = middle(curves)
    return int(np.sum((low <= theirs) & (theirs <= high)))


def unrest(occupancy: Floats, consumption: Floats) -> Floats:
    """The scatter from step to step of mean consumption around what the occupancy makes one expect."""
    return _jumps(consumption - _expected(occupancy))


def unrest_if_redrawn(occupancy: Floats, weight: float, rng: Generator) -> Range:
    """The same, seen through the picture, if every house's bounds were drawn anew at every step."""
    group = PAPER.groups[0]
    variance = REDRAWN_VARIANCE * (
        occupancy * group.occupied_max**2 + (1 - occupancy) * group.empty_max**2
    )  # of one house; the mean of so many is normal
    luck = rng.standard_normal((DRAWS, len(occupancy))) * np.sqrt(variance / PAPER.households)
    return spread(_jumps(blurred(luck, weight)))


def _expected(occupancy: Floats) -> Floats:
    group = PAPER.groups[0]
    return (group.empty_max + (group.occupied_max - group.empty_max) * occupancy) / 4


def _jumps(deviation: Floats) -> Floats:
    return np.asarray(np.diff(deviation, axis=-1).std(axis=-1) / np.sqrt(2))
