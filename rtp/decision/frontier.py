"""The frontier: what error buys what secrecy, for every rate, ε and price interval.

A line is one rate at one interval over ε: its expected error, an average over noise and days, and how often
the observer names the right one of two records about the secret (`rtp.exposure`). Its ends are the same for
all rates: without noise there is no error, and with habits alone she guesses.

Where weekends differ, an error is that of a typical step of a week that goes on: of a working day and of a
Saturday and a Sunday, each as such days begin in it, by how many of seven are like it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rtp.core.time import WEEKDAYS, StepMinutes, Weekday, days_words
from rtp.core.types import Bools, Floats
from rtp.core.workers import Progress, partial_progress
from rtp.decision.requirement import INSIDER, Wish
from rtp.exposure import Exposure, Observer, Secret, exposure, hidden
from rtp.mechanisms import NO_DATA, REGISTRY, NoiseScale, Public, offered, private
from rtp.scenario import BOUNDS, Scenario, ScenarioError, edit
from rtp.simulation import Market, draw_day, market_of
from rtp.street.simulate import StreetDay
from rtp.tradeoff.expected import expected, scales

if TYPE_CHECKING:
    from scipy.interpolate import PchipInterpolator

Scale = Callable[[Public], NoiseScale]
INTERVALS: tuple[StepMinutes, ...] = (15, 20, 30, 60)  # that are compared where that is asked for
EPSILONS = np.geomspace(BOUNDS["epsilon"].low, BOUNDS["epsilon"].high, 81)  # ten to a factor of ten
LOW_END, HIGH_END = 1, 2  # of an interval, after its value
EPSILON_HALVINGS = 12  # of a step of ln ε: ε is said with three digits
EPSILON_PRECISION = 1e-10  # of ln ε
WIDTHS = 1e-30, 1e30  # beyond which more or less noise is all the same


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
    found: dict[Question, Exposure] = {}
    work, done = sum(question.street.steps for question in questions), 0
    for question in questions:
        end = done + question.street.steps
        part = partial_progress(progress, done / work, end / work)
        found[question] = known.get(question) or _beside(question, found) or find(question, part)
        done = end
        if part is not None:
            part(1.0)
    return found


def _beside(question: Question, found: Mapping[Question, Exposure]) -> Exposure | None:
    """Return what was found of an insider beside an outsider, where it was."""
    outsider = found.get(question._replace(observer="outsider"))
    return outsider.insider if outsider is not None and question.observer == INSIDER else None


def asked_of(street: Scenario, wish: Wish) -> dict[Observer, Question]:
    """Return what is asked about a street at its interval: by the observers of the wish, and an insider."""
    return {
        observer: Question(street, wish.shown, observer, wish.rarest, wish.group)
        for observer in wish.observers
    }


class KindOfDay(NamedTuple):
    """A day as it is published, and how many of seven are like it."""

    weekday: Weekday  # such as it
    words: str  # what such days are called
    share: float
    market: Market


def kinds_of_days(street: Scenario) -> tuple[KindOfDay, ...]:
    """Return a working day and, where they differ, one of the weekend, or a Saturday and a Sunday."""
    if not street.has_weekends:
        return (
            KindOfDay(street.first_weekday, days_words(WEEKDAYS), 1.0, market_of(street.replace(days=1))),
        )
    return tuple(
        KindOfDay(
            alike[0],
            days_words(alike),
            len(alike) / len(WEEKDAYS),
            market_of(_as_a_week_goes_on(street, alike)),
        )
        for alike in street.kinds_of_day
    )


def _as_a_week_goes_on(street: Scenario, alike: Sequence[Weekday]) -> Scenario:
    """Return the street on one of these weekdays, which begins with as many occupied as at their midnights:
    a night does not begin as the scenario does."""
    week = _week_of(street.replace(epsilon=1.0))
    houses = np.bincount(week.street.group, minlength=len(street.groups))
    midnights = [(WEEKDAYS.index(day) or len(WEEKDAYS)) * street.steps_per_day for day in alike]
    models = []
    for m, model in enumerate(street.models):
        occupied = [week.expected_occupied(m, g)[midnights].mean() for g in range(len(houses))]
        shares = np.clip(np.array(occupied) / np.maximum(houses, 1), 0.0, 1.0).tolist()
        habits = [
            own.replace(initial_occupied=share) for own, share in zip(model.habits, shares, strict=True)
        ]
        models.append(model.replace(habits=tuple(habits)))
    return street.replace(days=1, first_weekday=alike[0], models=tuple(models))


@lru_cache(maxsize=len(WEEKDAYS))
def _week_of(street: Scenario) -> StreetDay:
    """Return a week from Monday, and the Monday after it."""
    return draw_day(street.replace(days=len(WEEKDAYS) + 1, first_weekday=WEEKDAYS[0]))


@dataclass(frozen=True, kw_only=True)
class FrontierLine:
    """One rate at one interval, over `EPSILONS`."""

    rate: str
    minutes: StepMinutes
    errors: Floats  # (E,) expected, as a fraction of the rate in a typical step
    right: Floats  # (3, E) how often the judge is right about the worst house, as far as it was measured
    told: Mapping[Observer, Floats]  # (E,) how often each observer is, as on every screen


@dataclass(frozen=True, kw_only=True)
class Interval:
    """The street with a price every so many minutes."""

    scenario: Scenario
    days: tuple[KindOfDay, ...]
    judge: Observer  # from whom it must stay hidden
    asked: Mapping[Observer, Question]
    first: Mapping[Observer, Exposure]  # of the groups that are asked about, as on every screen
    found: Mapping[Observer, Exposure]  # the same, measured closer where that decides
    timetable: float  # the forecast's error, as a fraction
    errors: dict[str, Floats] = field(default_factory=dict)  # over `EPSILONS`, of rates that were looked at
    widths: "dict[Scale, PchipInterpolator]" = field(default_factory=dict)  # by what makes the noise

    @property
    def seen(self) -> Exposure:
        """The judge's."""
        return self.found[self.judge]

    @property
    def insider(self) -> Exposure:
        return self.found[INSIDER]

    def error(self, rate: str, epsilons: Floats) -> Floats:
        """The expected error of a typical step of a week, (E,)."""
        return error_of(self.days, rate, epsilons)

    def line(self, rate: str) -> FrontierLine:
        """The whole of it over `EPSILONS`."""
        width = self._width(rate, EPSILONS)
        return FrontierLine(
            rate=rate,
            minutes=self.scenario.step_minutes,
            errors=self._errors(rate),
            right=np.array(self.seen.over_widths(width)),
            told={who: each.over_widths(width).value for who, each in self.first.items()},
        )

    def _errors(self, rate: str) -> Floats:
        """The expected error over `EPSILONS`, computed once."""
        if rate not in self.errors:
            self.errors[rate] = self.error(rate, EPSILONS)
        return self.errors[rate]

    def hides(self, rate: str, epsilons: Floats, end: int = HIGH_END) -> Bools:
        """Where that end of how often she is right is as little as hides the secret, (E,)."""
        width = self._width(rate, epsilons)
        insider, without_noise = (self.insider.over_widths(each).high for each in (width, [0.0]))
        return hidden(self.seen.over_widths(width)[end], insider, without_noise, exact=self.seen.exact)

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

        holds = self._errors(rate) <= error
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
    days = kinds_of_days(street)
    group = days[0].market.street_day.street.group
    present = {street.groups[g].name for g in np.unique(group).tolist()}
    if wish.groups and not present & set(wish.groups):
        raise ScenarioError("group", "has no house on this street; name one that has.")
    return Interval(
        scenario=street,
        days=days,
        judge=wish.judge,
        asked=(asked := asked_of(street, wish)),
        first=(first := _of_wish(asked, wish, known)),
        found=first,
        timetable=float(error_of(days, NO_DATA, np.ones(1))[0]),
    )


def with_exposures(here: Interval, wish: Wish, known: Mapping[Question, Exposure]) -> Interval:
    """Return the same interval where something is known closer."""
    return replace(here, found=_of_wish(here.asked, wish, known))


def _of_wish(
    asked: Mapping[Observer, Question], wish: Wish, known: Mapping[Question, Exposure]
) -> dict[Observer, Exposure]:
    return {who: wish.asked(known[each]) for who, each in asked.items()}


def error_of(days: Sequence[KindOfDay], rate: str, epsilons: Floats) -> Floats:
    """Return the expected error of a typical step of such days, (E,)."""
    mechanism, squared = REGISTRY[rate], np.zeros(len(epsilons))
    for day in days:
        scale = scales(day.market, [mechanism], epsilons)[rate]
        squared += day.share * expected(day.market, mechanism, scale) ** 2
    return np.sqrt(squared)


def rates(scenario: Scenario) -> list[str]:
    """Those to choose from: they read demand, and promise something."""
    return [name for name in offered(scenario.negligible) if name in private() and name != NO_DATA]
