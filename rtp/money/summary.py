"""One mechanism's money over a day or a month, each number beside the range that other such days give.

The range is a Monte Carlo one, over independent runs of the scenario's days on the same street: houses,
bounds and habits stay; what people do and the noise are drawn again, so a forecast, which has no noise,
varies too. Of a large street an even sample of M houses is simulated, R runs each; what the other N − M use
is the expected demand and a deviation of the size theirs has: that of the sample on another run, times √((N −
M)/M). The cost is O(M·R·T), whatever N is; it does not depend on prices, so `simulate_runs` is done once for
all budgets and mechanisms.

A longer span, such as a month, is the sum of so many runs, drawn from the R at random with replacement: each
of its days is another one, where a multiple of one day would repeat the same. Over no more than the
scenario's days the numbers are the scenario's own, or their share of it; over a longer span they are the
means of such spans.
"""

from collections.abc import Callable
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from rtp.core.random import Stream, random_generator, seed_of
from rtp.core.stats import LEVEL_WORDS, Range, middle, student_width
from rtp.core.types import Floats
from rtp.mechanisms import REGISTRY, UNPROTECTED
from rtp.money.bills import Bills, generator, profit_and_mismatch
from rtp.scenario.units import amount
from rtp.simulation import Day, price
from rtp.street.simulate import StreetDay, independent_runs

RUNS = 200
LONG_RUNS = 60  # where one is of several days
HOUSE_DAYS = 60_000  # that are simulated
FEWEST = 30  # households that are followed
STATES, DRAWN = 1, 2  # parts of the stream, beside its noise
SPAN_COUNT = 200  # longer spans that are put together from the runs


@dataclass(frozen=True, kw_only=True)
class StreetRuns:
    """Independent runs of a street, before any price."""

    demand: Floats  # (T, R) of the whole street
    used: NDArray[np.float32]  # (T, M, R) by the houses that are followed


@dataclass(frozen=True, kw_only=True)
class MoneyRuns:
    """What one mechanism's rates cost in independent runs, or in longer spans of them."""

    profit: Floats  # (R,) the generator's, at the published rates
    loss: Floats  # (R,) of profit, against the optimal rates of the same run
    mismatch: Floats  # (R,)
    change: Floats  # (M, R): how the bill of a followed house differs from the optimal one

    @property
    def count(self) -> int:
        return len(self.profit)

    def times(self, factor: float) -> "MoneyRuns":
        """Return the same in another unit."""
        return MoneyRuns(**{f.name: factor * getattr(self, f.name) for f in fields(self)})


