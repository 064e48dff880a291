"""What rates tell about a house: ln Pr[x | occupied] − ln Pr[x | empty], where the observer knows the others.

x is the street's consumption as the published rate shows it, Z + Lap(b). If she knows what everyone else
used she sees one house's consumption plus noise. Closed form; outside [0, max(u₁, u₀)] it is constant, at
two limits, of which `calibrated` holds the larger at ε.
"""

import numpy as np

from rtp.arrays import Floats, Ints
from rtp.attacker.observed import Observed
from rtp.street.draw import Street


def evidence_alone(seen: Observed, street: Street, demand: Floats, houses: Ints, used: Floats) -> Floats:
    """(T, n): knowing everyone else's consumption, she sees what each house used through the noise alone."""
    heard = seen.heard
    noise = np.where(heard & (seen.b > 0), seen.total - demand, 0.0)
    b = np.where(heard, seen.b, 1.0)[:, None]
    bounds = street.occupied_bound[houses], street.empty_bound[houses]
    log_evidence = alone(used + noise[:, None], b, *bounds)
    log_evidence[~heard] = 0.0
    return log_evidence


def alone(y: Floats, b: Floats, occupied_bound: Floats, empty_bound: Floats) -> Floats:
    """The evidence in y = X + Lap(b) on one house; arguments broadcast."""
    occupied, empty = _log_density(y, b, occupied_bound), _log_density(y, b, empty_bound)
    differ = occupied != empty  # neither may explain y
    return np.subtract(occupied, empty, out=np.zeros_like(occupied), where=differ)


def _log_density(y: Floats, b: Floats, width: Floats) -> Floats:
    """Of U(0, width) + Lap(b); a point mass is infinitely dense."""
    y, b, width = np.broadcast_arrays(y, b, width)
    scale, u = np.where(b > 0, b, 1.0), np.maximum(width, 1e-200)
    edge = np.minimum(y, u - y) / scale  # from the nearer end, negative outside
    inside = np.maximum(edge, 0.0)
    noisy = np.log(-np.expm1(-inside) - np.expm1(inside - u / scale)) + np.minimum(edge, 0.0) - np.log(2 * u)
    with np.errstate(divide="ignore"):
        exact = np.where((y >= 0) & (y <= width), -np.log(width), -np.inf)
    return np.where(b > 0, noisy, exact)
