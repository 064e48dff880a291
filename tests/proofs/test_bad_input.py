"""What a scenario refuses: always one sentence that names the field, its value and what is allowed."""

import json
import math
import pickle
import re
from typing import Any

import pytest

from rtp import PRESETS, Group, Habits, OccupancyModel, Period, Scenario, ScenarioError
from rtp.scenario import BOUNDS, MAX_GROUPS, MAX_JSON_BYTES, MAX_MODELS, PAPER_PERIODS, period
from rtp.scenario.bounds import SCENARIO_VERSION

NAN, INF = math.nan, math.inf
ROWS = ((0.5, 0.5), (0.5, 0.5))


def refuse(make: Any) -> str:
    """The sentence with which something is refused, after checking that it is exactly one."""
    with pytest.raises(ScenarioError) as caught:
        make()
    sentence = str(caught.value)
    assert sentence.endswith(".")
    assert "\n" not in sentence
    assert not re.search(r"[.!?]\s+[A-Z]", sentence), "more than one sentence"
    assert len(sentence) < 600
    assert sentence == f"{caught.value.path} {caught.value.problem}"
    return sentence


def allowed(name: str) -> tuple[str, str]:
    """The two ends of a field's range, as a sentence writes them."""
    return f"{BOUNDS[name].low:,g}", f"{BOUNDS[name].high:,.10g}"


SCENARIO_NUMBERS: dict[str, list[Any]] = {
    "households": [0, -1, 10_000_001, 10**400, 1.5, 1000.0, True, "1000", None, NAN, INF, -INF],
    "days": [0, -1, 32, 1.5, True, "1", NAN, INF],
    "epsilon": [0, 0.0, -0.5, 1e-5, 1e5, NAN, INF, -INF, True, "0.5", None, [0.5], 10**400],
    "alpha": [0, 0.0, -1.0, NAN, INF, -INF, "1", True, 1e7],
    "beta": [-1e-9, -62.5, NAN, INF, -INF, "62.5", 1e7],
    "inelastic_demand": [-1.0, NAN, INF, 1e10],
    "elasticity": [-0.1, 5.1, NAN, INF],
    "reference_rate": [0.0, -1.0, NAN, INF, "62.5"],
    "habit_spread": [-0.01, 0.51, NAN, INF],
    "seed": [-1, 2**31, 1.5, NAN, True, "7"],
    "version": [0, SCENARIO_VERSION + 1, 1.0, "1", None],
}


@pytest.mark.parametrize(
    ("name", "value"), [(name, value) for name, values in SCENARIO_NUMBERS.items() for value in values]
)
def test_a_number_outside_its_range_is_refused(name: str, value: Any) -> None:
    sentence = refuse(lambda: Scenario(**{name: value}))
    low, high = allowed(name)
    shown = repr(value) if len(repr(value)) < 40 else repr(value)[:15]
    assert sentence.startswith(f"{name} is {shown}")
    assert f"from {low} to {high}" in sentence
    assert ("whole number" in sentence) == isinstance(BOUNDS[name].low, int)


@pytest.mark.parametrize("name", ["share", "occupied_max", "empty_max"])
@pytest.mark.parametrize("value", [-0.1, NAN, INF, -INF, "1", True, 1e7])
def test_a_group_refuses_what_is_out_of_range(name: str, value: Any) -> None:
    sentence = refuse(lambda: Scenario.from_json(json.dumps({"groups": [{name: value}]})))
    low, high = allowed(name)
    assert sentence == f"groups[0].{name} is {value!r}; it must be a number from {low} to {high}."


def test_a_group_that_can_use_nothing_when_occupied_is_refused() -> None:
    assert refuse(lambda: Group(occupied_max=0.0)).startswith(
        "occupied_max is 0.0; it must be a number from 1e-06"
    )


@pytest.mark.parametrize("value", [-0.01, 1.01, NAN, INF, -INF, "0.5", None, True])
@pytest.mark.parametrize(("row", "column"), [(0, 0), (0, 1), (1, 0), (1, 1)])
def test_a_probability_outside_0_to_1_is_refused(value: Any, row: int, column: int) -> None:
    matrix: list[list[Any]] = [[0.5, 0.5], [0.5, 0.5]]
    matrix[row][column] = value
    part = {"name": "Morning", "start": 7.0, "matrix": matrix}
    text = json.dumps({"models": [{"habits": [{"periods": [part] * 4}]}]})
    path = f"models[0].habits[0].periods[0].matrix[{row}][{column}]"
    assert (
        refuse(lambda: Scenario.from_json(text)) == f"{path} is {value!r}; it must be a number from 0 to 1."
    )


@pytest.mark.parametrize("value", [-0.01, 1.01, NAN, INF, "0.5", None])
def test_a_start_that_is_no_probability_is_refused(value: Any) -> None:
    sentence = refuse(lambda: Habits(initial_occupied=value))
    assert sentence == f"initial_occupied is {value!r}; it must be a number from 0 to 1."


