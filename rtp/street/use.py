"""What houses use in either state, drawn from one uniform number: up to their bound, or by their own law.

A law is a histogram, so its quantile function is a straight line within every bin: of a chance c it is the
sum over the bins of their width times the share of them that lies below c, between 0 and 1. A bin that cannot
be is jumped over, and nothing beyond the last possible one is ever reached.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rtp.core.types import Bools, Floats, Ints
from rtp.probability.histogram import Histograms
from rtp.probability.laplace_uniform import Complexes, uniform_characteristic
from rtp.scenario import Group, Law

ROUNDING = 1e-9  # of masses that add up to one


@dataclass(frozen=True, kw_only=True)
class Use:
    """Of some houses; arrays are (n,)."""

    occupied_bound: Floats
    empty_bound: Floats
    laws: Histograms | None = None  # where it is not uniform up to the bounds

    def only(self, houses: slice | Ints) -> "Use":
        return Use(
            occupied_bound=self.occupied_bound[houses],
            empty_bound=self.empty_bound[houses],
            laws=None if self.laws is None else self.laws.only(houses),
        )

    def moments(self) -> tuple[Floats, Floats]:
        """Means and variances, both (2, n), empty and occupied."""
        if self.laws is not None:
            return self.laws.mean, self.laws.variance
        bounds = np.stack([self.empty_bound, self.occupied_bound])
        return bounds / 2, bounds * (bounds / 12)

    def characteristic(self, t: Floats) -> tuple[Complexes, Complexes]:
        """Characteristic functions at equally spaced nodes t, (n, len(t)) each, empty and occupied."""
        if self.laws is None:
            return (
                uniform_characteristic(self.empty_bound, t),
                uniform_characteristic(self.occupied_bound, t),
            )
        laws, of_house = self.laws.distinct
        empty, occupied = laws.characteristic(t)[:, of_house]
        return empty, occupied

    def at(self, occupied: Bools, chance: Floats) -> Floats:
        """What they use at a chance in [0, 1), both (…, n)."""
        if self.laws is None:
            return np.asarray(np.where(occupied, self.occupied_bound, self.empty_bound) * chance)
        return quantile(self.laws, occupied, chance)


def quantile(laws: Histograms, occupied: Bools, chance: Floats) -> Floats:
    """The use below which a share `chance` of each house's use lies, in its state; both (…, n)."""
    below = np.concatenate([np.zeros((*laws.mass.shape[:2], 1)), np.cumsum(laws.mass, axis=2)], axis=2)
    below[below > 1 - ROUNDING] = 1.0
    value = np.broadcast_to(laws.edges[:, 0], chance.shape).copy()
    for k, width in enumerate(np.diff(laws.edges, axis=1).T):
        if not width.any():
            continue
        start, end = (np.where(occupied, *below[::-1, :, at]) for at in (k, k + 1))
        mass = end - start
        inside = np.clip((chance - start) / np.where(mass > 0, mass, 1.0), 0.0, 1.0)
        value += width * np.where(mass > 0, inside, chance >= start)
    return np.asarray(np.minimum(value, laws.edges[:, -1]))


def laws_of(
    groups: Sequence[Group], group: NDArray[np.int8], occupied_bound: Floats, empty_bound: Floats
) -> Histograms | None:
    """Of every house, by its group, cut at the larger of its bounds; None where all use is uniform."""
    if all(g.law is None for g in groups):
        return None
    bins = 1 + max(len(g.law.empty) for g in groups if g.law is not None)
    edges, mass = np.zeros((len(group), bins + 1)), np.zeros((2, len(group), bins))
    for number, own in enumerate(groups):
        mine = group == number
        bounds = np.stack([empty_bound[mine], occupied_bound[mine]])
        if own.law is None:
            edges[mine], mass[:, mine] = _uniform(bounds, bins)
        else:
            edges[mine], mass[:, mine] = _cut(own.law, bounds.max(axis=0), bins)
    return Histograms(edges=edges, mass=mass)


def _cut(law: Law, bound: Floats, bins: int) -> tuple[Floats, Floats]:
    """A law for houses that use at most so much, (n,): what lies beyond is a point mass at the bound, in the
    last bin."""
    spare = bins - len(law.empty)
    stated = np.array([*law.edges, *[law.edges[-1]] * spare])
    mass = np.array([[*masses, *[0.0] * spare] for masses in (law.empty, law.occupied)])
    width = np.diff(stated)
    reach = bound[:, None] - stated[:-1]
    inside = np.where(width > 0, np.clip(reach / np.where(width > 0, width, 1.0), 0.0, 1.0), reach >= 0)
    kept = mass[:, None] * inside
    kept[:, :, -1] += 1 - kept.sum(axis=2)
    return np.minimum(stated, bound[:, None]), kept


def _uniform(bounds: Floats, bins: int) -> tuple[Floats, Floats]:
    """U(0, u) of both states, (2, n): a bin up to the smaller bound, and one from there to the larger."""
    low, high = bounds.min(axis=0), bounds.max(axis=0)
    edges = np.repeat(high[:, None], bins + 1, axis=1)
    edges[:, 0], edges[:, 1] = 0.0, low
    first = np.where(bounds == low, 1.0, low / np.where(high > 0, high, 1.0))
    mass = np.zeros((2, len(low), bins))
    mass[:, :, 0], mass[:, :, 1] = first, 1 - first
    return edges, mass
