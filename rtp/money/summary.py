"""One mechanism's money over a day or a month, each number beside the range that other such days give.

Over no more than the scenario's days the numbers are the scenario's own, or their share of it. A longer span
has not been lived: its numbers are the means of spans put together from independent days (`luck.spans`).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from rtp.core.stats import LEVEL_WORDS, Range, middle, student_width
from rtp.core.types import Floats
from rtp.mechanisms import REGISTRY
from rtp.money.bills import Bills, generator
from rtp.money.luck import Luck, spans
from rtp.scenario.units import amount
from rtp.simulation import Day


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


def summarise(day: Day, mechanism: str, own: Bills, luck: Luck, days: float) -> Summary:
    """`own` and `luck` are the mechanism's, over the scenario's days; `days` is the span asked for."""
    runs = days / day.scenario.days
    lived = runs <= 1
    others = spans(luck, runs, day.scenario.seed)
    now = generator(day)[mechanism]
    change = own.difference * runs if lived else others.change[:, 0]

    def beside(value: float, found: Floats) -> Range:
        low, high = middle(found)
        return Range(value if lived else float(found.mean()), float(low), float(high))

    paying = np.mean(change > 0) if lived else np.mean(others.change > 0)
    return Summary(
        own=lived,
        profit=beside(now.profit * runs, others.profit),
        loss=beside(now.loss * runs, others.loss),
        mismatch=beside(now.mismatch * runs, others.mismatch),
        bills={name: beside(float(of(change)), of(others.change)) for name, of in OF_BILLS},
        mean_bill=float(own.optimal.mean() * runs),
        paying_more=float(paying),
        changes=change,
        other_changes=others.change.ravel(),
        runs=others.count,
        followed=len(luck.change),
        mean_loss=_mean_range(luck.loss * runs),
    )


def centred(day: Day, mechanism: str) -> bool:
    """Whether what changes hands is noise alone, which takes as often as it gives: not where a publisher
    follows the day too little or too late, nor where prices move demand or are cut at zero."""
    tariff = day.market.tariff
    return REGISTRY[mechanism].postprocess is None and not tariff.elasticity and not tariff.clip_at_zero


def loss_words(day: Day, mechanism: str, found: Summary) -> str:
    against = "Against the optimal rates."
    if centred(day, mechanism):
        return f"{against} Centred noise takes as often as it gives."
    mean, low, high = (amount(value, day.scenario) for value in found.mean_loss)
    return f"{against} To expect on average: {mean} ({LEVEL_WORDS} interval {low} to {high})."


def _mean_range(values: Floats) -> Range:
    half = student_width(len(values)) * values.std(ddof=1) / np.sqrt(len(values))
    mean = float(values.mean())
    return Range(mean, float(mean - half), float(mean + half))
