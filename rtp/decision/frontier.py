"""The frontier: what error buys what secrecy, for every rate, ε and price interval.

A line is one rate at one interval over ε: its expected error, an average over noise and days, and how often
the observer is right about the secret of the group that shows best. Its ends are the same for all rates:
without noise there is no error, and with habits alone she guesses.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from rtp.core.parallel import Progress, partial_progress
from rtp.core.stats import Range
from rtp.core.time import StepMinutes
from rtp.core.types import Bools, Floats
from rtp.decision.sight import REPETITIONS, Sight, Watching, sights, watch
from rtp.decision.wish import Wish
from rtp.mechanisms import NO_DATA, REGISTRY, offered, private
from rtp.metrics import typical_over_printed
from rtp.scenario import BOUNDS, Scenario, ScenarioError, edit
from rtp.simulation import Market, draw_day, market
from rtp.tradeoff.expected import expected, scales

INTERVALS: tuple[StepMinutes, ...] = (15, 30, 60)
LOW, HIGH, _ = BOUNDS["epsilon"]
EPSILONS = np.geomspace(LOW, HIGH, 81)  # ten to a factor of ten
HALVINGS = 40  # of the range of ln ε


@dataclass(frozen=True, kw_only=True)
class Line:
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

    def error(self, rate: str, epsilons: Floats) -> Floats:
        """The expected error of a typical step, (E,)."""
        mechanism = REGISTRY[rate]
        scale = scales(self.context, [mechanism], epsilons)[rate]
        return typical_over_printed(self.scenario.steps) * expected(self.context, mechanism, scale)

    def right(self, rate: str, epsilons: Floats) -> Floats:
        """How often she is right about the group that shows best, with its interval, (3, E)."""
        width = self.watching.width(REGISTRY[rate], epsilons)
        areas = np.array([sight.at(width) for sight in self.sights if sight.leading])
        worst = areas[:, 0].argmax(axis=0)
        return np.asarray(np.take_along_axis(areas, worst[None, None], axis=0)[0])

    @property
    def without_noise(self) -> Range:
        return max((sight.without_noise for sight in self.sights), key=lambda seen: seen.value)

    def smallest(self, rate: str, error: float) -> float | None:
        """The smallest ε whose expected error is at most this; None where none is."""
        return _edge(lambda at: self.error(rate, at) <= error, rising=True)

    def largest(self, rate: str, area: float) -> float | None:
        """The largest ε at which she is right at most so often, all of its interval; None where none is."""
        return _edge(lambda at: self.right(rate, at)[2] <= area, rising=False)


@dataclass(frozen=True, kw_only=True)
class Frontier:
    """What is drawn: no street, so that it is small."""

    wish: Wish
    lines: tuple[Line, ...]
    timetable: Mapping[StepMinutes, float]  # the forecast's error, as a fraction
    without_noise: Mapping[StepMinutes, Range]  # how often she is right then


def intervals_of(
    street: Scenario, wish: Wish, progress: Progress | None, repetitions: int = REPETITIONS
) -> tuple[dict[StepMinutes, Interval], dict[StepMinutes, str]]:
    """The street at every interval, and why it cannot be priced at others. `progress` is given the fraction
    done and may raise to stop."""
    intervals: dict[StepMinutes, Interval] = {}
    refused: dict[StepMinutes, str] = {}
    for at, minutes in enumerate(INTERVALS):
        try:
            other = edit.set_step_minutes(street, minutes)
        except ScenarioError as error:
            refused[minutes] = str(error)
            continue
        part = partial_progress(progress, at / len(INTERVALS), (at + 1) / len(INTERVALS))
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
    context = market(street, draw_day(street))
    return Interval(
        scenario=street,
        context=context,
        watching=watching,
        sights=tuple(seen),
        timetable=_timetable(context, street.steps),
    )


def frontier(wish: Wish, intervals: Mapping[StepMinutes, Interval]) -> Frontier:
    """A line for every rate that reads demand and promises something, at every interval."""
    lines = tuple(
        Line(rate=rate, minutes=minutes, errors=here.error(rate, EPSILONS), right=here.right(rate, EPSILONS))
        for minutes, here in intervals.items()
        for rate in rates(here.scenario)
    )
    return Frontier(
        wish=wish,
        lines=lines,
        timetable={minutes: here.timetable for minutes, here in intervals.items()},
        without_noise={minutes: here.without_noise for minutes, here in intervals.items()},
    )


def rates(scenario: Scenario) -> list[str]:
    """Those to choose from: they read demand, and promise something."""
    return [name for name in offered(scenario.negligible) if name in private() and name != NO_DATA]


def _timetable(context: Market, steps: int) -> float:
    mechanism = REGISTRY[NO_DATA]
    scale = scales(context, [mechanism], [1.0])[NO_DATA]
    return float(typical_over_printed(steps) * expected(context, mechanism, scale)[0])


def _edge(holds: Callable[[Floats], Bools], *, rising: bool) -> float | None:
    """The end of the ε at which something holds, which it does from some ε on, or up to one."""
    at = holds(EPSILONS)
    if not at.any():
        return None
    place = int(np.argmax(at)) if rising else len(at) - 1 - int(np.argmax(at[::-1]))
    beyond = place - 1 if rising else place + 1
    if not 0 <= beyond < len(EPSILONS):
        return float(EPSILONS[place])
    inside, outside = np.log(EPSILONS[[place, beyond]])
    for _ in range(HALVINGS):
        middle = (inside + outside) / 2
        if holds(np.exp([middle]))[0]:
            inside = middle
        else:
            outside = middle
    return float(np.exp(inside))
