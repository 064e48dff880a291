"""The frontier: what error buys what secrecy, for every rate, ε and price interval.

A line is one rate at one interval over ε: its expected error, an average over noise and days, and how often
the observer is right about the secret of the group that shows best. Its ends are the same for all rates:
without noise there is no error, and with habits alone she guesses.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from rtp.core.stats import Range
from rtp.core.time import StepMinutes
from rtp.core.types import Floats
from rtp.core.workers import Progress, partial_progress
from rtp.decision.requirement import Wish
from rtp.decision.sight import REPETITIONS, Sight, Watching, sights, watch
from rtp.mechanisms import NO_DATA, REGISTRY, NoiseScale, Public, offered, private
from rtp.scenario import BOUNDS, Scenario, ScenarioError, edit
from rtp.simulation import Market, draw_day, market
from rtp.tradeoff.expected import expected, scales

if TYPE_CHECKING:
    from scipy.interpolate import PchipInterpolator

Scale = Callable[[Public], NoiseScale]
INTERVALS: tuple[StepMinutes, ...] = (15, 30, 60)
EPSILONS = np.geomspace(BOUNDS["epsilon"].low, BOUNDS["epsilon"].high, 81)  # ten to a factor of ten
LOW_END, HIGH_END = 1, 2  # of an interval, after its value
EPSILON_HALVINGS = 40  # of a step of ln ε
EPSILON_PRECISION = 1e-10  # of ln ε
WIDTHS = 1e-30, 1e30  # beyond which more or less noise is all the same


@dataclass(frozen=True, kw_only=True)
class FrontierLine:
    """One rate at one interval, over `EPSILONS`."""

    rate: str
    minutes: StepMinutes
    errors: Floats  # (E,) expected, as a fraction of the rate in a typical step
    right: Floats  # (3, E) how often she is right about the group that shows best, with its interval


@dataclass(frozen=True, kw_only=True)
class Interval:
    """The street with a price every so many minutes."""

    scenario: Scenario
    context: Market  # of a day
    watching: Watching
    sights: tuple[Sight, ...]  # by group
    timetable: float  # the forecast's error, as a fraction
    lines: dict[str, FrontierLine] = field(default_factory=dict)  # that have been computed, by rate
    widths: "dict[Scale, PchipInterpolator]" = field(default_factory=dict)  # by what makes the noise

    def error(self, rate: str, epsilons: Floats) -> Floats:
        """The expected error of a typical step, (E,)."""
        mechanism = REGISTRY[rate]
        scale = scales(self.context, [mechanism], epsilons)[rate]
        return expected(self.context, mechanism, scale)

    def line(self, rate: str) -> FrontierLine:
        """The whole of it over `EPSILONS`, computed once."""
        if rate not in self.lines:
            width = self._widths(rate)(np.log(EPSILONS))
            self.lines[rate] = FrontierLine(
                rate=rate,
                minutes=self.scenario.step_minutes,
                errors=self.error(rate, EPSILONS),
                right=self._right(np.exp(width)),
            )
        return self.lines[rate]

    def right(self, rate: str, epsilons: Floats) -> Floats:
        """How often she is right about the group that shows best, with its interval, (3, E)."""
        return self._right(np.exp(self._widths(rate)(np.log(epsilons))))

    def _right(self, width: Floats) -> Floats:
        areas = np.array([sight.at(width) for sight in self.sights if sight.leading])
        worst = areas[:, 0].argmax(axis=0)
        return np.asarray(np.take_along_axis(areas, worst[None, None], axis=0)[0])

    def _widths(self, rate: str) -> "PchipInterpolator":
        """How wide its noise is: ln of it, smooth in ln ε. Rates with the same noise share it."""
        from scipy.interpolate import PchipInterpolator

        mechanism = REGISTRY[rate]
        if mechanism.scale not in self.widths:
            width = np.clip(self.watching.width(mechanism, EPSILONS), *WIDTHS)
            self.widths[mechanism.scale] = PchipInterpolator(np.log(EPSILONS), np.log(width))
        return self.widths[mechanism.scale]

    @property
    def without_noise(self) -> Range:
        return max((sight.without_noise for sight in self.sights), key=lambda seen: seen.value)

    def smallest(self, rate: str, error: float) -> float | None:
        """The smallest ε whose expected error is at most this; None where none is."""
        from scipy.optimize import brentq

        holds = self.line(rate).errors <= error
        first = int(np.argmax(holds))
        if first == 0:
            return float(EPSILONS[0]) if holds[0] else None

        def above(log_epsilon: float) -> float:
            off = float(self.error(rate, np.exp([log_epsilon]))[0])
            return float(np.log(off / error)) if off > 0 else -1.0

        before, after = np.log(EPSILONS[[first - 1, first]]).tolist()
        return float(np.exp(brentq(above, before, after, xtol=EPSILON_PRECISION)))

    def largest(self, rate: str, area: float, end: int = HIGH_END) -> float | None:
        """The largest ε at which that end of how often she is right is at most that; None where none is."""
        holds = self.line(rate).right[end] <= area
        if not holds.any():
            return None
        last = len(holds) - 1 - int(np.argmax(holds[::-1]))
        if last == len(EPSILONS) - 1:
            return float(EPSILONS[last])
        inside, outside = np.log(EPSILONS[[last, last + 1]])
        for _ in range(EPSILON_HALVINGS):
            middle = (inside + outside) / 2
            if self.right(rate, np.exp([middle]))[end, 0] <= area:
                inside = middle
            else:
                outside = middle
        return float(np.exp(inside))


@dataclass(frozen=True, kw_only=True)
class Frontier:
    """What is drawn: no street, so that it is small."""

    wish: Wish
    lines: tuple[FrontierLine, ...]
    timetable: Mapping[StepMinutes, float]  # the forecast's error, as a fraction
    without_noise: Mapping[StepMinutes, Range]  # how often she is right then


def intervals_of(
    street: Scenario,
    wish: Wish,
    progress: Progress | None,
    repetitions: int = REPETITIONS,
    among: Sequence[StepMinutes] = INTERVALS,
) -> tuple[dict[StepMinutes, Interval], dict[StepMinutes, str]]:
    """The street at every interval, and why it cannot be priced at others. `progress` is given the fraction
    done and may raise to stop."""
    intervals: dict[StepMinutes, Interval] = {}
    refused: dict[StepMinutes, str] = {}
    for at, minutes in enumerate(among):
        try:
            other = edit.set_step_minutes(street, minutes)
        except ScenarioError as error:
            refused[minutes] = str(error)
            continue
        part = partial_progress(progress, at / len(among), (at + 1) / len(among))
        intervals[minutes] = interval_of(other, wish, part, repetitions)
    if not intervals:
        raise ScenarioError("periods", f"fit no price interval: {' '.join(refused.values())}")
    return intervals, refused


def interval_of(
    street: Scenario, wish: Wish, progress: Progress | None, repetitions: int = REPETITIONS
) -> Interval:
    """The street at its own interval."""
    watching = watch(street, wish.shown)
    seen = sights(watching, wish.observer, wish.numbers(street), progress, repetitions)
    context, forecast = market(street, draw_day(street)), REGISTRY[NO_DATA]
    scale = scales(context, [forecast], [1.0])[NO_DATA]
    return Interval(
        scenario=street,
        context=context,
        watching=watching,
        sights=tuple(seen),
        timetable=float(expected(context, forecast, scale)[0]),
    )


def frontier(wish: Wish, intervals: Mapping[StepMinutes, Interval]) -> Frontier:
    """A line for every rate that reads demand and promises something, at every interval."""
    lines = tuple(here.line(rate) for here in intervals.values() for rate in rates(here.scenario))
    return Frontier(
        wish=wish,
        lines=lines,
        timetable={minutes: here.timetable for minutes, here in intervals.items()},
        without_noise={minutes: here.without_noise for minutes, here in intervals.items()},
    )


def rates(scenario: Scenario) -> list[str]:
    """Those to choose from: they read demand, and promise something."""
    return [name for name in offered(scenario.negligible) if name in private() and name != NO_DATA]
