"""What every mechanism publishes of a lived day, and how far off it is."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from rtp import metrics
from rtp.core.types import Floats, Ints
from rtp.mechanisms import REGISTRY, Mechanism, Noise
from rtp.simulation.price import mistaken_error, price
from rtp.simulation.unpack import Market


@dataclass(frozen=True, kw_only=True)
class Release:
    """What one mechanism published, in its own world where demand responds to its prices. Arrays are (T,)."""

    demand: Floats
    optimal: Floats
    rate: Floats
    scale: Floats
    protected: Ints  # how many houses are protected
    setter: Ints  # which house sets the noise, −1 where none
    rmsre: float
    expected_rmsre: float

    @property
    def error(self) -> float:
        """By which share of the optimal rate the published one is off in a typical step."""
        return metrics.typical_error(self.rmsre, len(self.rate))

    @property
    def error_percent(self) -> Floats:
        """(T,): what every step is off, in percent of its optimal rate; `error` is its root mean square."""
        return 100 * metrics.relative_error(self.rate, self.optimal)

    @property
    def expected_error(self) -> float:
        """The same, luck removed."""
        return metrics.typical_error(self.expected_rmsre, len(self.rate))


class _World(NamedTuple):
    """What one mechanism does to the day, all (T,)."""

    demand: Floats
    optimal: Floats
    rate: Floats
    squared_error: Floats  # expected


def releases(known: Market, noises: Mapping[str, Noise], units: Mapping[str, Floats]) -> dict[str, Release]:
    """Every mechanism's, from its noise and its unit Laplace draws, by name."""
    worlds = {
        name: _world(mechanism, known, noises[name].scale, units[name])
        for name, mechanism in REGISTRY.items()
    }
    rmsre, expected = _errors(list(worlds.values())).tolist()
    return {
        name: Release(
            demand=world.demand,
            optimal=world.optimal,
            rate=world.rate,
            scale=noises[name].scale,
            protected=noises[name].protected,
            setter=noises[name].setter,
            rmsre=rmsre[m],
            expected_rmsre=expected[m],
        )
        for m, (name, world) in enumerate(worlds.items())
    }


def _world(mechanism: Mechanism, known: Market, scale: Floats, unit: Floats) -> _World:
    tariff, life = known.tariff, known.life
    demand, rate, own_variance = price(mechanism, known.public, life.demand, scale * unit, scale)
    optimal = tariff.rate(demand)
    if mechanism.publisher is None:
        squared = metrics.laplace_squared_error(scale, optimal, tariff.clip_at_zero)
    elif life.assumed is life.truth:
        squared = own_variance
    else:
        squared = mistaken_error(mechanism, known, scale, tariff.responses(rate), own_variance)
    return _World(demand, optimal, rate, squared)


def _errors(worlds: Sequence[_World]) -> Floats:
    """(2, M): the RMSRE of this day and the expected one, of all mechanisms at once."""
    optimal = np.array([world.optimal for world in worlds])
    squared = np.empty((2, *optimal.shape))
    squared[0] = (np.array([world.rate for world in worlds]) - optimal) ** 2
    squared[1] = [world.squared_error for world in worlds]
    return metrics.each_rmsre(squared.transpose(2, 0, 1), optimal.T[:, None])
