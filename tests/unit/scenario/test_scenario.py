"""The scenario: the paper's day by default, frozen, the same again from its JSON; what all refusals say."""

import json
from functools import partial
from math import inf, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from rtp import PRESETS, Habits, OccupancyModel, Scenario, ScenarioError
from rtp.scenario import (
    PAPER_PERIODS,
    Bounds,
    must_be_house,
    must_be_one_of,
    must_be_positive,
    must_be_within,
    period,
)
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
    for data, named in (
        ({"version": SCENARIO_VERSION + 1}, "version"),
        ({"lab": 1}, "lab"),
        ({"currency": "eur"}, "currency"),
    ):
        with pytest.raises(ScenarioError, match=f"^{named} "):
            Scenario.from_json(json.dumps(data))


def test_a_scenario_cannot_be_changed_but_copied() -> None:
    for name in Scenario.model_fields:
        with pytest.raises(ValidationError):
            setattr(Scenario(), name, 1.0)
    assert Scenario().replace(epsilon=1.0).replace(epsilon=0.5) == Scenario()


def test_a_root_that_exists_is_taken() -> None:
    slow = Habits(periods=tuple(part.replace(matrix=((0.9, 0.1), (0.4, 0.6))) for part in PAPER_PERIODS))
    models = (OccupancyModel(habits=(slow,)),)
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


WHOLE, REAL = Bounds(2, 5000, "Whole"), Bounds(0.5, 1e6, "Real")


@pytest.mark.parametrize(
    ("must", "good", "bad", "allowed"),
    [
        (partial(must_be_within, bounds=WHOLE), (2, 5000), (1, 5001, 3.0, True), "2 to 5,000"),
        (partial(must_be_within, bounds=REAL), (0.5, 1, 1e6), (0.4, nan, inf, "1"), "0.5 to 1,000,000"),
        (must_be_positive, (1e-300,), (0.0, inf, nan), "above 0"),
        (partial(must_be_one_of, allowed=["a", None]), ("a", None), ("c", ["a"]), "one of a"),
        (partial(must_be_house, households=1000), (0, 999, None), (-1, 1000), "0 to 999"),
    ],
)
def test_a_refusal_says_field_value_and_what_is_allowed(
    must: partial[None], good: tuple[object, ...], bad: tuple[object, ...], allowed: str
) -> None:
    for value in good:
        must("it", value)
    for value in bad:
        with pytest.raises(ScenarioError, match=allowed) as refused:
            must("it", value)
        assert str(refused.value).startswith(f"it is {value!r};")


def test_a_refusal_shows_control_characters_and_does_not_obey_them() -> None:
    assert str(ScenarioError("a\x1b[2J", "is é\n\u202eb.")) == r"a\x1b[2J is é\n\u202eb."
