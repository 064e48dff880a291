"""What a scenario refuses: always one sentence that names the field, its value and what is allowed."""

import json
import math
import pickle
import reprlib
from typing import Any

import pytest

from rtp import Group, Habits, House, OccupancyModel, Period, Scenario, ScenarioError
from rtp.scenario import BOUNDS, MAX_GROUPS, MAX_MODELS, PAPER_PERIODS, period
from rtp.scenario.validation import SCENARIO_VERSION
from tests.help.sentence import NO_TEXT, refuse

NAN, INF = math.nan, math.inf

ROWS = ((0.5, 0.5), (0.5, 0.5))


ALLOWED = {
    "households": "1 to 10,000,000",
    "days": "1 to 31",
    "epsilon": "0.0001 to 10,000",
    "negligible": "0 to 0.5",
    "alpha": "1e-06 to 1,000,000",
    "beta": "0 to 1,000,000",
    "inelastic_demand": "0 to 1,000,000,000",
    "elasticity": "0 to 5",
    "reference_rate": "1e-06 to 1e+12",
    "habit_spread": "0 to 0.5",
    "seed": "0 to 2,147,483,647",
    "version": "1 to 2",
    "share": "0 to 1",
    "occupied_max": "1e-06 to 1,000,000",
    "empty_max": "0 to 1,000,000",
    "occupied_min": "0 to 1,000,000",
    "empty_min": "0 to 1,000,000",
}


