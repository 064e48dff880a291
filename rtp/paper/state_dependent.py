"""State-dependent noise: the reading that would suit the paper's claim, and what it gives away.

Line 8 of Algorithm 1 takes the largest u_h, one bound a house, while the simulation draws one bound for each
state. Read as the bound of the state a house *is in*, λ falls while the street sleeps, and Blowfish needs
less noise "in some time steps" without dropping anybody. But then the noise's width depends on the secret.

For a house with bounds u₁ (occupied) and u₀ (empty), among others whose largest bound is v, the rate less
what the others used is U(0, u₁) + Lap(max(u₁, v)/ε) or U(0, u₀) + Lap(max(u₀, v)/ε), in the unit of
consumption. Where the two scales differ, b₁ > b₀, the log-ratio of the densities grows like
|x|·(1/b₀ − 1/b₁): no ε bounds it. The definition asks for every possible state of the others, hence also for
all of them empty. How often a rate tells more than ε is the integral of the exact density over those rates.
"""

from typing import NamedTuple

import numpy as np

from rtp.core.types import Floats
from rtp.probability.laplace_uniform import density
from rtp.street.draw import Street
from rtp.street.simulate import StreetDay, replay_houses

_REACH = 40.0  # scales beyond the largest consumption at which the integral ends; e⁻⁴⁰ is left
_CELLS = 40_000


class ExposedHouse(NamedTuple):
    """A house, and the largest bound among the others, in the states they are in."""

    number: int
    occupied: float  # its bound while it is occupied
    empty: float
    others: float
    largest: float  # of all bounds of all houses, whatever their states

    def common_scales(self, epsilon: float) -> tuple[float, float]:
        """The scales by Algorithm 1, which takes the larger bound of every house: one for both states."""
        return self.largest / epsilon, self.largest / epsilon

    def state_dependent_scales(self, epsilon: float) -> tuple[float, float]:
        """While it is occupied, while it is empty; in the unit of consumption."""
        return max(self.occupied, self.others) / epsilon, max(self.empty, self.others) / epsilon


class Exceedance(NamedTuple):
    """The probability that one rate's log-likelihood ratio about a house is beyond ±ε."""

    occupied: float  # while it is occupied
    empty: float


def bounds_by_state(day: StreetDay) -> Floats:
    """(T, N): the bound of the state that each house is in."""
    states, _ = replay_houses(day.spec, day.street, range(len(day.street.bound)))
    return np.where(states, day.street.occupied_bound, day.street.empty_bound)


def most_exposed(street: Street) -> ExposedHouse:
    """The house that uses most, everybody else being empty."""
    number = int(street.occupied_bound.argmax())
    return ExposedHouse(
        number,
        float(street.occupied_bound[number]),
        float(street.empty_bound[number]),
        float(np.delete(street.empty_bound, number).max(initial=0.0)),
        float(street.bound.max()),
    )


def log_likelihood_ratio(x: Floats, house: ExposedHouse, scales: tuple[float, float]) -> Floats:
    """ln Pr[x | occupied] − ln Pr[x | empty] of the rate less what the others used."""
    occupied, empty = _densities(x, house, scales)
    return np.asarray(np.log(occupied) - np.log(empty))


def exceedance(house: ExposedHouse, scales: tuple[float, float], epsilon: float) -> Exceedance:
    """The probability of a log-likelihood ratio beyond ±ε, by the exact densities on a fine grid."""
    largest = max(house.occupied, house.empty)
    edges = np.linspace(-_REACH * max(scales), largest + _REACH * max(scales), _CELLS + 1)
    x = (edges[1:] + edges[:-1]) / 2
    beyond = np.abs(log_likelihood_ratio(x, house, scales)) > epsilon * (1 + 1e-9)
    width = float(edges[1] - edges[0])
    occupied, empty = (float(each[beyond].sum()) * width for each in _densities(x, house, scales))
    return Exceedance(occupied, empty)


def _densities(x: Floats, house: ExposedHouse, scales: tuple[float, float]) -> tuple[Floats, Floats]:
    return (
        density(x, np.array([house.occupied]), scales[0]),
        density(x, np.array([house.empty]), scales[1]),
    )
