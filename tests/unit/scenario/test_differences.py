"""What tells scenarios apart, in words."""

from hypothesis import given, settings

from rtp import PRESETS, Scenario
from rtp.scenario import BOUNDS
from rtp.scenario.describe import Difference, differences
from rtp.scenario.validation import CHOICES, LABELS
from tests.help.strategies import scenarios

PAPER = Scenario()


def test_alike_means_no_difference_and_one_alone_neither() -> None:
    assert differences([PAPER, PAPER]) == differences([PAPER]) == differences([]) == []


@settings(max_examples=15)  # of two drawn at random hardly a field is alike
@given(scenarios(), scenarios())
def test_scenarios_differ_in_words_exactly_where_they_differ(one: Scenario, other: Scenario) -> None:
    """Up to ten digits, beyond which nobody types."""
    rows = differences([one, other])
    assert bool(rows) <= (one != other)
    assert all(len(row.values) == 2 and row.values[0] != row.values[1] for row in rows)
    assert [row.values[::-1] for row in rows] == [
        {row.setting: row.values for row in differences([other, one])}[row.setting] for row in rows
    ]


def test_every_field_is_told_under_its_own_words() -> None:
    changed = PAPER.replace(
        households=50,
        days=2,
        epsilon=0.1,
        alpha=2.0,
        beta=1.5,
        inelastic_demand=10.0,
        elasticity=0.25,
        reference_rate=9.5,
        habit_spread=0.02,
        habit_clip="closed",
        naive_bound="realised",
        independent_noise=True,
        clip_at_zero=True,
        seed=12345,
        assumed_model="As published",
    )
    told = {row.setting: row.values for row in differences([PAPER, changed])}
    assert told[BOUNDS["epsilon"].words] == ("0.5", "0.1")
    assert told[BOUNDS["seed"].words] == ("0", "12,345")
    assert told[BOUNDS["reference_rate"].words] == ("the day's mean", "9.5")
    assert told[LABELS["habit_clip"]] == tuple(CHOICES["habit_clip"].values())
    assert told[LABELS["independent_noise"]] == ("no", "yes")
    assert told[LABELS["assumed_model"]] == ("the true model", "As published")
    assert len(told) == 15


def test_habits_and_bounds_are_told_by_period_and_by_group_where_there_are_several() -> None:
    habits = PAPER.models[0].habits[0]
    noon = habits.periods[1].replace(matrix=((0.9, 0.1), (0.95, 0.05)))
    later = habits.replace(periods=(habits.periods[0], noon, *habits.periods[2:]))
    changed = PAPER.replace(
        models=(PAPER.models[0].replace(habits=(later,)),),
        groups=(PAPER.groups[0].replace(occupied_max=2.0),),
    )
    assert differences([PAPER, changed]) == [
        Difference("Largest bound when occupied", ("1", "2")),
        Difference("Noon: arrive", ("0.05 over the period", "0.1 over the period")),
    ]
    mixed = PRESETS["mixed street"]
    office = mixed.groups[0].replace(empty_max=0.7)
    told = differences([mixed, mixed.replace(groups=(office, *mixed.groups[1:]))])
    assert told == [Difference("Office: Largest bound when empty", (f"{mixed.groups[0].empty_max:g}", "0.7"))]


def test_groups_that_not_all_have_are_told_by_their_names() -> None:
    told = {row.setting: row.values for row in differences([PAPER, PRESETS["mixed street"]])}
    assert told["Groups"] == ("Households", "Office, Home, Shift")
    assert not any("Office:" in setting for setting in told)