SCENARIO_NUMBERS: dict[str, list[Any]] = {
    "households": [0, -1, 10_000_001, 10**400, 1.5, 1000.0, True, "1000", None, NAN, INF, -INF],
    "days": [0, -1, 32, 1.5, True, "1", NAN, INF],
    "epsilon": [0, 0.0, -0.5, 1e-5, 1e5, NAN, INF, -INF, True, "0.5", None, [0.5], 10**400],
    "alpha": [0, 0.0, -1.0, NAN, INF, -INF, "1", True, 1e7],
    "beta": [-1e-9, -62.5, NAN, INF, -INF, "62.5", 1e7],
    "inelastic_demand": [-1.0, NAN, INF, 1e10],
    "negligible": [-0.01, 0.51, NAN, INF],
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
    shown = repr(value) if len(repr(value)) < 40 else f"{repr(value)[:18]}...{repr(value)[-19:]}"
    kind = "whole number" if isinstance(BOUNDS[name].low, int) else "number"
    assert sentence == f"{name} is {shown}; it must be a {kind} from {ALLOWED[name]}."


@pytest.mark.parametrize("name", ["share", "occupied_max", "empty_max", "occupied_min", "empty_min"])
@pytest.mark.parametrize("value", [-0.1, NAN, INF, -INF, "1", True, 1e7])
def test_a_group_refuses_what_is_out_of_range(name: str, value: Any) -> None:
    sentence = refuse(lambda: Scenario.from_json(json.dumps({"groups": [{name: value}]})))
    assert sentence == f"groups[0].{name} is {value!r}; it must be a number from {ALLOWED[name]}."


@pytest.mark.parametrize("name", ["occupied", "empty"])
@pytest.mark.parametrize(
    ("value", "problem"),
    [
        (-0.1, "greater than or equal to 0."),
        (NAN, "a finite number."),
        (1_000_001.0, "less than or equal to 1000000."),
    ],
)
def test_a_house_refuses_what_is_out_of_range(name: str, value: float, problem: str) -> None:
    bounds = {"occupied": 1.0, "empty": 0.5, name: value}
    sentence = refuse(lambda: House(name="A", group="B", **bounds))
    assert sentence == f"{name} is {value!r}; input should be {problem}"


def test_a_group_that_can_use_nothing_when_occupied_is_refused() -> None:
    assert refuse(lambda: Group(occupied_max=0.0)) == (
        "occupied_max is 0.0; it must be a number from 1e-06 to 1,000,000."
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
    assert sentence == (
        f"matrix[{row}] is {list(rows[row])}, which sums to {sum(rows[row]):g}; a row must sum to 1."
    )


@pytest.mark.parametrize(
    ("matrix", "sentence"),
    [
        (((0.5, 0.5),), "matrix[1] is missing from Period."),
        (((0.5, 0.5), (1.0,)), "matrix[1][1] is missing from Period."),
        (
            ((0.2, 0.3, 0.5), (0.5, 0.5)),
            "matrix[0] is (0.2, 0.3, 0.5); tuple should have at most 2 items after validation, not 3.",
        ),
        (5, "matrix is 5; input should be a valid tuple."),
        ("ab", "matrix is 'ab'; input should be a valid tuple."),
    ],
)
def test_a_matrix_of_another_shape_is_refused(matrix: Any, sentence: str) -> None:
    assert refuse(lambda: Period(name="Noon", start=8.0, matrix=matrix)) == sentence


@pytest.mark.parametrize("start", [-0.25, 24.0, NAN, INF, "7"])
def test_a_period_outside_the_day_is_refused(start: Any) -> None:
    sentence = refuse(lambda: Period(name="Noon", start=start, matrix=ROWS))
    assert sentence == f"start is {start!r}; it must be a number from 0 to 23.75."


def test_a_start_on_a_step_may_be_cut_to_eight_digits() -> None:
    assert Period(name="Noon", start=7.08333333, matrix=ROWS).first_step(5) == 85
    assert refuse(lambda: Period(name="Noon", start=7.0833333, matrix=ROWS)) == (
        "start is 7.0833333; it must be a whole multiple of 5 minutes."
    )


def test_a_period_off_every_step_is_refused() -> None:
    assert refuse(lambda: Period(name="Noon", start=7.12, matrix=ROWS)) == (
        "start is 7.12; it must be a whole multiple of 5 minutes."
    )


def _at(*starts: float) -> tuple[Period, ...]:
    return tuple(period(f"P{i}", start, leave=0.5, arrive=0.5) for i, start in enumerate(starts))


@pytest.mark.parametrize(
    "starts", [(7, 7, 16, 23), (8, 7, 16, 23), (7, 8, 16, 16), (23, 16, 8, 7), (7, 16, 8, 23)]
)
def test_periods_that_overlap_or_leave_a_gap_are_refused(starts: tuple[float, ...]) -> None:
    sentence = refuse(lambda: Habits(periods=_at(*starts)))
    assert sentence == (
        f"periods start at {[float(s) for s in starts]}; each must start after the one before, "
        "so that they neither overlap nor leave a gap."
    )


@pytest.mark.parametrize(("count", "bound"), [(0, "at least 1 item"), (25, "at most 24 items")])
def test_another_number_of_periods_is_refused(count: int, bound: str) -> None:
    periods = tuple(period(f"P{i}", i / 2, leave=0.1, arrive=0.1) for i in range(count))
    assert refuse(lambda: Habits(periods=periods)) == (
        f"periods is {reprlib.repr(periods)}; tuple should have {bound} after validation, not {count}."
    )


def test_shares_that_do_not_sum_to_one_are_refused() -> None:
    half = (Group(name="A", share=0.5), Group(name="B", share=0.4))
    model = OccupancyModel(habits=(Habits(), Habits()))
    assert refuse(lambda: Scenario(groups=half, models=(model,))) == (
        "groups have shares that sum to 0.9; they must sum to 1."
    )


def test_names_used_twice_are_refused() -> None:
    twins = (Group(name="A", share=0.5), Group(name="A", share=0.5))
    model = OccupancyModel(habits=(Habits(), Habits()))
    assert refuse(lambda: Scenario(groups=twins, models=(model,))) == (
        "groups are named ['A', 'A']; each name may be used once."
    )
    assert refuse(lambda: Scenario(models=(OccupancyModel(), OccupancyModel()))) == (
        "models are named ['As published', 'As published']; each name may be used once."
    )


def test_habits_that_do_not_match_the_groups_are_refused() -> None:
    wrong = OccupancyModel(name="Wrong", habits=(Habits(), Habits()))
    sentence = refuse(lambda: Scenario(models=(OccupancyModel(), wrong)))
    assert sentence == "models[1].habits has 2 entries; it must have one for each of the 1 groups."


def test_an_assumed_model_nobody_described_is_refused() -> None:
    sentence = refuse(lambda: Scenario(assumed_model="Martians"))
    assert sentence == "assumed_model is 'Martians'; it must be empty or one of ['As published']."


def test_a_root_that_does_not_exist_is_refused() -> None:
    sentence = refuse(lambda: Scenario(conversion="root"))
    assert sentence == (
        "models[0].habits[0].periods[0].matrix has leave + arrive = 1.03; "
        "over 4 steps it has no stochastic matrix root, which a sum of at most 1 always has."
    )


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("habit_clip", "'interior' or 'closed'"),
        ("conversion", "'geometric' or 'root'"),
        ("naive_bound", "'nominal' or 'realised'"),
    ],
)
@pytest.mark.parametrize("value", ["other", 1, None, ["interior"]])
def test_a_choice_that_is_not_offered_is_refused(name: str, options: str, value: Any) -> None:
    assert refuse(lambda: Scenario(**{name: value})) == f"{name} is {value!r}; input should be {options}."


