"""One checker for the promise itself: the largest log-ratio of what neighbours make an observer see."""

from collections.abc import Iterable

import numpy as np

from rtp.algorithm1 import all_states
from rtp.core.types import Floats
from rtp.probability.laplace_uniform import density

TAIL = 30.0  # how many scales beyond the support the grid reaches; e⁻³⁰ is far from underflow
INSIDE = 150


def worst_log_ratio(
    neighbours: Iterable[tuple[int, int, int]],
    *,
    occupied_bound: Floats,
    empty_bound: Floats,
    alpha: float,
    beta: float,
    scale: float,
    point_masses: bool = False,
) -> float:
    """sup over rates of |ln Pr[r̂ | M] − ln Pr[r̂ | M']| over pairs (M, M', the house they differ in).

    Consumption is uniform up to the bound of the state, or, with point masses, the house in question uses
    exactly its larger bound in one state and nothing in the other: all that Algorithm 1 assumes is the bound.
    No noise at all tells neighbours apart for sure.
    """
    pairs = list(neighbours)
    if not pairs:
        return 0.0
    if scale == 0:
        return np.inf
    b, total = scale / alpha, np.maximum(occupied_bound, empty_bound).sum()
    inside = np.linspace(0, total, INSIDE)
    beyond = np.linspace(0, TAIL * b, INSIDE // 3)[1:]
    rates = alpha * np.concatenate([-beyond, inside, total + beyond]) + beta
    demand = (rates - beta) / alpha
    states = all_states(len(occupied_bound))
    widths = [np.where(state, occupied_bound, empty_bound) for state in states]
    if not point_masses:
        used = sorted({state for first, second, _ in pairs for state in (first, second)})
        log = {state: np.log(density(demand, widths[state], b)) for state in used}
        return max(float(np.abs(log[first] - log[second]).max()) for first, second, _ in pairs)
    worst = 0.0
    for first, _, house in pairs:
        others = np.delete(widths[first], house)
        bound = max(occupied_bound[house], empty_bound[house])
        one, other = (np.log(density(demand - at, others, b)) for at in (0.0, bound))
        worst = max(worst, float(np.abs(one - other).max()))
    return worst
