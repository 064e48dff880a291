"""The Decide screen, run without a browser: errors, money, maps."""

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from rtp import Scenario, simulate
from rtp.figures import style
from rtp.mechanisms import private
from rtp.money.bills import MONTH
from rtp.money.summary import money_of_runs, summarise
from rtp.output.tradeoff import needed, profit_words
from rtp.scenario.units import amount
from rtp.tradeoff import epsilon_for
from rtp.tradeoff.curves import usable_epsilon
from tests.help import app as lab
from tests.help.app import enter, figures, finish, key, lab_of, scenario_of, shown

ERROR, MONEY, MAPS = "ε for a target error", "Money", "What-if map"
SHOWN = [name for name in private() if name != "threshold"]
FEW = Scenario(households=20)


def opened(tab: str = ERROR, **link: str) -> AppTest:
    return lab.opened("Decide", tab=tab, **{"households": "20"} | link)


def names(figure: dict[str, Any]) -> list[str]:
    return [trace["name"] for trace in figure["data"] if "name" in trace]


@pytest.mark.parametrize("link", [{}, {"negligible": "0.01"}, {"rate": "threshold"}])
def test_threshold_is_shown_where_it_neglects_something_or_by_name(link: dict[str, str]) -> None:
    app = opened(**link)
    for name in SHOWN:
        assert style.label(name) in names(figures(app)[0])
    assert ("Threshold" in names(figures(app)[0])) == ("Threshold needs" in shown(app)) == bool(link)


@pytest.mark.parametrize("accepted", [0.5, 500.0, 1e-10])
def test_an_accepted_error_asks_for_budgets_and_one_click_sets_the_best(accepted: float) -> None:
    app = opened()
    enter(app, "accepted error", accepted)
    found = {name: epsilon_for(FEW, name, accepted / 100) for name in SHOWN}
    assert {f"{style.label(name)} needs": needed(each) for name, each in found.items()}.items() <= shown(
        app
    ).items()
    if accepted == 0.5:
        app.button(key="tradeoff:use").click().run()
        assert scenario_of(app).epsilon == usable_epsilon(found["filtered"].epsilon or 0.0)
        assert lab_of(app).chosen("rate") == "filtered"  # the money follows
        assert app.button(key="tradeoff:use").disabled


@pytest.mark.parametrize(("days", "span"), [(1, 1), (1, MONTH), (3, 3)])
def test_the_money_is_the_engines_over_a_day_a_month_or_its_days(days: int, span: int) -> None:
    app = opened(MONEY, days=f"{days}", rate="forecast")
    if span == MONTH:
        choice = app.segmented_control(key=key(app, "money:span"))
        choice.set_value(choice.options[-1]).run()
    day = simulate(FEW.replace(days=days))
    found = summarise(day, money_of_runs(day, "forecast"), span)
    told = {
        "Cost of the mismatch": amount(found.mismatch.value, day.scenario),
        "Bill, mean change": amount(found.bills.mean.value, day.scenario),
        "The utility earns": profit_words(found, day.scenario),
    }
    assert told.items() <= shown(app).items()


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
