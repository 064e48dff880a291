"""What rates tell about a house: ln Pr[x | occupied] − ln Pr[x | empty], by three routes.

x is the street's consumption as the published rate shows it, Z + Lap(b).

* `EvidenceAlone`: the observer knows what everyone else used, so she sees one house's consumption plus noise.
  Closed form; outside [0, max(u₁, u₀)] it is constant, at two limits; `calibrated` holds the larger at ε.
* `JointEvidence`: a handful of houses with states unknown: the exact density of every joint state.
* `StreetEvidence`: any number of houses, by characteristic functions (`rtp.attacker.crowd`); few of them by
  their joint states.

The last two weigh the others' states by one chance per house. That is exact while houses are independent, as
before the first rate; afterwards it forgets what rates said of their sum.
"""

from functools import partial
from typing import Protocol

import numpy as np

from rtp.arrays import Floats, Ints
from rtp.attacker import crowd
from rtp.attacker.characteristic import Tables, others
from rtp.attacker.observed import Observed
from rtp.attacker.tilt import Crowd
from rtp.density.uniforms import uniforms_plus_laplace
from rtp.joint import MAX_HOUSES, all_states
from rtp.street.draw import Street

HANDFUL = 6  # up to so many houses their joint states are the faster way
FEW = MAX_HOUSES  # up to so many they are a way


class Evidence(Protocol):
    """What the rates of a day tell, step by step."""

    def at(self, step: int, occupied: Floats, empty: Floats) -> Floats:
        """The log-evidence of the step's rate on each house, given her chances before it."""
        ...


class EvidenceAlone:
    """Knowing everyone else's consumption, she sees what each house used, (T, n), through the noise alone."""

    def __init__(self, seen: Observed, street: Street, demand: Floats, houses: Ints, used: Floats) -> None:
        heard = seen.heard
        noise = np.where(heard & (seen.b > 0), seen.total - demand, 0.0)
        b = np.where(heard, seen.b, 1.0)[:, None]
        bounds = street.occupied_bound[houses], street.empty_bound[houses]
        self.log_evidence = alone(used + noise[:, None], b, *bounds)
        self.log_evidence[~heard] = 0.0

    def at(self, step: int, occupied: Floats, empty: Floats) -> Floats:
        return np.asarray(self.log_evidence[step])


class JointEvidence:
    """The exact density of every joint state, which no belief changes."""

    def __init__(self, x: Floats, b: Floats, occupied_bound: Floats, empty_bound: Floats) -> None:
        self.x, self.b = x, b
        self.widths = np.where(all_states(len(occupied_bound)), occupied_bound, empty_bound)
        self.known: dict[float, Floats] = {}  # by scale: (rates of that scale, 2^n)

    def at(self, step: int, occupied: Floats, empty: Floats) -> Floats:
        scale = float(self.b[step])
        if scale not in self.known:
            x = self.x[self.b == scale]
            densities = [uniforms_plus_laplace(x, width, scale) for width in self.widths]
            self.known[scale] = np.stack(densities, axis=1)
        nth = np.count_nonzero(self.b[:step] == scale)
        return weigh(self.known[scale][nth], occupied, empty)


class StreetEvidence:
    """One day's rates on all houses of the street together, knowing the model only."""

    def __init__(self, seen: Observed, street: Street, tables: Tables) -> None:
        self.occupied_bound, self.empty_bound, self.tables = street.occupied_bound, street.empty_bound, tables
        self.heard = seen.heard
        self.x, self.b = seen.total, np.where(self.heard, seen.b, 1.0)
        few = len(self.occupied_bound) <= FEW
        self.joint = JointEvidence(self.x, self.b, self.occupied_bound, self.empty_bound) if few else None

    def at(self, step: int, occupied: Floats, empty: Floats) -> Floats:
        if not self.heard[step]:
            return np.zeros_like(occupied)
        exactly = partial(self.joint.at, step, occupied, empty) if self.joint else None
        if exactly and len(occupied) <= HANDFUL:
            return exactly()
        street = Crowd(
            occupied=occupied, empty=empty, occupied_bound=self.occupied_bound, empty_bound=self.empty_bound
        )
        return crowd.evidence(street, float(self.x[step]), float(self.b[step]), self.tables, exactly)


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


def weigh(density: Floats, occupied: Floats, empty: Floats) -> Floats:
    """Each house's evidence from the density of every joint state, the others weighed by their chances."""
    states = all_states(len(occupied)).astype(bool).T
    weights = others(np.where(states, occupied[:, None], empty[:, None]))
    one, other = (np.where(mine, weights, 0.0) @ density for mine in (states, ~states))
    with np.errstate(divide="ignore"):  # where only one state explains the rate, it is proof
        return np.asarray(np.subtract(np.log(one), np.log(other), out=np.zeros_like(one), where=one != other))
