"""What privacy costs in money: the generator's objective, and every household's bill.

The generator minimises J(Z) − r·Z (the paper's Section II); its profit is the negative of that. Publishing r̂
instead of r does two different things to it:

* money changes hands: profit moves by Σ(r̂ − r)·Z, now for and now against the generator. Noise is centred, so
  over many days this averages to nothing, unless prices move demand or are clipped at zero;
* the price no longer fits the demand: at the price r̂ the generator would rather serve (r̂ − β)/α, and serving
  Z instead costs it (r̂ − r)²/2α. This *mismatch* is never negative and never averages out.

A household pays Σ r̂ₜ·gₜ·xₜ for its own consumption, where g is the response to the last price. Houses are
walked through again in blocks, and only one bill per house and mechanism is kept, never N·T numbers. Where
consumption is power, all of this is multiplied by the hours of a step: a bill is rate × power × hours.
Without units it is a rate times a step's consumption, as in the paper.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from rtp.core.types import Floats
from rtp.mechanisms import UNPROTECTED
from rtp.simulation import Day
from rtp.street.draw import Block
from rtp.street.simulate import Days, Progress, replay_blocks
from rtp.tariff import Tariff

MONTH = 30  # days


@dataclass(frozen=True, kw_only=True)
class Ledger:
    """The generator's account over the scenario's days, or many of them at once."""

    profit: Floats  # r̂·Z − J(Z)
    mismatch: Floats  # what serving Z at the price r̂ costs against serving what r̂ asks for


def ledger(demand: Floats, rate: Floats, tariff: Tariff) -> Ledger:
    """From demand and published rate, steps along the first axis."""
    gap = rate - tariff.rate(demand)
    return Ledger(
        profit=tariff.hours * np.asarray(np.sum(rate * demand - tariff.cost(demand), axis=0)),
        mismatch=tariff.hours * np.asarray(np.sum(gap**2, axis=0) / (2 * tariff.alpha)),
    )


@dataclass(frozen=True, kw_only=True)
class Generator:
    """What publishing one mechanism's rates means for the generator, over the scenario's days."""

    objective: float  # J(Z) − r̂·Z, which it minimises
    profit: float  # its negative
    loss: float  # the optimal release's profit less this one's: may be negative, averages to nothing
    mismatch: float  # never negative


def generator(day: Day) -> dict[str, Generator]:
    """By mechanism. The loss is against the unprotected street: with elastic demand, another world."""
    accounts = {name: ledger(r.demand, r.rate, day.market.tariff) for name, r in day.release.items()}
    best = float(accounts[UNPROTECTED].profit)
    return {
        name: Generator(
            objective=-float(account.profit),
            profit=float(account.profit),
            loss=best - float(account.profit),
            mismatch=float(account.mismatch),
        )
        for name, account in accounts.items()
    }


@dataclass(frozen=True, kw_only=True)
class Change:
    """How bills change over some days: what a tariff analyst quotes."""

    days: float
    mean: float
    median: float
    p95: float
    worst: float  # the largest increase of any household
    paying_more: float  # share of households


@dataclass(frozen=True, kw_only=True)
class Bills:
    """Every household's bill over the scenario's days, at the optimal and at one mechanism's rates."""

    days: int
    optimal: Floats  # (N,)
    published: Floats  # (N,)

    @property
    def difference(self) -> Floats:
        return self.published - self.optimal

    def change(self, days: float = 1.0) -> Change:
        """The differences scaled to so many days like these (`MONTH` for a month).

        Scaling repeats the same luck every day. For a month in which every day has its own, simulate one:
        a scenario of 30 days needs no scaling.
        """
        scaled = self.difference * (days / self.days)
        median, p95 = np.quantile(scaled, (0.5, 0.95))
        return Change(
            days=days,
            mean=float(scaled.mean()),
            median=float(median),
            p95=float(p95),
            worst=float(scaled.max()),
            paying_more=float(np.mean(scaled > 0)),
        )


def bills(day: Day, progress: Progress | None = None) -> Mapping[str, Bills]:
    """By mechanism. `progress` is told the fraction done and may raise to stop."""
    scenario = day.scenario
    prices = np.column_stack([_price(day.market.tariff, r.rate) for r in day.release.values()])
    by_day = prices.reshape(scenario.days, scenario.steps_per_day, -1)
    paid = np.empty((scenario.households, prices.shape[1]))

    def collect(block: Block, days: Days) -> int:
        paid[block.houses] = sum(used.T @ price for (_, used), price in zip(days, by_day, strict=True))
        return block.stop

    for done in replay_blocks(day.life.spec, day.street, collect):
        if progress is not None:
            progress(done / scenario.households)
    columns = dict(zip(day.release, paid.T, strict=True))
    return {
        name: Bills(days=scenario.days, optimal=columns[UNPROTECTED], published=column)
        for name, column in columns.items()
    }


def _price(tariff: Tariff, rate: Floats) -> Floats:
    """What a unit of full consumption costs at every step, once households have responded to prices."""
    return tariff.hours * rate * tariff.responses(rate)
