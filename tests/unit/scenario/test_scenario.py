"""The scenario: the same again from its JSON, what follows from its step, and names."""

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rtp import PRESETS, Habits, OccupancyModel, Scenario, ScenarioError
from rtp.scenario import PAPER_PERIODS, House, period, valid_names
from rtp.scenario.share import from_library
from tests.help.strategies import detailed_scenarios
from tests.help.streets import ODD


@given(detailed_scenarios() | st.sampled_from([*ODD.values(), *PRESETS.values()]))
@example(ODD["half hours"])
def test_json_gives_the_same_scenario_again(scenario: Scenario) -> None:
    assert Scenario.from_json(scenario.to_json()) == scenario


@pytest.mark.parametrize(
    ("older", "field"),
    [({"version": 1}, "version"), ({"lab": "1.2"}, "occupied_means"), ({"version": 3}, "version")],
)
def test_an_older_or_newer_file_is_refused_and_says_what_to_do(older: dict[str, object], field: str) -> None:
    with pytest.raises(ScenarioError, match=f"^{field} is .*") as refused:
        Scenario.from_json(json.dumps({"households": 20} | older))
    assert refused.value.path == field


def test_a_file_of_2_0_is_read_where_it_means_what_the_lab_does() -> None:
    text = json.loads(Scenario().to_json()) | {"habit_clip": "interior", "conversion": "geometric"}
    assert Scenario.from_json(json.dumps(text)) == Scenario()
    file = json.dumps({"scenarios": [{"name": "Mine", "scenario": text}]})
    assert [named.scenario for named in from_library(file)] == [Scenario()]
    for name, value in (("habit_clip", "closed"), ("conversion", "root")):
        with pytest.raises(ScenarioError, match=f"^{name} can only be"):
            Scenario.from_json(json.dumps(text | {name: value}))


def test_a_period_that_begins_within_a_step_is_refused() -> None:
    late = (PAPER_PERIODS[0], period("Late", 8.25, leave=0.5, arrive=0.5))
    with pytest.raises(ScenarioError, match=r"weekend\[1\]\.start is 8\.25 .*30 minutes"):
        Scenario(models=(OccupancyModel(habits=(Habits(weekend=late),)),), step_minutes=30)


@given(st.lists(st.text("aBé7 _.²🏠'́w", max_size=44), max_size=12, unique=True))
@example(
    [
        "NMI:6001_02",
        "NMI 6001_02",
        "🏠",
        "🏡",
        "House²",
        "_x",
        "",
        "a" * 60,
        "a" * 61,
        "Zähler 7",
        "a _b_ www.c",
    ]
)
def test_every_text_has_a_name_of_its_own_and_a_name_stays(texts: list[str]) -> None:
    names = valid_names(texts)
    assert len(set(names)) == len(texts)
    for name in names:
        assert House(name=name, group="A", occupied=1.0, empty=0.5).name == name
    assert valid_names(names) == names
