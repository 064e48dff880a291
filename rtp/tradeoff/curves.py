"""The price of privacy: which error a budget buys. The way back, `epsilon_for`, is in `answers`.

`curve` draws the `expected` error over many budgets, an average over noise and days, and between which errors
95 % of days like this one lie: the noise alone is drawn again, on the same street and demand, so the cost is
O(days·T) whatever the number of households. All streets, budgets and mechanisms share the same unit noise:
their differences are their own.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import lru_cache

import numpy as np

from rtp import metrics
from rtp.core.random import Stream, random_generator
from rtp.core.stats import Range, middle
from rtp.core.types import Floats
from rtp.mechanisms import FEATURED, MOST_ACCURATE, REGISTRY, YARDSTICK, Mechanism, private
from rtp.scenario import BOUNDS, Scenario, ScenarioError, must_be_within, refusal
from rtp.simulation import Day, Market, draw_day, market
from rtp.simulation.publish import publish
from rtp.street.simulate import StreetDay
from rtp.tradeoff.expected import expected, scales, today, weights_of

CURVE_DAYS = 1000  # that the range of a curve comes from
QUICK_DAYS = 400  # the same for one budget, where nobody wants to wait
NOISE_SEED = 0  # of the sampled noise, whatever the scenario's
RATES_AT_ONCE = 2_000_000  # rates that are held in memory while days are sampled


@dataclass(frozen=True, kw_only=True)
class ErrorLine:
    """One mechanism's error over the budgets; all are fractions of the rate in a typical step and (E,)."""

    expected: Floats  # over noise and days: what epsilon_for inverts
    low: Floats  # 95 % of the sampled days lie between low and high: today's demand, other noise
    high: Floats

    def times(self, factor: float) -> "ErrorLine":
        """In another unit."""
        return ErrorLine(**{f.name: factor * getattr(self, f.name) for f in fields(self)})


@dataclass(frozen=True, kw_only=True)
class Curve:
    epsilons: Floats  # (E,)
    days: int  # how many days of noise the ranges come from
    lines: Mapping[str, ErrorLine]

    def only(self, names: Collection[str]) -> "Curve":
        """The curve with the lines of these mechanisms alone."""
        return replace(self, lines={name: line for name, line in self.lines.items() if name in names})


def curve(
    scenario: Scenario,
    epsilons: Iterable[float],
    days: int = CURVE_DAYS,
    *,
    street_day: StreetDay | None = None,
) -> Curve:
    """The error of every private mechanism at every budget. The scenario's own budget plays no part.

    `street_day` may be given where the day has been drawn already.
    """
    budgets = _budgets(epsilons)
    if days < 2:
        raise refusal("days", days, "be at least 2 for a range")
    here = market(scenario, street_day or draw_day(scenario))
    unit = noise_days(scenario.steps, days)
    by_name = scales(here, [REGISTRY[name] for name in private()], budgets)
    lines = {}
    for name, scale in by_name.items():
        low, high = ends(sampled(here, REGISTRY[name], scale, unit))
        lines[name] = ErrorLine(expected=expected(here, REGISTRY[name], scale), low=low, high=high)
    return Curve(epsilons=budgets, days=days, lines=lines)


@lru_cache(maxsize=4)
def noise_days(steps: int, days: int = QUICK_DAYS) -> Floats:
    """(T, days) unit Laplace draws, shared by all streets, budgets and mechanisms."""
    return random_generator(NOISE_SEED, Stream.CURVE_NOISE).laplace(size=(steps, days))


