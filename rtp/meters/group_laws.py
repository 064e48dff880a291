"""The learned laws of use as a scenario's groups have them: one for all houses of a group.

Every learned house has bins of its own. A group's law in a state is the mean of its houses' laws: the
distribution function, which is a straight line within a bin and jumps at a point mass, is averaged over the
houses and read off at the edges of common bins. Those hold about as much of both states' use each; edges have
four digits and shares five decimals, so that they travel in a link, and no share that is possible becomes 0.
What is lost is how houses of a group differ from each other, and the shape of use within a bin.
"""

from math import ceil, floor, log10

import numpy as np

from rtp.core.types import Floats
from rtp.meters.learned import Learned, LearnedGroup
from rtp.scenario import Law, Scenario

BINS = 16
DIGITS, DECIMALS = 4, 5
USES = {"as learned": True, "uniformly up to the bounds": False}
LAWS_MEAN = (
    "As learned: every house of a group draws from the mean of its houses' laws, cut at the bound. "
    "Uniformly: as in the paper, up to the bound of its state; with a fuse for a bound that is far more than "
    "is used."
)


def with_laws(scenario: Scenario, learned: Learned) -> Scenario:
    """The street of the learned habits with its groups' learned laws of use."""
    laws = laws_by_group(learned)
    return scenario.replace(groups=tuple(group.replace(law=laws[group.name]) for group in scenario.groups))


def laws_by_group(learned: Learned) -> dict[str, Law]:
    return {group.name: law_of(learned, group) for group in learned.groups}


def law_of(learned: Learned, group: LearnedGroup) -> Law:
    """Of the houses of a group."""
    edges, mass = learned.houses.edges[group.houses], learned.houses.chains.law[:, group.houses]
    at = np.unique(edges)
    both = below(at, edges, mass).mean(axis=0)
    middle = np.interp(np.arange(1, BINS) / BINS, both, at)
    common = np.unique([0.0, *(_rounded(edge) for edge in middle.tolist()), _rounded_up(float(at[-1]))])
    reached = below(common, edges, mass)
    shares = np.diff(reached, axis=1)
    if reached[:, 0].any():  # a point mass at nothing used
        common, shares = np.concatenate([[0.0], common]), np.concatenate([reached[:, :1], shares], axis=1)
    return Law(edges=tuple(common.tolist()), empty=_adding_up(shares[0]), occupied=_adding_up(shares[1]))


def below(x: Floats, edges: Floats, mass: Floats) -> Floats:
    """(2, len(x)): the mean share of use of some houses that is at most x, empty and occupied."""
    total = np.zeros((2, len(x)))
    for low, high, own in zip(edges[:, :-1].T, edges[:, 1:].T, np.moveaxis(mass, 2, 0), strict=True):
        width = (high - low)[:, None]
        reach = x - low[:, None]
        inside = np.where(width > 0, np.clip(reach / np.where(width > 0, width, 1.0), 0.0, 1.0), reach >= 0)
        total += own @ inside
    return np.minimum(total / len(edges), 1.0)


def _rounded(value: float) -> float:
    return float(f"{value:.{DIGITS}g}")


def _rounded_up(value: float) -> float:
    """To so many digits, and never below what was read."""
    if value <= 0:
        return 1e-6
    unit = 10.0 ** (floor(log10(value)) + 1 - DIGITS)
    return _rounded(ceil(value / unit - 1e-9) * unit)


def _adding_up(shares: Floats) -> tuple[float, ...]:
    """Rounded, none to 0 that is not 0, and with what is left over at the largest."""
    least = 10.0**-DECIMALS
    rounded = np.where(shares > 0, np.maximum(np.round(shares, DECIMALS), least), 0.0)
    largest = int(rounded.argmax())
    rounded[largest] = round(1 - float(np.delete(rounded, largest).sum()), DECIMALS)
    return tuple(np.round(rounded, DECIMALS).tolist())
