"""The scenario: the paper's day by default, frozen, the same again from its JSON."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

import rtp
from rtp import PRESETS, Habits, OccupancyModel, Scenario, ScenarioError
from rtp.scenario import PAPER_PERIODS, period
from rtp.scenario.validation import SCENARIO_VERSION
from tests.help.strategies import detailed_scenarios


def test_defaults_are_the_papers_day() -> None:
    s = PRESETS["paper"]
    assert s == Scenario()
    assert (s.households, s.steps, s.epsilon, s.alpha, s.beta) == (1000, 96, 0.5, 1.0, 62.5)
    (habit,) = s.models[0].habits
    assert [(p.start, p.leave, p.arrive) for p in habit.periods] == [
        (7.0, 0.05, 0.98),
        (8.0, 0.95, 0.05),
        (16.0, 0.05, 0.99),
        (23.0, 0.995, 0.01),
    ]
    assert habit.steps() == (4, 32, 28, 32)


@given(detailed_scenarios() | st.sampled_from(list(PRESETS.values())))
def test_json_gives_the_same_scenario_again(scenario: Scenario) -> None:
    assert Scenario.from_json(scenario.to_json()) == scenario
    old = json.loads(scenario.to_json(indent=None)) | {"version": 1, "lab": "1.0"}
    assert Scenario.from_json(json.dumps(old).encode()) == scenario, "of an older version too"


def test_what_came_later_is_written_only_where_it_says_something() -> None:
    """A scenario without it is the same text as ever, which an older lab can read."""
    later = {"step_minutes", "first_weekday", "power_unit", "currency", "houses"}
    for preset in PRESETS.values():
        told = {name for name in later if getattr(preset, name) != getattr(Scenario(), name)}
        assert later & set(json.loads(preset.to_json())) == told


def test_a_newer_version_or_another_key_is_refused() -> None:
    for data, named in (({"version": SCENARIO_VERSION + 1}, "version"), ({"lab": 1}, "lab"), ({"x": 1}, "x")):
        with pytest.raises(ScenarioError, match=f"^{named} "):
            Scenario.from_json(json.dumps(data))


def test_a_scenario_cannot_be_changed_but_copied() -> None:
    for name in Scenario.model_fields:
        with pytest.raises(ValidationError):
            setattr(Scenario(), name, 1.0)
    assert Scenario().replace(epsilon=1.0).replace(epsilon=0.5) == Scenario()


@pytest.mark.parametrize(
    ("matrix", "starts"),
    [
        (((0.9, 0.1), (0.4, 0.6)), (7.0, 8.0, 16.0, 23.0)),
        (((0.5, 0.5), (0.51, 0.49)), (7.0, 7.75, 16.0, 22.75)),  # odd numbers of steps: −0.01 has cube roots
    ],
)
def test_a_root_that_exists_is_taken(
    matrix: tuple[tuple[float, float], ...], starts: tuple[float, ...]
) -> None:
    parts = [
        part.replace(start=start, matrix=matrix) for part, start in zip(PAPER_PERIODS, starts, strict=True)
    ]
    models = (OccupancyModel(habits=(Habits(periods=tuple(parts)),)),)
    assert Scenario(conversion="root", models=models).models == models
    with pytest.raises(ScenarioError, match="matrix"):
        Scenario(conversion="root")


def test_what_is_per_step_follows_the_length_of_a_step() -> None:
    """σ is stated per quarter of an hour; without a unit of power a step's consumption is its energy."""
    spreads = [Scenario(step_minutes=minutes).spread_per_step for minutes in (5, 15, 60)]
    assert spreads == pytest.approx([0.01 / 3, 0.01, 0.04])
    assert [Scenario(step_minutes=m, power_unit="kW").step_hours for m in (15, 60)] == [0.25, 1]
    halves = Scenario(step_minutes=30, days=2)
    assert (halves.step_hours, halves.steps_per_day, halves.steps) == (1, 48, 96)


def test_a_moment_is_said_with_its_weekday_where_habits_depend_on_it() -> None:
    weekend = Scenario(
        models=(OccupancyModel(habits=(Habits(weekend=PAPER_PERIODS),)),), first_weekday="Friday"
    )
    assert (Scenario().when(4), Scenario(days=2).when(100)) == ("01:00", "day 2, 01:00")
    assert (weekend.when(4), weekend.replace(days=2).when(100)) == (
        "Friday, 01:00",
        "day 2 (Saturday), 01:00",
    )


def test_a_period_that_begins_within_a_step_is_refused() -> None:
    late = (PAPER_PERIODS[0], period("Late", 8.25, leave=0.5, arrive=0.5))
    with pytest.raises(ScenarioError, match=r"weekend\[1\]\.start is 8\.25; .*30 minutes"):
        Scenario(models=(OccupancyModel(habits=(Habits(weekend=late),)),), step_minutes=30)


def test_the_public_face_is_there() -> None:
    assert all(hasattr(rtp, name) for name in rtp.__all__)
