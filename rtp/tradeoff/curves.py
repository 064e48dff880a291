"""The price of privacy: which error a budget buys. The way back, `epsilon_for`, is in `target`.

`curve` draws both averages of `expected` over many budgets, and the range that a single day falls in
(`ranges`): nobody lives a day for it, so the cost is O(days·T) whatever the number of households. All noisy
rates that are published as they are go through it together, those that have the same noise as one.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields

import numpy as np

from rtp import metrics
from rtp.core.types import Floats, Ints
from rtp.mechanisms import REGISTRY, private
from rtp.scenario import BOUNDS, Scenario, ScenarioError, must_be_within, refusal
from rtp.simulation import Day, Market, live, market
from rtp.street.simulate import Progress, StreetDay
from rtp.tradeoff.chain import steady
from rtp.tradeoff.expected import both, scales, today
from rtp.tradeoff.ranges import day_range, ends, sampled, unit_noise, walked

NOISE_DAYS = 1000  # that the range of a curve comes from
QUICK_DAYS = 400  # the same for one budget, where nobody wants to wait


@dataclass(frozen=True, kw_only=True)
class Line:
    """One mechanism over the budgets; all are RMSRE as printed and (E,)."""

    expected: Floats  # over noise and, for filter and forecast, over days: what epsilon_for inverts
    today: Floats  # over the noise alone, given today's demand: the root mean square of the sampled days
    low: Floats  # 95 % of the sampled days lie between low and high: today's demand, other noise
    high: Floats

    def times(self, factor: float) -> "Line":
        """In another unit."""
        return Line(
            expected=factor * self.expected,
            today=factor * self.today,
            low=factor * self.low,
            high=factor * self.high,
        )


@dataclass(frozen=True, kw_only=True)
class Curve:
    epsilons: Floats  # (E,)
    days: int  # how many days of noise the ranges come from
    steps: int  # of the scenario, which RMSRE as printed depends on
    lines: Mapping[str, Line]

    @property
    def typical(self) -> dict[str, Line]:
        """The same lines in the error of a typical step, as a fraction of the rate."""
        factor = metrics.typical_over_printed(self.steps)
        return {name: line.times(factor) for name, line in self.lines.items()}


def curve(
    scenario: Scenario,
    epsilons: Iterable[float],
    days: int = NOISE_DAYS,
    *,
    life: StreetDay | None = None,
    progress: Progress | None = None,
) -> Curve:
    """The error of every private mechanism at every budget. The scenario's own budget plays no part.

    `life` may be given where the day has been lived already; `progress` is told the fraction done and may
    raise to stop.
    """
    budgets = _budgets(epsilons)
    if days < 2:
        raise refusal("days", days, "be at least 2 for a range")
    report = progress or (lambda _: None)
    known = market(scenario, life or live(scenario, lambda done: report(done / 2)))
    unit = unit_noise(scenario.seed, scenario.steps, days)
    by_name = scales(known, [REGISTRY[name] for name in private()], budgets)
    as_is = {name: scale for name, scale in by_name.items() if REGISTRY[name].postprocess is None}
    lines = _noisy_lines(known, budgets, as_is, unit)
    report(0.75)
    for name in by_name.keys() - as_is.keys():
        given_today, over_days = both(known, REGISTRY[name], by_name[name])
        low, high = day_range(known, REGISTRY[name], budgets, by_name[name], unit, given_today)
        lines[name] = Line(expected=over_days, today=given_today, low=low, high=high)
    report(1.0)
    ordered = {name: lines[name] for name in by_name}
    return Curve(epsilons=budgets, days=days, steps=scenario.steps, lines=ordered)


def _noisy_lines(
    known: Market, epsilons: Floats, by_name: Mapping[str, Floats], unit: Floats
) -> dict[str, Line]:
    """Of mechanisms that publish the noisy rate as it is, by scales (T, E): equal noise counts once."""
    some = REGISTRY[next(iter(by_name))]
    stacked, of = np.unique(np.hstack(list(by_name.values())), axis=1, return_inverse=True)
    level = today(known, some, stacked)
    columns = dict(zip(by_name, np.split(of.ravel(), len(by_name)), strict=True))
    if steady(stacked).all() or not walked(known, some):
        shared = day_range(known, some, epsilons, stacked, unit, level)
        ranges = {name: (shared[0][at], shared[1][at]) for name, at in columns.items()}
    else:
        ranges = {
            name: day_range(known, REGISTRY[name], epsilons, by_name[name], unit, level[at])
            for name, at in columns.items()
        }
    return {
        name: Line(expected=level[at], today=level[at], low=ranges[name][0], high=ranges[name][1])
        for name, at in columns.items()
    }


def one_day_range(day: Day, days: int = QUICK_DAYS) -> dict[str, tuple[float, float]]:
    """Between which errors 95 % of days like this one lie: its demand, other noise."""
    unit = unit_noise(day.scenario.seed, day.scenario.steps, days)
    names = private()
    errors = [sampled(day.market, REGISTRY[name], day.release[name].scale[:, None], unit) for name in names]
    low, high = ends(np.concatenate(errors))
    return dict(zip(names, zip(low.tolist(), high.tolist(), strict=True), strict=True))


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
    lines = {name: _joined(line, other.lines[name], order) for name, line in one.lines.items()}
    return Curve(epsilons=epsilons[order], days=one.days, steps=one.steps, lines=lines)


def _joined(one: Line, other: Line, order: Ints) -> Line:
    values = {
        f.name: np.concatenate([getattr(one, f.name), getattr(other, f.name)])[order] for f in fields(Line)
    }
    return Line(**values)
