"""Changes that keep a scenario whole: shares sum to one, every group has habits, names stay true.

All are pure: scenario in, scenario out. What is stated for one length of time is restated for another, and
what is impossible or certain stays exactly so.
"""

import math
from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import count
from typing import NamedTuple, TypeVar

from rtp.core.time import STEP_MINUTES, StepMinutes, hhmm
from rtp.scenario.consumption import Group, House, described, included, must_be_grouped, regrouped
from rtp.scenario.habits import (
    DAY_FIELDS,
    Basis,
    DayField,
    Habits,
    OccupancyModel,
    Period,
    complement,
    lengths,
    matrix,
    restated_probabilities,
)
from rtp.scenario.model import Scenario
from rtp.scenario.validation import BOUNDS, SUM_TOLERANCE, ScenarioError, must_be_one_of, must_be_within

_SHARE_DIGITS = 12  # what is added or taken away leaves no dust behind

Item = TypeVar("Item")


def _with_item(items: tuple[Item, ...], index: int, *new: Item) -> tuple[Item, ...]:
    """The items with one of them replaced, or taken out."""
    return (*items[:index], *new, *items[index + 1 :])


def unused_name(stem: str, taken: list[str]) -> str:
    return next(name for n in count(2) if (name := f"{stem} {n}") not in taken)


# Matrices and periods


def set_entry(part: Period, row: int, column: int, value: float) -> Period:
    """The period with one entry of its matrix set; its row's other entry becomes the complement."""
    entries = (value, complement(value)) if column == 0 else (complement(value), value)
    return part.replace(matrix=_with_item(part.matrix, row, entries))


def set_basis(part: Period, steps: int, basis: Basis) -> Period:
    """The same habits stated in the other basis."""
    if part.basis == basis:
        return part
    return _over(part, 1 / steps if basis == "step" else steps).replace(basis=basis)


def restate(scenario: Scenario, model: int, group: int, basis: Basis) -> Scenario:
    """All periods of a group under a model stated in that basis, of every kind of day."""

    def stated(periods: tuple[Period, ...]) -> tuple[Period, ...]:
        steps = lengths(periods, scenario.step_minutes)
        return tuple(set_basis(part, n, basis) for part, n in zip(periods, steps, strict=True))

    for field, periods in scenario.models[model].habits[group].day_kinds().items():
        scenario = set_habits_field(scenario, model, group, field, stated(periods))
    return scenario


def _over(part: Period, ratio: float) -> Period:
    """The same habits, stated for so many times the time. Rounding makes nothing impossible or certain."""
    restated = restated_probabilities(part.leave, part.arrive, ratio)
    leave, arrive = (
        stated if stated in (0, 1) else min(max(converted, 1e-300), 1 - 2**-53)
        for converted, stated in zip(restated, (part.leave, part.arrive), strict=True)
    )
    return part.replace(matrix=matrix(leave, arrive))


def put_period(scenario: Scenario, model: int, group: int, index: int, part: Period) -> Scenario:
    """The scenario with another period; those of days that differ are counted after the others."""
    field, parts, at = _day_of(scenario, model, group, index)
    return set_habits_field(scenario, model, group, field, _with_item(parts, at, part))


def set_habits_field(scenario: Scenario, model: int, group: int, name: str, value: object) -> Scenario:
    """The scenario with one field of a group's habits under a model set."""
    theta = scenario.models[model]
    habits = theta.habits[group].replace(**{name: value})
    return put_model(scenario, model, theta.replace(habits=_with_item(theta.habits, group, habits)))


def set_habits(scenario: Scenario, group: int, habits: Habits) -> Scenario:
    """The scenario in which a group has these habits under every model."""
    models = (model.replace(habits=_with_item(model.habits, group, habits)) for model in scenario.models)
    return scenario.replace(models=tuple(models))


