"""The tab Over time: its numbers follow its controls, its links and its example streets."""

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from pages.ui.attack import verdict
from pages.ui.attack.over_time import DAY
from rtp import PRESETS, Scenario
from rtp.core.formatting import percent
from rtp.leakage.composition import compositions
from rtp.leakage.moment import even_guess, moment_leakage
from rtp.leakage.overview import overview
from rtp.simulation import simulate
from tests.help import app as lab

LINK = {"households": "30", "step_minutes": "60"}
STREET = PRESETS["paper"].replace(households=30, step_minutes=60)


def test_numbers_follow_the_budget_and_the_rate(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verdict, "overview", overview)
    monkeypatch.setattr(verdict, "REPETITIONS", 40)
    app = lab.opened("Over_time", tab="A moment", **LINK)
    before = bars(app)
    assert surest(STREET) in lab.said(app)
    lab.enter(app, "epsilon", STREET.epsilon / 10)
    tenth = STREET.replace(epsilon=STREET.epsilon / 10)
    assert lab.scenario_of(app) == tenth
    assert surest(tenth) in lab.said(app)
    assert bars(app) != before
    app.selectbox(key=lab.key(app, "rate")).set_value("forecast").run()
    assert bars(app)["Forecast"] == [[0.0] * 3] * 2, "a guess, by either observer"


def surest(scenario: Scenario) -> str:
    """What an even guess can become."""
    return percent(even_guess(moment_leakage(simulate(scenario), "blowfish").worst), 4)


def bars(app: AppTest) -> dict[str, list[Any]]:
    """How far beyond a guess either observer is, by rate."""
    drawn: dict[str, list[Any]] = {}
    for trace in lab.figures(app)[0]["data"]:
        if trace["type"] == "bar":
            drawn.setdefault(trace["name"], []).append(trace["x"])
    return drawn


@pytest.mark.long
def test_an_example_street_of_its_tab_is_opened_and_undone() -> None:
    app = lab.opened("Over_time", tab=DAY, **LINK)
    app.button(key=f"overtime:example:{DAY}").click().run()
    street = PRESETS["steady houses"]
    assert lab.scenario_of(app) == street
    ways = {way.name for way in compositions(street, street.epsilon * street.steps)}
    assert {*app.table[0].value.index} == ways
    lab.press(app, "Undo")
    assert lab.scenario_of(app) == STREET
