"""One mechanism's money over a day or a month: what to expect, and the range that such spans bring.

Means are exact wherever they can be (`rtp.money.bills`); repetitions tell how far single spans scatter. Where
prices move demand or are clipped, the mean over the repetitions is given, and how sure that is.

A repetition is the scenario's days again on the same street: houses, bounds and habits stay; what people do
and the noise are drawn again, so a forecast, which has no noise, varies too. Of a large street M houses are
followed over R repetitions, evenly spread and some of every group; each stands for the weight wᵢ = n/m
houses of its group, of which m are followed. What the other N − M use is the expected demand and a
deviation of the size theirs has: Σ √(wᵢ − 1)·(deviation of house i on another repetition), whose variance
is that of the houses that are not followed. The cost is O(M·R·T), whatever N is; it does not depend on
prices, so `simulate_runs` is done once for all budgets and mechanisms.

A month is 30 days: 30/7 weeks from the scenario's first weekday where weekends differ from other days, else
30 times its day. A longer span is the sum of so many repetitions, drawn from the R at random with
replacement: each is another one, where a multiple of one would repeat the same. Around the mean a span of s
repetitions scatters by √s times what one does, also where s is no whole number.

Every number here is of these spans: the whole street, a group and the picture have one basis, so a mean
over groups, weighted by their houses, is the street's. Where means are exact, the spans are moved there: all
of them alike and, of bills, each followed house in proportion to what it pays.
"""

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rtp.core.random import Stream, random_generator, seed_of
from rtp.core.stats import Range, middle, normal_width
from rtp.core.time import WEEKDAYS
from rtp.core.types import Floats, Frame, Ints, data_frame
from rtp.mechanisms import REGISTRY, UNPROTECTED
from rtp.money.bills import MONTH, ExactMoney, exact_money, profit_and_mismatch
from rtp.scenario import Scenario
from rtp.scenario.units import column
from rtp.simulation import Day, draw_day, publish_day
from rtp.simulation.publish import publish
from rtp.street.draw import evenly
from rtp.street.simulate import StreetDay, independent_runs

RUNS = 200
LONG_RUNS = 60  # where one is of several days
HOUSE_DAYS = 60_000  # that are simulated
FEWEST_HOUSES = 30  # households that are followed
FEWEST_OF_GROUP = 10  # or all it has
WORST_SHARE = 0.1  # of the households
LIVED, DRAWN = 1, 2  # parts of the stream, beside its noise
MONTHS_KEPT = 3  # streets whose repetitions are remembered: some megabytes each
SPAN_COUNT = 200  # longer spans that are put together from the runs


@dataclass(frozen=True, kw_only=True)
class StreetRuns:
    """Independent repetitions of a street's days, before any price."""

    demand: Floats  # (T, R) of the whole street
    used: NDArray[np.float32]  # (T, M, R) by the houses that are followed
    group: Ints  # (M,) of each followed house
    weight: Floats  # (M,) how many houses of the street each stands for


@dataclass(frozen=True, kw_only=True)
class MoneyRuns:
    """What one mechanism's rates cost in independent repetitions, or in longer spans of them."""

    loss: Floats  # (R,) of the generator's profit, against the optimal rates of the same repetition
    mismatch: Floats  # (R,)
    bill: Floats  # (M, R) of a followed house, at the optimal rates
    change: Floats  # (M, R) how it differs at the published ones
    group: Ints  # (M,)
    weight: Floats  # (M,)
    exact: ExactMoney | None = None  # the means over all days, where they are known

    @property
    def count(self) -> int:
        return len(self.loss)

    def mean(self, of: str) -> Floats:
        """Return the mean over days of one of the numbers above, scalar or (M,): exact where that is known.

        Of a followed house the sampled mean is moved as its group's has to be.
        """
        sampled = np.asarray(getattr(self, of).mean(axis=-1))
        if self.exact is None:
            return sampled
        exact = np.asarray(getattr(self.exact, of))
        if not sampled.ndim:
            return exact
        followed, paid = np.bincount(self.group), self.bill.mean(axis=1)
        by_group = [np.bincount(self.group, values) / np.maximum(followed, 1) for values in (sampled, paid)]
        missing, group_paid = exact[: len(followed)] - by_group[0], by_group[1]
        share = paid / np.where(group_paid > 0, group_paid, 1.0)[self.group]
        return np.asarray(sampled + missing[self.group] * share)


def month_of(scenario: Scenario) -> Scenario:
    """Return the scenario whose days make up a month: a whole week where weekends differ from other days."""
    return scenario.replace(days=len(WEEKDAYS)) if scenario.has_weekends else scenario


