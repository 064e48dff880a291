"""What curator and public know of a day, what every mechanism publishes of it, and how far off that is.

The price response is the same for all houses, so the street's base demand is drawn once, and the feedback of
published rates on demand is a scalar recursion over the steps. Arrays are (T, …): one day, or many along
the last axes.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.random import SeedSequence

from rtp import metrics
from rtp.core.random import generators
from rtp.core.types import Floats, Ints
from rtp.mechanisms import REGISTRY, Mechanism, NoiseScale, Public
from rtp.scenario import Scenario
from rtp.street.demand_rule import demand_rule
from rtp.street.reciprocal import mean_reciprocals
from rtp.street.schedule import DemandMoments
from rtp.street.simulate import StreetDay
from rtp.tariff import Tariff

NODES, FINE_NODES = 6, 24  # at which demand is looked at; where that costs little, or a cap bends errors


@dataclass(frozen=True, kw_only=True)
class Market:
    """One simulated day and what is public before it: what all mechanisms and budgets have in common."""

    street_day: StreetDay
    public: Public

    @property
    def tariff(self) -> Tariff:
        return self.public.tariff

    @cached_property
    def reciprocals(self) -> tuple[Floats, Floats] | None:
        """E[1/r] and E[1/r²] of the optimal rate at every step, where demand does not follow it; None where
        there is no such mean, and of long streets."""
        return self._reciprocals if self.error_has_mean else None

    @cached_property
    def _reciprocals(self) -> tuple[Floats, Floats] | None:
        return mean_reciprocals(self.street_day, self.tariff.alpha, self._least)

    @property
    def _least(self) -> float:
        """The optimal rate where nobody uses anything."""
        return float(self.tariff.optimal(np.zeros(1))[0])

    @property
    def error_has_mean(self) -> bool:
        """Whether an error relative to the optimal rate has a mean over the days that people may live."""
        if self._least > 0 or self._reciprocals is None:
            return True
        return bool(np.isfinite(self._reciprocals[1]).all())

    @cached_property
    def demand_rule(self) -> tuple[Floats, Floats] | None:
        """Where demand is looked at over the days, in standard deviations, and how much each counts, (T, J)
        each; None of many days."""
        return demand_rule(self.street_day, NODES)

    @cached_property
    def fine_demand_rule(self) -> tuple[Floats, Floats] | None:
        """The same at more places."""
        return demand_rule(self.street_day, FINE_NODES)

    def at(self, epsilon: float | Floats) -> Public:
        """What is public where the budget is another one, or many."""
        return replace(self.public, epsilon=np.atleast_1d(epsilon))


def market(scenario: Scenario, street_day: StreetDay) -> Market:
    """The day, with the scenario's tariff and budget as curator and public know them."""
    bounds = [max(g.occupied_max, g.empty_max) for g in scenario.groups]
    realised, negligible = scenario.naive_bound == "realised", scenario.negligible
    public = Public(
        epsilon=np.array([scenario.epsilon]),
        tariff=tariff(scenario, street_day),
        nominal_bound=float(street_day.street.bound.max()) if realised else max(bounds),
        street=street_day.street,
        support_classes=street_day.support_classes,
        covered=street_day.prior_marginals.protected_set(negligible) if negligible else None,
        moments=street_day.assumed_moments,
    )
    return Market(street_day=street_day, public=public)


def tariff(scenario: Scenario, street_day: StreetDay) -> Tariff:
    """The scenario's tariff; its reference rate is the mean expected optimal one unless another is set."""
    rules = Tariff(
        alpha=scenario.alpha,
        beta=scenario.beta,
        inelastic_demand=scenario.inelastic_demand,
        elasticity=scenario.elasticity,
        reference=scenario.reference_rate or 0.0,
        clip_at_zero=scenario.clip_at_zero,
        cap=np.inf if scenario.price_cap is None else scenario.price_cap,
        hours=scenario.step_hours,
    )
    if scenario.reference_rate is not None:
        return rules
    return replace(rules, reference=float(np.mean(rules.optimal(street_day.true_moments.expected_demand))))


@dataclass(frozen=True, kw_only=True)
class Cheat(Mechanism):
    """A mechanism whose curator does not do what it says, for an audit to find (`rtp.audit.cheating`).

    `spoil` takes the day's unit noise, (T,), and what really happened on the street, which no mechanism is
    given, to the noise that is used.
    """

    spoil: Callable[[Floats, StreetDay], Floats]


class Published(NamedTuple):
    """What households use, the rate that fits it, the rate that is published, its error's variance."""

    demand: Floats
    optimal: Floats
    rate: Floats
    variance: Floats  # as the assumed model has it


def unit_noise(
    root: SeedSequence, steps: int, independent: bool, others: Collection[str] = ()
) -> dict[str, Floats]:
    """Unit Laplace draws for every mechanism, and for others by name: the same for all, or a stream each."""
    names = [*REGISTRY, *(name for name in others if name not in REGISTRY)]
    if independent:
        _, *own = generators(root, 1 + len(names))
        return {name: rng.laplace(size=steps) for name, rng in zip(names, own, strict=True)}
    (shared,) = generators(root, 1)
    return dict.fromkeys(names, shared.laplace(size=steps))


