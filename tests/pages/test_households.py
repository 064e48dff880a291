"""The Street screen, run without a browser: habits, groups, models, the houses one by one."""

import pytest
from streamlit.testing.v1 import AppTest

from pages.ui.street.groups import UPLOAD
from pages.ui.street.habits import PERIOD
from pages.ui.street.houses import TABLE
from rtp import PRESETS, Scenario, simulate
from rtp.scenario import habit_words
from rtp.scenario.share import to_link
from rtp.simulation.prices import typical_prices
from tests.help import app as lab
from tests.help.app import click, enter, key, link_of, part, scenario_of
from tests.help.streets import ODD

PASTED = "house\tgroup\toccupied\tempty\nMill Lane 1\tHouseholds\t1,2\t0,1\nMill Lane 2\tHouseholds\t4,5\t0,1"


def opened(preset: str = "paper", *sections: str, **link: str) -> AppTest:
    return lab.opened("Street", preset=preset, sections=sections, **link)


def test_groups_and_models_are_named_bounded_added_and_removed() -> None:
    app = opened("unsure curator", tab="Groups", households="20")
    app.text_input(key=key(app, "text:group:1")).set_value("Towers").run()
    enter(app, "occupied_max:1", 3.0)
    scenario = scenario_of(app)
    assert (scenario.groups[1].name, scenario.groups[1].occupied_max) == ("Towers", 3.0)
    app.button(key=part(app, "remove group:0")).click().run()
    assert [group.name for group in scenario_of(app).groups] == ["Towers"]
    assert app.button(key=part(app, "remove group:0")).disabled
    lab.open_tab(app, "street:tab", "Models Θ")
    app.text_input(key=key(app, "text:model:1")).set_value("Late").run()
    app.button(key=part(app, "generate:1")).click().run()
    assert list(scenario_of(app).model_names) == ["Late", "Early birds"]
    click(app, "add model")
    assert len(scenario_of(app).models) == 3
    for name in ("remove model:2", "remove model:1"):
        app.button(key=part(app, name)).click().run()
    assert list(scenario_of(app).model_names) == ["Late"]
    assert app.button(key=part(app, "remove model:0")).disabled


def test_typed_cells_read_what_pasted_ones_do_and_a_refusal_keeps_the_rest() -> None:
    app = opened("feeder", tab="Groups")
    enter(app, "count:2", "1,200")
    enter(app, "yearly_kwh:2", "3,100")
    assert (scenario_of(app).households, scenario_of(app).groups[2].yearly_kwh) == (1370, 3100)
    enter(app, "hours:2", "8:30-18")
    enter(app, "hours:2", "early")
    (refused,) = [error.value for error in app.error]
    assert "early" in refused
    enter(app, "closed:2", "Sunday")
    wanted = habit_words.habits_of("shop", "8:30–18", "sunday")
    assert scenario_of(app).models[0].habits[2] == wanted
    assert app.text_input(key=key(app, "number:hours:2")).value == "early", "what was typed stays"
    app.selectbox(key=key(app, "habits:2")).set_value("working couple").run()
    assert scenario_of(app).models[0].habits[2] == habit_words.habits_of("working couple")
    assert app.text_input(key=key(app, "number:hours:2")).disabled
    assert not app.error


def test_a_house_that_is_alone_has_the_peak_that_is_typed() -> None:
    """And not a draw from half of it on, whichever of both is typed first."""
    app = opened("feeder", tab="Groups")
    enter(app, "count:2", "1")
    enter(app, "occupied_max:2", 60.0)
    enter(app, "empty_max:1", 2.0)
    enter(app, "count:1", "1")
    houses, shop = scenario_of(app).groups[1:]
    assert (shop.occupied_min, shop.occupied_max) == (60.0, 60.0)
    assert (houses.empty_min, houses.empty_max) == (2.0, 2.0)
    enter(app, "occupied_min:2", 30.0)
    assert scenario_of(app).groups[2].occupied_min == 30.0, "a range that is typed stays"


def test_a_group_without_a_house_can_be_looked_at() -> None:
    app = opened(tab="Groups")
    click(app, "add group")
    enter(app, "count:1", "0")
    enter(app, "count:0", "1000")
    lab.open_tab(app, "street:tab", "Habits")
    app.segmented_control(key=key(app, "shown group")).set_value(1).run()
    assert not app.exception
    assert scenario_of(app).groups[1].name in app.header[0].value


