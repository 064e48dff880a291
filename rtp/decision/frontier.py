"""The frontier: what error buys what secrecy, for every rate, ε and price interval.

A line is one rate at one interval over ε: its expected error, an average over noise and days, and how often
the observer names the right one of two records about the secret (`rtp.exposure`). Its ends are the same for
all rates: without noise there is no error, and with habits alone she guesses.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rtp.core.stats import Range
from rtp.core.time import StepMinutes
from rtp.core.types import Bools, Floats
from rtp.core.workers import Progress, partial_progress
from rtp.decision.requirement import Wish
from rtp.exposure import HIDDEN, Exposure, Observer, Secret, exposure, hidden
from rtp.mechanisms import NO_DATA, REGISTRY, UNPROTECTED, NoiseScale, Public, offered, private
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


INSIDER: Observer = "insider"


class Question(NamedTuple):
    """What an exposure answers: the arguments of `rtp.exposure.exposure`."""

    street: Scenario
    secret: Secret
    observer: Observer
    rarest: float
    group: str | None


def find(question: Question, progress: Progress | None = None) -> Exposure:
    """Return the exposure that was asked for."""
    street, secret, observer, rarest, group = question
    return exposure(street, secret, observer, rarest=rarest, group=group, progress=progress)


def find_all(
    questions: Sequence[Question], known: Mapping[Question, Exposure], progress: Progress | None
) -> dict[Question, Exposure]:
    """Return the exposures that were asked for; some are known. `progress` is given the fraction done and
    may raise to stop."""
    found, work = {}, sum(question.street.steps for question in questions)
    done = 0
    for question in questions:
        end = done + question.street.steps
        part = partial_progress(progress, done / work, end / work)
        found[question] = known.get(question) or find(question, part)
        done = end
        if part is not None:
            part(1.0)
    return found


def asked_of(street: Scenario, wish: Wish) -> dict[Observer, Question]:
    """Return what is asked about a street at its interval: by the observer of the wish, and an insider."""
    return {
        observer: Question(street, wish.shown, observer, wish.rarest, wish.group)
        for observer in dict.fromkeys([wish.observer, INSIDER])
    }


@dataclass(frozen=True, kw_only=True)
class FrontierLine:
    """One rate at one interval, over `EPSILONS`."""

    rate: str
    minutes: StepMinutes
    errors: Floats  # (E,) expected, as a fraction of the rate in a typical step
    right: Floats  # (3, E) how often she is right about the worst house, with its interval
    unsure: Bools  # (E,) where that is little enough to hide the secret, but not for sure


@dataclass(frozen=True, kw_only=True)
class Interval:
    """The street with a price every so many minutes."""

    scenario: Scenario
    context: Market  # of a day
    seen: Exposure  # by the observer who is asked about, of the groups that are
    insider: Exposure  # the same by an insider
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
            right = np.array(self.seen.over_widths(self._width(rate, EPSILONS)))
            self.lines[rate] = FrontierLine(
                rate=rate,
                minutes=self.scenario.step_minutes,
                errors=self.error(rate, EPSILONS),
                right=right,
                unsure=(right[0] <= HIDDEN) & ~self.hides(rate, EPSILONS),
            )
        return self.lines[rate]

    def hides(self, rate: str, epsilons: Floats, end: int = HIGH_END) -> Bools:
        """Where that end of how often she is right is as little as hides the secret, (E,)."""
        width = self._width(rate, epsilons)
        insider, without_noise = (self.insider.over_widths(each).high for each in (width, [0.0]))
        return hidden(self.seen.over_widths(width)[end], insider, without_noise, exact=self.seen.exact)

    def right(self, rate: str, epsilon: float) -> tuple[Range, Range]:
        """How often she and an insider are right, by the smooth width of the noise."""
        width = self._width(rate, np.array([epsilon]))
        each = (np.array(found.over_widths(width))[:, 0].tolist() for found in (self.seen, self.insider))
        seen, insider = (Range(*ends) for ends in each)
        return seen, insider

    def _width(self, rate: str, epsilons: Floats) -> Floats:
        """How wide its noise is, smooth in ln ε. Rates with the same noise share it."""
        from scipy.interpolate import PchipInterpolator

        mechanism = REGISTRY[rate]
        if mechanism.scale not in self.widths:
            width = np.clip(self.seen.width(rate, EPSILONS), *WIDTHS)
            self.widths[mechanism.scale] = PchipInterpolator(np.log(EPSILONS), np.log(width))
        return np.asarray(np.exp(self.widths[mechanism.scale](np.log(epsilons))))

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

    def largest(self, rate: str, end: int = HIGH_END) -> float | None:
        """The largest ε at which it hides the secret by that end of the interval; None where none does."""
        holds = self.hides(rate, EPSILONS, end)
        if not holds.any():
            return None
        last = len(holds) - 1 - int(np.argmax(holds[::-1]))
        if last == len(EPSILONS) - 1:
            return float(EPSILONS[last])
        inside, outside = np.log(EPSILONS[[last, last + 1]])
        for _ in range(EPSILON_HALVINGS):
            middle = (inside + outside) / 2
            if self.hides(rate, np.exp([middle]), end)[0]:
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


def at_intervals(
    street: Scenario, among: Sequence[StepMinutes] = INTERVALS
) -> tuple[dict[StepMinutes, Scenario], dict[StepMinutes, str]]:
    """Return the street at every interval, and why it cannot be priced at others."""
    streets: dict[StepMinutes, Scenario] = {}
    refused: dict[StepMinutes, str] = {}
    for minutes in among:
        try:
            streets[minutes] = edit.set_step_minutes(street, minutes)
        except ScenarioError as error:
            refused[minutes] = str(error)
    if not streets:
        raise ScenarioError("periods", f"fit no price interval: {' '.join(refused.values())}")
    return streets, refused


def interval_of(street: Scenario, wish: Wish, known: Mapping[Question, Exposure]) -> Interval:
    """Return the street at its own interval, of which is known what is asked."""
    context, forecast = market(street, draw_day(street)), REGISTRY[NO_DATA]
    present = {street.groups[g].name for g in np.unique(context.street_day.street.group).tolist()}
    if wish.groups and not present & set(wish.groups):
        raise ScenarioError("group", "has no house on this street; name one that has.")
    found = {observer: wish.asked(known[each]) for observer, each in asked_of(street, wish).items()}
    scale = scales(context, [forecast], [1.0])[NO_DATA]
    return Interval(
        scenario=street,
        context=context,
        seen=found[wish.observer],
        insider=found[INSIDER],
        timetable=float(expected(context, forecast, scale)[0]),
    )


def frontier(wish: Wish, intervals: Mapping[StepMinutes, Interval]) -> Frontier:
    """A line for every rate that reads demand and promises something, at every interval."""
    lines = tuple(here.line(rate) for here in intervals.values() for rate in rates(here.scenario))
    return Frontier(
        wish=wish,
        lines=lines,
        timetable={minutes: here.timetable for minutes, here in intervals.items()},
        without_noise={minutes: here.seen.at(UNPROTECTED) for minutes, here in intervals.items()},
    )


def rates(scenario: Scenario) -> list[str]:
    """Those to choose from: they read demand, and promise something."""
    return [name for name in offered(scenario.negligible) if name in private() and name != NO_DATA]
