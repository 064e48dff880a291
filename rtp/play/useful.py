"""Is a private price still useful? What its noise costs streets of other lengths, and whom it gives away
there.

The noise is as wide as the largest house needs, however many houses there are; so the more a street uses, the
less the same noise matters. Both answers are exact, up to a grid, for houses whose people flip a coin every
hour: the houses of a street are then independent, and what they use together has the product of their
characteristic functions. On a grid on which all edges of their use lie, one Fourier transform gives its
distribution, and with that of the noise what a price says of one house: the likelier state is the true one
with probability ½ ∫ max(f(x | away), f(x | at home)) dx.
"""

from functools import lru_cache
from itertools import cycle, islice
from math import sqrt
from typing import NamedTuple

import numpy as np

from rtp.core.types import Floats
from rtp.mechanisms import FEATURED, REGISTRY
from rtp.play.round import AWAY, HOME, Round
from rtp.play.street import play_street

LONG = 1000  # houses of a long street
CLASS = 25  # of a class in one street
EDGES = 10  # of a house's size: its use lies between multiples of a tenth
NOISE_REACH = 20.0  # noise scales beyond which next to no noise lies


class Cost(NamedTuple):
    """What a private price costs a street, and what it tells."""

    houses: int
    missed: float  # by how much the price is off, root mean square, as a share of the optimal one
    private: float  # how often the observer is right about a house, on average over houses: from this price,
    optimal: float  # and from the optimal one


def costs(played: Round) -> tuple[Cost, ...]:
    """Return the costs for a street of the round, for the class in one street and for a long one; under its
    private rate, or Blowfish's where that is more than a price and its noise."""
    own = REGISTRY[played.private]
    name = played.private if own.adds_noise and own.postprocess is None else FEATURED
    tariff = played.scenario
    noise = float(play_street(played, 0, name).day.release[name].scale.max()) / tariff.alpha
    base = (tariff.beta + tariff.alpha * tariff.inelastic_demand) / tariff.alpha
    together = played.players if played.players > played.per_street else CLASS
    lengths = sorted({played.per_street, together, LONG})
    return tuple(street_cost(played.street_sizes, houses, noise, base) for houses in lengths)


@lru_cache(maxsize=500)
def street_cost(sizes: tuple[float, ...], houses: int, noise: float, base: float) -> Cost:
    """Return the cost for a street of so many houses, of these sizes in turn: `noise`, the Laplace scale, and
    `base`, what is paid when nothing is used, in kW."""
    street = list(islice(cycle(sizes), houses))
    step = min(sizes) / EDGES
    points = 2 ** int(np.ceil(np.log2(sum(street) / step + NOISE_REACH * noise / step + 2)))
    wave = {size: [_spread(size, *part, step, points) for part in (AWAY, HOME)] for size in set(street)}
    either = {size: (away + home) / 2 for size, (away, home) in wave.items()}
    demand = np.prod([either[size] ** street.count(size) for size in either], axis=0)
    chance = np.fft.irfft(demand, points)  # of what the street uses, on the grid
    used = (np.arange(points) + houses / 2) * step  # a use lies half a step above its point on average
    missed = sqrt(2 * noise**2 * float(chance @ (base + np.minimum(used, sum(street))) ** -2.0))
    blur = _noise(noise, step, points)
    right = {}
    for size, (away, home) in wave.items():
        others = np.prod([w ** (street.count(s) - (s == size)) for s, w in either.items()], axis=0)
        right[size] = [_right(others * away * own, others * home * own, points) for own in (blur, 1.0)]
    private, optimal = np.mean([right[size] for size in street], axis=0)
    return Cost(houses, missed, float(private), float(optimal))


def _spread(size: float, low: float, high: float, step: float, points: int) -> Floats:
    """The transform of a use that is spread evenly between two parts of a size."""
    mass = np.zeros(points)
    first, last = round(low * size / step), round(high * size / step)
    mass[first:last] = 1 / (last - first)
    return np.asarray(np.fft.rfft(mass))


def _noise(scale: float, step: float, points: int) -> Floats:
    """The transform of Laplace noise, at the points of the grid; what lies below 0 stands at its end."""
    away = np.minimum(np.arange(points), points - np.arange(points)) * step
    mass = np.exp(-away / scale)
    return np.asarray(np.fft.rfft(mass / mass.sum()))


def _right(away: Floats, home: Floats, points: int) -> float:
    """How often the likelier of two equally likely states is the true one, from their transforms."""
    return float(np.maximum(np.fft.irfft(away, points), np.fft.irfft(home, points)).sum()) / 2
