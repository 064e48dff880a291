"""Changes that keep a scenario whole."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rtp import PRESETS, Scenario
from rtp.scenario import MAX_GROUPS, edit, period
from rtp.scenario.habits import complement, step_probabilities

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
    everyone = edit.set_shares(PRESETS["mixed street"], {0: 1.0}).groups
    assert [group.share for group in everyone] == [1, 0, 0]


def test_the_assumed_model_follows_a_new_name_or_is_dropped() -> None:
    scenario = PRESETS["unsure curator"].replace(assumed_model="Night owls")
    renamed = edit.put_model(scenario, 1, scenario.models[1].replace(name="Owls"))
    assert renamed.assumed_model == "Owls"
    assert edit.remove_model(renamed, 1).assumed_model is None


def test_a_copied_model_gets_a_free_name() -> None:
    scenario = edit.add_model(Scenario(), Scenario().models[0])
    assert [m.name for m in scenario.models] == ["As published", "As published 2"]
    assert edit.generate_with(scenario, 1).models[0].name == "As published 2"


def test_probabilities_over_a_period_stay_at_another_step() -> None:
    assert edit.set_step_minutes(Scenario(), 30) == Scenario(step_minutes=30)


def test_a_split_period_begins_again_in_its_middle() -> None:
    def starts(scenario: Scenario) -> list[tuple[str, float]]:
        return [(part.name, part.start) for part in scenario.models[0].habits[0].periods]

    noon, night = (edit.split_period(Scenario(), 0, 0, index) for index in (1, 3))
    assert starts(noon)[1:4] == [("Noon", 8.0), ("Period 2", 12.0), ("Evening", 16.0)]
    assert starts(night)[0] == ("Period 2", 3.0), "the night's second half comes after midnight"
    assert starts(edit.remove_period(noon, 0, 0, 2)) == starts(Scenario())


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
