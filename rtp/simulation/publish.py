"""What every mechanism publishes of a day, and how far off it is: base demand and noise in, rates out."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.random import SeedSequence

from rtp import metrics
from rtp.core.random import generators
from rtp.core.types import Floats, Ints
from rtp.mechanisms import REGISTRY, Mechanism, NoiseScale, Public
from rtp.simulation.setup import Market
from rtp.tariff import Number

FEW = 32  # days that are faster one by one, in plain numbers, than all together
ONE: Floats = np.array(1.0)  # broadcasts to any number of days, and costs as little as a number


class Priced(NamedTuple):
    """Arrays are (T, …): one day, or many at once along more axes."""

    demand: Floats
    rate: Floats  # as published
    variance: Floats  # of the published rate's error, as the publisher sees it


def unit_noise(root: SeedSequence, steps: int, independent: bool) -> dict[str, Floats]:
    """Unit Laplace draws for every mechanism: the same for all, or one stream each."""
    if independent:
        _, *own = generators(root, 1 + len(REGISTRY))
        return {name: rng.laplace(size=steps) for name, rng in zip(REGISTRY, own, strict=True)}
    (shared,) = generators(root, 1)
    return dict.fromkeys(REGISTRY, shared.laplace(size=steps))


def price(mechanism: Mechanism, public: Public, base: Floats, added: Floats, scale: Floats) -> Priced:
    """One mechanism's day from the base demand and the noise.

    Many days at once: give `added` and `scale` more axes after the steps; what comes back broadcasts to them.
    They share a base demand, (T,), or have their own, of the shape of `added`.
    """
    tariff = public.tariff
    if mechanism.postprocess is None and tariff.elasticity == 0:
        demand = base.reshape(*base.shape, *[1] * (added.ndim - base.ndim)) + tariff.inelastic_demand
        return Priced(demand, tariff.published(tariff.rate(demand) + added), 2 * scale**2)
    # one day, or as good as one: plain numbers are faster
    if base.ndim == 1 and (added[0].size == 1 or not mechanism.reads_demand):
        noise, b = (values.reshape(len(values), -1)[:, 0] for values in (added, scale))
        columns = _one_day(mechanism, public, base, noise, b)
        if added.ndim == 1:
            return columns
        shape = (-1, *[1] * (added.ndim - 1))
        return Priced(*(np.broadcast_to(column.reshape(shape), added.shape).copy() for column in columns))
    if base.ndim == 1 and added.ndim == 2 and added.shape[1] <= FEW and _at_once(mechanism, public):
        days = zip(added.T, np.broadcast_to(scale, added.shape).T, strict=True)
        each = [_one_day(mechanism, public, base, noise, b) for noise, b in days]
        return Priced(*(np.array(values).T for values in zip(*each, strict=True)))
    result = Priced(np.empty_like(added), np.empty_like(added), np.empty_like(added))
    for step, now in enumerate(walk(mechanism, public, base, added, list(scale), ONE)):
        result.demand[step], result.rate[step], result.variance[step] = now
    return result


def _at_once(mechanism: Mechanism, public: Public) -> bool:
    """Whether a day needs no walk, and no group but one."""
    one = len(public.outlook.occupancy_variance) == 1
    return mechanism.whole_day is not None and public.tariff.elasticity == 0 and one


def _one_day(mechanism: Mechanism, public: Public, base: Floats, added: Floats, scale: Floats) -> Priced:
    """At once where no price changes demand and the mechanism knows how; else step by step. All (T,)."""
    tariff = public.tariff
    if mechanism.whole_day is not None and tariff.elasticity == 0:
        demand = base + tariff.inelastic_demand
        rate, variance = mechanism.whole_day(public, scale, tariff.rate(demand) + added)
        return Priced(demand, tariff.published(rate), variance)
    steps = list(walk(mechanism, public, base, added.tolist(), scale.tolist(), 1.0))
    return Priced(*np.array(steps).T)


def walk(
    mechanism: Mechanism,
    public: Public,
    base: Floats,
    added: Iterable[Number],
    scale: Sequence[Number],
    response: Number,
) -> Iterator[tuple[Number, Number, Number]]:
    """(demand, published rate, error variance), step by step; `response` is that to no price yet: 1, or ONE.

    The price response is the same for all houses, so the feedback is a scalar recursion over the steps.
    """
    tariff = public.tariff
    publish = mechanism.postprocess and mechanism.postprocess(public, scale)
    uses = base.tolist() if base.ndim == 1 else base
    for step, (use, noise, b) in enumerate(zip(uses, added, scale, strict=True)):
        demand = response * use + tariff.inelastic_demand
        rate, variance = tariff.rate(demand) + noise, 2 * (b * b)
        if publish:
            rate, variance = publish(step, rate, response)
        rate = tariff.published(rate)
        yield demand, rate, variance
        if tariff.elasticity:
            response = tariff.response(rate)


def mistaken_error(
    mechanism: Mechanism, market: Market, scale: Floats, response: Floats, own_variance: Floats
) -> Floats:
    """E[(r̂ − r)²] of a publisher that believes the wrong model: its error's variance as people really live,
    and how far it is off on average, fed with the expected truth."""
    public, truth = market.public, market.life.true_moments
    variance = own_variance
    if mechanism.error_variance is not None:
        variance = mechanism.error_variance(public, truth, scale, response)
    demand, published, _ = price(mechanism, public, truth.expected_demand, np.zeros_like(scale), scale)
    return variance + (published - market.tariff.rate(demand)) ** 2


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


def releases(
    known: Market, scales: Mapping[str, NoiseScale], units: Mapping[str, Floats]
) -> dict[str, Release]:
    """Every mechanism's release, by name, from its noise scale and its unit Laplace draws."""
    worlds = {
        name: _world(mechanism, known, scales[name].scale, units[name])
        for name, mechanism in REGISTRY.items()
    }
    rmsre, expected = _errors(list(worlds.values())).tolist()
    return {
        name: Release(
            demand=world.demand,
            optimal=world.optimal,
            rate=world.rate,
            scale=scales[name].scale,
            protected=scales[name].protected,
            setter=scales[name].setter,
            rmsre=rmsre[m],
            expected_rmsre=expected[m],
        )
        for m, (name, world) in enumerate(worlds.items())
    }


def _world(mechanism: Mechanism, known: Market, scale: Floats, unit: Floats) -> _World:
    tariff, life = known.tariff, known.life
    demand, rate, own_variance = price(mechanism, known.public, life.demand, scale * unit, scale)
    optimal = tariff.rate(demand)
    if mechanism.postprocess is None:
        squared = metrics.laplace_squared_error(scale, optimal, tariff.clip_at_zero)
    elif life.assumed_moments is life.true_moments:
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
