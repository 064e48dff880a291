"""Changes that keep a scenario whole: shares sum to one, every group has habits, names stay true.

All are pure: scenario in, scenario out.

Changes of the calendar that keep everybody's habits: another step, more or fewer periods, a weekend.

All are pure: scenario in, scenario out. What is stated for a stretch of time is restated for another stretch
by the scenario's own conversion, and what is impossible or certain stays exactly so.
"""

from collections.abc import Mapping, Sequence

from rtp.core.time import StepMinutes
from rtp.scenario.consumption import Group, House, described, included, regrouped, widened
from rtp.scenario.habits import (
    TOLERANCE,
    Basis,
    Habits,
    OccupancyModel,
    Period,
    complement,
    lengths,
    matrix,
    period_probabilities,
    restated_probabilities,
    step_probabilities,
)
from rtp.scenario.model import Scenario
from rtp.scenario.validation import BOUNDS, ScenarioError, must_be_within

DIGITS = 12  # what is added or taken away leaves no dust behind


def set_entry(part: Period, row: int, column: int, value: float) -> Period:
    """Set one entry of a matrix; its row's other entry becomes the complement."""
    entries = (value, complement(value)) if column == 0 else (complement(value), value)
    return part.replace(matrix=(entries, part.matrix[1]) if row == 0 else (part.matrix[0], entries))


def set_basis(part: Period, steps: int, basis: Basis, conversion: str = "geometric") -> Period:
    """State the same habits in the other basis; what is impossible or certain stays exactly so."""
    if part.basis == basis:
        return part
    if basis == "step":
        leave, arrive = step_probabilities(part, steps, conversion)
    else:
        leave, arrive = period_probabilities(part.leave, part.arrive, steps)
    return part.replace(
        matrix=matrix(still_open(leave, part.leave), still_open(arrive, part.arrive)), basis=basis
    )


def still_open(chance: float, stated: float) -> float:
    """A converted chance that rounding has not made impossible or certain, unless it was stated so."""
    return stated if stated in (0, 1) else min(max(chance, 1e-300), 1 - 2**-53)


def put_habits(scenario: Scenario, model: int, group: int, habits: Habits) -> Scenario:
    theta = scenario.models[model]
    changed = theta.replace(habits=(*theta.habits[:group], habits, *theta.habits[group + 1 :]))
    return put_model(scenario, model, changed)


def put_period(scenario: Scenario, model: int, group: int, index: int, part: Period) -> Scenario:
    """Replace a period; those of the weekend are counted after the others."""
    habits = scenario.models[model].habits[group]
    parts = (*habits.all_periods[:index], part, *habits.all_periods[index + 1 :])
    ordinary = len(habits.periods)
    changed = habits.replace(periods=parts[:ordinary], weekend=parts[ordinary:] or None)
    return put_habits(scenario, model, group, changed)


def put_group(scenario: Scenario, index: int, group: Group) -> Scenario:
    """Replace a group; the houses that are listed follow a new name."""
    groups, before = scenario.groups, scenario.groups[index].name
    return scenario.replace(
        groups=(*groups[:index], group, *groups[index + 1 :]),
        houses=regrouped(scenario.houses, before, group.name),
    )


def put_model(scenario: Scenario, index: int, model: OccupancyModel) -> Scenario:
    """Replace a model; the belief of filter and forecast follows a new name."""
    models = scenario.models
    renamed = scenario.assumed_model == models[index].name
    return scenario.replace(
        models=(*models[:index], model, *models[index + 1 :]),
        assumed_model=model.name if renamed else scenario.assumed_model,
    )


def set_share(scenario: Scenario, index: int, share: float) -> Scenario:
    """Weigh one group; the others keep their proportions and share the rest."""
    return scenario if len(scenario.groups) == 1 else set_some_shares(scenario, {index: share})


def set_some_shares(scenario: Scenario, stated: Mapping[int, float]) -> Scenario:
    """Weigh some groups; the others keep their proportions and share the rest.

    Shares that leave less than nothing, or something and nobody to take it, are refused with their sum.
    """
    shares = [stated.get(i, 0.0) for i in range(len(scenario.groups))]
    rest = 1 - sum(stated.values())
    others = [i for i in range(len(shares)) if i not in stated]
    if others and rest > TOLERANCE:
        for i, part in zip(others, _proportions([scenario.groups[i].share for i in others]), strict=True):
            shares[i] = part * rest
    return set_shares(scenario, shares)