def sampled(market: Market, mechanism: Mechanism, scale: Floats, unit: Floats) -> Floats:
    """(E, days): the error of every sampled day, for scales (T, E) and unit noise (T, days)."""
    base, result = market.street_day.demand, np.empty((scale.shape[1], unit.shape[1]))
    budgets = max(RATES_AT_ONCE // unit.size, 1)
    for first in range(0, len(result), budgets):
        some = slice(first, first + budgets)
        priced = publish(mechanism, market.public, base, unit[:, None], scale[:, some, None])
        result[some] = metrics.expected_rmsre((priced.rate - priced.optimal) ** 2, priced.optimal)
    return result


def ends(errors: Floats) -> tuple[Floats, Floats]:
    """Between which 95 % of days lie, (E,) each, from (E, days)."""
    with np.errstate(invalid="ignore"):  # relative to a rate of zero all days are infinitely off
        both = np.array(middle(errors, axis=1))
    low, high = np.where(np.isnan(both), np.inf, both)
    return low, high


def cost(day: Day, names: Sequence[str] = (YARDSTICK, FEATURED, MOST_ACCURATE)) -> dict[str, Range]:
    """Return what each rate misses the optimal one by in a typical step, as a fraction of it.

    It is the root of the mean square over the noise, given the day's demand, with the range that holds 95 %
    of days of other noise.

    Parameters
    ----------
    day : Day
        A simulated day.
    names : sequence of str
        Mechanisms.

    Returns
    -------
    dict of str to Range

    Examples
    --------
    >>> import rtp
    >>> from rtp.tradeoff import cost
    >>> found = cost(rtp.simulate(rtp.Scenario(households=100)), ["naive", "blowfish"])
    >>> [f"{found[name].value:.1%}" for name in found]
    ['3.5%', '3.4%']
    """
    unit, result = noise_days(day.scenario.steps), {}
    for name in names:
        mean, errors = _errors(day.market, REGISTRY[name], day.release[name].scale, unit)
        (low,), (high,) = ends(errors[None])
        result[name] = Range(mean, float(low), float(high))
    return result


def _errors(market: Market, mechanism: Mechanism, scale: Floats, unit: Floats) -> tuple[float, Floats]:
    """The error over all noise, and of every sampled day, for scales (T,) and unit noise (T, days)."""
    tariff, optimal = market.tariff, market.tariff.optimal(market.street_day.demand)
    if mechanism.postprocess is None and not (tariff.elasticity or tariff.is_cut):
        squares = metrics.relative(scale**2, optimal)
        return float(np.sqrt(2 * squares.mean())), np.sqrt(squares @ unit**2 / len(scale))
    if (weights := weights_of(market, mechanism, scale)) is None:
        every = scale[:, None]
        return float(today(market, mechanism, every)[0]), sampled(market, mechanism, every, unit)[0]
    off, variance = weights.of(optimal) - optimal, weights.shares**2 @ (2 * scale**2)
    squared = metrics.capped_squared_error(off, variance, tariff.cap - optimal)
    whole = optimal[:, None]
    days = tariff.published(weights.of(whole + scale[:, None] * unit))
    return float(metrics.expected_rmsre(squared, optimal)), metrics.expected_rmsre((days - whole) ** 2, whole)


def _budgets(epsilons: Iterable[float]) -> Floats:
    budgets = np.asarray(list(epsilons), dtype=float)
    if not budgets.size:
        raise ScenarioError("epsilons", "is empty; give at least one budget.")
    for i, epsilon in enumerate(budgets.tolist()):
        must_be_within(f"epsilons[{i}]", epsilon, BOUNDS["epsilon"])
    return budgets


def joined(one: Curve, other: Curve) -> Curve:
    """Both curves of the same day as one, from the smallest budget to the largest."""
    epsilons = np.concatenate([one.epsilons, other.epsilons])
    order = np.argsort(epsilons, kind="stable")

    def both(name: str, field: str) -> Floats:
        return np.concatenate([getattr(part.lines[name], field) for part in (one, other)])[order]

    lines = {name: ErrorLine(**{f.name: both(name, f.name) for f in fields(ErrorLine)}) for name in one.lines}
    return Curve(epsilons=epsilons[order], days=one.days, lines=lines)
