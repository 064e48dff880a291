"""One mechanism's money over a day or a month, each number beside the range that other noise gives.

Numbers of the scenario's days are scaled to the span asked for; scaling repeats the same luck every day.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from rtp.arrays import Floats
from rtp.mechanisms import UNPROTECTED
from rtp.money.bills import Bills, generator
from rtp.money.luck import Luck
from rtp.simulation import Day
from rtp.statistics import Range, middle


class Statistic(NamedTuple):
    """One number of many bills; a summary of (houses, …) along the first axis."""

    label: str
    summary: Callable[[Floats], Floats]


def _p95(bills: Floats) -> Floats:
    return np.asarray(np.quantile(bills, 0.95, axis=0))


def _mean(bills: Floats) -> Floats:
    return np.asarray(np.mean(bills, axis=0))


def _median(bills: Floats) -> Floats:
    return np.asarray(np.median(bills, axis=0))


def _worst(bills: Floats) -> Floats:
    return np.asarray(np.max(bills, axis=0))


OF_BILLS = (
    Statistic("Bill, mean change", _mean),
    Statistic("Median change", _median),
    Statistic("95th percentile", _p95),
    Statistic("Worst household", _worst),
)


@dataclass(frozen=True, kw_only=True)
class Summary:
    """Each range holds the middle 95 % of days with other noise around the day's own value."""

    profit: Range
    loss: Range
    mismatch: Range
    bills: dict[str, Range]  # by label
    mean_bill: float  # at optimal rates
    paying_more: float  # share of households
    changes: Floats  # (N,) of every household's bill
    other_changes: Floats  # of the sampled households' bills, under other noise
    noise_days: int
    sampled: int  # households


def summarise(day: Day, mechanism: str, own: Bills, luck: Luck, days: float) -> Summary:
    """`own` and `luck` are the mechanism's, over the scenario's days; `days` is the span asked for."""
    times = days / day.scenario.days
    account = generator(day)
    now, best = account[mechanism], account[UNPROTECTED]
    change, others = own.difference * times, luck.change * times
    return Summary(
        profit=_beside(now.profit * times, (best.profit - luck.loss) * times),
        loss=_beside(now.loss * times, luck.loss * times),
        mismatch=_beside(now.mismatch * times, luck.mismatch * times),
        bills={name: _beside(float(of(change)), of(others)) for name, of in OF_BILLS},
        mean_bill=float(own.optimal.mean() * times),
        paying_more=own.change(days).paying_more,
        changes=change,
        other_changes=others.ravel(),
        noise_days=luck.days,
        sampled=len(luck.change),
    )


def _beside(value: float, others: Floats) -> Range:
    low, high = middle(others)
    return Range(value, float(low), float(high))
