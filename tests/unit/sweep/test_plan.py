"""A sweep's spec: what it may say, and one sentence for everything else before anything is allocated."""

import json
import time
import tracemalloc
from typing import Any

import numpy as np
import pytest

from rtp import PRESETS, Scenario, ScenarioError
from rtp.simulation import STREET_FIELDS, draw_day
from rtp.sweep.plan import PLAN_DAYS, from_json, make
from tests.help.sentence import exactly

SMALL = Scenario(households=20)
MIXED = PRESETS["mixed street"]


def test_points_are_the_product_of_the_grid_the_last_field_fastest() -> None:
    plan = make(SMALL, {"beta": [1.0, 2.0], "epsilon": [0.1, 0.2, 0.3]})
    assert len(plan) == 6
    assert [tuple(plan.values(p).values()) for p in range(4)] == [
        (1.0, 0.1),
        (1.0, 0.2),
        (1.0, 0.3),
        (2.0, 0.1),
    ]
    assert plan.at(4) == SMALL.replace(beta=2.0, epsilon=0.2)


def test_ranges_are_linear_or_logarithmic_and_whole_where_the_field_is() -> None:
    plan = make(
        SMALL,
        {
            "epsilon": {"from": 0.01, "to": 1, "count": 3, "scale": "log"},
            "beta": {"from": 1, "to": 2, "count": 3},
            "households": {"from": 1, "to": 4, "count": 50},
        },
    )
    assert plan.grid["epsilon"] == pytest.approx((0.01, 0.1, 1))
    assert plan.grid["beta"] == (1, 1.5, 2)
    assert plan.grid["households"] == (1, 2, 3, 4)
    assert make(SMALL, {"epsilon": {"from": 1, "to": 1, "count": 1}}).grid == {"epsilon": (1,)}


def test_numbers_of_any_kind_become_those_of_the_field() -> None:
    plan = make(SMALL, {"households": np.array([5.0, 6.0]), "epsilon": np.array([1, 2])})
    assert plan.grid == {"households": (5, 6), "epsilon": (1, 2)}
    assert {type(value) for values in plan.grid.values() for value in values} == {int}


def test_a_hundred_days_are_run_unless_others_are_asked_for() -> None:
    spec = {"preset": "paper", "grid": {"epsilon": [1]}}
    assert make(SMALL, {"epsilon": [1]}).days == from_json(json.dumps(spec)).days == 100
    assert from_json(json.dumps({**spec, "days": 7})).days == 7
    assert from_json(json.dumps({**spec, "days": 7}), 8).days == 8
    assert PLAN_DAYS == (1, 1_000_000, "Days at every point")


def test_points_are_grouped_by_what_they_share() -> None:
    plan = make(SMALL, {"epsilon": [1, 2], "households": [5, 9], "beta": [3.0, 4.0]})
    streets = list(plan.streets())
    assert sorted(p for street in streets for batch in street for p in batch) == list(range(8))
    for street in streets:
        assert len({plan.at(p).households for batch in street for p in batch}) == 1
        for batch in street:
            assert len({plan.at(p).replace(epsilon=1.0) for p in batch}) == 1


def test_points_that_share_a_street_live_the_same_day() -> None:
    """Whatever is not in STREET_FIELDS may change freely without changing a byte of the life."""
    scenario = PRESETS["unsure curator"].replace(households=30)
    others: dict[str, Any] = {
        "epsilon": 9.0,
        "alpha": 3.0,
        "beta": 1.0,
        "inelastic_demand": 4.0,
        "elasticity": 2.0,
        "reference_rate": 8.0,
        "naive_bound": "realised",
        "negligible": 0.2,
        "independent_noise": True,
        "clip_at_zero": True,
        "power_unit": "kW",
        "currency": "EUR",
    }
    assert set(others) | STREET_FIELDS | {"version"} == set(Scenario.model_fields)
    life, same = draw_day(scenario), draw_day(scenario.replace(**others))
    np.testing.assert_array_equal(life.demand, same.demand)
    np.testing.assert_array_equal(life.assumed_moments.demand, same.assumed_moments.demand)
    np.testing.assert_array_equal(
        life.support_classes.both_states_possible, same.support_classes.both_states_possible
    )


def test_a_plan_survives_its_own_json() -> None:
    plan = make(PRESETS["mixed street"], {"groups[Office].share": [0.1, 0.4], "assumed_model": [None]}, 7)
    assert from_json(json.dumps(plan.as_dict())) == plan


