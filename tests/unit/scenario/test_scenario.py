"""The scenario: the paper's day by default, frozen, the same again from its JSON."""

import json

import pytest
from hypothesis import given
from pydantic import ValidationError

import rtp
from rtp import PRESETS, Habits, OccupancyModel, Scenario, ScenarioError
from rtp.core.time import STEPS_PER_DAY
from rtp.scenario import BOUNDS, PAPER_PERIODS, House, period
from rtp.scenario.validation import SCENARIO_VERSION
from tests.help.sentence import exactly
from tests.help.strategies import habits, scenarios


def test_defaults_are_the_papers_day() -> None:
    s = Scenario()
    assert (s.households, s.steps, s.epsilon, s.alpha, s.beta) == (1000, 96, 0.5, 1.0, 62.5)
    assert (s.elasticity, s.inelastic_demand, s.clip_at_zero, s.independent_noise) == (0, 0, False, False)
    assert [(g.share, g.occupied_max, g.empty_max) for g in s.groups] == [(1.0, 1.0, 0.5)]
    (habit,) = s.models[0].habits
    assert habit.initial_occupied == 0.5
    assert [(p.start, p.leave, p.arrive) for p in habit.periods] == [
        (7.0, 0.05, 0.98),
        (8.0, 0.95, 0.05),
        (16.0, 0.05, 0.99),
        (23.0, 0.995, 0.01),
    ]
    assert habit.steps() == (4, 32, 28, 32)
    assert PRESETS["paper"] == s


def test_every_default_lies_within_its_bounds() -> None:
    s, group, habit = Scenario(), Scenario().groups[0], Scenario().models[0].habits[0]
    parts = (s, group, habit, habit.periods[0], House(name="A", group="B", occupied=1.0, empty=0.5))
    fields = {name: getattr(part, name) for part in parts for name in type(part).model_fields}
    fields |= {"occupied_bound": fields.pop("occupied"), "empty_bound": fields.pop("empty")}
    fields |= {"edges": None, "mass": None}  # of a law, which there is none of
    checked = 0
    for name, bounds in BOUNDS.items():
        if isinstance(fields[name], int | float):
            assert bounds.low <= fields[name] <= bounds.high
            checked += 1
        assert bounds.words
    assert checked == len(BOUNDS) - 4  # the reference rate is empty by default, the matrix is no number


def test_a_scenario_cannot_be_changed() -> None:
    for name in Scenario.model_fields:
        with pytest.raises(ValidationError):
            setattr(Scenario(), name, 1.0)


def test_replace_gives_a_changed_copy() -> None:
    s = Scenario()
    other = s.replace(epsilon=1.0, households=200)
    assert (other.epsilon, other.households, s.epsilon, s.households) == (1.0, 200, 0.5, 1000)
    assert other.replace(epsilon=0.5, households=1000) == s


@given(scenarios())
def test_json_gives_the_same_scenario_again(scenario: Scenario) -> None:
    assert Scenario.from_json(scenario.to_json()) == scenario
    assert Scenario.from_json(scenario.to_json(indent=None).encode()) == scenario


@pytest.mark.parametrize("name", PRESETS)
def test_presets_survive_json(name: str) -> None:
    assert Scenario.from_json(PRESETS[name].to_json()) == PRESETS[name]


def test_a_scenario_of_an_older_version_is_read_as_todays() -> None:
    old = json.loads(PRESETS["mixed street"].to_json()) | {"version": 1}
    assert Scenario.from_json(json.dumps(old)) == PRESETS["mixed street"]
    assert Scenario(version=1).version == SCENARIO_VERSION


def test_json_on_disk_is_what_the_scenario_says() -> None:
    data = json.loads(Scenario(epsilon=0.25).to_json())
    assert data["epsilon"] == 0.25
    assert data["version"] == SCENARIO_VERSION
    assert data["models"][0]["habits"][0]["periods"][0]["matrix"][1][0] == 0.05