def split_period(scenario: Scenario, model: int, group: int, index: int) -> Scenario:
    """One more period: the second half of this one, under a name of its own, with the same habits."""
    field, parts, at = _day_of(scenario, model, group, index)
    part = parts[at]
    length, day = lengths(parts, scenario.step_minutes)[at], scenario.steps_per_day
    if length < 2:
        raise ScenarioError(part.name, "is one step long; it cannot be split.")
    half = length // 2
    before, after = (
        part if part.basis == "step" else _over(part, steps / length) for steps in (half, length - half)
    )
    first = part.first_step(scenario.step_minutes) + half
    name = unused_name("Period", [each.name for each in parts])
    after = after.replace(name=name, start=first % day * 24 / day)
    split = sorted(_with_item(parts, at, before, after), key=lambda each: each.start)
    return set_habits_field(scenario, model, group, field, tuple(split))


def remove_period(scenario: Scenario, model: int, group: int, index: int) -> Scenario:
    """One period fewer; the one before it lasts until it ended."""
    field, parts, at = _day_of(scenario, model, group, index)
    return set_habits_field(scenario, model, group, field, _with_item(parts, at))


def _day_of(
    scenario: Scenario, model: int, group: int, index: int
) -> tuple[DayField, tuple[Period, ...], int]:
    """The field of the habits in which a period stands, all periods there, and its place among them."""
    for field, parts in scenario.models[model].habits[group].day_kinds().items():
        if index < len(parts):
            return field, parts, index
        index -= len(parts)
    raise IndexError(index)


# The calendar


def set_day_apart(scenario: Scenario, model: int, group: int, field: DayField, other: bool) -> Scenario:
    """Habits of their own for the weekend, or for Sunday, at first those that the day had; or none."""
    first = scenario.models[model].habits[group].on("Sunday" if field == "sunday" else "Saturday")
    like = first if other else None
    return set_habits_field(scenario, model, group, field, like)


def copy_weekend(scenario: Scenario, model: int, group: int) -> Scenario:
    """Every group spends its Saturdays and Sundays as this one does, where they differ."""
    own = scenario.models[model].habits[group]
    apart = {field: getattr(own, field) for field in DAY_FIELDS[1:]}
    habits = tuple(each.replace(**apart) for each in scenario.models[model].habits)
    return put_model(scenario, model, scenario.models[model].replace(habits=habits))


class Moved(NamedTuple):
    """A period that begins at another hour, because a price would not come when it began."""

    group: str
    period: str
    before: float
    after: float


def moved_periods(scenario: Scenario, minutes: StepMinutes) -> tuple[Moved, ...]:
    """The periods that begin with another step where a price comes every so many minutes, each once."""
    moved = (
        Moved(group.name, part.name, part.start, after)
        for model in scenario.models
        for group, habits in zip(scenario.groups, model.habits, strict=True)
        for day in habits.day_kinds().values()
        for part, after in zip(day, _starts(day, minutes), strict=True)
        if after != part.start
    )
    return tuple(dict.fromkeys(moved))


def _starts(parts: tuple[Period, ...], minutes: int) -> list[float]:
    """The hour of the nearest step for each period of a day: of two the later, unless one begins there."""
    stay = {part.start for part in parts if part.starts_with_a_step(minutes)}

    def nearest(hour: float) -> float:
        steps = hour * 60 / minutes
        later, earlier = (n * minutes / 60 % 24 for n in (math.floor(steps + 0.5), math.ceil(steps - 0.5)))
        return earlier if later in stay else later

    return [part.start if part.start in stay else nearest(part.start) for part in parts]


def set_step_minutes(scenario: Scenario, minutes: StepMinutes) -> Scenario:
    """A price every so many minutes, with the same habits.

    Probabilities over a period keep their meaning by themselves, those per step are restated. A period that
    begins between two steps begins with the nearest (`moved_periods`).
    """
    must_be_one_of("step_minutes", minutes, STEP_MINUTES)
    ratio = minutes / scenario.step_minutes

    def restated(part: Period) -> Period:
        return part if part.basis == "period" or ratio == 1 else _over(part, ratio)

    def of_all_days(habits: Habits, group: str) -> Habits:
        days = {kind: tuple(map(restated, day)) for kind, day in habits.day_kinds().items()}
        return habits.replace(**{kind: _on_steps(day, minutes, group) for kind, day in days.items()})

    names = [group.name for group in scenario.groups]
    models = tuple(
        model.replace(habits=tuple(map(of_all_days, model.habits, names))) for model in scenario.models
    )
    return scenario.replace(step_minutes=minutes, models=models)


