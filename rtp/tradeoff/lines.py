"""What a curve of error over budget is made of: a line for every mechanism."""

from collections.abc import Mapping
from dataclasses import dataclass, fields

import numpy as np

from rtp import metrics
from rtp.core.types import Floats, Ints


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