@given(habits())
def test_periods_fill_the_day(habit: Habits) -> None:
    steps = habit.steps()
    assert sum(steps) == STEPS_PER_DAY
    assert min(steps) >= 1


def test_a_period_follows_from_its_two_free_numbers() -> None:
    part = period("Noon", 8.0, leave=0.25, arrive=0.125)
    assert part.matrix == ((0.875, 0.125), (0.25, 0.75))


def test_a_root_that_exists_is_taken() -> None:
    slow = tuple(p.replace(matrix=((0.9, 0.1), (0.4, 0.6))) for p in Habits().periods)
    models = (OccupancyModel(habits=(Habits(periods=slow),)),)
    assert Scenario(conversion="root", models=models).models == models
    fast = Habits(periods=tuple(p.replace(basis="step") for p in Habits().periods))
    assert Scenario(conversion="root", models=(OccupancyModel(habits=(fast,)),)).conversion == "root"


def test_an_odd_root_of_a_sum_above_1_is_taken() -> None:
    """0.51 + 0.5 over three steps: the eigenvalue −0.01 has the cube root −0.215."""
    odd = tuple(
        p.replace(start=start, matrix=((0.5, 0.5), (0.51, 0.49)))
        for p, start in zip(Habits().periods, (7.0, 7.75, 16.0, 22.75), strict=True)
    )
    habits = Habits(periods=odd)
    assert all(steps % 2 for steps in habits.steps())
    models = (OccupancyModel(habits=(habits,)),)
    assert Scenario(conversion="root", models=models).models == models


def test_the_assumed_model_is_the_true_one_unless_named() -> None:
    models = (OccupancyModel(name="True"), OccupancyModel(name="Other"))
    assert Scenario(models=models).assumed_index == 0
    assert Scenario(models=models, assumed_model="True").assumed_index == 0
    assert Scenario(models=models, assumed_model="Other").assumed_index == 1


def test_the_public_face_is_there() -> None:
    assert {"Scenario", "PRESETS", "simulate", "Day", "Release", "ScenarioError"} <= set(rtp.__all__)
    assert all(hasattr(rtp, name) for name in rtp.__all__)


def test_what_is_per_step_follows_the_length_of_a_step() -> None:
    """σ is stated per quarter of an hour; without a unit of power a step's consumption is its energy."""
    spreads = [Scenario(step_minutes=minutes).spread_per_step for minutes in (5, 15, 60)]
    assert spreads == pytest.approx([0.01 / 3, 0.01, 0.04])
    assert [Scenario(step_minutes=m, power_unit="kW").step_hours for m in (15, 60)] == [0.25, 1]
    halves = Scenario(step_minutes=30, days=2)
    assert (halves.step_hours, halves.steps_per_day, halves.steps) == (1, 48, 96)


def test_a_moment_is_said_with_its_weekday_where_habits_depend_on_it() -> None:
    models = (OccupancyModel(habits=(Habits(weekend=PAPER_PERIODS),)),)
    weekend = Scenario(models=models, first_weekday="Friday")
    assert (Scenario().when(4), Scenario(days=2).when(100)) == ("01:00", "day 2, 01:00")
    assert weekend.when(4) == "Friday, 01:00"
    assert weekend.replace(days=2).when(100) == "day 2 (Saturday), 01:00"


def test_a_period_that_begins_within_a_step_is_refused() -> None:
    sentence = (
        "models[0].habits[0].weekend[1].start is 8.25; with a price every 30 minutes a period must start "
        "with one of them."
    )
    late = (PAPER_PERIODS[0], PAPER_PERIODS[1].replace(start=8.25), *PAPER_PERIODS[2:])
    with pytest.raises(ScenarioError, match=exactly(sentence)):
        Scenario(models=(OccupancyModel(habits=(Habits(weekend=late),)),), step_minutes=30)