def _on_steps(parts: tuple[Period, ...], minutes: int, group: str) -> tuple[Period, ...]:
    """The periods of a day, each beginning with a step; refuses two that would begin with the same."""
    by_start: dict[float, Period] = {}
    for part, start in zip(parts, _starts(parts, minutes), strict=True):
        if (other := by_start.get(start)) is not None:
            raise ScenarioError(
                f"{other.name} and {part.name} of {group}",
                f"would both begin at {hhmm(start)} with a price every {minutes} minutes; remove one.",
            )
        by_start[start] = part.replace(start=start)
    return tuple(by_start[start] for start in sorted(by_start))


def allowed_intervals(scenario: Scenario) -> list[StepMinutes]:
    """The price intervals, in minutes, at which every period of the street still begins with a step."""
    allowed = []
    for minutes in STEP_MINUTES:
        with suppress(ScenarioError):
            if not moved_periods(scenario, minutes):
                set_step_minutes(scenario, minutes)
                allowed.append(minutes)
    return allowed


def other_interval(scenario: Scenario) -> StepMinutes | None:
    """One at least twice as long that the street allows, else the next shorter; None where none is."""
    allowed = allowed_intervals(scenario)
    longer = [minutes for minutes in allowed if minutes >= 2 * scenario.step_minutes]
    shorter = [minutes for minutes in allowed if minutes < scenario.step_minutes]
    return next(iter(longer + shorter[::-1]), None)


# Groups and houses


def set_group_field(scenario: Scenario, index: int, name: str, value: object) -> Scenario:
    """The scenario with one field of a group set; the houses that are listed follow a new name."""
    before = scenario.groups[index]
    after = before.replace(**{name: value})
    return scenario.replace(
        groups=_with_item(scenario.groups, index, after),
        houses=regrouped(scenario.houses, before.name, after.name),
    )


def shared_out(before: Sequence[Group], groups: Sequence[Group], stated: Sequence[int]) -> tuple[Group, ...]:
    """The groups, of which some have another share than before: those not stated take the rest."""
    if all(groups[i].share == before[i].share for i in stated):
        return tuple(groups)
    rest = 1 - sum(groups[i].share for i in stated)
    rest = rest if rest > SUM_TOLERANCE else 0.0
    others = {i: group.share for i, group in enumerate(groups) if i not in stated}
    total = sum(others.values())
    taken = {i: (share / total if total > 0 else 1 / len(others)) * rest for i, share in others.items()}
    return tuple(group.replace(share=taken.get(i, group.share)) for i, group in enumerate(groups))


def set_counts(scenario: Scenario, counts: Sequence[int]) -> Scenario:
    """So many houses in every group; the street has them all."""
    total = sum(counts)
    must_be_within("households", total, BOUNDS["households"])
    groups = zip(scenario.groups, counts, strict=True)
    return scenario.replace(
        households=total, groups=tuple(group.replace(share=houses / total) for group, houses in groups)
    )


def add_group(scenario: Scenario, like: int = 0) -> Scenario:
    """One more group with the peak, standby and habits of another, and half of its share; its houses vary
    from half to all of both. Where houses are listed, it has none of them yet."""
    model_group = scenario.groups[like]
    new = model_group.replace(
        occupied_min=model_group.occupied_max / 2,
        empty_min=model_group.empty_max / 2,
        share=0.0 if scenario.houses is not None else model_group.share / 2,
        name=unused_name("Group", [group.name for group in scenario.groups]),
    )
    rest = model_group if scenario.houses is not None else model_group.replace(share=new.share)
    return scenario.replace(
        groups=(*_with_item(scenario.groups, like, rest), new),
        models=tuple(m.replace(habits=(*m.habits, m.habits[like])) for m in scenario.models),
    )


