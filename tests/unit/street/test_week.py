"""A week: other habits on Saturday, Sunday, or both; it begins on a chosen weekday; periods of any number."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import DataObject

from rtp import Group, Habits, OccupancyModel, Period, Scenario, simulate
from rtp.core.time import WEEKDAYS, StepMinutes, Weekday
from rtp.core.types import Floats
from rtp.scenario import edit, period
from rtp.simulation import street_spec
from tests.help.streets import stated_occupancy

LAZY = (
    period("Late", 10.0, leave=0.2, arrive=0.9),
    period("Out", 14.0, leave=1.0, arrive=0.0),
    period("Back", 18.0, leave=0.1, arrive=0.97),
)
WORKERS = Habits(initial_occupied=0.0, weekend=LAZY)
SUNDAYS_IN = Habits(sunday=LAZY[:2])
STREET = Scenario(
    households=11,
    days=9,
    habit_spread=0.0,
    groups=(
        Group(name="Workers", share=5 / 11),
        Group(name="Others", share=4 / 11, occupied_max=2.0),
        Group(name="Both", share=2 / 11),
    ),
    models=(OccupancyModel(habits=(WORKERS, SUNDAYS_IN, WORKERS.replace(sunday=LAZY[1:]))),),
)


def chance_in(parts: tuple[Period, ...], minute: int, step: int) -> tuple[float, float]:
    """(leave, arrive) of the step at a minute of the day, from the clock alone."""
    starts = [round(60 * part.start) for part in parts]
    now = max((i for i, start in enumerate(starts) if start <= minute), default=len(parts) - 1)
    length = (starts[(now + 1) % len(parts)] - starts[now]) % 1440 or 1440
    tries = length / step
    leave, arrive = (1 - (1 - p) ** (1 / tries) for p in (parts[now].leave, parts[now].arrive))
    return leave, arrive


def by_the_calendar(scenario: Scenario, group: int) -> Floats:
    """(T,): expected occupancy of one house, minute by minute of the calendar, one step at a time."""
    habits, step = scenario.models[0].habits[group], scenario.step_minutes
    chance, course = habits.initial_occupied, []
    for minute in range(0, scenario.days * 1440, step):
        name = WEEKDAYS[(WEEKDAYS.index(scenario.first_weekday) + minute // 1440) % 7]
        parts = {"Saturday": habits.weekend, "Sunday": habits.sunday or habits.weekend}.get(name)
        parts = parts or habits.periods
        course.append(chance)
        leave, arrive = chance_in(parts, minute % 1440, step)
        chance = chance * (1 - leave) + (1 - chance) * arrive
    return np.array(course)


@pytest.mark.parametrize("first", ["Monday", "Thursday", "Sunday"])
@pytest.mark.parametrize("minutes", [15, 60])
def test_expected_occupancy_of_a_week_against_the_calendar(first: Weekday, minutes: StepMinutes) -> None:
    scenario = STREET.replace(first_weekday=first, step_minutes=minutes)
    twin = sum(houses * by_the_calendar(scenario, g) for g, houses in enumerate((5, 4, 2))) / 11
    np.testing.assert_allclose(simulate(scenario).expected_occupancy, twin, rtol=0, atol=1e-12)
    np.testing.assert_allclose(stated_occupancy(street_spec(scenario)), twin, rtol=0, atol=1e-12)


@given(st.data())
def test_a_split_period_leaves_everybody_as_they_were(data: DataObject) -> None:
    scenario = STREET.replace(days=7)
    index = data.draw(st.integers(0, 6))
    split = edit.split_period(scenario, 0, 0, index)
    habits = split.models[0].habits[0]
    assert len(habits.all_periods) == 8
    np.testing.assert_allclose(
        stated_occupancy(street_spec(split)), stated_occupancy(street_spec(scenario)), rtol=0, atol=1e-12
    )
    names = {part.name for part in habits.all_periods} - {p.name for p in WORKERS.all_periods}
    (name,) = names
    new = [part.name for part in habits.all_periods].index(name)
    assert len(edit.remove_period(split, 0, 0, new).models[0].habits[0].all_periods) == 7
