"""The price of privacy: which error a budget buys. The way back, `epsilon_for`, is in `target`.

`curve` draws both averages of `expected` over many budgets, and the range that a single day falls in: the
noise alone is drawn again, on the same street with the same demand, so the cost is O(days·T) whatever the
number of households. All budgets and mechanisms share the same unit noise: their differences are their own.

Where a day must be walked step by step (a publisher, elastic or clipped prices), days are sampled at `KNOTS`
budgets a decade, always the same ones. The ends of the range, as shares of the sampled root mean square,
hardly move between two of them, because the noise is the same: they are interpolated over ln ε and multiplied
by the root mean square that is known exactly. A budget's range so depends on that budget alone.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache

import numpy as np

from rtp import metrics
from rtp.arrays import Floats
from rtp.mechanisms import REGISTRY, Mechanism, private
from rtp.scenario import BOUNDS, Scenario, ScenarioError, must_be_within, refusal
from rtp.simulation import Day, Market, live, market, walk
from rtp.simulation.price import ONE
from rtp.statistics import middle
from rtp.streams import Stream, generator
from rtp.street.life import Life, Progress
from rtp.tradeoff.expected import both, scales
from rtp.tradeoff.lines import Curve, Line

NOISE_DAYS = 1000  # that the range of a curve comes from
KNOTS = 4  # budgets a decade
QUICK_DAYS = 400  # the same for one budget, where nobody wants to wait


def curve(
    scenario: Scenario,
    epsilons: Iterable[float],
    days: int = NOISE_DAYS,
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
        raise refusal("days", days, "be at least 2 for a range")
    report = progress or (lambda _: None)
    known = market(scenario, life or live(scenario, lambda done: report(done / 2)))
    unit = _unit_noise(scenario.seed, scenario.steps, days)
    names = private()
    by_name = scales(known, [REGISTRY[name] for name in names], budgets)
    lines: dict[str, Line] = {}
    for i, name in enumerate(names):
        twin = _twin(name, lines, by_name)
        lines[name] = lines[twin] if twin else _line(known, REGISTRY[name], budgets, by_name[name], unit)
        report(0.5 + (i + 1) / len(names) / 2)
    return Curve(epsilons=budgets, days=days, steps=scenario.steps, lines=lines)


def one_day_range(day: Day, days: int = QUICK_DAYS) -> dict[str, tuple[float, float]]:
    """Between which errors 95 % of days like this one lie: its demand, other noise."""
    unit = _unit_noise(day.scenario.seed, day.scenario.steps, days)
    names = private()
    errors = [sampled(day.market, REGISTRY[name], day.release[name].scale[:, None], unit) for name in names]
    low, high = _range(np.concatenate(errors))
    return dict(zip(names, zip(low.tolist(), high.tolist(), strict=True), strict=True))


@lru_cache(maxsize=4)
def _unit_noise(seed: int, steps: int, days: int) -> Floats:
    """(T, days) unit Laplace draws, shared by all budgets and mechanisms."""
    return generator(seed, Stream.CURVE_NOISE).laplace(size=(steps, days))


def _budgets(epsilons: Iterable[float]) -> Floats:
    budgets = np.asarray(list(epsilons), dtype=float)
    if not budgets.size:
        raise ScenarioError("epsilons", "is empty; give at least one budget.")
    for i, epsilon in enumerate(budgets.tolist()):
        must_be_within(f"epsilons[{i}]", epsilon, BOUNDS["epsilon"])
    return budgets


def _twin(name: str, lines: Mapping[str, Line], by_name: Mapping[str, Floats]) -> str | None:
    """One that is done and publishes the same: the noisy rate as it is, with the same noise."""
    plain = [other for other in (*lines, name) if REGISTRY[other].publisher is None]
    return next((o for o in plain if o != name in plain and np.array_equal(by_name[o], by_name[name])), None)


def _line(known: Market, mechanism: Mechanism, epsilons: Floats, scale: Floats, unit: Floats) -> Line:
    given_today, over_days = both(known, mechanism, scale)
    low = high = given_today
    if mechanism.reads_demand:
        if _in_one_go(known, mechanism):
            low, high = _range(sampled(known, mechanism, scale, unit))
        else:
            low, high = (share * given_today for share in _shares(known, mechanism, epsilons, unit))
    return Line(expected=over_days, today=given_today, low=low, high=high)


def _in_one_go(known: Market, mechanism: Mechanism) -> bool:
    """Whether a day's error needs no walk through its steps."""
    return mechanism.publisher is None and not known.tariff.elasticity and not known.tariff.clip_at_zero


def _shares(known: Market, mechanism: Mechanism, epsilons: Floats, unit: Floats) -> list[Floats]:
    """The ends of the one-day range, (E,) each, as shares of the root mean square."""
    at = KNOTS * np.log10(epsilons)
    knots = np.unique([np.floor(at), np.ceil(at)])
    scale = scales(known, [mechanism], 10 ** (knots / KNOTS))[mechanism.name]
    errors = sampled(known, mechanism, scale, unit)
    ends = np.array(_range(errors))
    typical = np.sqrt(np.mean(errors**2, axis=1))
    usable = np.isfinite(typical) & (typical > 0)  # else all days are alike: right, or infinitely off
    shares = np.divide(ends, typical, out=np.ones_like(ends), where=usable)
    return [np.interp(at, knots, share) for share in shares]


def _range(errors: Floats) -> tuple[Floats, Floats]:
    """(E,) each, from (E, days)."""
    with np.errstate(invalid="ignore"):  # relative to a rate of zero all days are infinitely off
        ends = np.array(middle(errors, axis=1))
    low, high = np.where(np.isnan(ends), np.inf, ends)
    return low, high


def _sampled_once(known: Market, mechanism: Mechanism, scale: Floats, unit: Floats) -> Floats:
    """(1, days), for scales (T, 1), where demand does not respond: a publisher's gains are then the same on
    every day, and plain numbers make them fastest."""
    base = known.life.demand
    steps = walk(mechanism, known.public, base, scale * unit, scale[:, 0].tolist(), 1.0)
    rates = np.array([rate for _, rate, _ in steps]).reshape(len(base), -1)  # a forecast's are all the same
    optimal = known.tariff.optimal(base)[:, None]
    return np.broadcast_to(metrics.each_rmsre((rates - optimal) ** 2, optimal), (1, unit.shape[1]))


def sampled(known: Market, mechanism: Mechanism, scale: Floats, unit: Floats) -> Floats:
    """(E, days): the RMSRE of every sampled day, for scales (T, E) and unit noise (T, days)."""
    tariff, base = known.tariff, known.life.demand
    if _in_one_go(known, mechanism):
        optimal = tariff.optimal(base)[:, None]
        share = metrics.relative(scale**2, optimal)
        return np.asarray(np.sqrt(np.einsum("te,td->ed", share, unit**2)) / len(base))
    if scale.shape[1] == 1 and not tariff.elasticity:
        return _sampled_once(known, mechanism, scale, unit)
    added = (b[:, None] * noise for b, noise in zip(scale, unit, strict=True))
    total = np.zeros((scale.shape[1], unit.shape[1]))
    for demand, rate, _ in walk(mechanism, known.public, base, added, list(scale[..., None]), ONE):
        optimal = np.asarray(tariff.rate(demand))
        total += metrics.relative((rate - optimal) ** 2, optimal)
    return np.sqrt(total) / len(base)
