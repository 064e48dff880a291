"""The price of privacy: which error a budget buys. The way back, `epsilon_for`, is in `target`.

`curve` draws both averages of `expected` over many budgets, and the range that a single day falls in: the
noise alone is drawn again, on the same street with the same demand, so the cost is O(days·T) whatever the
number of households. All budgets and mechanisms share the same unit noise: their differences are their own.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.random import SeedSequence

from rtp import metrics, pricing
from rtp.life import Life, Progress, live
from rtp.mechanisms import PRIVATE, REGISTRY, Mechanism
from rtp.occupancy import Floats
from rtp.scenario import BOUNDS, Scenario, ScenarioError
from rtp.simulation import Day, walk
from rtp.street import streams
from rtp.tradeoff.expected import Setting, expected, scales, setting, today

DAYS = 1000
RANGE = 0.95
STREAM = 5  # of the scenario's seed, beside those of rtp.life.seeds


@dataclass(frozen=True, kw_only=True)
class Line:
    """One mechanism over the budgets; all are RMSRE as printed and (E,)."""

    expected: Floats  # over noise and, for filter and forecast, over days: what epsilon_for inverts
    today: Floats  # over the noise alone, given today's demand: the root mean square of the sampled days
    low: Floats  # 95 % of the sampled days lie between low and high: today's demand, other noise
    high: Floats


@dataclass(frozen=True, kw_only=True)
class Curve:
    epsilons: Floats  # (E,)
    days: int  # how many days of noise the ranges come from
    lines: Mapping[str, Line]


def curve(
    scenario: Scenario,
    epsilons: Iterable[float],
    days: int = DAYS,
    *,
    life: Life | None = None,
    progress: Progress | None = None,
) -> Curve:
    """The error of every private mechanism at every budget. The scenario's own budget plays no part.

    `life` may be given where the day has been lived already; `progress` is told the fraction done and may
    raise to stop.
    """
    budgets = _budgets(epsilons)
    if days < 2:
        raise ScenarioError("days", f"is {days}; it must be at least 2 for a range.")
    report = progress or (lambda _: None)
    place = setting(scenario, life or live(scenario, lambda done: report(done / 2)))
    unit = _unit_noise(scenario.seed, scenario.steps, days)
    noises: dict[Callable[..., object], Floats] = {}  # filtered noise is calibrated noise: solve for it once
    lines = {}
    for i, name in enumerate(PRIVATE):
        mechanism = REGISTRY[name]
        if mechanism.noise not in noises:
            noises[mechanism.noise] = scales(place, mechanism, budgets)
        lines[name] = _line(place, mechanism, noises[mechanism.noise], unit)
        report(0.5 + (i + 1) / len(PRIVATE) / 2)
    return Curve(epsilons=budgets, days=days, lines=lines)


def one_day_range(day: Day, days: int = 400) -> dict[str, tuple[float, float]]:
    """Between which errors 95 % of days like this one lie: its demand, other noise."""
    place = setting(day.scenario, day.life)
    unit = _unit_noise(day.scenario.seed, day.scenario.steps, days)
    ranges = {}
    for name in PRIVATE:
        low, high = _range(sampled(place, REGISTRY[name], day.release[name].scale[:, None], unit))
        ranges[name] = float(low[0]), float(high[0])
    return ranges


@lru_cache(maxsize=4)
def _unit_noise(seed: int, steps: int, days: int) -> Floats:
    """(T, days) unit Laplace draws, shared by all budgets and mechanisms."""
    return streams(SeedSequence(seed, spawn_key=(STREAM,)), 1)[0].laplace(size=(steps, days))


def _budgets(epsilons: Iterable[float]) -> Floats:
    budgets = np.asarray(list(epsilons), dtype=float)
    low, high, _ = BOUNDS["epsilon"]
    if not budgets.size:
        raise ScenarioError("epsilons", "is empty; give at least one budget.")
    for i, epsilon in enumerate(budgets):
        if not low <= epsilon <= high:
            raise ScenarioError(
                f"epsilons[{i}]", f"is {epsilon:g}; it must be a number from {low:g} to {high:,g}."
            )
    return budgets


def _line(place: Setting, mechanism: Mechanism, scale: Floats, unit: Floats) -> Line:
    given_today = today(place, mechanism, scale)
    low = high = given_today
    if mechanism.reads_demand:
        low, high = _range(sampled(place, mechanism, scale, unit))
    over_days = given_today if mechanism.publisher is None else expected(place, mechanism, scale)
    return Line(expected=over_days, today=given_today, low=low, high=high)


def _range(errors: Floats) -> tuple[Floats, Floats]:
    """(E,) each, from (E, days)."""
    edge = (1 - RANGE) / 2
    with np.errstate(invalid="ignore"):  # relative to a rate of zero all days are infinitely off
        ends = np.quantile(errors, (edge, 1 - edge), axis=1)
    low, high = np.where(np.isnan(ends), np.inf, ends)
    return low, high


def sampled(place: Setting, mechanism: Mechanism, scale: Floats, unit: Floats) -> Floats:
    """(E, days): the RMSRE of every sampled day, for scales (T, E) and unit noise (T, days)."""
    rules, base = place.rules, place.life.demand
    if mechanism.publisher is None and not rules.elasticity and not rules.clip_at_zero:
        optimal = pricing.rate(base + rules.inelastic_demand, rules.alpha, rules.beta)[:, None]
        share = metrics.relative(scale**2, optimal)
        return np.asarray(np.sqrt(np.einsum("te,td->ed", share, unit**2)) / len(base))
    added = (b[:, None] * noise for b, noise in zip(scale, unit, strict=True))
    total = np.zeros((scale.shape[1], unit.shape[1]))
    for demand, rate, _ in walk(mechanism, place.public, rules, base, added, scale[..., None]):
        optimal = pricing.rate(demand, rules.alpha, rules.beta)
        total += metrics.relative((rate - optimal) ** 2, np.asarray(optimal))
    return np.sqrt(total) / len(base)
