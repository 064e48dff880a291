"""Changes that keep a scenario whole."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rtp import PRESETS, Habits, OccupancyModel, Period, Scenario
from rtp.core.time import STEPS_PER_DAY, WEEKDAYS
from rtp.scenario import MAX_GROUPS, PAPER_PERIODS, edit, fields, period
from rtp.scenario.habits import HOME, UP, complement, moves, restated_probabilities, step_probabilities
from tests.help.strategies import chances

chance = st.floats(0, 1)
MIXED = PRESETS["mixed street"]


def _of_one(*parts: Period, **changes: object) -> Scenario:
    return Scenario().replace(models=(OccupancyModel(habits=(Habits(periods=parts),)),), **changes)


@given(chance, st.integers(0, 1), st.integers(0, 1))
def test_setting_an_entry_sets_its_complement_only(value: float, row: int, column: int) -> None:
    part = period("Noon", 8.0, leave=0.3, arrive=0.4)
    edited = edit.set_entry(part, row, column, value)
    assert edited.matrix[row][column] == value
    assert sum(edited.matrix[row]) == pytest.approx(1, abs=1e-9)
    assert edited.matrix[1 - row] == part.matrix[1 - row]
    assert (complement(value) == 0, complement(value) == 1) == (1 - value == 0, 1 - value == 1)


@given(chances(), chances(), st.integers(1, STEPS_PER_DAY - 3))
def test_the_other_basis_says_the_same(leave: float, arrive: float, steps: int) -> None:
    """And rounding makes nothing certain or impossible: 1 − 0.1⁹⁰ rounds to 1."""
    stated = period("Noon", 8.0, leave=leave, arrive=arrive)
    per_step = step_probabilities(stated, steps)
    np.testing.assert_allclose(restated_probabilities(*per_step, steps), (leave, arrive), rtol=1e-12)
    restated = edit.set_basis(stated, steps, "step")
    assert step_probabilities(restated, steps) == (restated.leave, restated.arrive), "taken as it is"
    assert (restated.leave, restated.arrive) == pytest.approx(per_step, abs=1e-15)
    there_and_back = edit.set_basis(restated, steps, "period")
    assert there_and_back.leave == pytest.approx(leave, abs=1e-9)
    others = there_and_back, edit.set_basis(stated.replace(basis="step"), steps, "period")
    for moves_of in (per_step, *((other.leave, other.arrive) for other in others)):
        for before, after in zip((leave, arrive), moves_of, strict=True):
            assert (after == 0, after == 1) == (before == 0, before == 1)


acts = st.tuples(st.sampled_from(["add", "remove", "weigh"]), st.integers(0, 7), st.floats(0, 1))


@given(st.lists(acts, max_size=12))
def test_shares_sum_to_one_whatever_is_done_to_groups(actions: list[tuple[str, int, float]]) -> None:
    scenario = MIXED
    for action, index, share in actions:
        index %= len(scenario.groups)
        if action == "add" and len(scenario.groups) < MAX_GROUPS:
            scenario = edit.add_group(scenario, index)
        elif action == "remove" and len(scenario.groups) > 1:
            scenario = edit.remove_group(scenario, index)
        elif len(scenario.groups) > 1:
            scenario = fields.put(scenario, f"groups[{index}].share", share)
            assert scenario.groups[index].share == pytest.approx(share)
    assert sum(g.share for g in scenario.groups) == pytest.approx(1, abs=1e-9)
    assert all(len(m.habits) == len(scenario.groups) for m in scenario.models)


def test_a_period_that_fits_no_step_begins_with_the_nearest() -> None:
    parts = [
        period(name, start, leave=0.5, arrive=0.5) for name, start in (("A", 7.25), ("B", 8.5), ("C", 23.75))
    ]
    hourly = edit.set_step_minutes(_of_one(*parts), 60)
    assert [(part.name, part.start) for part in hourly.models[0].habits[0].periods] == [
        ("C", 0.0),
        ("A", 7.0),
        ("B", 9.0),
    ]
    assert [each.period for each in edit.moved_periods(_of_one(*parts), 60)] == ["A", "B", "C"]
    assert edit.allowed_intervals(_of_one(*parts)) == [5, 15]
    crowded = _of_one(*parts[:2], period("D", 9.0, leave=0.5, arrive=0.5))
    assert [(each.period, each.after) for each in edit.moved_periods(crowded, 60)] == [("A", 7.0), ("B", 8.0)]


def test_a_weekend_has_periods_of_its_own_and_is_copied_to_every_group() -> None:
    weekend = edit.set_day_apart(Scenario(), 0, 0, "weekend", True)
    noon = period("Brunch", 10.0, leave=0.5, arrive=0.5)
    (habits,) = edit.put_period(weekend, 0, 0, 5, noon).models[0].habits  # behind those of other days
    assert (habits.periods, habits.weekend) == (PAPER_PERIODS, (PAPER_PERIODS[0], noon, *PAPER_PERIODS[2:]))
    assert edit.set_day_apart(weekend, 0, 0, "weekend", False) == Scenario()
    copied = edit.copy_weekend(edit.set_day_apart(MIXED, 0, 1, "weekend", True), 0, 1).models[0].habits
    assert {habits.weekend for habits in copied} == {MIXED.models[0].habits[1].periods}
    assert [habits.periods for habits in copied] == [habits.periods for habits in MIXED.models[0].habits]


def test_a_sunday_begins_as_the_day_was_and_is_edited_alone() -> None:
    street = edit.set_day_apart(PRESETS["feeder"], 0, 0, "sunday", True)
    before = street.models[0].habits[0]
    assert before.sunday == before.weekend != before.periods
    first = len(before.periods) + len(before.weekend or ())
    lunch = before.all_periods[first].replace(name="Lunch")
    after = edit.put_period(street, 0, 0, first, lunch).models[0].habits[0]
    assert (after.periods, after.weekend) == (before.periods, before.weekend)
    assert (after.sunday or ())[0] == lunch
    assert edit.set_day_apart(street, 0, 0, "sunday", False) == PRESETS["feeder"]
    alone = edit.set_day_apart(Scenario(), 0, 0, "sunday", True)
    assert alone.kinds_of_day == (WEEKDAYS[:6], ("Sunday",))
    assert Scenario.from_json(alone.to_json()) == alone


# What occupied means, as it is heard in a night's moves


def test_only_nights_of_houses_up_and_about_have_people_going_to_bed() -> None:
    assert moves(UP, 23, 7) == moves(UP, 0, 0) == moves(UP, 3, 4) == ("going to bed", "getting up")
    assert moves(UP, 7, 23) == moves(UP, 16, 3) == moves(HOME, 23, 7) == ("leaving", "arriving")