@pytest.mark.parametrize(
    ("row", "rows"),
    [(0, ((0.5, 0.6), (0.5, 0.5))), (1, ((0.5, 0.5), (0.4, 0.5))), (0, ((0.0, 0.0), (1.0, 0.0)))],
)
def test_rows_that_do_not_sum_to_one_are_refused(row: int, rows: tuple[tuple[float, float], ...]) -> None:
    sentence = refuse(lambda: Period(name="Noon", start=8.0, matrix=rows))
    assert sentence.startswith(f"matrix[{row}] is {list(rows[row])}, which sums to {sum(rows[row]):g}")
    assert "must sum to 1" in sentence


@pytest.mark.parametrize(
    "matrix", [((0.5, 0.5),), ((0.5, 0.5), (1.0,)), ((0.2, 0.3, 0.5), (0.5, 0.5)), 5, "ab"]
)
def test_a_matrix_of_another_shape_is_refused(matrix: Any) -> None:
    assert refuse(lambda: Period(name="Noon", start=8.0, matrix=matrix)).startswith("matrix")


@pytest.mark.parametrize("start", [-0.25, 24.0, NAN, INF, "7"])
def test_a_period_outside_the_day_is_refused(start: Any) -> None:
    sentence = refuse(lambda: Period(name="Noon", start=start, matrix=ROWS))
    assert sentence == f"start is {start!r}; it must be a number from 0 to 23.75."


def test_a_period_off_the_quarter_hour_is_refused() -> None:
    assert refuse(lambda: Period(name="Noon", start=7.1, matrix=ROWS)).startswith(
        "start is 7.1; it must be a whole"
    )


def _at(*starts: float) -> tuple[Period, ...]:
    return tuple(period(f"P{i}", start, leave=0.5, arrive=0.5) for i, start in enumerate(starts))


@pytest.mark.parametrize(
    "starts", [(7, 7, 16, 23), (8, 7, 16, 23), (7, 8, 16, 16), (23, 16, 8, 7), (7, 16, 8, 23)]
)
def test_periods_that_overlap_or_leave_a_gap_are_refused(starts: tuple[float, ...]) -> None:
    sentence = refuse(lambda: Habits(periods=_at(*starts)))
    assert sentence.startswith(f"periods start at {[float(s) for s in starts]}")
    assert "neither overlap nor leave a gap" in sentence


@pytest.mark.parametrize("count", [0, 1, 3, 5])
def test_another_number_of_periods_is_refused(count: int) -> None:
    sentence = refuse(lambda: Habits(periods=_at(*range(count))))
    assert sentence.startswith("periods is")
    assert "4 items" in sentence


def test_shares_that_do_not_sum_to_one_are_refused() -> None:
    half = (Group(name="A", share=0.5), Group(name="B", share=0.4))
    model = OccupancyModel(habits=(Habits(), Habits()))
    assert refuse(lambda: Scenario(groups=half, models=(model,))) == (
        "groups have shares that sum to 0.9; they must sum to 1."
    )


def test_names_used_twice_are_refused() -> None:
    twins = (Group(name="A", share=0.5), Group(name="A", share=0.5))
    model = OccupancyModel(habits=(Habits(), Habits()))
    assert "groups are named ['A', 'A']" in refuse(lambda: Scenario(groups=twins, models=(model,)))
    assert "models are named" in refuse(lambda: Scenario(models=(OccupancyModel(), OccupancyModel())))


def test_habits_that_do_not_match_the_groups_are_refused() -> None:
    wrong = OccupancyModel(name="Wrong", habits=(Habits(), Habits()))
    sentence = refuse(lambda: Scenario(models=(OccupancyModel(), wrong)))
    assert sentence == "models[1].habits has 2 entries; it must have one for each of the 1 groups."


def test_an_assumed_model_nobody_described_is_refused() -> None:
    sentence = refuse(lambda: Scenario(assumed_model="Martians"))
    assert sentence == "assumed_model is 'Martians'; it must be empty or one of ['As published']."


def test_a_root_that_does_not_exist_is_refused() -> None:
    sentence = refuse(lambda: Scenario(conversion="root"))
    assert sentence.startswith("models[0].habits[0].periods[0].matrix has leave + arrive = 1.03;")
    assert "at most 1" in sentence


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("habit_clip", ["interior", "closed"]),
        ("conversion", ["geometric", "root"]),
        ("naive_bound", ["nominal", "realised"]),
    ],
)
@pytest.mark.parametrize("value", ["other", 1, None, ["interior"]])
def test_a_choice_that_is_not_offered_is_refused(name: str, options: list[str], value: Any) -> None:
    sentence = refuse(lambda: Scenario(**{name: value}))
    assert sentence.startswith(f"{name} is {value!r}")
    assert all(f"'{option}'" in sentence for option in options)


@pytest.mark.parametrize("name", ["independent_noise", "clip_at_zero"])
@pytest.mark.parametrize("value", [1, "true", None])
def test_a_switch_that_is_neither_on_nor_off_is_refused(name: str, value: Any) -> None:
    sentence = refuse(lambda: Scenario(**{name: value}))
    assert sentence.startswith(f"{name} is {value!r}")
    assert "boolean" in sentence


