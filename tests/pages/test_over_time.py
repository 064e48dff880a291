"""The tab Over time: its numbers follow its controls."""

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from pages.ui.attack import verdict
from rtp import PRESETS, Scenario
from rtp.core.formatting import percent
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
