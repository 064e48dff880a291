"""Where demand is looked at over the days that people may live: a Gauss rule for its own distribution.

Houses are independent, so the characteristic function of demand is the product of the houses' own, each the
mixture of its two states by the probability to be occupied then; a Fourier transform gives its distribution
on a grid. Of a long street the smaller houses are normal together. The rule with J nodes has the first 2J
moments of that (Golub and Welsch, 1969), by the algorithm of Lanczos.
"""

import numpy as np

from rtp.core.types import Floats
from rtp.probability.markov import propagate
from rtp.street.simulate import StreetDay

_MOST_HOUSE_STEPS = 20_000  # of houses that are followed one by one
_MOST_STEPS = 700  # of a week and no more: this takes long
_TOGETHER = 32  # steps
_CELLS, _REACH = 4096, 16.0  # of the grid, and how many standard deviations it is long, at least
_BEFORE = 0.35  # of the grid that lies below the mean
_NONE = 1e-9  # beside the rest


def demand_rule(day: StreetDay, count: int) -> tuple[Floats, Floats] | None:
    """Return so many nodes of every step, in standard deviations from the mean, and their weights, (T, J)
    each; None of more days than a week."""
    steps, moments, street = day.spec.steps, day.true_moments, day.street
    if steps > _MOST_STEPS:
        return None
    mean, variance = moments.expected_demand, np.maximum(moments.variance, 0.0)
    if not variance.any():
        return np.zeros((steps, 1)), np.ones((steps, 1))
    largest = np.sort(np.argsort(-street.bound, kind="stable")[: _MOST_HOUSE_STEPS // steps])
    occupied = propagate(day.spec.chains(street, 0, largest))
    (m0, m1), (v0, v1) = street.moments(largest)
    own_mean = m0 + occupied * (m1 - m0)
    own_variance = v0 + occupied * (v1 - v0) + occupied * (1 - occupied) * (m1 - m0) ** 2
    rest, beside = mean - own_mean.sum(axis=1), np.maximum(variance - own_variance.sum(axis=1), 0.0)
    deviation = np.sqrt(np.maximum(variance, variance.max() * _NONE))
    size = np.ceil(np.log2(deviation))  # so that few grids differ
    nodes, weights = np.zeros((2, steps, count))
    for each in np.unique(size).tolist():
        length, same = _REACH * 2**each, np.flatnonzero(size == each)
        cell = length / _CELLS
        waves = 2 * np.pi / length * np.arange(_CELLS // 2 + 1)
        empty_of, occupied_of = street.only(largest).characteristic(waves)
        for first in range(0, len(same), _TOGETHER):
            now = same[first : first + _TOGETHER]
            start = np.maximum(mean[now] - _BEFORE * length, 0.0)
            decay = np.minimum(np.multiply.outer(beside[now] + cell**2 / 2, waves**2) / 2, 700.0)
            total = np.exp(1j * np.multiply.outer(rest[now] - start, waves) - decay)
            for at, (empty, full) in enumerate(zip(empty_of, occupied_of, strict=True)):
                total *= empty + np.multiply.outer(occupied[now, at], full - empty)
            chance = np.maximum(np.fft.irfft(np.conj(total), _CELLS, axis=1), 0.0)
            chance /= chance.sum(axis=1, keepdims=True)
            place = start[:, None] + cell * np.arange(_CELLS) - mean[now, None]
            nodes[now], weights[now] = gauss_rule(place / deviation[now, None], chance, count)
    return nodes, weights


def gauss_rule(place: Floats, chance: Floats, count: int) -> tuple[Floats, Floats]:
    """Return nodes and weights, (T, J) each, for distributions on places, (T, K) each."""
    basis = [np.sqrt(chance)]
    tridiagonal = np.zeros((len(place), count, count))
    for j in range(count):
        following = place * basis[-1]
        tridiagonal[:, j, j] = (following * basis[-1]).sum(axis=1)
        for each in [*basis, *basis]:  # twice is enough (Kahan and Parlett)
            following = following - (following * each).sum(axis=1, keepdims=True) * each
        norm = np.sqrt((following**2).sum(axis=1, keepdims=True))
        norm = np.where(norm > _NONE, norm, 0.0)
        if j + 1 < count:
            tridiagonal[:, j, j + 1] = tridiagonal[:, j + 1, j] = norm[:, 0]
        basis.append(np.divide(following, norm, out=np.zeros_like(following), where=norm > 0))
    nodes, vectors = np.linalg.eigh(tridiagonal)
    return nodes, vectors[:, 0] ** 2
