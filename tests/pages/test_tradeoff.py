"""The Trade-off screen, run without a browser."""

from collections.abc import Callable
from typing import Any

import pytest
import streamlit
from streamlit.testing.v1 import AppTest

from pages.ui import tradeoff, whatif
from pages.ui.show import Point
from pages.ui.sidebar import EPSILON_GRID
from pages.ui.tradeoff import NOISE_DAYS
from rtp import PRESETS, Scenario, simulate
from rtp.figures import style
from rtp.figures.style import Picture
from rtp.mechanisms import private
from rtp.money.bills import MONTH
from rtp.money.summary import money_of_runs, profit_words, simulate_runs, summarise
from rtp.scenario.units import amount
from rtp.tradeoff import curve, epsilon_for
from rtp.tradeoff.answers import target_rmsre, usable_epsilon
from rtp.tradeoff.misspecification import candidates
from tests.help import app as lab
from tests.help.app import beside, enter, figures, finish, key, lab_of, number, said, scenario_of, shown
from tests.help.hourly import HOURLY

ERROR, MONEY = "What an error costs", "Cost of privacy"
WRONG, MAPS = "What if the model is wrong?", "What-if map"
SHOWN = [name for name in private() if name != "threshold"]


def opened(tab: str = ERROR, **link: str) -> AppTest:
    return lab.opened("Trade-off", tab=tab, **link)


def names(figure: dict[str, Any]) -> list[str]:
    return [trace["name"] for trace in figure["data"] if "name" in trace]


def needs(scenario: Scenario, target: float) -> dict[str, str]:
    told = {}
    for name in SHOWN:
        epsilon = epsilon_for(scenario, name, target).epsilon
        told[f"{style.label(name)} needs"] = (
            "out of reach" if epsilon is None else f"ε = {epsilon:.4g}" if epsilon else "no budget"
        )
    return told


def test_it_opens_with_the_answer_the_curve_and_the_budgets() -> None:
    app = opened()
    lines = curve(Scenario(), EPSILON_GRID, NOISE_DAYS)
    at = EPSILON_GRID.index(0.5)
    percents = float(f"{100 * lines.typical['blowfish'].expected[at]:.2g}")
    assert number(app, "accepted error")["text"] == f"{percents:g}"
    assert needs(Scenario(), target_rmsre(percents, 96)).items() <= shown(app).items()
    assert "#### To miss the optimal rate by 1.2 % in a typical step, **Filtered** needs" in said(app)
    (drawn,) = figures(app)
    assert drawn["layout"]["xaxis"]["type"] == drawn["layout"]["yaxis"]["type"] == "log"
    assert [style.label(n) for n in SHOWN] == [n for n in names(drawn) if n in map(style.label, private())]
    assert "ε = 0.5 now" in names(drawn)
    assert names(figures(opened(MONEY))[0]) == ["Blowfish"]


@pytest.mark.parametrize("link", [{"negligible": "0.01"}, {"rate": "threshold"}])
def test_threshold_is_shown_where_it_neglects_something_or_by_name(link: dict[str, str]) -> None:
    app = opened(households="20", **link)
    assert "Threshold" in names(figures(app)[0])
    assert "Threshold needs" in shown(app)


def test_an_accepted_error_asks_for_budgets_and_one_click_sets_the_best() -> None:
    app = opened()
    enter(app, "accepted error", 0.5)
    target = target_rmsre(0.5, 96)
    assert needs(Scenario(), target).items() <= shown(app).items()
    best = usable_epsilon(epsilon_for(Scenario(), "filtered", target).epsilon or 0.0)
    assert [m.label for m in app.metric if m.delta == "smallest ε"] == ["Filtered needs"]
    app.button(key="tradeoff:use").click().run()
    assert scenario_of(app).epsilon == best
    assert lab_of(app).chosen("rate") == "filtered"  # the money follows
    assert number(app, "accepted error")["text"] == "0.5"
    assert app.button(key="tradeoff:use").disabled
    enter(app, "accepted error", "-1")
    assert "it must be a number from 1e-10 to 100,000,000" in number(app, "accepted error")["refused"]