def monthly(scenario: Scenario, mechanism: str) -> "Summary":
    """Return what a mechanism's rates cost in a month."""
    scenario = month_of(scenario)
    lived, runs = _lived(scenario.replace(epsilon=1.0))
    day = publish_day(scenario, lived, [mechanism])
    return summarise(day, money_of_runs(day, mechanism, runs), MONTH)


@lru_cache(maxsize=MONTHS_KEPT)
def _lived(scenario: Scenario) -> tuple[StreetDay, StreetRuns]:
    """Return a street's days and their repetitions, the same whatever is published."""
    lived = draw_day(scenario)
    return lived, simulate_runs(lived)


def simulate_runs(street_day: StreetDay, runs: int | None = None, houses: int | None = None) -> StreetRuns:
    """Return independent repetitions of the street's days."""
    spec, group = street_day.spec, street_day.street.group.astype(np.intp)
    runs = (RUNS if spec.days == 1 else LONG_RUNS) if runs is None else runs
    most = max(HOUSE_DAYS // (runs * spec.days), FEWEST_HOUSES) if houses is None else houses
    followed = _followed(group, most)
    root = seed_of(spec.seed, Stream.MONEY_NOISE, LIVED)
    used = independent_runs(spec, street_day.street, followed, runs, root)
    here = group[followed]
    weight = np.bincount(group)[here] / np.bincount(here)[here]
    demand = used.sum(axis=1, dtype=float)
    if len(followed) < spec.households:
        deviation = used - used.mean(axis=2, keepdims=True)
        others = np.roll(np.tensordot(deviation, np.sqrt(weight - 1), axes=(1, 0)), 1, axis=1)
        expected = street_day.true_moments.expected_demand[:, None]
        demand = expected + deviation.sum(axis=1, dtype=float) + others
    return StreetRuns(demand=demand, used=used, group=here, weight=weight)


def _followed(group: Ints, most: int) -> Ints:
    """Return about so many houses, evenly spread over the street, with some of every group."""
    followed = evenly(len(group), most)
    fewest = min(FEWEST_OF_GROUP, max(most // len(np.unique(group)), 1))
    for g in np.unique(group):
        members = np.flatnonzero(group == g)
        if np.count_nonzero(group[followed] == g) < min(fewest, len(members)):
            even = members[evenly(len(members), fewest)]
            followed = np.union1d(followed[group[followed] != g], even)
    return followed


def money_of_runs(day: Day, mechanism: str, runs: StreetRuns | None = None) -> MoneyRuns:
    """Return what one mechanism's rates cost in independent repetitions of this day."""
    runs = runs or simulate_runs(day.street_day)
    scale, base = day.release[mechanism].scale[:, None], runs.demand
    unit = random_generator(day.scenario.seed, Stream.MONEY_NOISE).laplace(size=base.shape)
    nothing = np.zeros_like(base)
    tariff, public = day.market.tariff, day.market.public
    demand, _, rate, _ = publish(REGISTRY[mechanism], public, base, unit, scale)
    best_demand, _, best_rate, _ = publish(REGISTRY[UNPROTECTED], public, base, nothing, nothing[:, :1])
    profit, mismatch = profit_and_mismatch(demand, rate, tariff)
    best_profit, _ = profit_and_mismatch(best_demand, best_rate, tariff)
    bill, published = (
        tariff.hours * np.einsum("tmr,tr->mr", runs.used, each * tariff.responses(each))
        for each in (best_rate, rate)
    )
    return MoneyRuns(
        loss=best_profit - profit,
        mismatch=mismatch,
        bill=bill,
        change=published - bill,
        group=runs.group,
        weight=runs.weight,
        exact=exact_money(day.market, REGISTRY[mechanism], day.release[mechanism].scale),
    )


def spans(money: MoneyRuns, runs: float, seed: int, count: int = SPAN_COUNT) -> MoneyRuns:
    """Return so many independent repetitions together, many times."""
    whole, rng = max(round(runs), 1), random_generator(seed, Stream.MONEY_NOISE, DRAWN)
    drawn = rng.multinomial(whole, np.full(money.count, 1 / money.count), size=count).T.astype(float)

    def summed(name: str) -> Floats:
        values, mean = getattr(money, name), np.asarray(money.mean(name))[..., None]
        deviation = values @ drawn
        deviation -= deviation.mean(axis=-1, keepdims=True)
        return np.asarray(runs * mean + np.sqrt(runs / whole) * deviation)

    of_spans: dict[str, Any] = {name: summed(name) for name in ("loss", "mismatch", "bill", "change")}
    return replace(money, **of_spans, exact=None)  # which is of single runs


@dataclass(frozen=True, kw_only=True)
class BillChange:
    """How the bills of some households change: means, with the range that holds 95 % of spans."""

    houses: int
    bill: float  # the mean bill at optimal rates
    mean: Range  # the mean change
    worst: Range  # the mean change of the tenth of households for whom it is largest


@dataclass(frozen=True, kw_only=True)
class Summary:
    """Means over spans of days, each with the range that holds 95 % of them."""

    exact: bool  # whether the means are exact, and not those of the sampled spans; the worst tenth's never is
    loss: Range  # of the generator's profit
    mismatch: Range
    bills: BillChange  # of the whole street
    groups: dict[str, BillChange]  # of each group that has houses
    spans: MoneyRuns  # all that these numbers are made of


def summarise(day: Day, money: MoneyRuns, days: float) -> Summary:
    """Return one mechanism's money over so many days; `money` is over the scenario's days."""
    runs, exact = days / day.scenario.days, money.exact
    many = spans(money, runs, day.scenario.seed)
    everybody = np.ones(len(many.group), dtype=bool)
    return Summary(
        exact=exact is not None,
        loss=_range(
            runs * float(money.mean("loss")), many.loss, None if exact is None else exact.loss_spread, runs
        ),
        mismatch=_range(runs * float(money.mean("mismatch")), many.mismatch),
        bills=_bill_change(money, many, runs, everybody, -1),
        groups={
            group.name: _bill_change(money, many, runs, many.group == g, g)
            for g, group in enumerate(day.scenario.groups)
            if (many.group == g).any()
        },
        spans=many,
    )


def _range(mean: float, values: Floats, spread: float | None = None, runs: float = 1.0) -> Range:
    """Return a mean with the range of 95 % of the values or, where their spread in one run is known exactly,
    of a normal variable: such a span is a sum over hundreds of independent draws of noise."""
    if spread is None:
        low, high = middle(values)
        return Range(mean, float(low), float(high))
    half = normal_width() * float(np.sqrt(runs)) * spread
    return Range(mean, mean - half, mean + half)


def _bill_change(
    money: MoneyRuns, many: MoneyRuns, runs: float, members: NDArray[np.bool_], of: int
) -> BillChange:
    """Return the change of some households' bills, from single runs and from spans of them; `of` numbers
    them among the exact means."""
    weight, change, exact = many.weight[members], many.change[members], money.exact
    bill = float(np.average(money.bill[members].mean(axis=1), weights=weight))
    mean, spread = float(np.average(money.change[members].mean(axis=1), weights=weight)), None
    if exact is not None:
        bill, mean = float(exact.bill[of]), float(exact.change[of])
        spread = None if exact.change_spread is None else float(exact.change_spread[of])
    worst = worst_mean(change, weight)
    return BillChange(
        houses=round(float(weight.sum())),
        bill=runs * bill,
        mean=_range(runs * mean, np.average(change, axis=0, weights=weight), spread, runs),
        worst=_range(float(worst.mean()), worst),
    )


def worst_mean(change: Floats, weight: Floats) -> Floats:
    """Return the mean of the largest tenth of each column; a house counts as often as its weight says."""
    order = np.argsort(-change, axis=0)
    heaviest, counted = np.take_along_axis(change, order, axis=0), weight[order]
    before = np.cumsum(counted, axis=0) - counted
    part = np.clip(WORST_SHARE * weight.sum() - before, 0.0, counted)
    return np.asarray(np.sum(part * heaviest, axis=0) / part.sum(axis=0))


def month_frame(summary: Summary, scenario: Scenario) -> Frame:
    """Return a row for each span and group: the mean bill of its houses, and how it differs; and for each
    span what the utility earns more."""
    spans, names = summary.spans, [group.name for group in scenario.groups]
    parts: dict[str, list[Any]] = {"month": [], "group": [], "houses": []}
    bill, change, earns = (
        column(name, scenario, "money") for name in ("mean_bill", "mean_change", "utility_earns")
    )
    parts |= {bill: [], change: [], earns: []}
    for g in np.unique(spans.group).tolist():
        mine = spans.group == g
        weight = spans.weight[mine]
        parts["month"] += range(1, spans.count + 1)
        parts["group"] += [names[g]] * spans.count
        parts["houses"] += [round(float(weight.sum()))] * spans.count
        parts[bill] += np.average(spans.bill[mine], axis=0, weights=weight).tolist()
        parts[change] += np.average(spans.change[mine], axis=0, weights=weight).tolist()
        parts[earns] += (-spans.loss).tolist()
    return data_frame(parts)
