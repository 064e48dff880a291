"""What a sweep measures of a day, for many budgets at once, and how days add up to an estimate.

A day is drawn once and priced for all budgets together: arrays get one axis more, and it is hardly more work.
Money is per day, on average over the scenario's days.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from rtp import metrics, pricing
from rtp.life import Life
from rtp.mechanisms import REGISTRY, Noise
from rtp.money.bills import ledger
from rtp.occupancy import Floats
from rtp.scenario import Scenario
from rtp.simulation import noise_draws, run
from rtp.tradeoff.expected import publics, setting

MECHANISMS = tuple(REGISTRY)
MEASURES = {
    "rmsre": "RMSRE",
    "scale": "Laplace scale, mean over the steps",
    "protected": "Protected houses, mean over the steps",
    "peak_demand": "Peak demand",
    "profit": "Generator's profit a day",
    "loss": "Generator's loss of profit a day",
    "mismatch": "Cost of mispriced demand a day",
    "bill": "Mean bill a day",
    "bill_change": "Mean change of the bill a day",
}
CONFIDENCE = 0.95


def measure(scenario: Scenario, epsilons: Sequence[float], life: Life) -> Floats:
    """(E, mechanisms, measures) of one lived day; the scenario's own budget plays no part."""
    place, units = setting(scenario, life), noise_draws(scenario)
    rules, budgets = place.rules, publics(place, epsilons)
    table = {name: np.empty((len(epsilons), len(MECHANISMS))) for name in MEASURES}
    known: dict[Callable[..., object], list[Noise]] = {}  # filtered noise is calibrated noise: solve once
    for m, (name, mechanism) in enumerate(REGISTRY.items()):
        if mechanism.noise not in known:
            known[mechanism.noise] = [mechanism.noise(public) for public in budgets]
        noise = known[mechanism.noise]
        scale, unit = np.column_stack([n.scale for n in noise]), units[name][:, None]
        if len(noise) == 1:  # one day's plain numbers are faster than arrays of one
            scale, unit = scale[:, 0], unit[:, 0]
        demand, rate, _ = run(mechanism, place.public, rules, life.demand, scale * unit, scale)
        optimal = pricing.rate(demand, rules.alpha, rules.beta)
        account = ledger(demand, rate, rules.alpha, rules.beta)
        paid = np.sum(rate * (demand - rules.inelastic_demand), axis=0) / scenario.households
        table["rmsre"][:, m] = metrics.each_rmsre((rate - optimal) ** 2, optimal)
        table["scale"][:, m] = scale.mean(axis=0)
        table["protected"][:, m] = np.mean([n.protected for n in noise], axis=1)
        table["peak_demand"][:, m] = demand.max(axis=0)
        table["profit"][:, m] = account.profit / scenario.days
        table["mismatch"][:, m] = account.mismatch / scenario.days
        table["bill"][:, m] = paid / scenario.days
    unprotected = MECHANISMS.index("optimal")
    table["loss"] = table["profit"][:, [unprotected]] - table["profit"]
    table["bill_change"] = table["bill"] - table["bill"][:, [unprotected]]
    return np.stack([table[name] for name in MEASURES], axis=-1)


@dataclass(frozen=True, kw_only=True)
class Part:
    """Some days of one point: enough to add others, and to say how sure the mean is."""

    days: int
    mean: Floats  # (mechanisms, measures)
    spread: Floats  # sum of squared deviations from the mean

    def interval(self) -> tuple[Floats, Floats]:
        """Student's 95 % interval of the mean over days; not a number for a single day."""
        from scipy.special import stdtrit

        if self.days < 2:
            return np.full_like(self.mean, np.nan), np.full_like(self.mean, np.nan)
        width = stdtrit(self.days - 1, (1 + CONFIDENCE) / 2)
        half = width * np.sqrt(self.spread / (self.days - 1) / self.days)
        return self.mean - half, self.mean + half


def part_of(days: Floats) -> Part:
    """From measured days along the first axis."""
    with np.errstate(invalid="ignore"):  # an error relative to a rate of zero is infinite, and so its spread
        mean = days.mean(axis=0)
        return Part(days=len(days), mean=mean, spread=np.sum((days - mean) ** 2, axis=0))


def add(one: Part | None, other: Part) -> Part:
    """Days put together; in a fixed order, so that the bytes do not depend on who measured them."""
    if one is None:
        return other
    days = one.days + other.days
    with np.errstate(invalid="ignore"):
        apart = other.mean - one.mean
        return Part(
            days=days,
            mean=one.mean + apart * (other.days / days),
            spread=one.spread + other.spread + apart**2 * (one.days * other.days / days),
        )