def test_what_needs_no_budget_and_what_cannot_be_reached_is_said() -> None:
    app = opened()
    enter(app, "accepted error", 500.0)
    assert shown(app)["Forecast needs"] == "no budget"
    assert "**Forecast**" in said(app)
    assert "needs no data at all. With data, **" in said(app)
    enter(app, "accepted error", 1e-10)
    assert {shown(app)[f"{style.label(n)} needs"] for n in SHOWN} == {"out of reach"}
    assert "No rate gets within" in said(app)


def test_axes_can_be_linear_and_a_budget_beyond_the_grid_is_on_the_curve() -> None:
    app = opened(epsilon="50")
    app.toggle(key=key(app, "tradeoff:log")).set_value(False).run()
    drawn = figures(app)[0]
    assert drawn["layout"]["xaxis"]["type"] == "linear"
    assert "ε = 50 now" in names(drawn)


@pytest.mark.long
@pytest.mark.parametrize("preset", [name for name in PRESETS if name != "paper"])
def test_every_preset_opens(preset: str) -> None:
    minutes = HOURLY[preset].step_minutes
    for tab in (ERROR, MONEY):
        assert len(figures(opened(tab, preset=preset, households="50", step_minutes=f"{minutes}"))) == 1


@pytest.mark.slow
def test_a_wrong_belief_is_drawn_beside_the_right_one() -> None:
    app = opened(WRONG, preset="unsure curator", households="100")
    scenario = PRESETS["unsure curator"].replace(households=100)
    offered = app.selectbox(key=key(app, "tradeoff:belief")).options
    assert offered == list(candidates(scenario))
    first = figures(app)[0]
    assert {"Filtered, true model", "Forecast, true model"} <= set(names(first))
    before = said(app)
    app.selectbox(key=key(app, "tradeoff:belief")).select(offered[-1]).run()
    assert f"believing “{offered[-1]}”" in said(app)
    assert figures(app)[0] != first
    assert said(app) != before
    assert scenario_of(app) == scenario


def test_the_money_is_the_engines_by_day_and_by_month() -> None:
    app = opened(MONEY, households="50")
    day = simulate(Scenario(households=50))
    other_days = simulate_runs(day.street_day)

    def check(name: str, days: int) -> None:
        found = summarise(day, money_of_runs(day, name, other_days), days)
        told = {
            "Cost of the mismatch": found.mismatch,
            "Bill, mean change": found.bills.mean,
            "Bill, worst tenth": found.bills.worst,
        }
        plain = {
            label: [amount(number, day.scenario) for number in shown_range]
            for label, shown_range in told.items()
        }
        values = {label: value for label, (value, _, _) in plain.items()}
        values["The utility earns"] = profit_words(found, day.scenario)
        assert values.items() <= shown(app).items()
        ranges = {label: f"95 %: {low} to {high}" for label, (_, low, high) in plain.items()}
        low, high = (amount(-number, day.scenario) for number in (found.loss.high, found.loss.low))
        ranges["The utility earns"] = f"95 %: {low} to {high}"
        assert ranges.items() <= beside(app).items()
        assert f"the mean of {found.spans} repetitions" in said(app)

    check("blowfish", 1)
    app.segmented_control(key=key(app, "rate")).set_value("forecast").run()
    check("forecast", 1)
    app.segmented_control(key=key(app, "money:span")).set_value(f"A month ({MONTH} days)").run()
    check("forecast", MONTH)


def test_money_of_several_days_is_over_these_days_at_first() -> None:
    app = opened(MONEY, households="20", days="3")
    day = simulate(Scenario(households=20, days=3))
    found = summarise(day, money_of_runs(day, "blowfish"), 3)
    assert app.segmented_control(key=key(app, "money:span")).value == "3 days"
    assert shown(app)["Bill, mean change"] == amount(found.bills.mean.value, day.scenario)