def test_a_period_is_named_split_and_removed_and_the_weekend_has_its_own() -> None:
    app = opened("paper", PERIOD, households="10")
    app.text_input(key=key(app, "text:period:0:0:1")).set_value("Work").run()
    enter(app, "start:0:0:1", "8:30")
    app.button(key=part(app, "split:0:0:1")).click().run()
    periods = scenario_of(app).models[0].habits[0].periods
    assert [(part.name, part.start) for part in periods][1:3] == [("Work", 8.5), ("Period 2", 12.25)]
    app.button(key=part(app, "remove period:0:0:2")).click().run()
    before = scenario_of(app)
    app.segmented_control(key=key(app, "basis:0:0")).set_value("step").run()
    stated = scenario_of(app).models[0].habits[0].periods
    assert {part.basis for part in stated} == {"step"}
    assert simulate(scenario_of(app)).occupancy.tolist() == simulate(before).occupancy.tolist()
    app.toggle(key=key(app, "weekend:0:0")).set_value(True).run()
    app.segmented_control(key=key(app, "shown day")).set_value("Weekend").run()
    enter(app, "cell:0:0:4:0:1", 0.25)
    habits = scenario_of(app).models[0].habits[0]
    assert habits.periods == stated
    assert habits.all_periods[4].arrive == 0.25
    app.selectbox(key=key(app, "choice:first_weekday")).set_value("Saturday").run()
    assert scenario_of(app).first_weekday == "Saturday"


# Houses one by one


def paste(app: AppTest, text: str) -> None:
    app.text_area(key=key(app, "street:pasted")).set_value(text).run()
    click(app, "street:use")


def test_a_pasted_table_is_the_street() -> None:
    app = opened("paper", TABLE, tab="Groups")
    paste(app, PASTED)
    scenario = scenario_of(app)
    assert [house.name for house in scenario.houses or ()] == ["Mill Lane 1", "Mill Lane 2"]
    (frame,) = lab.opened("Street", **link_of(app) | {"tab": "Houses"}).dataframe
    assert frame.value["House"].tolist() == ["Mill Lane 1", "Mill Lane 2"]
    click(app, "street:drawn")
    assert scenario_of(app) == scenario.replace(houses=None)


def test_a_bad_table_is_refused_and_nothing_is_lost() -> None:
    app, bad = opened("paper", TABLE, tab="Groups"), PASTED.replace("4,5", "4,5 kW")
    paste(app, bad)
    for _ in range(2):  # it stays said
        (error,) = app.error
        assert "4,5 kW" in error.value
        app.run()
    assert scenario_of(app) == Scenario()
    assert app.text_area(key=key(app, "street:pasted")).value == bad


def test_a_new_groups_habits_are_asked_for() -> None:
    app = opened("feeder", TABLE, tab="Groups")
    paste(app, "Group\tHouses\tPeak to\tStandby to\nFlats\t10\t3\t0.2\nSmall shops\t5\t6\t0.3")
    assert scenario_of(app) == PRESETS["feeder"]
    app.selectbox(key=key(app, "street:habits:0")).set_value("shop").run()
    flats, shops = scenario_of(app).groups
    assert (flats.yearly_kwh, shops.name, shops.yearly_kwh) == (2000, "Small shops", None)
    assert scenario_of(app).models[0].habits[1] == PRESETS["feeder"].models[0].habits[2]
    enter(app, "yearly_kwh:1", 1e5)
    assert [error.value for error in app.error if "yearly_kwh" in error.value]
    enter(app, "yearly_kwh:1", 12000)
    assert scenario_of(app).groups[1].yearly_kwh == 12000
    low, high = typical_prices(scenario_of(app))
    enter(app, "highest", high + 0.1)
    assert typical_prices(scenario_of(app)) == pytest.approx((low, high + 0.1), rel=1e-3)


def test_a_measured_load_sets_the_tariff_and_what_is_none_leaves_it() -> None:
    app = opened("feeder", tab="Groups")
    low, high = typical_prices(PRESETS["feeder"])
    rows = [f"2024-03-{day:02} {hour:02}:00,{60 + 5 * hour}" for day in (4, 5) for hour in range(24)]
    load, noon = ("\n".join(["time,kW", *some]) for some in (rows, rows[8:18]))
    for text in (load, "time,kW\nsoon,much", noon):
        app.file_uploader(key=UPLOAD).upload("load.csv", text.encode(), "text/csv").run()
        alpha, beta = scenario_of(app).alpha, scenario_of(app).beta
        assert (60 * alpha + beta, 175 * alpha + beta) == pytest.approx((low, high), rel=1e-3)
        assert ["not used" in error.value for error in app.error] == [True] * (text != load)
        assert any("60 to 175 kW" in caption.value for caption in app.caption)


@pytest.mark.parametrize("street", ["listed", pytest.param("half hours", marks=pytest.mark.long)])
@pytest.mark.parametrize("screen", ["Explore", "Street", "Paper", "Decide", "Attack"])
def test_every_screen_opens_on_an_unusual_street(screen: str, street: str) -> None:
    app = lab.opened(screen, **to_link(ODD[street]))
    assert [error.value for error in app.error] == []
