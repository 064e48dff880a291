"""A scenario in words: its origin, what tells it from others, the line beneath a picture."""

import csv
import io
from datetime import UTC, date, datetime

import pytest
from hypothesis import given, settings

from rtp import PRESETS, Law, Scenario, simulate
from rtp.core.tables import to_csv
from rtp.scenario import BOUNDS, edit
from rtp.scenario.describe import caption, differences, digest, origin, origin_words, short_name, span_stem
from rtp.scenario.export import to_file
from rtp.version import VERSION
from tests.help.strategies import detailed_scenarios, scenarios

SCENARIO = Scenario(households=20, seed=7)


@given(detailed_scenarios())
def test_a_digest_tells_scenarios_apart_and_survives_the_file(scenario: Scenario) -> None:
    assert digest(scenario) == digest(Scenario.from_json(to_file(scenario)))
    other = scenario.replace(seed=scenario.seed ^ 1)
    assert digest(other) != digest(scenario)


def test_a_table_says_version_scenario_seed_and_date() -> None:
    before = datetime.now(UTC).date()
    where = origin(SCENARIO)
    assert before <= date.fromisoformat(str(where["lab_date"])) <= datetime.now(UTC).date()
    rows = list(csv.DictReader(io.StringIO(to_csv(simulate(SCENARIO).frame(), where))))
    for row in rows:
        told = [row[f"lab_{name}"] for name in ("version", "scenario", "seed", "step_minutes", "units")]
        assert told == [VERSION, digest(SCENARIO), "7", "15", "none"]


def test_clock_units_and_weekend_are_said_where_not_the_papers() -> None:
    feeder = PRESETS["feeder"].replace(step_minutes=30, days=7)
    where = origin(feeder)
    assert (where["lab_step_minutes"], where["lab_units"]) == (30, "kW and EUR")
    assert where["lab_weekend"] != origin(SCENARIO)["lab_weekend"]
    for said in ("30 minutes", "kW and EUR", "weekend", digest(feeder)):
        assert said in origin_words(feeder)
    assert [span_stem(each) for each in (SCENARIO, feeder)] == ["day", "7_days"]


@settings(max_examples=15)  # of two drawn at random hardly a field is alike
@given(scenarios(), scenarios())
def test_scenarios_differ_in_words_exactly_where_they_differ(one: Scenario, other: Scenario) -> None:
    """Up to ten digits, beyond which nobody types."""
    rows = differences([one, other])
    assert bool(rows) <= (one != other)
    assert all(len(row.values) == 2 and row.values[0] != row.values[1] for row in rows)
    back = {row.setting: row.values for row in differences([other, one])}
    assert {row.setting: row.values[::-1] for row in rows} == back
    assert differences([one, one]) == differences([one]) == []


@pytest.mark.parametrize(
    "changes",
    [
        *(
            {name: bounds.low + 1}
            for name, bounds in BOUNDS.items()
            if name in {"households", "days", "seed"}
        ),
        *({name: BOUNDS[name].high / 2} for name in ("epsilon", "alpha", "beta", "elasticity", "negligible")),
        *({name: 0.25} for name in ("inelastic_demand", "reference_rate", "habit_spread")),
        {"habit_clip": "closed"},
        {"naive_bound": "realised"},
        {"independent_noise": True},
        {"clip_at_zero": True},
        {"assumed_model": "As published"},
        {"step_minutes": 30},
        {"first_weekday": "Friday"},
        {"power_unit": "kW"},
        {"currency": "EUR"},
    ],
    ids=str,
)
def test_every_field_is_told_alone_in_table_and_caption(changes: dict[str, object]) -> None:
    (row,) = differences([Scenario(), Scenario(**changes)])
    assert row.values[0] != row.values[1]
    assert caption(Scenario(**changes), "paper") != caption(Scenario(), "paper")


def test_inside_groups_and_periods_the_owner_is_named() -> None:
    paper, mixed = Scenario(), PRESETS["mixed street"]
    noon = edit.set_entry(paper.models[0].habits[0].periods[1], 0, 1, 0.1)
    law = Law(edges=(0.0, 1.0), empty=(1.0,), occupied=(1.0,))
    for before, after, owner in (
        (mixed, edit.set_group_field(mixed, 0, "empty_max", 0.7), "Office"),
        (paper, edit.put_period(paper, 0, 0, 1, noon), "Noon"),
        (paper, edit.set_group_field(paper, 0, "law", law), ""),
    ):
        (row,) = differences([before, after])
        assert owner in row.setting
    told = {row.setting: row.values for row in differences([paper, mixed])}
    assert ("Households", "Office, Home, Shift") in told.values()
    assert not any("Office:" in setting for setting in told), "not all have that group"


def test_many_changes_of_a_caption_are_counted() -> None:
    few = Scenario(inelastic_demand=1.0, elasticity=0.5, negligible=0.1, habit_spread=0.02)
    many = few.replace(habit_clip="closed", naive_bound="realised", independent_noise=True, clip_at_zero=True)
    assert "more settings" not in caption(few, "paper")
    assert "2 more settings" in caption(many, "paper")
    assert origin_words(many) in caption(many, "paper")


@pytest.mark.parametrize(
    ("preset", "changes", "name"),
    [
        ("paper", {}, "Paper, ε 0.5"),
        ("paper", {"households": 180, "step_minutes": 30, "epsilon": 0.34}, "180 houses, 30 min, ε 0.34"),
        ("mansions", {"epsilon": 0.33543695568204446}, "Mansions, ε 0.335"),
        ("paper", {"households": 123, "days": 7, "beta": 0.1875}, "123 houses, 7 days, β 0.188, ε 0.5"),
        ("paper", {"households": 1234, "days": 7, "beta": 0.1875}, "Paper, ε 0.5"),  # too long
    ],
)
def test_a_short_name_says_what_differs(preset: str, changes: dict[str, float], name: str) -> None:
    assert short_name(PRESETS[preset].replace(**changes), preset) == name
