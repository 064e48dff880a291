"""A scenario in words: its origin, what tells it from others, the line beneath a picture."""

import csv
import io
import re
from datetime import UTC, date, datetime

import pytest
from hypothesis import given, settings

from rtp import PRESETS, Group, Habits, Law, OccupancyModel, Scenario, simulate
from rtp.core.tables import to_csv
from rtp.scenario import period
from rtp.scenario.describe import (
    Difference,
    caption,
    differences,
    digest,
    origin,
    origin_words,
    short_name,
    span_stem,
    span_words,
)
from rtp.scenario.export import to_file
from rtp.version import VERSION
from tests.help.strategies import scenarios

SCENARIO = Scenario(households=20, seed=7)


def test_a_digest_tells_scenarios_apart_and_survives_the_file() -> None:
    assert digest(SCENARIO) == digest(Scenario.from_json(to_file(SCENARIO)))
    others = [SCENARIO.replace(seed=8), SCENARIO.replace(epsilon=0.51), SCENARIO.replace(step_minutes=60)]
    assert len({digest(scenario) for scenario in [SCENARIO, *others]}) == 4
    assert re.fullmatch("[0-9a-f]{12}", digest(SCENARIO))


def test_a_table_says_version_scenario_seed_and_date() -> None:
    before = datetime.now(UTC).date()
    where = origin(SCENARIO)
    assert before <= date.fromisoformat(str(where["lab_date"])) <= datetime.now(UTC).date()
    text = to_csv(simulate(SCENARIO).frame(), where)
    rows = list(csv.DictReader(io.StringIO(text)))
    for row in rows:
        assert {name: row[name] for name in where} == {
            "lab_version": VERSION,
            "lab_scenario": digest(SCENARIO),
            "lab_seed": "7",
            "lab_step_minutes": str(SCENARIO.step_minutes),
            "lab_units": "none",
            "lab_weekend": "as on other days",
            "lab_date": where["lab_date"],
        }
    again = simulate(Scenario.from_json(to_file(SCENARIO)))
    assert to_csv(again.frame(), where) == text


def dated(words: str) -> str:
    """The words with their day as D."""
    return re.sub(r"\d{4}-\d\d-\d\d", "D", words)


def test_words_say_the_same() -> None:
    assert dated(origin_words(SCENARIO)) == f"{VERSION} on D; scenario {digest(SCENARIO)}, seed 7"


def test_the_clock_units_and_weekend_are_said_where_they_are_not_the_papers() -> None:
    feeder = PRESETS["feeder"].replace(step_minutes=30)
    assert dated(origin_words(feeder)) == (
        f"{VERSION} on D; scenario {digest(feeder)}, seed 0, a price every 30 minutes, in kW and EUR, other "
        "habits at the weekend"
    )
    where = origin(feeder)
    said = [where[name] for name in ("lab_step_minutes", "lab_units", "lab_weekend")]
    assert said == [30, "kW and EUR", "other habits"]
    assert (span_words(feeder), span_stem(feeder)) == ("a day", "day")
    assert (span_words(feeder.replace(days=7)), span_stem(feeder.replace(days=7))) == ("7 days", "7_days")


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
        negligible=0.001,
        independent_noise=True,
        clip_at_zero=True,
        seed=12345,
        assumed_model="As published",
        step_minutes=30,
        first_weekday="Friday",
        power_unit="kW",
        currency="EUR",
    )
    assert differences([PAPER, changed]) == [
        Difference("Households", ("1,000", "50")),
        Difference("Days", ("1", "2")),
        Difference("ε — privacy budget per step", ("0.5", "0.1")),
        Difference("α — price slope", ("1", "2")),
        Difference("β — base price", ("62.5", "1.5")),
        Difference("Inelastic demand", ("0", "10")),
        Difference("Elasticity of demand", ("0", "0.25")),
        Difference("Reference rate", ("the day's mean", "9.5")),
        Difference("Filter and forecast believe in", ("the true model", "As published")),
        Difference("Habit spread", ("0.01", "0.02")),
        Difference(
            "Can a personal habit become certain?", ("Only where the matrix says so", "Yes, cut at 0 and 1")
        ),
        Difference("The naive noise covers", ("the nominal maximum", "the largest drawn bound")),
        Difference("Probability too small to guard", ("0", "0.001")),
        Difference("Independent noise for each mechanism", ("no", "yes")),
        Difference("Never publish a negative rate", ("no", "yes")),
        Difference("Seed", ("0", "12,345")),
        Difference("A price every … minutes", ("15", "30")),
        Difference("The days begin on a", ("Monday", "Friday")),
        Difference("Unit of power", ("none, as in the paper", "kW")),
        Difference("Currency", ("none", "EUR")),
    ]