EPSILON = "epsilon is {}; it must be a number from 0.0001 to 10,000."


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ([], "epsilon has no values; give at least one."),
        (["abc"], EPSILON.format("'abc'")),
        ([-1], EPSILON.format("-1")),
        ("abc", "epsilon has 'abc' for values; give a list, or a range from, to, count."),
        (5, "epsilon has 5 for values; give a list, or a range from, to, count."),
        ([[1]], "epsilon has the value [1]; a number, a word, true, false or null."),
        ([1, 1], "epsilon has a value twice among [1, 1]; give every value once."),
        ({"to": 0.1}, "epsilon has an empty range from 1 to 0.1; from must be below to."),
        ({"to": 1, "count": 2}, "epsilon has an empty range from 1 to 1; from must be below to."),
        ({"from": "a"}, "epsilon has a range from 'a'; it must be a number."),
        ({"from": True}, "epsilon has a range from True; it must be a number."),
        ({"to": None}, "epsilon has a range to None; it must be a number."),
        ({"to": float("inf")}, "epsilon has a range to inf; it must be a number."),
        ({"count": 0}, "epsilon has a range of count 0; it must be a whole number from 1."),
        ({"count": True}, "epsilon has a range of count True; it must be a whole number from 1."),
        ({"count": None}, "epsilon has a range of count None; it must be a whole number from 1."),
        ({"count": 2.5}, "epsilon has a range of count 2.5; it must be a whole number from 1."),
        ({"from": 0, "scale": "log"}, "epsilon has a log range from 0; it must start above 0."),
        ({"scale": "cubic"}, "epsilon has a range of scale 'cubic'; it must be linear or log."),
        ({"step": 1}, "epsilon has 'step' in its range; known are from, to, count and scale."),
        ({"to": 10**20}, "epsilon is 5e+19; it must be a number from 0.0001 to 10,000."),
        (
            {"to": 10**400},
            "epsilon has a range to 100000000000000000...0000000000000000000; it must be a number.",
        ),
        ({"from": -1.7e308, "to": 1.7e308}, EPSILON.format("nan")),
        ([10**20], EPSILON.format("100000000000000000000")),
        (
            {"from": "x" * 100_000},
            "epsilon has a range from 'xxxxxxxxxxxx...xxxxxxxxxxxxx'; it must be a number.",
        ),
        (
            "x" * 100_000,
            "epsilon has 'xxxxxxxxxxxx...xxxxxxxxxxxxx' for values; give a list, or a range from, to, count.",
        ),
    ],
)
def test_bad_values_get_one_sentence(values: Any, sentence: str) -> None:
    """Where a range is given, only what is wrong with it."""
    if isinstance(values, dict):
        values = {"from": 1, "to": 2, "count": 3, **values}
    with pytest.raises(ScenarioError) as refused:
        make(SMALL, {"epsilon": values})
    assert str(refused.value) == sentence


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        (
            {"grid": {"epsilonn": [1]}},
            "epsilonn names 'epsilonn', which is no field of Scenario; known are "
            f"{', '.join(Scenario.model_fields)}.",
        ),
        ({"grid": {}}, "grid is empty; name at least one field and its values."),
        ({}, "grid is empty; name at least one field and its values."),
        ({"grid": [1]}, "grid is [1]; it must give fields their values."),
        ({"grid": {"days": [1, 40]}}, "days is 40; it must be a whole number from 1 to 31."),
        ({"grid": {"epsilon": [1]}, "days": 0}, "days is 0; it must be a whole number from 1 to 1,000,000."),
        (
            {"grid": {"epsilon": [1]}, "days": True},
            "days is True; it must be a whole number from 1 to 1,000,000.",
        ),
        (
            {"grid": {"epsilon": [1]}, "dayz": 3},
            "dayz is not part of a sweep's spec; known are preset, scenario, grid and days.",
        ),
        (
            {"preset": "moon", "grid": {"epsilon": [1]}},
            f"preset is 'moon'; it must be one of {', '.join(PRESETS)}.",
        ),
        (
            {"scenario": {}, "grid": {"epsilon": [1]}},
            'The spec needs a "scenario" or the name of a "preset", and not both.',
        ),
    ],
)
def test_a_bad_spec_gets_one_sentence(spec: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ScenarioError) as refused:
        from_json(json.dumps({"preset": "paper", **spec}))
    assert str(refused.value) == sentence


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "{",
            "The text is not JSON that can be read: Expecting property name enclosed in double quotes: "
            "line 1 column 2 (char 1).",
        ),
        ("[1]", "The JSON is [1]; it must be an object."),
        (
            '{"grid": {"epsilon": [1]}}',
            'The spec needs a "scenario" or the name of a "preset", and not both.',
        ),
        ('{"scenario": 3, "grid": {"epsilon": [1]}}', "scenario is 3; it must be an object."),
        (
            '{"scenario": {"epsilon": -1}, "grid": {"epsilon": [1]}}',
            f"scenario.{EPSILON.format('-1')}",
        ),
        (
            '{"preset": "paper", "preset": "paper", "grid": {"epsilon": [1]}}',
            "'preset' appears twice in one JSON object; it must appear once.",
        ),
    ],
)
def test_text_that_is_no_spec_gets_one_sentence(text: str, sentence: str) -> None:
    with pytest.raises(ScenarioError) as refused:
        from_json(text)
    assert str(refused.value) == sentence


