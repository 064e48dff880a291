"""What one reading says about one house: ln Pr[y | occupied] and ln Pr[y | empty], for two observers.

The insider knows what everyone else used: y is the house's own use plus Laplace noise, closed form. To the
outsider everyone else is noise too. There are many of them, so their sum is taken as normal with the model's
variance, and y given that the house uses U(0, u) has the density of normal plus Laplace noise, averaged over
(y − u, y). Its logarithm is smooth in y: it is tabulated on a grid for each pair of widths.
"""

from functools import lru_cache

import numpy as np

from rtp.arrays import Floats
from rtp.attacker.evidence import alone

GRID = np.linspace(-12.0, 12.0, 481)  # standard deviations
NODES, WEIGHTS = np.polynomial.legendre.leggauss(8)  # of the average over what the house uses
DIGITS = 3  # widths that agree on so many share a table


def insider(used: Floats, noise: Floats, b: Floats, bounds: tuple[float, float]) -> Floats:
    """ln Pr[y | occupied] − ln Pr[y | empty] from use and unit noise; infinite scales tell nothing."""
    scale = np.where(np.isfinite(b), b, 0.0).reshape(-1, *[1] * (used.ndim - 1))
    told = alone(used + scale * noise, scale, np.array(bounds[0]), np.array(bounds[1]))
    told[np.isinf(b)] = 0.0
    return told


def outsider(y: Floats, sigma: float, b: float, bounds: tuple[float, float]) -> tuple[Floats, Floats]:
    """(ln Pr[y | occupied], ln Pr[y | empty]) where everyone else deviates by sigma > 0."""
    grid, occupied, empty = _table(_rounded(sigma), _rounded(b), *bounds)
    return np.interp(y, grid, occupied), np.interp(y, grid, empty)


def _rounded(width: float) -> float:
    return float(f"{width:.{DIGITS}e}")


@lru_cache(maxsize=4096)
def _table(
    sigma: float, b: float, occupied_bound: float, empty_bound: float
) -> tuple[Floats, Floats, Floats]:
    grid = GRID * np.sqrt(sigma**2 + 2 * b**2) + (occupied_bound + empty_bound) / 4
    return grid, log_density(grid, occupied_bound, sigma, b), log_density(grid, empty_bound, sigma, b)


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
