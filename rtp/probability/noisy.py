"""The log-density of one house's use plus Laplace noise: uniform use, or any law given as a histogram.

A histogram is a mixture of uniforms on its bins, so its density is the sum of theirs, each weighed with its
bin's mass. It is added up in logarithms: far from a bin its density is too small for a float, and an
underflow is no proof. A bin of no width is a point mass.

Without noise the two laws of a house share their bins, so a value's likelihood ratio is that of the masses of
its bin; point masses at that very value come first, because they are infinitely denser. A value beyond the
last edge counts as the last bin's, as it does where laws are learned.
"""

import numpy as np

from rtp.core.types import Floats
from rtp.probability.histogram import Histograms


def uniform_log_density(y: Floats, b: Floats, width: Floats) -> Floats:
    """Of U(0, width) + Lap(b); without noise a point mass is infinitely dense."""
    y, b, width = np.broadcast_arrays(y, b, width)
    noisy = _noisy(y, np.where(b > 0, b, 1.0), width)
    with np.errstate(divide="ignore"):
        exact = np.where((y >= 0) & (y <= width), -np.log(width), -np.inf)
    return np.where(b > 0, noisy, exact)


def _noisy(y: Floats, b: Floats, width: Floats) -> Floats:
    u = np.maximum(width, 1e-200)
    edge = np.minimum(y, u - y) / b  # from the nearer end, negative outside
    inside = np.maximum(edge, 0.0)
    near = np.log(-np.expm1(-inside) - np.expm1(inside - u / b))
    return np.asarray(near + np.minimum(edge, 0.0) - np.log(2 * u))


def log_ratio(laws: Histograms, y: Floats, b: Floats) -> Floats:
    """(T, n): ln f₁(y) − ln f₀(y) of n houses, occupied against empty, with noise of scales b, (T, 1)."""
    found = np.zeros(y.shape)
    noisy = b[:, 0] > 0
    if noisy.any():
        found[noisy] = difference(*noisy_log_density(laws, y[noisy], b[noisy])[::-1])
    if not noisy.all():
        found[~noisy] = _exact_ratio(laws, y[~noisy])
    return found


def noisy_log_density(laws: Histograms, y: Floats, b: Floats) -> Floats:
    """(2, T, n): ln of the densities of use plus Lap(b), b > 0, empty and occupied."""
    total = np.full((2, *np.broadcast_shapes(y.shape, b.shape)), -np.inf)
    with np.errstate(divide="ignore"):
        log_mass = np.log(laws.mass)
    for k, width in enumerate(np.diff(laws.edges, axis=1).T):
        one = _noisy(y - laws.edges[:, k], b, width)
        np.logaddexp(total, log_mass[:, None, :, k] + one, out=total)
    return total


def _exact_ratio(laws: Histograms, y: Floats) -> Floats:
    """Of readings themselves, (T, n)."""
    found = np.empty(y.shape)
    for house, (edges, values) in enumerate(zip(laws.edges, y.T, strict=True)):
        low, high = edges[:-1], edges[1:]
        within = np.clip(values, edges[0], edges[-1])
        bins = np.minimum(np.searchsorted(high, within, side="left"), len(high) - 1)
        masses = laws.mass[:, house][:, bins]
        points = (low == high) & laws.mass[:, house].any(axis=0)
        for value in np.unique(low[points]).tolist():
            masses[:, within == value] = laws.mass[:, house][:, points & (low == value)].sum(axis=1)[:, None]
        with np.errstate(divide="ignore"):
            empty, occupied = np.log(masses)
        found[:, house] = difference(occupied, empty)
    return found


def difference(occupied: Floats, empty: Floats) -> Floats:
    """One logarithm less the other; 0 where neither law explains what is seen."""
    differ = occupied != empty
    return np.subtract(occupied, empty, out=np.zeros_like(occupied), where=differ)
