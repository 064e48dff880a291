"""A scenario unpacked, once, into what the street needs.

What another step length does to the same habits: chances over a period keep their meaning. They are taken as
independent tries, so a house may come and go within the period, and how often depends on how often it is
asked: expected occupancy moves a little. How far personal habits spread is stated per step of 15 minutes and
restated in proportion to the step (`Scenario.spread_per_step`).
"""

from functools import lru_cache

import numpy as np

from rtp.core.time import PAPER_STEP, WEEKEND, Weekday, steps_per_day, weekday
from rtp.core.types import Floats, Ints
from rtp.probability.markov import Chains, propagate
from rtp.scenario import Group, Scenario
from rtp.scenario.habits import Habits, Period, lengths, step_probabilities
from rtp.street.draw import StreetSpec
from rtp.street.schedule import Schedule
from rtp.street.yearly import YearlyUse, typical_week, yearly_use

Bounds = tuple[tuple[float, float], ...]
SPREAD = 33  # houses that stand for a group's, where none are listed
NOBODY_MOVES = ((1.0, 0.0), (0.0, 1.0))
# What a street_day depends on: two scenarios that agree on these live the same day.
STREET_FIELDS = frozenset(
    {
        "households",
        "days",
        "groups",
        "models",
        "assumed_model",
        "habit_spread",
        "seed",
        "houses",
        "step_minutes",
        "first_weekday",
    }
)


def street_key(scenario: Scenario) -> str:
    """The same text for scenarios that live the same day."""
    return scenario.model_dump_json(include=set(STREET_FIELDS))


def is_papers_street(scenario: Scenario) -> bool:
    """Whether the street is the paper's, whatever the draw and the prices."""
    return street_key(scenario.replace(seed=0)) == street_key(Scenario(seed=0))


def street_spec(scenario: Scenario) -> StreetSpec:
    return StreetSpec(
        households=scenario.households,
        days=scenario.days,
        step_minutes=scenario.step_minutes,
        groups=groups_with_use(scenario),
        listed=_listed(scenario),
        schedules=_schedules(scenario),
        assumed_index=scenario.assumed_index,
        habit_spread=scenario.spread_per_step,
        seed=scenario.seed,
    )


def groups_with_use(scenario: Scenario) -> tuple[Group, ...]:
    """The groups, with the distribution of use of those that say what they use in a year."""
    return tuple(
        group
        if group.yearly_kwh is None
        else group.replace(law=use_of_year(scenario, g).law, yearly_kwh=None)
        for g, group in enumerate(scenario.groups)
    )


def use_of_year(scenario: Scenario, g: int) -> YearlyUse:
    """What a group that says what it uses in a year uses, under the habits that generate the day."""
    share = float(typical_week_of(scenario, g).mean())
    return _use_of_year(scenario.groups[g], share, listed_bounds(scenario, g))


@lru_cache(maxsize=64)
def _use_of_year(group: Group, occupied_share: float, listed: Bounds | None) -> YearlyUse:
    assert group.yearly_kwh is not None
    return yearly_use(group.yearly_kwh, occupied_share, *bounds_of_group(group, listed))


def listed_bounds(scenario: Scenario, g: int) -> Bounds | None:
    """The bounds when occupied and when empty of a group's listed houses; None where it has none."""
    group = scenario.groups[g].name
    listed = scenario.listed_houses or ()
    return tuple((house.occupied, house.empty) for house in listed if house.group == group) or None


def bounds_of_group(group: Group, listed: Bounds | None = None) -> tuple[Floats, Floats]:
    """The bounds of a group's houses when occupied and when empty, (n,): as listed, or spread evenly."""
    if listed is not None:
        occupied, empty = np.array(listed).T
        return occupied, empty
    return (
        np.linspace(group.occupied_min, group.occupied_max, SPREAD),
        np.linspace(group.empty_min, group.empty_max, SPREAD),
    )


def typical_week_of(scenario: Scenario, g: int) -> Floats:
    """Pr[occupied] of a group's typical house over a week from Monday, or a day where all are alike."""
    habits, days = scenario.models[0].habits[g], "Monday" if scenario.has_weekends else None
    return _typical_week(habits, scenario.step_minutes, days, scenario.spread_per_step)


@lru_cache(maxsize=64)
def _typical_week(habits: Habits, step_minutes: int, days: Weekday | None, spread: float) -> Floats:
    week = typical_week(schedule_of(habits, step_minutes, days), spread)
    week.flags.writeable = False
    return week


def _listed(scenario: Scenario) -> Floats | None:
    """(2, N): the bounds when occupied and when empty of houses that are listed, in the street's order."""
    street = scenario.listed_houses
    if street is None:
        return None
    return np.array([[house.occupied for house in street], [house.empty for house in street]])


def _schedules(scenario: Scenario) -> tuple[tuple[Schedule, ...], ...]:
    """By model and group, all with the same cycle and the same number of periods."""
    most = max(len(habits.all_periods) for model in scenario.models for habits in model.habits)
    weekday = scenario.first_weekday if scenario.has_weekends else None
    return tuple(
        tuple(schedule_of(habits, scenario.step_minutes, weekday, most) for habits in model.habits)
        for model in scenario.models
    )


@lru_cache(maxsize=256)
def schedule_of(
    habits: Habits,
    step_minutes: int = PAPER_STEP,
    week_from: Weekday | None = None,
    periods: int = 0,
) -> Schedule:
    """The habits of one group as arrays: for a day, or for a week from that weekday.

    `periods` is the least number of them; those that are missing never come, and nobody moves in them.
    """
    ordinary = weekend = _containing(habits.periods, step_minutes)
    if habits.weekend is not None:
        weekend = len(habits.periods) + _containing(habits.weekend, step_minutes)
    week = [week_from and weekday(day, week_from) for day in range(7 if week_from else 1)]
    stated = [
        (part, *step_probabilities(part, n))
        for parts in habits.day_kinds().values()
        for part, n in zip(parts, lengths(parts, step_minutes), strict=True)
    ]
    missing = max(periods - len(stated), 0)
    return Schedule(
        initial=habits.initial_occupied,
        steps_per_day=steps_per_day(step_minutes),
        period=np.concatenate([weekend if day in WEEKEND else ordinary for day in week]),
        leave=np.array([leave for _, leave, _ in stated] + [0.0] * missing),
        arrive=np.array([arrive for _, _, arrive in stated] + [0.0] * missing),
        possible=np.array([part.matrix for part, _, _ in stated] + [NOBODY_MOVES] * missing) != 0,
    )


def _containing(periods: tuple[Period, ...], step_minutes: int) -> Ints:
    """Which period contains each step of a day."""
    starts = [part.first_step(step_minutes) for part in periods]
    index = np.searchsorted(starts, np.arange(steps_per_day(step_minutes)), side="right") - 1
    return np.asarray(index % len(periods))


def stated_occupancy(spec: StreetSpec) -> Floats:
    """(T,): the street's expected occupancy if every house kept exactly its group's stated habits."""
    total = np.zeros(spec.steps)
    for group, schedule in zip(spec.groups, spec.schedules[0], strict=True):
        chain = Chains(
            initial=np.array([schedule.initial]),
            leave=np.array(schedule.leave)[:, None],
            arrive=np.array(schedule.arrive)[:, None],
            row=np.resize(schedule.period, spec.steps - 1),
        )
        total += group.share * propagate(chain)[:, 0]
    return total
