"""The answer to a wish: what to publish, what it costs, and what an observer can still tell.

The street is the one that is described, not one that was drawn (`requirement`). How often an observer names
the right one of two is `rtp.exposure`'s; errors and exposures meet on the frontier (`frontier`), the wish is
weighed there (`choose`). Beside the secret that was asked about stands, when the answer is `completed`, every
other one of every group at the same noise, by either observer, so that nobody takes it for the only one; and,
where weekends differ, where it shows most on the other kinds of day than the worst. Money is that of a month
at what was chosen.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from rtp.core.stats import Range
from rtp.core.time import StepMinutes, Weekday
from rtp.core.workers import Progress, partial_progress
from rtp.decision.choose import Choice, Chosen
from rtp.decision.edge import Measured, clear, settled
from rtp.decision.frontier import (
    FrontierLine,
    Interval,
    Question,
    asked_of,
    at_intervals,
    find_all,
    interval_of,
    rates,
)
from rtp.decision.requirement import INSIDER, OBSERVERS, SECRETS, Wish, described_street
from rtp.decision.stress import Stress, stresses
from rtp.exposure import Exposure, Observer, Secret, Worst, hidden
from rtp.exposure.result import COIN
from rtp.mechanisms import REGISTRY, UNPROTECTED
from rtp.money.bills import share_outside
from rtp.money.summary import Summary, monthly
from rtp.scenario import Habits, Scenario, edit
from rtp.simulation.prices import Load, load_of, typical_prices
from rtp.tradeoff.expected import scales


@dataclass(frozen=True, kw_only=True)
class Seen:
    """How often an observer names the right one of two, about one secret of a group's worst house."""

    group: str
    houses: int
    secret: Secret
    rarest: float  # how likely either answer is by habits; of moments
    observer: Observer
    first: Range  # from what is published, as on every screen
    right: Range  # the same, measured closer where that decides
    worst: Worst | None  # whose, and when; None where nothing can be told
    without_noise: Range
    worst_without_noise: Worst | None
    exact: bool  # whether she is the strongest observer there is; else she is right at least so often
    hidden: bool