def test_every_setting_of_groups_and_models_is_told_under_its_own_words() -> None:
    law = Law(edges=(0.0, 1.0), empty=(1.0,), occupied=(1.0,))
    group = Group(name="Flats", occupied_min=0.5, occupied_max=2.0, empty_min=0.1, empty_max=0.2, law=law)
    morning = period("Morning", 6.5, leave=0.25, arrive=0.125, basis="step")
    other = Habits(initial_occupied=1.0, periods=(morning,), weekend=(morning,))
    slow = Habits(periods=(period("Morning", 6.0, leave=0.5, arrive=0.25),))
    before = PAPER.replace(models=(OccupancyModel(habits=(slow,)),))
    after = before.replace(
        groups=(group,), models=(OccupancyModel(name="Mine", habits=(other,)),), conversion="root"
    )
    assert differences([before, after]) == [
        Difference("From a period's chance to a step's", ("independent tries", "matrix root")),
        Difference("Groups", ("Households", "Flats")),
        Difference("Models", ("As published", "Mine")),
        Difference("Largest bound when occupied", ("1", "2")),
        Difference("Largest bound when empty", ("0.5", "0.2")),
        Difference("Lowest bound when occupied", ("0", "0.5")),
        Difference("Lowest bound when empty", ("0", "0.1")),
        Difference("Use", ("uniform up to the bounds", "a distribution of 1 bins, cc5584ed")),
        Difference("Chance to be occupied at the start", ("0.5", "1")),
        Difference("At the weekend", ("as on other days", "other habits")),
        Difference("Morning: starts at", ("06:00", "06:30")),
        Difference("Morning: leave", ("0.5 over the period", "0.25 per step")),
        Difference("Morning: arrive", ("0.25 over the period", "0.125 per step")),
    ]


def test_a_weekend_is_told_apart_from_other_days() -> None:
    feeder = PRESETS["feeder"]
    flats, *others = feeder.models[0].habits
    assert flats.weekend is not None
    later = flats.replace(weekend=tuple(part.replace(name=f"{part.name} 2") for part in flats.weekend))
    changed = feeder.replace(models=(feeder.models[0].replace(habits=(later, *others)),))
    assert differences([feeder, changed]) == [
        Difference(
            "Work and weekend, Flats, weekend: Periods of a day",
            ("Morning, Day, Evening, Night", "Morning 2, Day 2, Evening 2, Night 2"),
        )
    ]


def test_habits_and_bounds_are_named_by_period_and_group() -> None:
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


def test_the_papers_day() -> None:
    told = "ε 0.5; α 1; β 62.5; households 1,000; days 1"
    assert caption(Scenario(), "paper") == f"Paper: {told}. RTP Privacy Lab {origin_words(Scenario())}"


def test_a_caption_names_each_change_once() -> None:
    changed = Scenario(epsilon=0.1, inelastic_demand=30.0, clip_at_zero=True)
    assert caption(changed, "paper") == (
        "Paper: ε 0.1; α 1; β 62.5; households 1,000; days 1; Inelastic demand: 30; Never publish a negative "
        f"rate: yes. RTP Privacy Lab {origin_words(changed)}"
    )


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_as_it_is_has_changed_nothing(preset: str) -> None:
    assert caption(PRESETS[preset], preset).count(";") == 5  # four between the numbers, one before the digest


def test_many_changes_are_cut_short() -> None:
    changed = Scenario(
        inelastic_demand=1.0,
        elasticity=0.5,
        negligible=0.1,
        habit_spread=0.02,
        habit_clip="closed",
        naive_bound="realised",
        independent_noise=True,
        clip_at_zero=True,
    )
    assert caption(changed, "paper") == (
        "Paper: ε 0.5; α 1; β 62.5; households 1,000; days 1; Inelastic demand: 1; Elasticity of demand: "
        "0.5; Habit spread: 0.02; Can a personal habit become certain?: Yes, cut at 0 and 1; The naive "
        "noise covers: the largest drawn bound; Probability too small to guard: 0.1; 2 more settings "
        f"changed. RTP Privacy Lab {origin_words(changed)}"
    )
    six = changed.replace(independent_noise=False, clip_at_zero=False)
    assert caption(six, "paper") == caption(changed, "paper").replace(
        "; 2 more settings changed", ""
    ).replace(origin_words(changed), origin_words(six))


@pytest.mark.parametrize(
    ("preset", "changes", "name"),
    [
        ("paper", {}, "Paper, ε 0.5"),
        ("paper", {"households": 180, "step_minutes": 30, "epsilon": 0.34}, "180 houses, 30 min, ε 0.34"),
        ("mansions", {"epsilon": 0.33543695568204446}, "Mansions, ε 0.335"),
        ("paper", {"days": 7, "alpha": 0.002, "beta": 0.25}, "7 days, α 0.002, β 0.25, ε 0.5"),
        (
            "mixed street",
            {"households": 180, "step_minutes": 30, "days": 7, "alpha": 0.002, "beta": 0.25},
            "Mixed street, ε 0.5",
        ),
        ("paper", {"households": 123, "days": 7, "beta": 0.1875}, "123 houses, 7 days, β 0.188, ε 0.5"),
        ("paper", {"households": 1234, "days": 7, "beta": 0.1875}, "Paper, ε 0.5"),
    ],
)
def test_a_short_name_says_what_differs(preset: str, changes: dict[str, float], name: str) -> None:
    assert short_name(PRESETS[preset].replace(**changes), preset) == name
