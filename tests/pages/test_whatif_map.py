"""What-if maps on Decide, run without a browser."""

from streamlit.testing.v1 import AppTest

from rtp.mechanisms import private
from tests.help import app as lab
from tests.help.app import enter, figures, finish, key, lab_of, scenario_of

MAPS = "What-if map"


def opened(tab: str, **link: str) -> AppTest:
    return lab.opened("Decide", tab=tab, **{"households": "20"} | link)


def test_a_map_is_run_shown_and_a_point_of_it_loaded() -> None:
    app = opened(MAPS)
    enter(app, "map:days", 2)
    finish(app, "map")
    found = lab_of(app).extras["job:map"].result
    assert len(figures(app)[0]["data"]) == len(private())
    app.selectbox(key=key(app, "map:point")).select_index(3).run()
    app.button(key="map:load").click().run()
    assert scenario_of(app) == found.plan.at(3)
    assert not app.warning
    enter(app, "households", 21)
    assert len(app.warning) == 1, "the map is of another scenario"
    app.selectbox(key=key(app, "map:second")).select("alpha").run()
    finish(app, "map")
    assert [trace["type"] for trace in figures(app)[0]["data"]] == ["heatmap", "scatter"]
    enter(app, "map:first:From", 3.0)
    assert "epsilon" in app.error[0].value


def test_a_map_over_the_hour_at_which_a_period_begins() -> None:
    app = opened(MAPS)
    address = "models[0].habits[0].periods[1].start"
    app.selectbox(key=key(app, "map:first")).select(address).run()
    enter(app, "map:first:From", "7:30")
    enter(app, "map:first:To", "9:00")
    enter(app, "map:first:count", 3)
    enter(app, "map:days", 2)
    finish(app, "map")
    found = lab_of(app).extras["job:map"].result
    assert found.plan.grid[address] == (7.5, 8.25, 9.0)
    enter(app, "map:first:To", "17:00")
    assert app.error, "it would begin after the evening"
