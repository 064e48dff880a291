"""The Households screen, run without a browser."""

import pytest
from streamlit.testing.v1 import AppTest

from pages.ui.households import MODELS
from pages.ui.periods import PERIOD
from rtp import PRESETS, Scenario, simulate
from rtp.figures.households import state_diagram
from rtp.scenario import PAPER_PERIODS, edit
from tests.help import app as lab
from tests.help.app import enter, key, number, part, scenario_of


def opened(preset: str = "paper", *sections: str) -> AppTest:
    return lab.opened("Households", preset=preset, sections=sections)


@pytest.mark.parametrize("preset", ["mixed street", "unsure curator"])
def test_several_groups_and_models_open(preset: str) -> None:
    app = opened(preset)
    assert not app.exception
    assert len(app.get("plotly_chart")) == (4 if len(PRESETS[preset].models) > 1 else 3)


def test_an_edited_entry_moves_the_scenario() -> None:
    app = opened()
    enter(app, "cell:0:0:1:0:1", 0.5)
    periods = Scenario().models[0].habits[0].periods
    changed = edit.put_period(Scenario(), 0, 0, 1, edit.set_entry(periods[1], 0, 1, 0.5))
    assert scenario_of(app) == changed
    assert "Otherwise: stay empty 0.5, stay occupied 0.05" in lab.said(app)


def test_an_impossible_start_is_refused_in_one_sentence_and_nothing_is_lost() -> None:
    app = opened("paper", f"{PERIOD} 0:0:1")
    enter(app, "start:0:0:1", 20.0)
    assert "each must start after the one before" in number(app, "start:0:0:1")["refused"]
    assert scenario_of(app) == Scenario()


def test_the_basis_restates_the_same_habits() -> None:
    app = opened()
    app.segmented_control(key=key(app, "basis:0:0:2")).set_value("step").run()
    scenario = scenario_of(app)
    assert scenario.models[0].habits[0].periods[2].basis == "step"
    evening = PAPER_PERIODS[2]
    assert f"Over the period: arrive {evening.arrive:.4g}, leave {evening.leave:.4g}" in lab.said(app)
    assert simulate(scenario).occupancy.tolist() == simulate(Scenario()).occupancy.tolist()


def test_a_known_start_is_switched_on_and_chosen() -> None:
    app = opened()
    app.toggle(key=key(app, "known:0:0")).set_value(True).run()
    assert scenario_of(app).models[0].habits[0].initial_occupied == 0.0
    app.segmented_control(key=key(app, "known state:0:0")).set_value(1.0).run()
    assert scenario_of(app).models[0].habits[0].initial_occupied == 1.0


def test_a_group_too_small_for_a_house_is_said() -> None:
    app = opened()
    lab.press(app, "Add a group")
    enter(app, "count:1", "0")
    enter(app, "count:0", "1000")
    app.segmented_control(key=key(app, "shown group")).set_value(1).run()
    assert not app.exception
    assert any("No house belongs to this group" in info.value for info in app.info)


def test_arrows_are_as_wide_as_the_chances() -> None:
    drawn = state_diagram(((0.75, 0.25), (1.0, 0.0))).svg
    assert drawn.count("stroke-dasharray") == 1  # what cannot happen
    assert 'stroke-width="3.00"' in drawn  # a quarter of the way from 1 to 9
    assert 'stroke-width="9.00"' in drawn


def test_groups_and_models_are_named_bounded_added_and_removed() -> None:
    app = opened("unsure curator", MODELS)
    app.text_input(key=key(app, "text:group:1")).set_value("Towers").run()
    enter(app, "occupied_max:1", 3.0)
    app.text_input(key=key(app, "text:model:1")).set_value("Late").run()
    scenario = scenario_of(app)
    assert (scenario.groups[1].name, scenario.groups[1].occupied_max) == ("Towers", 3.0)
    assert list(scenario.model_names) == ["Early birds", "Late"]
    app.button(key=part(app, "generate:1")).click().run()
    assert list(scenario_of(app).model_names) == ["Late", "Early birds"]
    lab.press(app, "Add a model")
    assert len(scenario_of(app).models) == 3
    app.button(key=part(app, "remove model:2")).click().run()
    app.button(key=part(app, "remove model:1")).click().run()
    app.button(key=part(app, "remove group:0")).click().run()
    scenario = scenario_of(app)
    assert list(scenario.model_names) == ["Late"]
    assert [group.name for group in scenario.groups] == ["Towers"]
    assert app.button(key=part(app, "remove group:0")).disabled
    assert app.button(key=part(app, "remove model:0")).disabled


def test_a_refusal_stays_with_the_group_whose_field_it_was() -> None:
    app = opened("mixed street")
    enter(app, "page initial_occupied:0:0", "2")
    assert "it must be a number from 0 to 1" in number(app, "page initial_occupied:0:0")["refused"]
    app.segmented_control(key=key(app, "shown group")).set_value(1).run()
    assert number(app, "page initial_occupied:0:1")["refused"] == ""


def test_an_added_groups_houses_vary_from_half_to_all_of_the_peak() -> None:
    app = opened()
    lab.press(app, "Add a group")
    _, new = scenario_of(app).groups
    assert (new.occupied_min, new.empty_min) == (new.occupied_max / 2, new.empty_max / 2)


def test_the_start_and_the_spread_are_typed() -> None:
    app = opened()
    enter(app, "page initial_occupied:0:0", 0.25)
    enter(app, "page habit_spread", 0.0)
    scenario = scenario_of(app)
    assert (scenario.models[0].habits[0].initial_occupied, scenario.habit_spread) == (0.25, 0.0)
    app.toggle(key=key(app, "known:0:0")).set_value(True).run()
    app.toggle(key=key(app, "known:0:0")).set_value(False).run()
    assert scenario_of(app).models[0].habits[0].initial_occupied == 0.5


@pytest.mark.parametrize(("preset", "drawn"), [("paper", True), ("mansions", False)])
def test_the_published_curve_is_drawn_beside_the_papers_day_only(preset: str, drawn: bool) -> None:
    names = {trace.get("name") for trace in lab.figures(lab.glance("Households", preset=preset))[0]["data"]}
    assert ("Published, Figure 2a" in names) == drawn
