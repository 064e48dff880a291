"""Houses sorted by their habits: those whose days look alike stand together.

Lloyd's algorithm on the chance to be occupied in every hour of the day. It starts from the houses in the
order of their largest common difference (the first principal component), cut into equal parts.
"""

import numpy as np

from rtp.core.types import Floats, Ints

ROUNDS = 50


def sort_by_habit(profile: Floats, groups: int) -> Ints:
    """(n,): the group of every house, the largest first, from hourly chances (24, n)."""
    points = profile.T
    groups = min(groups, len(np.unique(points, axis=0)))
    middle = points - points.mean(axis=0)
    _, direction = np.linalg.eigh(middle.T @ middle)
    order = np.argsort(middle @ direction[:, -1], kind="stable")
    centres = np.array([points[part].mean(axis=0) for part in np.array_split(order, groups)])
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
    return np.asarray(rank[group])


def _distance(points: Floats, centres: Floats) -> Floats:
    """(n, groups), squared."""
    return np.asarray(((points[:, None] - centres) ** 2).sum(axis=2))