@dataclass(frozen=True, kw_only=True)
class OtherDay:
    """Where a secret shows most on another kind of day than the one on which it shows most of all."""

    days: tuple[Weekday, ...]  # those that are alike
    right: Range
    worst: Worst | None


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What to publish, and the numbers behind it.

    Examples
    --------
    >>> import rtp
    >>> from rtp.decision import Wish, decide
    >>> answer = decide(rtp.Scenario(households=2), Wish(error=20.0), among=[60])
    >>> answer.rate, answer.complete, sorted(answer.moved)
    ('forecast', False, [60])
    """

    scenario: Scenario  # the street that is answered for, at the interval and ε of the answer
    stated: Scenario  # the one that was asked about, with its own seed, at them
    wish: Wish
    chosen: Chosen  # the rate that satisfies it, or by how much the wish fails
    refused: Mapping[StepMinutes, str]  # intervals at which the street cannot be priced, and why
    moved: Mapping[StepMinutes, tuple[edit.Moved, ...]]  # at the others, periods that begin with another step
    lines: tuple[FrontierLine, ...]  # every rate at every ε and interval
    seen: tuple[Seen, ...]  # about the secret, by group; of a `completed` answer about every secret
    complete: bool = False  # whether that is about every secret of every group
    other_days: tuple[OtherDay, ...] = ()  # of an `explained` answer, where weekends differ
    stress: tuple[Stress, ...] = ()  # of an `explained` answer, the largest error first
    measured: Measured  # closer: an answer to another wish about the same street need not do it again
    error_has_mean: bool  # whether a relative error has a mean over days: not where the optimal rate can be 0
    prices: tuple[float, float]  # the lowest and the highest of a typical day, without noise
    outside: tuple[float, float]  # the share of steps with other prices: without noise, and as published
    load: Load  # of a typical week

    @property
    def rate(self) -> str:
        return self.chosen.rate

    @property
    def choice(self) -> Choice | None:
        return self.chosen.choice

    def stated_for(self, scenario: Scenario) -> "Answer":
        """Return the answer as that of a scenario that differs only in what plays no part, such as a seed."""
        other = replace(self, stated=_stated(scenario, self.chosen.minutes, self.scenario.epsilon))
        if self.complete:
            other.__dict__["money"] = self.money  # which takes a while
        return other

    @cached_property
    def money(self) -> Summary:
        """Of a month; computed when it is asked for."""
        return monthly(self.scenario, self.rate)


def decide(
    scenario: Scenario,
    wish: Wish,
    *,
    among: Sequence[StepMinutes] | None = None,
    known: Mapping[Question, Exposure] | None = None,
    measured: Measured | None = None,
    progress: Progress | None = None,
) -> Answer:
    """Return the answer to a wish: which rate, interval and ε to publish, and what can still be told.

    Parameters
    ----------
    scenario : Scenario
        The street, as it is described.
    wish : Wish
        What must stay hidden, and which error is accepted.
    among : sequence of int
        The intervals between two prices to choose from, in minutes; the scenario's own unless others are
        given.
    known : mapping of Question to Exposure, optional
        Of what `questions` returns, what has been found already.
    measured : mapping of Closer to Curve, optional
        What was measured closer for other answers about this street.
    progress : callable, optional
        Called with the fraction done; may raise to stop.

    Returns
    -------
    Answer

    Examples
    --------
    >>> import rtp
    >>> from rtp.decision import Wish, decide
    >>> answer = decide(rtp.Scenario(households=2), Wish(error=20.0), among=[60])
    >>> answer.rate, answer.chosen.verdict
    ('forecast', 'timetable')
    """
    wish.check(scenario)
    streets, refused = at_intervals(described_street(scenario), among or (scenario.step_minutes,))
    asked = questions(scenario, wish, among)
    found = find_all(asked, known or {}, partial_progress(progress, 0.0, 0.8))
    intervals = {minutes: interval_of(street, wish, found) for minutes, street in streets.items()}
    measured = dict(measured or {})
    chosen, intervals, closer = settled(wish, intervals, found, measured)
    here, rate = intervals[chosen.minutes], chosen.rate
    epsilon = chosen.choice.epsilon if chosen.choice else here.scenario.epsilon
    decided = here.scenario.replace(epsilon=epsilon)
    prices = decided.price_range or typical_prices(decided)
    about = {each: (found[each], closer[each]) for each in here.asked.values()}
    answer = Answer(
        scenario=decided,
        stated=_stated(scenario, chosen.minutes, epsilon),
        wish=wish,
        chosen=chosen,
        refused=refused,
        moved={minutes: edit.moved_periods(scenario, minutes) for minutes in intervals},
        lines=tuple(here.line(each) for here in intervals.values() for each in rates(here.scenario)),
        seen=tuple(_seen(about, rate, epsilon)),
        measured=measured,
        error_has_mean=all(day.market.error_has_mean for day in here.days),
        prices=prices,
        outside=_outside(here, rate, epsilon, prices),
        load=load_of(decided),
    )
    if progress is not None:
        progress(1.0)
    return answer


def _stated(scenario: Scenario, minutes: StepMinutes, epsilon: float) -> Scenario:
    return edit.set_step_minutes(scenario, minutes).replace(epsilon=epsilon)


def questions(scenario: Scenario, wish: Wish, among: Sequence[StepMinutes] | None = None) -> list[Question]:
    """Return what must be found before a wish can be answered."""
    streets, _ = at_intervals(described_street(scenario), among or (scenario.step_minutes,))
    return [question for street in streets.values() for question in asked_of(street, wish).values()]


def further_questions(answer: Answer) -> list[Question]:
    """Return what must be found before an answer can be `completed`: every secret of every group, and of a
    moment also where one of the answers is rare and meters are read; and what `explained` asks."""
    street, rarest = answer.scenario.replace(epsilon=1.0), answer.wish.rarest
    rarer = {"moment": dict.fromkeys([rarest, *([0.0] if REGISTRY[answer.rate].reads_demand else [])])}
    every = [
        Question(street, secret, observer, least, None)
        for secret in SECRETS
        for least in rarer.get(secret, [rarest])
        for observer in OBSERVERS
    ]
    return [*dict.fromkeys([*every, *_of_other_days(answer).values(), *_own(answer)])]


def _own(answer: Answer) -> list[Question]:
    """Return what was asked about the street at the answer's interval."""
    return [*asked_of(answer.scenario.replace(epsilon=1.0), answer.wish).values()]


def completed(
    answer: Answer,
    known: Mapping[Question, Exposure] | None = None,
    progress: Progress | None = None,
) -> Answer:
    """Return the answer with what either observer can tell of every secret of every group, and with money."""
    other = _of_other_days(answer).values()
    found = find_all(further_questions(answer), known or {}, progress)
    asked = {(each.group, each.secret, each.rarest, each.observer): each for each in answer.seen}
    rate, epsilon = answer.rate, answer.scenario.epsilon
    own, measured = _own(answer), dict(answer.measured)
    about = {
        question: (each, each if question in own else clear(question, each, rate, epsilon, measured))
        for question, each in found.items()
        if question not in other
    }
    every = [
        asked.get((each.group, each.secret, each.rarest, each.observer), each)
        for each in _seen(about, rate, epsilon)
    ]
    whole = replace(explained(answer, found), seen=tuple(every), complete=True, measured=measured)
    assert whole.money
    return whole