def publish(mechanism: Mechanism, public: Public, base: Floats, unit: Floats, scale: Floats) -> Published:
    """One mechanism's day from base demand, unit noise and the noise's scale, (T, …) each; all broadcast.

    Without price response all steps are known at once; with it each waits for the rate before.
    """
    tariff, axes = public.tariff, max(base.ndim, unit.ndim, scale.ndim)
    base, unit, scale = (np.reshape(a, (*a.shape, *[1] * (axes - a.ndim))) for a in (base, unit, scale))
    shape = np.broadcast_shapes(base.shape, unit.shape, scale.shape)
    known_at_once = 1 if tariff.elasticity else len(base)
    result, state = Published(*np.empty((4, *shape))), None
    response = np.ones((known_at_once, *[1] * (axes - 1)))
    for first in range(0, len(base), known_at_once):
        now = slice(first, first + known_at_once)
        demand = response * base[now] + tariff.inelastic_demand
        optimal = tariff.rate(demand)
        rate, variance = optimal + scale[now] * unit[now], 2 * scale[now] ** 2
        if mechanism.postprocess is not None:
            rate, variance, state = mechanism.postprocess(public, now, scale[now], rate, response, state)
            variance = variance + np.maximum(rate - tariff.cap, 0.0) ** 2  # the cap moves the guess
        rate = tariff.published(rate)
        for values, value in zip(result, (demand, optimal, rate, variance), strict=True):
            values[now] = value
        if tariff.elasticity:
            response = tariff.response(rate)
    return result


class RateError(NamedTuple):
    """How far the published rate is from the optimal one, r̂ − r at every step, before a rate is cut."""

    response: Floats  # (T, …) by which households scale their use where nothing is left to chance
    bias: Floats  # (T, …)
    variance: Floats  # (T, …)
    covariance: Floats  # (G, T, …) with each group's demand


def rate_error(
    market: Market, mechanism: Mechanism, scale: Floats, demand: Floats | None = None
) -> RateError:
    """Return the moments of a mechanism's error at these scales, (T, …): over the noise and the days that
    people may live or, given this demand, (T,), over the noise alone.

    A rate is linear in demand and noise, so its bias is what it is off by on the day without noise on which
    demand is as expected, or as given.
    """
    moments = market.street_day.true_moments
    if demand is None:
        demand = moments.expected_demand
    else:
        moments = DemandMoments(*np.zeros((5, *moments.demand.shape)))  # which does not vary
    public = replace(market.public, tariff=replace(market.tariff, clip_at_zero=False, cap=np.inf))
    calm = publish(mechanism, public, demand, np.zeros_like(scale), scale)
    response = market.tariff.responses(calm.rate)
    if mechanism.error_moments is None:
        variance, covariance = 2 * scale**2, np.zeros((len(moments.demand), *scale.shape))
    else:
        variance, covariance = mechanism.error_moments(public, moments, scale, response)
    return RateError(response, calm.rate - calm.optimal, variance, covariance)


def squared_error(mechanism: Mechanism, market: Market, scale: Floats, priced: Published) -> Floats:
    """E[(r̂ − r)²] of every step: over the noise and, where a model is leaned on, over days.

    With a model that is not the true one, errors vary as the true one has it, and rates are off on average,
    too.
    """
    if mechanism.error_moments is None:
        return metrics.laplace_squared_error(scale, priced.optimal, *market.tariff.limits)
    if market.street_day.assumed_moments is market.street_day.true_moments:
        return priced.variance
    error = rate_error(market, mechanism, scale)
    room = market.tariff.cap - priced.optimal
    return metrics.capped_squared_error(error.bias, error.variance, room)


@dataclass(frozen=True, kw_only=True)
class Release:
    """What one mechanism published, in its own world where demand responds to its prices.

    Attributes
    ----------
    demand, optimal, rate : ndarray
        What households use, the rate that fits it, and the published one, (T,).
    scale : ndarray
        The Laplace scale of every step, (T,).
    protected, setter : ndarray
        How many houses are protected, and which one sets the noise (−1: none), (T,).
    rmsre, expected_rmsre : float
        The distance from the optimal rate in a typical step, as a fraction of it; that of this day, and the
        average over the noise. `error` and `expected_error` are the same.

    Examples
    --------
    >>> import rtp
    >>> release = rtp.simulate(rtp.PRESETS["tiny street"]).release
    >>> bool((release["calibrated"].scale < release["blowfish"].scale).all())
    True
    >>> release["optimal"].error
    0.0
    """

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
        return self.rmsre

    @property
    def error_percent(self) -> Floats:
        """(T,): what every step is off, in percent of its optimal rate; `error` is its root mean square."""
        return 100 * metrics.relative_error(self.rate, self.optimal)

    @property
    def expected_error(self) -> float:
        """The same on average."""
        return self.expected_rmsre


def release(mechanism: Mechanism, market: Market, noise: NoiseScale, unit: Floats) -> Release:
    """What one mechanism publishes of the day, from its noise scale at one budget and unit Laplace draws."""
    scale, setter = noise.scale[:, 0], noise.noise_setting_house[:, 0]
    if isinstance(mechanism, Cheat):
        unit = mechanism.spoil(unit, market.street_day)
    priced = publish(mechanism, market.public, market.street_day.demand, unit, scale)
    squared = squared_error(mechanism, market, scale, priced)
    return Release(
        demand=priced.demand,
        optimal=priced.optimal,
        rate=priced.rate,
        scale=scale,
        protected=noise.protected,
        setter=setter,
        rmsre=metrics.rmsre(priced.rate, priced.optimal),
        expected_rmsre=float(metrics.expected_rmsre(squared, priced.optimal)),
    )