def simulate_runs(street_day: StreetDay, runs: int | None = None, houses: int | None = None) -> StreetRuns:
    """Return independent runs of the street's days."""
    spec = street_day.spec
    runs = (RUNS if spec.days == 1 else LONG_RUNS) if runs is None else runs
    most = max(HOUSE_DAYS // (runs * spec.days), FEWEST) if houses is None else houses
    followed = np.unique(np.linspace(0, spec.households - 1, most).astype(np.intp))
    root = seed_of(spec.seed, Stream.MONEY_NOISE, STATES)
    used = independent_runs(spec, street_day.street, followed, runs, root)
    demand = used.sum(axis=1, dtype=float)
    others = spec.households - len(followed)
    if others:
        deviation = demand - demand.mean(axis=1, keepdims=True)
        more = np.sqrt(others / len(followed)) * np.roll(deviation, 1, axis=1)
        demand = street_day.true_moments.expected_demand[:, None] + deviation + more
    return StreetRuns(demand=demand, used=used)


def money_of_runs(day: Day, mechanism: str, runs: StreetRuns | None = None) -> MoneyRuns:
    """Return what one mechanism's rates might have cost on other days like this one."""
    runs = runs or simulate_runs(day.street_day)
    scale, base = day.release[mechanism].scale[:, None], runs.demand
    unit = random_generator(day.scenario.seed, Stream.MONEY_NOISE).laplace(size=base.shape)
    nothing = np.zeros_like(base)
    tariff, public = day.market.tariff, day.market.public
    demand, _, rate, _ = price(REGISTRY[mechanism], public, base, unit, scale)
    best_demand, _, best_rate, _ = price(REGISTRY[UNPROTECTED], public, base, nothing, nothing[:, :1])
    profit, mismatch = profit_and_mismatch(demand, rate, tariff)
    best_profit, _ = profit_and_mismatch(best_demand, best_rate, tariff)
    dearer = rate * tariff.responses(rate) - best_rate * tariff.responses(best_rate)
    return MoneyRuns(
        profit=profit,
        loss=best_profit - profit,
        mismatch=mismatch,
        change=tariff.hours * np.einsum("tmr,tr->mr", runs.used, dearer),
    )


def spans(money: MoneyRuns, runs: float, seed: int, count: int = SPAN_COUNT) -> MoneyRuns:
    """Return so many independent runs together, many times; a part of a run is its share of one."""
    if runs <= 1:
        return money.times(runs)
    whole = round(runs)
    rng = random_generator(seed, Stream.MONEY_NOISE, DRAWN)
    drawn = rng.multinomial(whole, np.full(money.count, 1 / money.count), size=count).T
    together = MoneyRuns(**{f.name: getattr(money, f.name) @ drawn for f in fields(money)})
    return together.times(runs / whole)


# Of many bills, (houses, …), along the first axis.
STATISTICS: dict[str, Callable[[Floats], Floats]] = {
    "Bill, mean change": lambda bills: np.asarray(bills.mean(axis=0)),
    "Median change": lambda bills: np.asarray(np.median(bills, axis=0)),
    "95th percentile": lambda bills: np.asarray(np.quantile(bills, 0.95, axis=0)),
    "Worst household": lambda bills: np.asarray(bills.max(axis=0)),
}


@dataclass(frozen=True, kw_only=True)
class Summary:
    """Each range holds the middle 95 % of independent days, or of spans of them."""

    own: bool  # whether the numbers are the scenario's own days'; else they are means of spans
    profit: Range
    loss: Range
    mismatch: Range
    bills: dict[str, Range]  # by label
    mean_bill: float  # at optimal rates
    paying_more: float  # share of households
    changes: Floats  # of every household's bill; of a longer span, the followed households' in one of them
    other_changes: Floats  # of the followed households' bills, on other days or spans
    runs: int  # that the ranges come from
    followed: int  # households
    mean_loss: Range  # the loss to expect, and how sure that is


def summarise(day: Day, mechanism: str, own: Bills, money: MoneyRuns, days: float) -> Summary:
    """Return the money over so many days; `own` and `money` are the mechanism's, over the scenario's days."""
    runs = days / day.scenario.days
    simulated = runs <= 1
    others = spans(money, runs, day.scenario.seed)
    now = generator(day)[mechanism]
    change = own.difference * runs if simulated else others.change[:, 0]

    def beside(value: float, values: Floats) -> Range:
        low, high = middle(values)
        return Range(value if simulated else float(values.mean()), float(low), float(high))

    paying = np.mean(change > 0) if simulated else np.mean(others.change > 0)
    return Summary(
        own=simulated,
        profit=beside(now.profit * runs, others.profit),
        loss=beside(now.loss * runs, others.loss),
        mismatch=beside(now.mismatch * runs, others.mismatch),
        bills={name: beside(float(of(change)), of(others.change)) for name, of in STATISTICS.items()},
        mean_bill=float(own.optimal.mean() * runs),
        paying_more=float(paying),
        changes=change,
        other_changes=others.change.ravel(),
        runs=others.count,
        followed=len(money.change),
        mean_loss=_mean_range(money.loss * runs),
    )


def centred(day: Day, mechanism: str) -> bool:
    """Whether what changes hands is noise alone, which takes as often as it gives: not where a publisher
    follows the day too little or too late, nor where prices move demand or are cut at zero."""
    tariff = day.market.tariff
    return REGISTRY[mechanism].postprocess is None and not tariff.elasticity and not tariff.clip_at_zero


def loss_words(day: Day, mechanism: str, summary: Summary) -> str:
    against = "Against the optimal rates."
    if centred(day, mechanism):
        return f"{against} Centred noise takes as often as it gives."
    mean, low, high = (amount(value, day.scenario) for value in summary.mean_loss)
    return f"{against} To expect on average: {mean} ({LEVEL_WORDS} interval {low} to {high})."


def _mean_range(values: Floats) -> Range:
    half = student_width(len(values)) * values.std(ddof=1) / np.sqrt(len(values))
    mean = float(values.mean())
    return Range(mean, float(mean - half), float(mean + half))