def explained(
    answer: Answer,
    known: Mapping[Question, Exposure] | None = None,
    progress: Progress | None = None,
) -> Answer:
    """Return the answer with where the secret shows most on other kinds of day, where weekends differ, and
    with what becomes of its rate by what can happen."""
    asked, street = _of_other_days(answer), answer.scenario.replace(epsilon=1.0)
    found = find_all([*asked.values(), *_own(answer)], known or {}, progress)
    days = (_other_day(answer, alike, found[question]) for alike, question in asked.items())
    stress = stresses(interval_of(street, answer.wish, found), answer.rate, answer.scenario.epsilon)
    return replace(answer, other_days=tuple(days), stress=stress)


def _of_other_days(answer: Answer) -> dict[tuple[Weekday, ...], Question]:
    """Return what is asked about the kinds of day on which the secret shows less; nothing where days are all
    of a kind, and where nothing can be told."""
    wish, choice, street = answer.wish, answer.choice, answer.scenario.replace(epsilon=1.0)
    if choice is None or choice.worst is None or wish.shown == "week" or not street.has_weekends:
        return {}
    return {
        alike: Question(_every_day_like(street, alike[0]), wish.shown, wish.judge, wish.rarest, wish.group)
        for alike in street.kinds_of_day
        if choice.worst.weekday not in alike
    }


def _every_day_like(street: Scenario, day: Weekday) -> Scenario:
    """Return the street where every day is lived like that weekday."""

    def of_group(habits: Habits) -> Habits:
        return habits.replace(periods=habits.on(day), weekend=None, sunday=None)

    models = tuple(model.replace(habits=tuple(map(of_group, model.habits))) for model in street.models)
    return street.replace(models=models, first_weekday=day)


def _other_day(answer: Answer, days: tuple[Weekday, ...], found: Exposure) -> OtherDay:
    """Return what is told on such a day; by other days that were drawn it may come out above the
    worst, which is the worst all the same."""
    choice = answer.choice
    assert choice is not None
    found = answer.wish.asked(found)
    right = Range(*map(min, _right(found, choice.rate, choice.epsilon), choice.first[choice.judge]))
    return OtherDay(days=days, right=right, worst=found.worst(choice.rate, choice.epsilon))


def _seen(found: Mapping[Question, tuple[Exposure, Exposure]], rate: str, epsilon: float) -> Iterator[Seen]:
    """Return what can be told of the worst house of every group that was asked about, as it was measured at
    first and closer."""
    for question, (first, whole) in found.items():
        names = [group.name for group in question.street.groups]
        houses = np.bincount(whole.records[0].street.group, minlength=len(names))
        _, insider = found[question._replace(observer=INSIDER)]
        for name, size in zip(names, houses.tolist(), strict=True):
            if not size or question.group not in (None, name):
                continue
            seen = first.by_group.get(name)
            right, most = (_right(each.by_group.get(name), rate, epsilon) for each in (whole, insider))
            all_of_it = _right(insider.by_group.get(name), UNPROTECTED, epsilon)
            yield Seen(
                group=name,
                houses=size,
                secret=question.secret,
                rarest=question.rarest,
                observer=question.observer,
                first=_right(seen, rate, epsilon),
                right=right,
                worst=seen.worst(rate, epsilon) if seen is not None and right != COIN else None,
                without_noise=_right(seen, UNPROTECTED, epsilon),
                worst_without_noise=None if seen is None else seen.worst(UNPROTECTED),
                exact=whole.exact,
                hidden=bool(hidden(right.high, most.high, all_of_it.high, exact=whole.exact)),
            )


def _right(seen: Exposure | None, rate: str, epsilon: float) -> Range:
    """Return how often she names the right one of two; a coin where habits settle it, or no meter is read."""
    return COIN if seen is None or not REGISTRY[rate].reads_demand else seen.at(rate, epsilon)


def _outside(here: Interval, rate: str, epsilon: float, prices: tuple[float, float]) -> tuple[float, float]:
    """Return the share of steps at which prices are not those of a typical day: without noise, published."""
    shares = np.zeros(2)
    for day in here.days:
        for at, name in enumerate((UNPROTECTED, rate)):
            scale = scales(day.market, [REGISTRY[name]], [epsilon])[name][:, 0]
            shares[at] += day.share * share_outside(day.market, REGISTRY[name], scale, *prices)
    without, published = shares.tolist()
    return without, published
