"""Ranges and intervals: how far single days scatter, and how sure a mean is.

A *range* holds the middle 95 % of single outcomes. An *interval* holds the true value in 95 % of repetitions.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from rtp.core.types import Bools, Floats, Ints

LEVEL = 0.95
LEVEL_WORDS = f"{LEVEL * 100:.0f} %"
EVEN = 1e-9  # beside one half: neither state is the likelier one


class Range(NamedTuple):
    """A number, and the ends of its range or interval."""

    value: float
    low: float
    high: float

    def covers(self, value: float, slack: float = 0.0) -> bool:
        return self.low - slack <= value <= self.high + slack


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """A number, or one for each point of a curve, and its confidence interval."""

    value: Floats
    low: Floats
    high: Floats


def right_guesses(belief: Floats, occupied: Bools) -> Floats:
    """Return 1 where the likelier state was the true one, 0 where it was not; where neither is likelier a
    half, as a coin takes the right one half the time. Their mean is the share of right guesses."""
    even = np.abs(belief - 0.5) < EVEN
    return np.where(even, 0.5, ((belief > 0.5) == occupied).astype(float))


def middle(values: Floats, axis: int = 0) -> tuple[Floats, Floats]:
    """The ends of the range that holds the middle 95 % of the values along an axis."""
    low, high = np.quantile(values, ((1 - LEVEL) / 2, (1 + LEVEL) / 2), axis=axis)
    return low, high


def spread(values: Floats) -> Range:
    """The mean of single outcomes (n,), and the range that holds 95 % of them."""
    low, high = middle(values)
    return Range(float(values.mean()), float(low), float(high))


def student_width(samples: int) -> float:
    """Half of Student's interval of a mean of so many samples, in standard errors."""
    from scipy.special import stdtrit

    return float(stdtrit(samples - 1, (1 + LEVEL) / 2))


def normal_width() -> float:
    """Half of the interval of a normal estimate, in standard errors."""
    from scipy.special import ndtri

    return float(ndtri((1 + LEVEL) / 2))


def clopper_pearson(hits: Ints | int, n: int, confidence: float) -> tuple[Floats, Floats]:
    """Bounds on probabilities that have come up so often in n tries; each is wrong with probability
    (1 − confidence)/2 at most (Clopper and Pearson, 1934)."""
    from scipy.special import betaincinv

    tail, k = (1 - confidence) / 2, np.asarray(hits)
    low = np.where(k > 0, betaincinv(k, n - k + 1, tail), 0.0)
    high = np.where(k < n, betaincinv(k + 1, n - k, 1 - tail), 1.0)
    return low, high


def jackknife(
    days: Floats,
    statistic: Callable[[Floats], Floats | float],
    low: float = -np.inf,
    high: float = np.inf,
) -> Estimate:
    """`statistic` of the sum over days (D, …), and its interval, by leaving out one day at a time.

    One day alone says nothing about how far days scatter: its interval is all there is, from low to high.
    """
    total = days.sum(axis=0)
    value = np.asarray(statistic(total))
    if len(days) < 2:
        return Estimate(value=value, low=np.full_like(value, low), high=np.full_like(value, high))
    without = np.array([statistic(total - day) for day in days])
    error = np.sqrt((len(days) - 1) * without.var(axis=0))
    reach = student_width(len(days)) * error
    return Estimate(value=value, low=np.maximum(value - reach, low), high=np.minimum(value + reach, high))
