"""simulate(scenario) → Day: the street lives, the curator publishes.

`live` draws the street and its day; `publish` prices it. Only the second depends on ε, the tariff and the
price response, so changing those never changes the street. By default all mechanisms share the same unit
Laplace draws, so that their differences are their own and not luck's.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from rtp import metrics, pricing
from rtp.life import Life, Progress, live, seeds
from rtp.mechanisms import REGISTRY, Mechanism, Noise, Public
from rtp.occupancy import Floats, Ints
from rtp.scenario import STEPS_PER_HOUR, Scenario
from rtp.street import Street, streams

if TYPE_CHECKING:
    import pandas as pd


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


@dataclass(frozen=True, kw_only=True)
class Day:
    """A simulated day, or several: the street, its means, and every mechanism's release."""

    scenario: Scenario
    life: Life
    release: Mapping[str, Release]

    @property
    def street(self) -> Street:
        return self.life.street

    @cached_property
    def occupancy(self) -> Floats:
        return self.life.occupied / self.scenario.households

    @cached_property
    def expected_occupancy(self) -> Floats:
        return np.asarray(self.life.truth.occupied.sum(axis=0) / self.scenario.households)

    @cached_property
    def consumption(self) -> Floats:
        """Mean consumption per household, before any response to prices."""
        return self.life.demand / self.scenario.households

    @cached_property
    def hours(self) -> Floats:
        return np.arange(self.scenario.steps) / STEPS_PER_HOUR

    def frame(self) -> "pd.DataFrame":
        """One row per step: time, period, occupancy, consumption, rates, scales."""
        from rtp.files import day_frame

        return day_frame(self)


@dataclass(frozen=True, kw_only=True)
class Tariff:
    """How demand becomes a rate, and a rate the next step's demand."""

    alpha: float
    beta: float
    inelastic_demand: float
    elasticity: float
    reference: float
    clip_at_zero: bool


def simulate(scenario: Scenario, progress: Progress | None = None) -> Day:
    """The whole day. `progress` is told the fraction done and may raise to stop."""
    return publish(scenario, live(scenario, progress))


def publish(scenario: Scenario, life: Life) -> Day:
    """Price a day that has been lived, by every mechanism."""
    public = public_knowledge(scenario, life)
    rules = tariff(scenario, life)
    noises = {noise: noise(public) for noise in {m.noise for m in REGISTRY.values()}}  # some share one
    units = noise_draws(scenario)
    return Day(
        scenario=scenario,
        life=life,
        release={
            name: _release(mechanism, public, rules, life, noises[mechanism.noise], units[name])
            for name, mechanism in REGISTRY.items()
        },
    )


def public_knowledge(scenario: Scenario, life: Life) -> Public:
    bounds = [max(g.occupied_max, g.empty_max) for g in scenario.groups]
    realised = scenario.naive_bound == "realised"
    return Public(
        epsilon=scenario.epsilon,
        alpha=scenario.alpha,
        beta=scenario.beta,
        inelastic_demand=scenario.inelastic_demand,
        nominal_bound=float(life.street.bound.max()) if realised else max(bounds),
        street=life.street,
        kinds=life.kinds,
        outlook=life.assumed,
    )


def tariff(scenario: Scenario, life: Life) -> Tariff:
    expected = life.truth.expected_demand + scenario.inelastic_demand
    return Tariff(
        alpha=scenario.alpha,
        beta=scenario.beta,
        inelastic_demand=scenario.inelastic_demand,
        elasticity=scenario.elasticity,
        reference=scenario.reference_rate or pricing.reference_rate(expected, scenario.alpha, scenario.beta),
        clip_at_zero=scenario.clip_at_zero,
    )


def noise_draws(scenario: Scenario) -> dict[str, Floats]:
    """Unit Laplace draws for every mechanism: the same for all, or one stream each."""
    noise = seeds(scenario)[3]
    if scenario.independent_noise:
        _, *own = streams(noise, 1 + len(REGISTRY))
        return {name: rng.laplace(size=scenario.steps) for name, rng in zip(REGISTRY, own, strict=True)}
    (shared,) = streams(noise, 1)
    return dict.fromkeys(REGISTRY, shared.laplace(size=scenario.steps))