def set_shares(scenario: Scenario, shares: Sequence[float]) -> Scenario:
    """Weigh all groups; the shares must add up."""
    groups = zip(scenario.groups, shares, strict=True)
    return scenario.replace(groups=tuple(group.replace(share=share) for group, share in groups))


def set_counts(scenario: Scenario, counts: Sequence[int]) -> Scenario:
    """So many houses in every group; the street has them all."""
    total = sum(counts)
    must_be_within("households", total, BOUNDS["households"])
    groups = zip(scenario.groups, counts, strict=True)
    return scenario.replace(
        households=total, groups=tuple(group.replace(share=count / total) for group, count in groups)
    )


def add_group(scenario: Scenario, like: int = 0) -> Scenario:
    """One more group with the bounds and habits of another, and half of its share; where houses are listed,
    with none of them yet."""
    groups = scenario.groups
    listed = scenario.houses is not None
    half = groups[like] if listed else groups[like].replace(share=groups[like].share / 2)
    new = half.replace(
        share=0.0 if listed else half.share, name=unused_name("Group", [g.name for g in groups])
    )
    return scenario.replace(
        groups=(*groups[:like], half, *groups[like + 1 :], new),
        models=tuple(m.replace(habits=(*m.habits, m.habits[like])) for m in scenario.models),
    )


def remove_group(scenario: Scenario, index: int) -> Scenario:
    """One group fewer; the one before it, or else the next, takes its share."""
    groups = list(scenario.groups)
    gone = groups.pop(index)
    heir = max(index - 1, 0)
    groups[heir] = groups[heir].replace(share=round(groups[heir].share + gone.share, DIGITS))
    if scenario.houses is not None:
        groups[heir] = widened(groups[heir], gone)
    return scenario.replace(
        groups=tuple(groups),
        houses=regrouped(scenario.houses, gone.name, groups[heir].name),
        models=tuple(m.replace(habits=(*m.habits[:index], *m.habits[index + 1 :])) for m in scenario.models),
    )


def with_houses(scenario: Scenario, houses: Sequence[House]) -> Scenario:
    """A street of just these houses: how many there are, how many in each group and between which bounds
    follows from the list. A group without any keeps its bounds."""
    here = included(houses)
    if not here:
        raise ScenarioError("houses", "are all left out; at least one must stay.")
    groups = tuple(described(group, here) for group in scenario.groups)
    return scenario.replace(households=len(here), groups=groups, houses=tuple(houses))


def without_laws(scenario: Scenario) -> Scenario:
    """The same street with use uniform up to the bounds."""
    return scenario.replace(groups=tuple(group.replace(law=None) for group in scenario.groups))


def of_size(scenario: Scenario, households: int) -> Scenario:
    """The same kinds of houses, so many of them, and none listed."""
    return scenario.replace(households=households, houses=None)


def _proportions(shares: list[float]) -> list[float]:
    """Scaled to sum to one; alike where there is nothing to scale."""
    total = sum(shares)
    return [share / total for share in shares] if total > 0 else [1 / len(shares)] * len(shares)


def add_model(scenario: Scenario, model: OccupancyModel) -> Scenario:
    """One more model to guard against, under a name not yet taken."""
    names = [m.name for m in scenario.models]
    name = model.name if model.name not in names else unused_name(model.name[:34], names)
    return scenario.replace(models=(*scenario.models, model.replace(name=name)))


def remove_model(scenario: Scenario, index: int) -> Scenario:
    """One model fewer; if filter and forecast believed in it, they believe in the true one again."""
    gone = scenario.models[index].name
    return scenario.replace(
        models=(*scenario.models[:index], *scenario.models[index + 1 :]),
        assumed_model=None if scenario.assumed_model == gone else scenario.assumed_model,
    )


def generate_with(scenario: Scenario, index: int) -> Scenario:
    """Let another model generate the day: it moves to the front."""
    models = scenario.models
    return scenario.replace(models=(models[index], *models[:index], *models[index + 1 :]))


def unused_name(stem: str, taken: list[str]) -> str:
    return next(name for n in range(2, len(taken) + 3) if (name := f"{stem} {n}") not in taken)


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
        leave, arrive = restated_probabilities(part.leave, part.arrive, ratio, conversion)
    except ValueError as error:
        raise ScenarioError(part.name, f"cannot be restated for another stretch of time: {error}") from None
    return part.replace(matrix=matrix(still_open(leave, part.leave), still_open(arrive, part.arrive)))


def _start(part: Period) -> float:
    return part.start
