"""A sweep's spec: what it may say, and a refusal of everything else before anything is allocated."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from rtp import PRESETS, Scenario, ScenarioError
from rtp.scenario import BOUNDS
from rtp.scenario.export import to_file
from rtp.simulation import STREET_FIELDS, draw_day
from rtp.sweep.plan import DAYS_PER_POINT, MAX_POINTS, PLAN_DAYS, from_json, make
from tests.help.sentence import refuse
from tests.help.strategies import detailed_scenarios, scenarios

SMALL = Scenario(households=20)
MIXED = PRESETS["mixed street"]
ONE = {"epsilon": [1]}


def test_points_are_the_product_of_the_grid_the_last_field_fastest() -> None:
    plan = make(SMALL, {"beta": [1.0, 2.0], "epsilon": [0.1, 0.2, 0.3]})
    assert len(plan) == 6
    assert [tuple(plan.values(p).values()) for p in (0, 1, 2, 3)] == [(1, 0.1), (1, 0.2), (1, 0.3), (2, 0.1)]
    assert plan.at(4) == SMALL.replace(beta=2.0, epsilon=0.2)


def test_ranges_are_linear_or_logarithmic_and_whole_where_the_field_is() -> None:
    plan = make(
        SMALL,
        {
            "epsilon": {"from": 0.01, "to": 1, "count": 3, "scale": "log"},
            "beta": {"from": 1, "to": 2, "count": 3},
            "households": {"from": 1, "to": 4, "count": 50},
            "days": np.array([1.0, 2.0]),
        },
    )
    assert plan.grid["epsilon"] == pytest.approx((0.01, 0.1, 1))
    assert plan.grid["beta"] == (1, 1.5, 2)
    assert plan.grid["households"] == (1, 2, 3, 4)
    assert {type(value) for value in plan.grid["households"] + plan.grid["days"]} == {int}


def test_a_plan_survives_its_own_json_and_days_can_be_overruled() -> None:
    plan = make(MIXED, {"groups[Office].share": [0.1, 0.4], "assumed_model": [None]}, 7)
    text = json.dumps(plan.as_dict())
    assert from_json(text) == plan
    assert from_json(text, 8).days == 8
    assert from_json(json.dumps({"preset": "paper", "grid": ONE})).days == DAYS_PER_POINT


@given(scenarios(max_households=8), detailed_scenarios())
def test_points_that_share_a_street_live_the_same_day(scenario: Scenario, other: Scenario) -> None:
    """Whatever is not in STREET_FIELDS may change freely without changing a byte of the life."""
    priced = {name: getattr(other, name) for name in Scenario.model_fields.keys() - STREET_FIELDS}
    life, same = draw_day(scenario), draw_day(scenario.replace(**priced))
    np.testing.assert_array_equal(life.demand, same.demand)
    np.testing.assert_array_equal(life.assumed_moments.demand, same.assumed_moments.demand)
    np.testing.assert_array_equal(
        life.support_classes.both_states_possible, same.support_classes.both_states_possible
    )


@pytest.mark.parametrize(
    ("values", "accepted"),
    [
        ([], "at least one"),
        (["abc"], f"{BOUNDS['epsilon'].low:g}"),
        ([-1], f"{BOUNDS['epsilon'].high:,g}"),
        ("abc", "list"),
        ([[1]], "a number"),
        ([1, 1], "once"),
        ({"to": 0.1}, "below"),
        ({"from": "a"}, "a number"),
        ({"to": float("inf")}, "a number"),
        ({"to": 10**400}, "a number"),
        ({"from": -1.7e308, "to": 1.7e308}, f"{BOUNDS['epsilon'].high:,g}"),
        ({"count": 0}, "whole number from 1"),
        ({"count": 2.5}, "whole number from 1"),
        ({"from": 0, "scale": "log"}, "above 0"),
        ({"scale": "cubic"}, "linear or log"),
        ({"step": 1}, "from, to, count and scale"),
    ],
)
def test_bad_values_are_refused_with_what_is_accepted(values: Any, accepted: str) -> None:
    """Where a range is given, only what is wrong with it."""
    if isinstance(values, dict):
        values = {"from": 1, "to": 2, "count": 3, **values}
    said = refuse(lambda: make(SMALL, {"epsilon": values}))
    assert said.startswith("epsilon ")
    assert accepted in said


@pytest.mark.parametrize(
    ("text", "field", "accepted"),
    [
        ("{", "The text", "JSON"),
        ("[1]", "The JSON", "an object"),
        ('{"preset": "paper", "preset": "paper"}', "'preset'", "once"),
        ({"grid": ONE}, "The spec", "preset"),
        ({"preset": "paper", "scenario": {}, "grid": ONE}, "The spec", "not both"),
        ({"scenario": 3, "grid": ONE}, "scenario", "an object"),
        (
            {"preset": "paper", "grid": ONE, "secrets": ["year from outsider"]},
            "secrets",
            "week from outsider",
        ),
        ({"scenario": {"epsilon": -1}, "grid": ONE}, "scenario.epsilon", f"{BOUNDS['epsilon'].low:g}"),
        ({"preset": "moon", "grid": ONE}, "preset", "mixed street"),
        ({"preset": "paper"}, "grid", "at least one field"),
        ({"preset": "paper", "grid": [1]}, "grid", "fields"),
        ({"preset": "paper", "grid": {"epsilonn": [1]}}, "epsilonn", "epsilon, "),
        ({"preset": "paper", "grid": {"days": [1, 40]}}, "days", f"{BOUNDS['days'].high}"),
        ({"preset": "paper", "grid": ONE, "days": 0}, "days", f"{PLAN_DAYS.high:,}"),
        ({"preset": "paper", "grid": ONE, "dayz": 3}, "dayz", "grid, days"),
        ({"preset": "paper", "grid": ONE, "\x1b[31m\ud800\u202e": 1}, r"\x1b", "grid, days"),
    ],
)
def test_a_bad_spec_is_refused_with_what_is_accepted(text: Any, field: str, accepted: str) -> None:
    said = refuse(lambda: from_json(text if isinstance(text, str) else json.dumps(text)))
    assert field in said.split(" is ")[0]
    assert accepted in said
    assert said.isprintable()


@pytest.mark.parametrize("count", [MAX_POINTS + 1, 10**15])
def test_too_many_points_are_refused_before_anything_is_allocated(count: int) -> None:
    """A list of so many would be no list."""
    with pytest.raises(ScenarioError, match=f"^grid .*{MAX_POINTS:,}"):
        make(SMALL, {"epsilon": {"from": 1, "to": 2, "count": count}})
    with pytest.raises(ScenarioError, match=f"^grid .*{MAX_POINTS:,}"):
        make(SMALL, dict.fromkeys(("alpha", "beta"), range(40_000)))


def test_bounds_that_only_fit_together_are_swept_together() -> None:
    plan = make(Scenario(), {"groups[0].occupied_min": [2.0], "groups[0].occupied_max": [3.0, 4.0]})
    assert [plan.at(point).groups[0].occupied_max for point in range(len(plan))] == [3.0, 4.0]


def test_a_spec_may_name_the_file_of_a_scenario(tmp_path: Path) -> None:
    """As the lab downloads it."""
    street = PRESETS["feeder"].replace(households=90)
    (tmp_path / "feeder.json").write_text(to_file(street), encoding="utf-8")
    spec = json.dumps({"scenario": "feeder.json", "grid": {"epsilon": [1.0]}})
    assert from_json(spec, folder=tmp_path).scenario == street
    whole = json.dumps({"scenario": json.loads(to_file(street)), "grid": {"epsilon": [1.0]}})
    assert from_json(whole).scenario == street
    with pytest.raises(ScenarioError, match="no file"):
        from_json(spec, folder=tmp_path / "elsewhere")
