"""Houses that live alike: how many groups the readings show, and who is in which.

Groups that are sorted and learned from the same days would show the luck of those days as habits: of houses
that all live alike, the half that happened to be out more would be a group of its own. So some weeks sort and
the others judge and teach.
"""

import numpy as np

from rtp.core.stats import student_width
from rtp.core.types import Floats, Ints
from rtp.meters.house_fit import sorting_days
from rtp.meters.transitions import TransitionCounts

SORT_ROUNDS = 50


def groups_shown(profile: Floats, moves: TransitionCounts, most: int) -> int:
    """How many groups the readings show: one more as long as it predicts the other weeks' moves better.

    Houses are sorted, and their groups' probabilities counted, on the days that sort; the gain of every house
    is what those say of its moves on the other days; the 95 % interval of their mean must be above 0.
    """
    sorting = sorting_days(moves.departures.shape[1])
    before, after = moves.on_days(sorting), moves.on_days(~sorting)
    count = profile.shape[1]
    shown, height = 1, _predicted(before, after, np.zeros(count, dtype=np.intp))
    while shown < min(most, count):
        group = sort_by_habit(profile, shown + 1)
        higher = _predicted(before, after, group)
        gain = higher - height
        if gain.mean() <= student_width(count) * gain.std(ddof=1) / np.sqrt(count):
            break
        shown, height = shown + 1, higher
    return shown


def _predicted(before: TransitionCounts, after: TransitionCounts, group: Ints) -> Floats:
    """(n,): the log-likelihood of every house's later moves, with its group's earlier probabilities."""
    total = np.zeros(len(group))
    for events, steps in (("departures", "from_occupied"), ("arrivals", "from_empty")):
        happened, possible = (getattr(after, name).sum(axis=1) for name in (events, steps))  # (P, n)
        for g in range(int(group.max()) + 1):
            own = group == g
            many, out_of = (getattr(before, name)[:, :, own].sum(axis=(1, 2)) for name in (events, steps))
            rate = ((many + 0.5) / (out_of + 1.0))[:, None]
            here, there = happened[:, own], possible[:, own]
            total[own] += (here * np.log(rate) + (there - here) * np.log1p(-rate)).sum(axis=0)
    return total


def sort_by_habit(profile: Floats, groups: int) -> Ints:
    """(n,): the group of every house, the largest first, from hourly Pr[occupied] (24, n).

    Lloyd's algorithm, from the houses in the order of their largest common difference (the first principal
    component), cut into equal parts.
    """
    points = profile.T
    groups = min(groups, len(np.unique(points, axis=0)))
    middle = points - points.mean(axis=0)
    _, direction = np.linalg.eigh(middle.T @ middle)
    order = np.argsort(middle @ direction[:, -1], kind="stable")
    centres = np.array([points[part].mean(axis=0) for part in np.array_split(order, groups)])
    for _ in range(SORT_ROUNDS):
        distance = ((points[:, None] - centres) ** 2).sum(axis=2)
        group = distance.argmin(axis=1)
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
