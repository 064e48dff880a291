"""The consumption laws of a feeder's houses: as learned, or uniform up to the stated bounds."""

import numpy as np

from rtp.core.types import Floats, Ints
from rtp.meters.learned import Learned
from rtp.probability.histogram import Histograms


def _own(order: Ints, learned: Learned) -> Ints:
    """(n,): where each house of the street stands among the learned ones; −1 where it does not."""
    position = np.full(len(order), -1)
    position[learned.which] = np.arange(len(learned.which))
    return np.asarray(position[order])


def laws_of(highest: Floats, order: Ints, learned: Learned) -> Histograms:
    """The learned histograms, cut at the bounds; uniform ones of houses that were not learned from.

    `highest` (n, 2) are the bounds, empty and occupied; a house that uses more while empty is cut there.
    """
    own = _own(order, learned)
    bins = learned.houses.edges.shape[1] - 1
    edges, mass = _uniform(highest, bins)
    known = own >= 0
    edges[known] = np.minimum(learned.houses.edges[own[known]], highest[known].max(axis=1)[:, None])
    mass[:, known] = learned.houses.chains.law[:, own[known]]
    return Histograms(edges=edges, mass=mass)


def _uniform(highest: Floats, bins: int) -> tuple[Floats, Floats]:
    """U(0, u) of both states as histograms: half the bins up to the smaller bound, half beyond."""
    low, high = highest.min(axis=1), highest.max(axis=1)
    first, rest = bins // 2, bins - bins // 2
    edges = np.concatenate(
        [
            low[:, None] * np.arange(first) / first,
            low[:, None] + (high - low)[:, None] * np.arange(rest + 1) / rest,
        ],
        axis=1,
    )
    width = np.diff(edges, axis=1)
    inside = np.arange(bins) < first
    mass = [
        np.where(inside | (u == high)[:, None], width / np.maximum(u, 1e-300)[:, None], 0.0)
        for u in highest.T
    ]
    mass = [
        np.where((u == 0)[:, None], np.arange(bins) == 0, m) for u, m in zip(highest.T, mass, strict=True)
    ]
    return edges, np.array(mass)


def moments_of(highest: Floats, order: Ints, learned: Learned | None) -> tuple[Floats, Floats]:
    """Mean and variance of use in each state, (2, n): as learned, or uniform up to the bounds."""
    mean, variance = highest / 2, highest**2 / 12
    if learned is None:
        return mean, variance
    own = _own(order, learned)
    known = own >= 0
    mean[:, known] = learned.houses.mean[:, own[known]]
    variance[:, known] = learned.houses.variance[:, own[known]]
    for values in (mean, variance):
        values[:, ~known] = values[:, known].mean(axis=1, keepdims=True)
    return mean, variance
