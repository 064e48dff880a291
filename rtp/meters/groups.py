"""Houses sorted by their habits: those whose days look alike stand together.

Lloyd's algorithm on the chance to be occupied in every hour of the day. The first centres are the house
nearest to the mean and then, again and again, the house farthest from all centres: no luck is in it.
"""

import numpy as np

from rtp.arrays import Floats, Ints

ROUNDS = 50


def sort_by_habit(profile: Floats, groups: int) -> Ints:
    """(n,): the group of every house, the largest first, from hourly chances (24, n)."""
    points = profile.T
    groups = min(groups, len(np.unique(points, axis=0)))
    centres = points[[_distance(points, points.mean(axis=0)[None])[:, 0].argmin()]]
    for _ in range(groups - 1):
        farthest = _distance(points, centres).min(axis=1).argmax()
        centres = np.vstack([centres, points[farthest]])
    for _ in range(ROUNDS):
        group = _distance(points, centres).argmin(axis=1)
        moved = np.array(
            [points[group == g].mean(axis=0) if (group == g).any() else centres[g] for g in range(groups)]
        )
        if np.array_equal(moved, centres):
            break
        centres = moved
    sizes = np.bincount(group, minlength=groups)
    rank = np.empty(groups, dtype=np.intp)
    rank[np.argsort(-sizes, kind="stable")] = np.arange(groups)
    return rank[group]


def _distance(points: Floats, centres: Floats) -> Floats:
    """(n, groups), squared."""
    return np.asarray(((points[:, None] - centres) ** 2).sum(axis=2))
