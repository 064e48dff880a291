"""Changes that keep a scenario whole."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rtp import PRESETS, Habits, House, OccupancyModel, Period, Scenario, ScenarioError
from rtp.scenario import MAX_GROUPS, PAPER_PERIODS, edit, period
from rtp.scenario.habits import complement, step_probabilities
from tests.help.sentence import exactly

chance = st.floats(0, 1)


@given(chance, st.integers(0, 1), st.integers(0, 1))
def test_setting_an_entry_sets_its_complement_only(value: float, row: int, column: int) -> None:
    part = period("Noon", 8.0, leave=0.3, arrive=0.4)
    edited = edit.set_entry(part, row, column, value)
    assert edited.matrix[row][column] == value
    assert sum(edited.matrix[row]) == pytest.approx(1, abs=1e-9)
    assert edited.matrix[1 - row] == part.matrix[1 - row]


@given(chance)
def test_a_complement_is_certain_only_where_the_chance_is(value: float) -> None:
    assert (complement(value) == 0) == (1 - value == 0)
    assert (complement(value) == 1) == (1 - value == 1)


@given(chance, chance, st.integers(1, 95))
def test_the_other_basis_says_the_same(leave: float, arrive: float, steps: int) -> None:
    stated = period("Noon", 8.0, leave=leave, arrive=arrive)
    restated = edit.set_basis(stated, steps, "step")
    assert step_probabilities(restated, steps) == pytest.approx(step_probabilities(stated, steps), abs=1e-15)
    there_and_back = edit.set_basis(restated, steps, "period")
    assert there_and_back.leave == pytest.approx(leave, abs=1e-9)
    for before, after in ((leave, there_and_back.leave), (arrive, there_and_back.arrive)):
        assert (after == 0) == (before == 0)
        assert (after == 1) == (before == 1)


@pytest.mark.parametrize("conversion", ["geometric", "root"])
def test_a_step_stated_over_a_period_converts_back(conversion: str) -> None:
    step = period("Noon", 8.0, leave=0.1, arrive=0.2, basis="step")
    whole = edit.set_basis(step, 4, "period", conversion)
    assert edit.set_basis(whole, 4, "period", conversion) == whole
    assert step_probabilities(whole, 4, conversion) == pytest.approx((0.1, 0.2), rel=1e-12)


@given(
    st.lists(
        st.tuples(st.sampled_from(["add", "remove", "weigh"]), st.integers(0, 7), st.floats(0, 1)),
        max_size=12,
    )
)
def test_shares_sum_to_one_whatever_is_done_to_groups(actions: list[tuple[str, int, float]]) -> None:
    scenario = PRESETS["mixed street"]
    for action, index, share in actions:
        index %= len(scenario.groups)
        if action == "add" and len(scenario.groups) < MAX_GROUPS:
            scenario = edit.add_group(scenario, index)
        elif action == "remove" and len(scenario.groups) > 1:
            scenario = edit.remove_group(scenario, index)
        elif len(scenario.groups) > 1:
            scenario = edit.set_shares(scenario, {index: share})
    assert sum(g.share for g in scenario.groups) == pytest.approx(1, abs=1e-9)
    assert all(len(m.habits) == len(scenario.groups) for m in scenario.models)


def test_a_set_share_leaves_the_others_their_proportions() -> None:
    groups = edit.set_shares(PRESETS["mixed street"], {0: 0.2}).groups
    assert groups[0].share == pytest.approx(0.2)
    assert groups[1].share / groups[2].share == pytest.approx(1.5)
    everyone = edit.set_shares(PRESETS["mixed street"], {0: 1.0})
    assert [group.share for group in everyone.groups] == [1, 0, 0]
    fewer = edit.set_shares(everyone, {0: 0.5})
    assert [group.share for group in fewer.groups] == [0.5, 0.25, 0.25], "nothing has no proportions"


def test_the_assumed_model_follows_a_new_name_or_is_dropped() -> None:
    scenario = PRESETS["unsure curator"].replace(assumed_model="Night owls")
    renamed = edit.put_model(scenario, 1, scenario.models[1].replace(name="Owls"))
    assert renamed.assumed_model == "Owls"
    assert edit.remove_model(renamed, 1).assumed_model is None
    assert edit.remove_model(renamed, 0).assumed_model == "Owls"
    assert edit.rename_model(renamed, 0, "Larks").assumed_model == "Owls"


def test_a_copied_model_gets_a_free_name() -> None:
    scenario = edit.add_model(Scenario(), Scenario().models[0])
    assert [m.name for m in scenario.models] == ["As published", "As published 2"]
    assert [m.name for m in edit.generate_with(scenario, 1).models] == ["As published 2", "As published"]
    long = scenario.models[0].replace(name="x" * 40)
    twice = edit.add_model(edit.add_model(scenario, long), long)
    assert [m.name for m in twice.models][2:] == ["x" * 40, "x" * 34 + " 2"]


def test_probabilities_over_a_period_stay_at_another_step() -> None:
    assert edit.set_step_minutes(Scenario(), 30) == Scenario(step_minutes=30)


def test_probabilities_per_step_are_restated_for_a_step_of_another_length() -> None:
    chances = [0.1, 0.23, 0.25, 0.5, 0.67]
    parts = (period(f"P{i}", float(i), leave=p, arrive=0.1, basis="step") for i, p in enumerate(chances))
    scenario = _of_one(*parts)
    assert edit.set_step_minutes(scenario, 15) == scenario, "to the last digit"
    halves = edit.set_step_minutes(scenario, 30).models[0].habits[0].periods
    assert [part.leave for part in halves] == pytest.approx([1 - (1 - p) ** 2 for p in chances])


def _starts(scenario: Scenario) -> list[tuple[str, float]]:
    return [(part.name, part.start) for part in scenario.models[0].habits[0].periods]


def test_a_split_period_begins_again_in_its_middle() -> None:
    noon, night = (edit.split_period(Scenario(), 0, 0, index) for index in (1, 3))
    assert _starts(noon)[1:4] == [("Noon", 8.0), ("Period 2", 12.0), ("Evening", 16.0)]
    assert _starts(night)[0] == ("Period 2", 3.0), "the night's second half comes after midnight"
    assert _starts(edit.remove_period(noon, 0, 0, 2)) == _starts(Scenario())


def _of_one(*parts: Period, **changes: object) -> Scenario:
    return Scenario().replace(models=(OccupancyModel(habits=(Habits(periods=parts),)),), **changes)


def test_both_parts_of_a_split_period_keep_its_probabilities_per_step() -> None:
    """Of three steps, one and two: 1 − 0.125^(1/3) is a half."""
    short = period("Short", 8.0, leave=0.875, arrive=0.0)
    scenario = _of_one(short, period("Rest", 8.75, leave=0.5, arrive=0.5, basis="step"))
    first, second, rest = edit.split_period(scenario, 0, 0, 0).models[0].habits[0].periods
    assert (first.name, first.start, second.name, second.start) == ("Short", 8.0, "Period 2", 8.25)
    assert (first.leave, second.leave) == pytest.approx((0.5, 0.75))
    halves = edit.split_period(scenario, 0, 0, 1).models[0].habits[0].periods
    assert {part.matrix for part in halves[1:]} == {rest.matrix}, "per step, it stays"


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (
            lambda scenario: edit.split_period(scenario, 0, 0, 0),
            "Short is one step long; it cannot be split.",
        ),
        (
            lambda scenario: edit.set_step_minutes(scenario, 15),
            "Rest cannot be restated for another stretch of time: leave + arrive = 1.2 has no stochastic "
            "root over 2 steps.",
        ),
        (
            lambda scenario: edit.set_counts(scenario, [0]),
            "households is 0; it must be a whole number from 1 to 10,000,000.",
        ),
    ],
)
def test_what_cannot_be_done_is_refused(change: Callable[[Scenario], Scenario], sentence: str) -> None:
    short = period("Short", 8.0, leave=0.5, arrive=0.25)
    rest = period("Rest", 8.5, leave=0.6, arrive=0.6, basis="step")
    with pytest.raises(ScenarioError, match=exactly(sentence)):
        change(_of_one(short, rest, step_minutes=30, conversion="root"))


def test_a_period_of_two_steps_can_be_split() -> None:
    two = _of_one(period("Short", 8.0, leave=0.5, arrive=0.2), period("Rest", 8.5, leave=0.5, arrive=0.2))
    assert _starts(edit.split_period(two, 0, 0, 0)) == [("Short", 8.0), ("Period 2", 8.25), ("Rest", 8.5)]


def test_the_periods_of_a_weekend_follow_those_of_other_days() -> None:
    weekend = edit.set_weekend(Scenario(), 0, 0, True)
    noon = period("Brunch", 10.0, leave=0.5, arrive=0.5)
    (habits,) = edit.put_period(weekend, 0, 0, 5, noon).models[0].habits
    assert habits.periods == PAPER_PERIODS
    assert habits.weekend == (PAPER_PERIODS[0], noon, *PAPER_PERIODS[2:])
    (fewer,) = edit.remove_period(weekend, 0, 0, 4).models[0].habits
    assert (fewer.periods, fewer.weekend) == (PAPER_PERIODS, PAPER_PERIODS[1:])
    assert edit.set_weekend(weekend, 0, 0, False) == Scenario()


def test_a_new_group_takes_half_of_anothers_share_and_houses_from_half_of_its_bounds() -> None:
    office, home, shift = PRESETS["mixed street"].groups
    like_first = edit.add_group(PRESETS["mixed street"])
    half = office.replace(share=0.25)
    new = half.replace(name="Group 2", occupied_min=0.75, empty_min=0.15)
    assert like_first.groups == (half, home, shift, new)
    habits = PRESETS["mixed street"].models[0].habits
    assert like_first.models[0].habits == (*habits, habits[0])
    assert edit.add_group(like_first, 2).groups[-1].name == "Group 3"


def test_a_group_leaves_its_share_to_the_one_before_or_else_to_the_next() -> None:
    mixed = PRESETS["mixed street"]
    office, home, shift = mixed.groups
    habits = mixed.models[0].habits
    without_home, without_office = edit.remove_group(mixed, 1), edit.remove_group(mixed, 0)
    assert without_home.groups == (office.replace(share=0.8), shift)
    assert without_home.models[0].habits == (habits[0], habits[2])
    assert without_office.groups == (home.replace(share=0.8), shift)
    assert without_office.models[0].habits == habits[1:]


def test_an_heir_of_listed_houses_has_bounds_for_them() -> None:
    houses = [
        House(name="1", group="Office", occupied=1.0, empty=0.5),
        House(name="2", group="Home", occupied=2.0, empty=0.25),
        House(name="3", group="Shift", occupied=3.0, empty=0.75),
    ]
    listed = edit.with_houses(PRESETS["mixed street"], houses)
    office, home = edit.remove_group(listed, 2).groups
    assert (office.occupied_max, office.empty_max) == (1.0, 0.5)
    assert (home.occupied_min, home.occupied_max, home.empty_min, home.empty_max) == (2.0, 3.0, 0.25, 0.75)


def test_rounding_makes_nothing_certain_or_impossible() -> None:
    part = period("All day", 0.0, leave=0.9, arrive=0.5, basis="step")
    over_the_day = edit.set_basis(part, 96, "period")
    assert max(over_the_day.leave, over_the_day.arrive) < 1, "1 − 0.1⁹⁶ rounds to 1"
    assert 0 < edit.set_basis(period("All day", 0.0, leave=1e-300, arrive=0.5), 96, "step").leave < 1e-290


def test_a_weekend_is_copied_to_every_group() -> None:
    mixed = PRESETS["mixed street"]
    own = edit.set_weekend(mixed, 0, 1, True)
    copied = edit.copy_weekend(own, 0, 1)
    assert {habits.weekend for habits in copied.models[0].habits} == {mixed.models[0].habits[1].periods}
    assert [habits.periods for habits in copied.models[0].habits] == [
        h.periods for h in mixed.models[0].habits
    ]


def test_another_interval_is_twice_as_long_else_shorter() -> None:
    paper = PRESETS["paper"]
    assert edit.other_interval(paper) == 30
    assert edit.other_interval(edit.set_step_minutes(paper, 60)) == 30
    assert edit.other_interval(PRESETS["unsure curator"]) == 5
    assert edit.other_interval(edit.set_step_minutes(paper, 5)) == 10
    odd = _of_one(period("Odd", 7 + 5 / 60, leave=0.5, arrive=0.5), step_minutes=5)
    assert edit.allowed_intervals(odd) == [5]
    assert edit.other_interval(odd) is None