@pytest.mark.parametrize("name", ["independent_noise", "clip_at_zero"])
@pytest.mark.parametrize("value", [1, "true", None])
def test_a_switch_that_is_neither_on_nor_off_is_refused(name: str, value: Any) -> None:
    sentence = refuse(lambda: Scenario(**{name: value}))
    assert sentence == f"{name} is {value!r}; input should be a valid boolean."


ALPHABET = "it must start with a letter or digit and use only letters, digits, spaces and ' ( ) . , & / + -."


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ("", ALPHABET),
        ("x" * 41, "string should have at most 40 characters."),
        (5, "input should be a valid string."),
        ("=cmd()", ALPHABET),
        ("<b>", ALPHABET),
        ("a\nb", ALPHABET),
        ("_a", ALPHABET),
        ("\ud800", NO_TEXT),
    ],
)
def test_a_name_that_could_do_harm_is_refused(value: Any, problem: str) -> None:
    assert refuse(lambda: Group(name=value)) == f"name is {reprlib.repr(value)}; {problem}"


def test_too_many_groups_or_models_are_refused() -> None:
    groups = tuple(Group(name=f"G{i}", share=1 / (MAX_GROUPS + 1)) for i in range(MAX_GROUPS + 1))
    many = "tuple should have at most 8 items after validation, not 9."
    assert MAX_GROUPS == MAX_MODELS == 8
    assert refuse(lambda: Scenario(groups=groups)) == f"groups is {reprlib.repr(groups)}; {many}"
    models = tuple(OccupancyModel(name=f"M{i}") for i in range(MAX_MODELS + 1))
    assert refuse(lambda: Scenario(models=models)) == f"models is {reprlib.repr(models)}; {many}"
    none = "tuple should have at least 1 item after validation, not 0."
    assert refuse(lambda: Scenario(groups=())) == f"groups is (); {none}"
    assert refuse(lambda: Scenario(models=())) == f"models is (); {none}"


def test_a_copy_is_validated_too() -> None:
    assert refuse(lambda: Scenario().replace(epsilon=-1.0)) == (
        "epsilon is -1.0; it must be a number from 0.0001 to 10,000."
    )
    assert refuse(lambda: PAPER_PERIODS[0].replace(start=24.0)) == (
        "start is 24.0; it must be a number from 0 to 23.75."
    )


def test_a_refusal_survives_the_way_between_processes() -> None:
    error = pickle.loads(pickle.dumps(ScenarioError("epsilon", "is 0.")))
    assert (error.path, error.problem, str(error)) == ("epsilon", "is 0.", "epsilon is 0.")