def test_a_map_is_run_shown_and_a_point_of_it_loaded() -> None:
    app = opened(MAPS, households="20")
    enter(app, "map:days", 2)
    finish(app, "map")
    found = lab_of(app).memo["job:map"].result
    assert len(found.parts) == 8
    assert found.certainty("rmsre") in said(app)
    assert len(figures(app)[0]["data"]) == len(private())
    app.selectbox(key=key(app, "map:point")).select_index(3).run()
    app.button(key="map:load").click().run()
    assert scenario_of(app) == found.plan.at(3)
    assert len(figures(app)) == 1  # the map stays
    assert not app.warning
    enter(app, "households", 21)
    assert [warning.value for warning in app.warning] == [
        "This map is of another scenario (Households: 20 there, 21 now). Run it again for this one. "
        "Loading a point brings the other scenario back."
    ]
    enter(app, "households", 20)
    assert not app.warning

    app.selectbox(key=key(app, "map:second")).select("alpha").run()
    assert len(figures(app)[0]["data"]) == len(private())  # until another is run
    finish(app, "map")
    assert [trace["type"] for trace in figures(app)[0]["data"]] == ["heatmap", "scatter"]


def test_a_bad_range_is_refused_in_one_sentence() -> None:
    app = opened(MAPS, households="20")
    enter(app, "map:first:From", 3.0)
    assert [error.value for error in app.error] == [
        "epsilon has an empty range from 3 to 2; from must be below to."
    ]
    enter(app, "map:first:To", 1e9)
    assert "must be a number from 0.0001 to 10,000" in app.error[0].value
    enter(app, "map:first:To", 5.0)
    assert not app.error
    app.selectbox(key=key(app, "map:first")).select("households").run()
    assert app.button(key="start:map")


def click_instead(module: Any, point: Point, monkeypatch: pytest.MonkeyPatch) -> None:
    """A button for every chart that can be clicked, which hands on that point."""

    def button(picture: Picture, key: str, chosen: Callable[[Point], None]) -> None:
        streamlit.button("A point", key=f"click:{key}", on_click=chosen, args=(point,))

    monkeypatch.setattr(module, "clickable", button)


def test_a_click_on_the_curve_sets_the_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    click_instead(tradeoff, {"x": 0.7, "customdata": []}, monkeypatch)
    app = opened(households="20")
    app.button(key="click:tradeoff:curve").click().run()
    assert scenario_of(app) == Scenario(households=20, epsilon=0.7)


def test_the_error_can_be_drawn_against_the_leak_of_a_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    click_instead(tradeoff, {"x": 0.0, "customdata": [0.7]}, monkeypatch)
    app = opened(households="20", against="moment")
    assert "At the same leak the lower line is better" in said(app)
    assert "The forecast looks at no data" not in said(app)
    app.button(key="click:tradeoff:leak").click().run()
    assert scenario_of(app) == Scenario(households=20, epsilon=0.7)
    app.segmented_control(key=key(app, "tradeoff:against")).set_value("ε").run()
    assert "The forecast looks at no data" in said(app)


def test_a_large_street_says_why_no_leak_is_drawn() -> None:
    app = opened(households="6000", against="moment")
    assert [info.value for info in app.info] == [
        "The leak of a moment is drawn for streets of up to 5,000 houses × days."
    ]


def test_a_click_on_the_map_loads_its_scenario(monkeypatch: pytest.MonkeyPatch) -> None:
    click_instead(whatif, {"x": 0.0, "customdata": [2]}, monkeypatch)
    app = opened(MAPS, households="10")
    enter(app, "map:days", 2)
    enter(app, "map:first:count", 3)
    finish(app, "map")
    app.button(key="click:map:chart").click().run()
    assert scenario_of(app) == lab_of(app).memo["job:map"].result.plan.at(2)


def test_where_no_other_model_fits_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tradeoff, "candidates", lambda scenario: {})
    app = opened(WRONG, households="10")
    assert [info.value for info in app.info] == [
        "No other model fits this scenario; add one on the Households page."
    ]