@pytest.mark.parametrize("value", ["", "x" * 41, 5, "=cmd()", "<b>", "a\nb", "_a", "\ud800"])
def test_a_name_that_could_do_harm_is_refused(value: Any) -> None:
    assert refuse(lambda: Group(name=value)).startswith("name is ")


def test_too_many_groups_or_models_are_refused() -> None:
    groups = tuple(Group(name=f"G{i}", share=1 / (MAX_GROUPS + 1)) for i in range(MAX_GROUPS + 1))
    assert f"at most {MAX_GROUPS}" in refuse(lambda: Scenario(groups=groups))
    models = tuple(OccupancyModel(name=f"M{i}") for i in range(MAX_MODELS + 1))
    assert f"at most {MAX_MODELS}" in refuse(lambda: Scenario(models=models))
    assert refuse(lambda: Scenario(groups=())).startswith("groups is ()")


@pytest.mark.parametrize("key", ["epsilonn", "self", "path", "__class__", "x" * 900_000, "a\nb", "a. b", ""])
def test_an_unknown_key_is_refused_by_name(key: str) -> None:
    sentence = refuse(lambda: Scenario.from_json(json.dumps({key: 1})))
    assert "is not a field of Scenario; known are version, households" in sentence
    if key.isidentifier() and len(key) < 40:
        assert sentence.startswith(f"{key} ")
    if len(key) < 900_000:
        refuse(lambda: PRESETS["paper"].replace(**{key: 1}))


def test_an_unknown_key_deep_inside_is_refused_with_its_path() -> None:
    text = json.dumps({"models": [{"habits": [{}, {"startt": 1}]}]})
    assert refuse(lambda: Scenario.from_json(text)).startswith(
        "models[0].habits[1].startt is not a field of Habits"
    )


def test_a_key_that_is_no_text_is_refused() -> None:
    assert refuse(lambda: Scenario.from_json('{"\\ud800": 1}')).startswith("A key is '\\ud800'")


def test_a_missing_field_is_named() -> None:
    sentence = refuse(lambda: Scenario.from_json('{"models": [{"habits": [{"periods": [{"name": "A"}]}]}]}'))
    assert sentence == "models[0].habits[0].periods[0].start is missing from Period."


@pytest.mark.parametrize("name", ["groups", "models"])
@pytest.mark.parametrize("value", [5, "abc", {"a": 1}, None, [5], ["abc"], [[]]])
def test_wrong_types_are_refused(name: str, value: Any) -> None:
    assert refuse(lambda: Scenario.from_json(json.dumps({name: value}))).startswith(f"{name}")


@pytest.mark.parametrize(
    "text",
    ["", "{", "nonsense", "[" * 100_000, b"\xff\xfe\xfd", '{"seed": ' + "9" * 5000 + "}", "{'a': 1}"],
    ids=["nothing", "cut", "words", "nested", "bytes", "digits", "quotes"],
)
def test_text_that_is_not_json_is_refused(text: str | bytes) -> None:
    assert refuse(lambda: Scenario.from_json(text)).startswith("The text is not JSON that can be read: ")


@pytest.mark.parametrize("text", ["[]", "5", '"abc"', "null", "NaN", "true"])
def test_json_that_is_no_object_is_refused(text: str) -> None:
    sentence = refuse(lambda: Scenario.from_json(text))
    assert sentence.startswith("The JSON is ")
    assert "must be an object" in sentence


def test_json_of_megabytes_is_refused_unread() -> None:
    text = '{"seed": 1}' + " " * MAX_JSON_BYTES
    assert refuse(lambda: Scenario.from_json(text)) == (
        f"The file has {len(text):,} bytes; at most {MAX_JSON_BYTES:,} are read."
    )
    assert "bytes" in refuse(lambda: Scenario.from_json(text.encode()))
    assert "bytes" in refuse(lambda: Scenario.from_json("é" * (MAX_JSON_BYTES // 2 + 1)))


def test_a_key_given_twice_is_refused() -> None:
    sentence = refuse(lambda: Scenario.from_json('{"epsilon": 0.5, "epsilon": 5.0}'))
    assert sentence == "'epsilon' appears twice in one JSON object; it must appear once."


def test_json_from_a_newer_version_is_refused_even_with_fields_we_do_not_know() -> None:
    sentence = refuse(lambda: Scenario.from_json(json.dumps({"version": SCENARIO_VERSION + 1, "quilt": {}})))
    assert (
        sentence
        == f"version is {SCENARIO_VERSION + 1}, newer than this lab; it reads versions 1 to {SCENARIO_VERSION}."
    )


def test_a_copy_is_validated_too() -> None:
    assert refuse(lambda: Scenario().replace(epsilon=-1.0)).startswith("epsilon is -1.0;")
    assert refuse(lambda: PAPER_PERIODS[0].replace(start=24.0)).startswith("start is 24.0;")


def test_a_refusal_survives_the_way_between_processes() -> None:
    error = pickle.loads(pickle.dumps(ScenarioError("epsilon", "is 0.")))
    assert (error.path, error.problem, str(error)) == ("epsilon", "is 0.", "epsilon is 0.")
