"""The houses one by one, on the Households screen; and every screen on an unusual street."""

import pytest
from streamlit.testing.v1 import AppTest

from pages.ui.houses import TABLE as TABLE_OF_HOUSES
from pages.ui.periods import PERIOD
from rtp import PRESETS, Habits, House, OccupancyModel, Scenario
from rtp.scenario import PAPER_PERIODS, edit, period
from rtp.scenario.share import to_link
from tests.help import app as lab
from tests.help.app import key, part, press, scenario_of

TABLE = "house\tgroup\toccupied\tempty\nMill Lane 1\tHouseholds\t1,2\t0,1\nMill Lane 2\tHouseholds\t4,5\t0,1"


ONE_BY_ONE = "Houses one by one"


def opened(tab: str = ONE_BY_ONE, **link: str) -> AppTest:
    return lab.opened("Households", tab=tab, sections=(TABLE_OF_HOUSES,), **link)


def paste(app: AppTest, text: str) -> None:
    app.text_area(key=key(app, "street:pasted")).set_value(text).run()
    press(app, "Use the pasted table")


def test_a_pasted_table_is_the_street() -> None:
    app = opened("")
    paste(app, TABLE)
    scenario = scenario_of(app)
    assert [house.name for house in scenario.houses or ()] == ["Mill Lane 1", "Mill Lane 2"]
    (frame,) = (element.value for element in opened(**lab.link_of(app)).dataframe)
    assert frame["House"].tolist() == ["Mill Lane 1", "Mill Lane 2"]
    press(app, "Forget the list, draw houses")
    assert scenario_of(app) == scenario.replace(houses=None)


def test_a_bad_table_is_refused_and_nothing_is_lost() -> None:
    app = opened("")
    paste(app, TABLE.replace("4,5", "4,5 kW"))
    assert [error.value for error in app.error] == [
        "The pasted table was not used: Row 3, column occupied is not read: “4,5 kW” is not a number that "
        "can be read."
    ]
    app.run()
    assert len(app.error) == 1, "it stays said"
    assert scenario_of(app) == Scenario()
    assert app.text_area(key=key(app, "street:pasted")).value == TABLE.replace("4,5", "4,5 kW")


def test_houses_that_are_left_out_are_said_and_come_back() -> None:
    houses = (
        House(name="A", group="Households", occupied=1.0, empty=0.1),
        House(name="B", group="Households", occupied=3.0, empty=0.1, left_out=True),
    )
    app = opened(**to_link(edit.with_houses(Scenario(), houses)))
    assert "Without B, 1 house stays. Mean noise scale of the Blowfish rate: 6 → 2 (-66.7 %)" in lab.said(app)
    press(app, "Bring B back")
    assert scenario_of(app).households == 2


EVERY_HOUR = tuple(period(f"P{i}", float(i), leave=0.1, arrive=0.3) for i in range(24))
MANY_PARTS = "24 periods, weekends, hours, kW, EUR, houses listed and left out"
FEW_PARTS = "one period, five minutes"
UNUSUAL = {
    MANY_PARTS: edit.with_houses(
        Scenario(
            days=2,
            first_weekday="Friday",
            step_minutes=60,
            power_unit="kW",
            currency="EUR",
            models=(OccupancyModel(habits=(Habits(periods=EVERY_HOUR, weekend=PAPER_PERIODS),)),),
        ),
        [
            House(name=f"H{i}", group="Households", occupied=1 + i / 10, empty=0.1, left_out=i == 5)
            for i in range(6)
        ],
    ),
    FEW_PARTS: Scenario(
        households=5, step_minutes=5, models=(OccupancyModel(habits=(Habits(periods=EVERY_HOUR[:1]),)),)
    ),
}
SCREENS = ("Explore", "Households", "Algorithm", "Paper", "Trade-off", "Attacker", "Over_time")


@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize("street", [MANY_PARTS, pytest.param(FEW_PARTS, marks=pytest.mark.long)])
def test_every_screen_opens_on_an_unusual_street(screen: str, street: str) -> None:
    app = lab.opened(screen, **to_link(UNUSUAL[street]))
    assert not app.exception
    assert [error.value for error in app.error] == []


def test_a_period_is_named_split_and_removed_and_the_weekend_has_its_own() -> None:
    app = lab.opened("Households", sections=(f"{PERIOD} 0:0:1", f"{PERIOD} 0:0:2"))
    app.text_input(key=key(app, "text:period:0:0:1")).set_value("Work").run()
    lab.enter(app, "start:0:0:1", "8:30")
    app.button(key=part(app, "split:0:0:1")).click().run()
    periods = scenario_of(app).models[0].habits[0].periods
    assert [(part.name, part.start) for part in periods][1:3] == [("Work", 8.5), ("Period 2", 12.25)]
    app.button(key=part(app, "remove period:0:0:2")).click().run()
    assert len(scenario_of(app).models[0].habits[0].periods) == 4
    app.toggle(key=key(app, "weekend:0:0")).set_value(True).run()
    app.segmented_control(key=key(app, "shown day")).set_value("Weekend").run()
    lab.enter(app, "cell:0:0:4:0:1", 0.25)
    habits = scenario_of(app).models[0].habits[0]
    assert habits.all_periods[4].arrive == 0.25
    assert habits.periods[0].arrive == 0.98
    app.selectbox(key=key(app, "choice:first_weekday")).set_value("Saturday").run()
    assert scenario_of(app).first_weekday == "Saturday"
    assert not app.exception


def test_one_control_for_the_step_and_units_in_the_picture() -> None:
    app = lab.opened("Explore", sections=["More settings"], power_unit="kW", currency="EUR")
    app.segmented_control(key=key(app, "choice:step_minutes")).set_value(60).run()
    assert scenario_of(app) == Scenario(step_minutes=60, power_unit="kW", currency="EUR")
    notes = [note["text"] for figure in lab.figures(app) for note in figure["layout"]["annotations"]]
    assert any(text.startswith("<b>Rate (EUR/kWh)") for text in notes)
    assert "The same habits, asked every 60 minutes" in lab.said(app)
    assert PRESETS["paper"].step_minutes == 15