@pytest.mark.parametrize("length", [100, 100_000])
@pytest.mark.parametrize(
    "key", ["a{}", "groups[{}].share", "groups[0{}].share", "models[0].{}", "epsilon.{}", "{}\n"]
)
def test_a_long_address_is_refused_in_a_short_sentence(key: str, length: int) -> None:
    for filler in ("a", "0"):
        with pytest.raises(ScenarioError) as refused:
            make(MIXED, {key.format(filler * length): [1]})
        assert len(str(refused.value)) < 600


def test_control_characters_are_told_and_not_obeyed() -> None:
    red = "\x1b[31m\x00\ud800\u202e"
    for spec in (
        {"grid": {f"groups[{red[0]}].share": [1]}},
        {"grid": {"epsilon": [1]}, red: 1},
        {"preset": red},
    ):
        with pytest.raises(ScenarioError) as refused:
            from_json(json.dumps({"preset": "paper", **spec}))
        assert str(refused.value).isprintable()
        assert "\\x1b" in str(refused.value)


def test_two_shares_are_run_as_they_are_labelled() -> None:
    plan = make(MIXED, {"groups[Office].share": [0.1, 0.5], "groups[1].share": [0.3, 0.5]})
    shares = [[group.share for group in plan.at(point).groups] for point in range(len(plan))]
    assert shares == [
        pytest.approx(expected)
        for expected in ([0.1, 0.3, 0.6], [0.1, 0.5, 0.4], [0.5, 0.3, 0.2], [0.5, 0.5, 0.0])
    ]
    for point, found in enumerate(shares):
        assert found[:2] == list(plan.values(point).values())


OFFICE, HOME, SHIFT = (f"groups[{i}].share" for i in range(3))


@pytest.mark.parametrize(
    ("grid", "sentence"),
    [
        (
            {OFFICE: [0.1, 1.0], HOME: [0.3, 1.0]},
            f"With {OFFICE} = 0.1 and {HOME} = 1.0, groups have shares that sum to 1.1; they must sum to 1.",
        ),
        (
            {OFFICE: [0.1], HOME: [0.3], SHIFT: [0.5]},
            f"With {OFFICE} = 0.1 and {HOME} = 0.3 and {SHIFT} = 0.5, groups have shares that sum to 0.9; "
            "they must sum to 1.",
        ),
        ({OFFICE: [0.1], HOME: [3.0]}, f"{HOME} is 3.0; it must be a number from 0 to 1."),
        (
            {OFFICE: [0.1], "groups[Office].share": [0.3]},
            f"groups[Office].share names the same field as {OFFICE}; give it once.",
        ),
        (
            {"models[0].habits[0].periods[Work].leave": [0.1], "models[0].habits[0].periods[1].leave": [0.2]},
            "models[0].habits[0].periods[1].leave names the same field as "
            "models[0].habits[0].periods[Work].leave; give it once.",
        ),
        ({"version": [1]}, "version is 1; it would be run as 2 instead."),
    ],
)
def test_what_cannot_be_run_as_labelled_is_refused(grid: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ScenarioError) as refused:
        make(MIXED, grid)
    assert str(refused.value) == sentence


def test_values_that_do_not_go_together_are_refused_before_anything_runs() -> None:
    period = "models[0].habits[0].periods[0]"
    root = SMALL.replace(conversion="root", models=(put_low(SMALL),))
    with pytest.raises(ScenarioError) as refused:
        make(root, {f"{period}.leave": [0.1, 0.7], f"{period}.arrive": [0.2, 0.7]})
    assert str(refused.value) == (
        f"With {period}.arrive = 0.7, {period}.matrix has leave + arrive = 1.4; over 4 steps it has no "
        "stochastic matrix root, which a sum of at most 1 always has."
    )


def put_low(scenario: Scenario) -> Any:
    """The model with chances so low that every matrix root exists."""
    from rtp.scenario.fields import put

    for p in range(4):
        for name in ("leave", "arrive"):
            scenario = put(scenario, f"models[0].habits[0].periods[{p}].{name}", 0.2)
    return scenario.models[0]


MANY = "grid has {} points; at most 100,000 are run."


@pytest.mark.parametrize(
    ("count", "told"),
    [(10**9, "1,000,000,000"), (10**15 - 1, "999,999,999,999,999"), (10**15, "far too many")],
)
def test_a_billion_points_are_refused_before_anything_is_allocated(count: int, told: str) -> None:
    tracemalloc.start()
    start = time.perf_counter()
    for grid, sentence in (
        ({"epsilon": {"from": 1, "to": 2, "count": count}}, MANY.format(told)),
        (dict.fromkeys(("alpha", "beta"), range(40_000)), MANY.format("1,600,000,000")),
    ):
        with pytest.raises(ScenarioError, match=exactly(sentence)):
            make(SMALL, grid)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 100_000
    assert time.perf_counter() - start < 1


def test_as_many_points_are_run_as_are_said_to_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rtp.sweep.plan.MAX_POINTS", 4)
    assert len(make(SMALL, {"alpha": [1, 2], "beta": [1, 2]})) == 4
    with pytest.raises(ScenarioError, match=exactly("grid has 5 points; at most 4 are run.")):
        make(SMALL, {"alpha": range(1, 6)})