def remove_group(scenario: Scenario, index: int) -> Scenario:
    """One group fewer; the one before it, or else the next, takes its share and its listed houses."""
    gone, others = scenario.groups[index], _with_item(scenario.groups, index)
    at = max(index - 1, 0)
    heir = others[at].replace(share=round(others[at].share + gone.share, _SHARE_DIGITS))
    if scenario.houses is not None:
        heir = heir.replace(
            occupied_max=max(heir.occupied_max, gone.occupied_max),
            empty_max=max(heir.empty_max, gone.empty_max),
        )
    return scenario.replace(
        groups=_with_item(others, at, heir),
        houses=regrouped(scenario.houses, gone.name, heir.name),
        models=tuple(m.replace(habits=_with_item(m.habits, index)) for m in scenario.models),
    )


def of_groups(scenario: Scenario, like: Mapping[str, int]) -> Scenario:
    """A street of groups with these names and no others, each like the group of that number, in this order
    and of equal shares, and no house listed."""
    groups = (scenario.groups[g].replace(name=name, share=1 / len(like)) for name, g in like.items())
    return scenario.replace(
        groups=tuple(groups),
        models=tuple(m.replace(habits=tuple(m.habits[g] for g in like.values())) for m in scenario.models),
        houses=None,
    )


def with_houses(scenario: Scenario, houses: Sequence[House]) -> Scenario:
    """A street of just these houses: how many there are, how many in each group and between which bounds
    follows from the list. A group without any keeps its bounds."""
    here = included(houses)
    if not here:
        raise ScenarioError("houses", "are all left out; at least one must stay.")
    must_be_grouped(houses, scenario.groups)
    groups = tuple(described(group, here) for group in scenario.groups)
    return scenario.replace(households=len(here), groups=groups, houses=tuple(houses))


def without_laws(scenario: Scenario) -> Scenario:
    """The same street with use uniform up to the bounds."""
    return scenario.replace(
        groups=tuple(group.replace(law=None, yearly_kwh=None) for group in scenario.groups)
    )


def set_yearly(scenario: Scenario, index: int, kwh: float | None) -> Scenario:
    """The scenario in which a group's houses use so much in a year, in place of any other distribution."""
    group = scenario.groups[index].replace(law=None, yearly_kwh=kwh)
    return scenario.replace(groups=_with_item(scenario.groups, index, group))


def of_size(scenario: Scenario, households: int) -> Scenario:
    """The same kinds of houses, so many of them, and none listed."""
    return scenario.replace(households=households, houses=None)


# Models


def put_model(scenario: Scenario, index: int, model: OccupancyModel) -> Scenario:
    """The scenario with another model; what filter and forecast assume follows a new name."""
    renamed = scenario.assumed_model == scenario.models[index].name
    return scenario.replace(
        models=_with_item(scenario.models, index, model),
        assumed_model=model.name if renamed else scenario.assumed_model,
    )


def rename_model(scenario: Scenario, index: int, name: str) -> Scenario:
    """The scenario with a model called something else."""
    return put_model(scenario, index, scenario.models[index].replace(name=name))


def add_model(scenario: Scenario, model: OccupancyModel) -> Scenario:
    """One more model to guard against, under a name not yet taken."""
    names = scenario.model_names
    name = model.name if model.name not in names else unused_name(model.name[:34], names)
    return scenario.replace(models=(*scenario.models, model.replace(name=name)))


def remove_model(scenario: Scenario, index: int) -> Scenario:
    """One model fewer; if filter and forecast assumed it, they assume the true one again."""
    gone = scenario.models[index].name
    return scenario.replace(
        models=_with_item(scenario.models, index),
        assumed_model=None if scenario.assumed_model == gone else scenario.assumed_model,
    )


def generate_with(scenario: Scenario, index: int) -> Scenario:
    """The scenario in which another model generates the day: it moves to the front."""
    return scenario.replace(models=(scenario.models[index], *_with_item(scenario.models, index)))
