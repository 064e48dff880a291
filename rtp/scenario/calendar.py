"""Changes of the calendar that keep everybody's habits: another step, more or fewer periods, a weekend.

All are pure: scenario in, scenario out. What is stated for a stretch of time is restated for another stretch
by the scenario's own conversion, and what is impossible or certain stays exactly so.
"""

from rtp.core.time import StepMinutes
from rtp.scenario.conversion import other_step
from rtp.scenario.edits import put_habits, still_open, unused_name
from rtp.scenario.habits import Habits, Period, lengths, matrix
from rtp.scenario.model import Scenario
from rtp.scenario.refusal import ScenarioError


def set_step_minutes(scenario: Scenario, minutes: StepMinutes) -> Scenario:
    """A price every so many minutes, and everybody's habits as they were: chances over a period keep their
    meaning by themselves, those per step are restated for the new step."""
    ratio = minutes / scenario.step_minutes
    models = tuple(
        model.replace(habits=tuple(_restated(h, ratio, scenario.conversion) for h in model.habits))
        for model in scenario.models
    )
    return scenario.replace(step_minutes=minutes, models=models)


def _restated(habits: Habits, ratio: float, conversion: str) -> Habits:
    def restated(part: Period) -> Period:
        return part if part.basis == "period" or ratio == 1 else _over(part, ratio, conversion)

    weekend = habits.weekend and tuple(map(restated, habits.weekend))
    return habits.replace(periods=tuple(map(restated, habits.periods)), weekend=weekend)


def split_period(scenario: Scenario, model: int, group: int, index: int) -> Scenario:
    """One more period: the second half of this one, under a name of its own, in which everybody goes on
    living as before."""
    habits = scenario.models[model].habits[group]
    parts, at = _day_of(habits, index)
    length, day = lengths(parts, scenario.step_minutes)[at], scenario.steps_per_day
    if length < 2:
        raise ScenarioError(parts[at].name, "is one step long; it cannot be split.")
    first = parts[at].first_step(scenario.step_minutes) + length // 2
    halves = [
        _shortened(parts[at], share / length, scenario.conversion)
        for share in (length // 2, length - length // 2)
    ]
    name = unused_name("Period", [part.name for part in parts])
    new = halves[1].replace(name=name, start=first % day * 24 / day)
    rest = (*parts[:at], halves[0], *parts[at + 1 :])
    return _put_day(scenario, model, group, index, tuple(sorted((*rest, new), key=_start)))


def remove_period(scenario: Scenario, model: int, group: int, index: int) -> Scenario:
    """One period fewer; the one before it lasts until it ended."""
    parts, at = _day_of(scenario.models[model].habits[group], index)
    return _put_day(scenario, model, group, index, (*parts[:at], *parts[at + 1 :]))


def set_weekend(scenario: Scenario, model: int, group: int, other: bool) -> Scenario:
    """Habits of their own for the weekend, at first those of the other days; or the same on all days."""
    habits = scenario.models[model].habits[group]
    return put_habits(scenario, model, group, habits.replace(weekend=habits.periods if other else None))


def _day_of(habits: Habits, index: int) -> tuple[tuple[Period, ...], int]:
    """The periods of the kind of day that a period belongs to, and its place among them."""
    ordinary = len(habits.periods)
    return (habits.periods, index) if index < ordinary else (habits.weekend or (), index - ordinary)


def _put_day(scenario: Scenario, model: int, group: int, index: int, parts: tuple[Period, ...]) -> Scenario:
    habits = scenario.models[model].habits[group]
    field = "periods" if index < len(habits.periods) else "weekend"
    return put_habits(scenario, model, group, habits.replace(**{field: parts}))


def _shortened(part: Period, share: float, conversion: str) -> Period:
    """The same habits, stated for a share of the period."""
    return part if part.basis == "step" else _over(part, share, conversion)


def _over(part: Period, ratio: float, conversion: str) -> Period:
    """The same habits, stated for so many times the time."""
    try:
        leave, arrive = other_step(part.leave, part.arrive, ratio, conversion)
    except ValueError as error:
        raise ScenarioError(part.name, f"cannot be restated for another stretch of time: {error}") from None
    return part.replace(matrix=matrix(still_open(leave, part.leave), still_open(arrive, part.arrive)))


def _start(part: Period) -> float:
    return part.start