def _release(
    mechanism: Mechanism, public: Public, rules: Tariff, life: Life, noise: Noise, unit: Floats
) -> Release:
    added = noise.scale * unit
    demand, rate, own_variance = run(mechanism, public, rules, life.demand, added, noise.scale)
    optimal = pricing.rate(demand, rules.alpha, rules.beta)
    if mechanism.publisher is None:
        squared = metrics.laplace_squared_error(noise.scale, optimal, rules.clip_at_zero)
    elif life.assumed is life.truth:
        squared = own_variance
    else:
        squared = mistaken(mechanism, public, rules, life, noise.scale, responses(rules, rate), own_variance)
    return Release(
        demand=demand,
        optimal=optimal,
        rate=rate,
        scale=noise.scale,
        protected=noise.protected,
        setter=noise.setter,
        rmsre=metrics.rmsre(rate, optimal),
        expected_rmsre=metrics.expected_rmsre(squared, optimal),
    )


def mistaken(
    mechanism: Mechanism,
    public: Public,
    rules: Tariff,
    life: Life,
    scale: Floats,
    response: Floats,
    own_variance: Floats,
) -> Floats:
    """E[(r̂ − r)²] of a publisher that believes the wrong model: its error's variance as people really live,
    and how far it is off on average, fed with the expected truth."""
    variance = own_variance
    if mechanism.error_variance is not None:
        variance = mechanism.error_variance(public, life.truth, scale, response)
    expected = life.truth.expected_demand
    demand, published, _ = run(mechanism, public, rules, expected, np.zeros_like(scale), scale)
    return variance + (published - pricing.rate(demand, rules.alpha, rules.beta)) ** 2


def responses(rules: Tariff, rate: Floats) -> Floats:
    """How households scaled their consumption at every step, given the rates they saw."""
    seen = pricing.response(rate[:-1], rules.reference, rules.elasticity)
    return np.concatenate([np.ones_like(rate[:1]), seen])


def run(
    mechanism: Mechanism, public: Public, rules: Tariff, base: Floats, added: Floats, scale: Floats
) -> tuple[Floats, Floats, Floats]:
    """One mechanism's day from the base demand and the noise: (demand, published rate, error variance).

    Many days at once: give `added` and `scale` more axes after the steps; what comes back broadcasts to them.
    """
    if mechanism.publisher is None and rules.elasticity == 0:
        demand = base.reshape(-1, *[1] * (added.ndim - 1)) + rules.inelastic_demand
        rate = pricing.rate(demand, rules.alpha, rules.beta) + added
        return demand, np.maximum(rate, 0.0) if rules.clip_at_zero else rate, 2 * scale**2
    demands, rates, variances = np.empty_like(added), np.empty_like(added), np.empty_like(added)
    days = walk(mechanism, public, rules, base, by_step(added), scale)
    for step, now in enumerate(days):
        demands[step], rates[step], variances[step] = now
    return demands, rates, variances


def walk(
    mechanism: Mechanism, public: Public, rules: Tariff, base: Floats, added: Iterable[Any], scale: Floats
) -> Iterator[tuple[Any, Any, Any]]:
    """(demand, published rate, error variance), step by step: numbers, or arrays where noise is arrays.

    The price response is the same for all houses, so the feedback is a scalar recursion over the steps.
    """
    publish = mechanism.publisher and mechanism.publisher(public, scale)
    response: Any = 1.0
    for step, (use, extra, variance) in enumerate(
        zip(base.tolist(), added, by_step(2 * scale**2), strict=True)
    ):
        demand = response * use + rules.inelastic_demand
        rate = pricing.rate(demand, rules.alpha, rules.beta) + extra
        if publish:
            rate, variance = publish(step, rate, response)
        if rules.clip_at_zero:
            rate = pricing.not_negative(rate)
        yield demand, rate, variance
        if rules.elasticity:
            response = pricing.response(rate, rules.reference, rules.elasticity)


def by_step(values: Floats) -> list[Any]:
    """One day's values as plain numbers, which are fast one by one; many days' as one array per step."""
    return values.tolist() if values.ndim == 1 else list(values)
