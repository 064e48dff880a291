"""What one reading says about one house: ln Pr[y | occupied] and ln Pr[y | empty], for two observers.

The insider knows what everyone else used: y is the house's own use plus Laplace noise, closed form. To the
outsider everyone else is noise too. There are many of them, so their sum is taken as normal with the model's
variance, and y given that the house uses U(0, u) has the density of normal plus Laplace noise, averaged over
(y − u, y). Its logarithm is smooth in y: it is tabulated on a grid for each pair of widths. A law of use that
is a histogram is a mixture of such uniforms.
"""

from functools import lru_cache, reduce
from itertools import pairwise

import numpy as np

from rtp.attack.evidence import alone
from rtp.core.types import Floats
from rtp.probability.noisy import log_ratio
from rtp.street.use import Use

GRID = np.linspace(-12.0, 12.0, 481)  # standard deviations
NODES, WEIGHTS = np.polynomial.legendre.leggauss(8)  # of the average over what the house uses
Pieces = tuple[tuple[float, float, float], ...]  # (from, width, mass) of the uniforms that use is made of
DIGITS = 3  # widths that agree on so many share a table
TABLES = 1024  # of 12 kB: a day's of all mechanisms; those of another budget are of no use


def insider(used: Floats, noise: Floats, b: Floats, use: Use) -> Floats:
    """ln Pr[y | occupied] − ln Pr[y | empty] from use and unit noise; infinite scales tell nothing."""
    scale = np.where(np.isfinite(b), b, 0.0).reshape(-1, *[1] * (used.ndim - 1))
    y = used + scale * noise
    if use.laws is None:
        told = alone(y, scale, use.occupied_bound, use.empty_bound)
    else:
        each = np.broadcast_to(scale, y.shape).reshape(-1, 1)
        told = log_ratio(use.laws, y.reshape(-1, 1), each).reshape(y.shape)
    told[np.isinf(b)] = 0.0
    return told


def outsider(y: Floats, sigma: float, b: float, use: Use) -> tuple[Floats, Floats]:
    """(ln Pr[y | occupied], ln Pr[y | empty]) where everyone else deviates by sigma > 0."""
    grid, occupied, empty = _table(_rounded(sigma), _rounded(b), *_pieces(use))
    return np.interp(y, grid, occupied), np.interp(y, grid, empty)


def _pieces(use: Use) -> tuple[Pieces, Pieces]:
    """One house's use, occupied and empty, as a mixture of uniforms."""
    if use.laws is None:
        return ((0.0, float(use.occupied_bound[0]), 1.0),), ((0.0, float(use.empty_bound[0]), 1.0),)
    edges, (empty, occupied) = use.laws.edges[0].tolist(), use.laws.mass[:, 0].tolist()
    bins = list(pairwise(edges))
    one, other = (
        tuple((low, high - low, mass) for (low, high), mass in zip(bins, masses, strict=True) if mass > 0)
        for masses in (occupied, empty)
    )
    return one, other


def _rounded(width: float) -> float:
    return float(f"{width:.{DIGITS}e}")


@lru_cache(maxsize=TABLES)
def _table(sigma: float, b: float, occupied: Pieces, empty: Pieces) -> tuple[Floats, Floats, Floats]:
    middle = sum(mass * (low + width / 2) for pieces in (occupied, empty) for low, width, mass in pieces) / 2
    grid = GRID * np.sqrt(sigma**2 + 2 * b**2) + middle
    return grid, mixed(grid, occupied, sigma, b), mixed(grid, empty, sigma, b)


def mixed(y: Floats, pieces: Pieces, sigma: float, b: float) -> Floats:
    """ln of the density of a mixture of uniforms plus N(0, σ²) + Lap(b) at every y."""
    each = [log_density(y - low, width, sigma, b) + np.log(mass) for low, width, mass in pieces]
    return np.asarray(reduce(np.logaddexp, each))


def log_density(y: Floats, u: float, sigma: float, b: float) -> Floats:
    """ln of the density of U(0, u) + N(0, σ²) + Lap(b) at every y; σ > 0."""
    at = log_normal_laplace(y[:, None] - u * (NODES + 1) / 2, sigma, b)
    top = at.max(axis=1)
    return np.asarray(top + np.log(np.exp(at - top[:, None]) @ (WEIGHTS / 2)))


def log_normal_laplace(x: Floats, sigma: float, b: float) -> Floats:
    """ln of the density of N(0, σ²) + Lap(b), without overflow; σ > 0."""
    from scipy.special import log_ndtr

    if b < 1e-4 * sigma:  # too little noise to bend the normal law
        return np.asarray(-(x**2) / (2 * sigma**2) - np.log(sigma * np.sqrt(2 * np.pi)))
    ratio = sigma / b
    sides = np.logaddexp(-x / b + log_ndtr(x / sigma - ratio), x / b + log_ndtr(-x / sigma - ratio))
    return np.asarray(sides + ratio**2 / 2 - np.log(2 * b))
