"""The Over time screen: every tab opens, follows its controls, and long work can be started."""

import pytest

from pages.ui import cache
from rtp import PRESETS
from rtp.core.formatting import plain
from rtp.leakage.moment import moment_leakage
from rtp.simulation import simulate
from tests.help import app as lab

LINK = {"households": "30", "step_minutes": "60"}
STREET = PRESETS["paper"].replace(households=30, step_minutes=60)


def test_the_first_table_has_three_secrets_and_two_observers_and_follows_the_rate() -> None:
    app = lab.opened("Over_time", tab="A moment", **LINK)
    table = app.table[0].value
    assert list(table.columns) == ["Insider", "Outsider"]
    assert len(table) == 3
    found = moment_leakage(simulate(STREET), "blowfish")
    assert f"**{plain(found.worst)}**" in lab.said(app)
    (forecast,) = [button for button in app.button if button.label == "Publish the forecast"]
    app = forecast.click().run()
    assert not app.exception
    assert set(app.table[0].value.to_numpy().ravel()) == {"50 %, hidden"}
    assert "nobody learns anything about any moment" in lab.said(app)


def test_a_tenth_of_the_budget_is_one_click() -> None:
    app = lab.opened("Over_time", tab="A moment", **LINK)
    before = app.table[0].value
    (tenth,) = [button for button in app.button if button.label == "A tenth of the budget"]
    app = tenth.click().run()
    assert not app.exception
    assert lab.scenario_of(app).epsilon == 0.05
    assert not app.table[0].value.equals(before)
    worst = moment_leakage(simulate(STREET.replace(epsilon=0.05)), "blowfish").worst
    assert f"shift its log-odds by **{plain(worst)}**" in lab.said(app)


def test_a_street_for_each_effect_opens_its_tab_and_is_undone() -> None:
    app = lab.opened("Over_time", tab="A moment", **LINK)
    lab.press(app, "A whole day: Steady houses")
    assert not app.exception
    assert lab.scenario_of(app) == PRESETS["steady houses"]
    assert list(app.table[1].value.index) == ["Theorem 2", "Exact moment", "Forecast"]
    assert list(app.table[2].value.index) == ["Markov quilt", "w-event", "Gaussian"], "for experts"
    lab.press(app, "Undo")
    assert lab.scenario_of(app) == STREET


def test_too_few_simulated_houses_are_refused_beside_their_field() -> None:
    app = lab.opened("Over_time", tab="A holiday", **LINK)
    lab.enter(app, "overtime:lives", "1")
    assert "it must be a whole number from 40 to 20,000" in lab.number(app, "overtime:lives")["refused"]


def test_damaged_links_are_refused_in_a_sentence_each_and_the_rest_is_shown() -> None:
    """And a house that the street does not have gives way to the most exposed."""
    wrong = {"rate": "moon", "secret": "x", "watch": "31", "delta": "2", "total": "-1", "step": "-1"}
    app = lab.opened("Over_time", tab="A moment", house="29999", **wrong, **LINK)
    (sentence,) = [element.value for element in app.error]
    for name in wrong:
        assert f"{name} is " in sentence
    assert "watch is 31; it must be a whole number from 1 to 30." in sentence
    assert lab.number(app, "overtime:house")["text"] == ""
    assert len(app.table[0].value) == 3


@pytest.mark.parametrize("failed", [False, True])
def test_while_the_observers_are_asked_the_rest_is_there(
    failed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    nothing: cache.Beside[object] = cache.Beside(failed, None)
    monkeypatch.setattr(cache, "beside", lambda *_, **__: nothing)
    app = lab.opened("Over_time", tab="A moment", **LINK)
    assert not app.table
    assert ("Asking both observers …" in lab.said(app)) is not failed
    assert [error.value for error in app.error] == ["The observers could not be asked."] * failed
    assert "shift its log-odds by" in lab.said(app)
