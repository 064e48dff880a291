"""What rates tell about a house: ln Pr[x | occupied] − ln Pr[x | empty], by three routes.

x is the street's consumption as the published rate shows it, Z + Lap(b).

* `alone`: the observer knows what everyone else used, so she sees one house's consumption plus noise. Closed
  form; outside [0, max(u₁, u₀)] it is constant, at two limits of which `calibrated` holds the larger at ε.
* `few`: a handful of houses with states unknown: the exact density of every joint state (`rtp.density`).
* more houses: characteristic functions (`rtp.attacker.crowd`).

`hearing` picks one of the last two. Both weigh the others' states by one chance per house. That is exact
while houses are independent, as before the first rate; afterwards it forgets what rates said of their sum.
"""

from collections.abc import Callable

import numpy as np

from rtp.attacker import crowd
from rtp.attacker.tilt import Crowd
from rtp.density import uniforms_plus_laplace
from rtp.joint import MAX_HOUSES, all_states
from rtp.occupancy import Floats

HANDFUL = 6  # up to so many houses their joint states are the faster way
FEW = MAX_HOUSES  # up to so many they are a way

# (step, chances to be occupied, chances to be empty) → log-evidence on each house
Listener = Callable[[int, Floats, Floats], Floats]


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


def hearing(occupied_bound: Floats, empty_bound: Floats) -> Callable[[Floats, Floats], Listener]:
    """For a street of these bounds: (x, b), both (T,), → the evidence of every step."""
    houses = len(occupied_bound)
    if houses <= HANDFUL:
        return lambda x, b: few(x, b, occupied_bound, empty_bound)
    hear = crowd.listener(occupied_bound, empty_bound)

    def listener(x: Floats, b: Floats) -> Listener:
        exactly = few(x, b, occupied_bound, empty_bound)

        def listen(step: int, occupied: Floats, empty: Floats) -> Floats:
            street = Crowd(
                occupied=occupied, empty=empty, occupied_bound=occupied_bound, empty_bound=empty_bound
            )
            otherwise = (lambda: exactly(step, occupied, empty)) if houses <= FEW else None
            return hear(street, float(x[step]), float(b[step]), otherwise)

        return listen

    return listener


def few(x: Floats, b: Floats, occupied_bound: Floats, empty_bound: Floats) -> Listener:
    """The evidence of every step from the exact density of every joint state, which no belief changes."""
    known: dict[float, Floats] = {}

    def listen(step: int, occupied: Floats, empty: Floats) -> Floats:
        scale = float(b[step])
        if scale not in known:
            known[scale] = _densities(x[b == scale], scale, occupied_bound, empty_bound)
        return _weigh(known[scale][np.count_nonzero(b[:step] == scale)], occupied, empty)

    return listen


def _densities(x: Floats, b: float, occupied_bound: Floats, empty_bound: Floats) -> Floats:
    """(len(x), 2^n): Pr[x | joint state]."""
    widths = np.where(all_states(len(occupied_bound)), occupied_bound, empty_bound)
    return np.stack([uniforms_plus_laplace(x, width, b) for width in widths], axis=1)


def _weigh(density: Floats, occupied: Floats, empty: Floats) -> Floats:
    """Each house's evidence, the others' states weighed by their chances."""
    states = all_states(len(occupied)).astype(bool).T
    weights = crowd.others(np.where(states, occupied[:, None], empty[:, None]))
    one, other = (np.where(mine, weights, 0.0) @ density for mine in (states, ~states))
    with np.errstate(divide="ignore"):  # where only one state explains the rate, it is proof
        return np.asarray(np.subtract(np.log(one), np.log(other), out=np.zeros_like(one), where=one != other))
