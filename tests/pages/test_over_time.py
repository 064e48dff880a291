"""The Over time screen: its numbers follow its controls, its links and its example streets."""

import pytest

from pages.ui import cache
from pages.ui.attack.over_time import DAY
from rtp import PRESETS
from rtp.core.formatting import plain
from rtp.leakage.composition import compositions
from rtp.leakage.moment import moment_leakage
from rtp.simulation import simulate
from tests.help import app as lab

LINK = {"households": "30", "step_minutes": "60"}
STREET = PRESETS["paper"].replace(households=30, step_minutes=60)


def test_numbers_follow_the_budget_and_the_rate() -> None:
    app = lab.opened("Over_time", tab="A moment", **LINK)
    before = app.table[0].value
    assert before.shape == (3, 2)
    assert f"**{plain(moment_leakage(simulate(STREET), 'blowfish').worst)}**" in lab.said(app)
    app.button(key="overtime:tenth").click().run()
    tenth = STREET.replace(epsilon=STREET.epsilon / 10)
    assert lab.scenario_of(app) == tenth
    assert f"**{plain(moment_leakage(simulate(tenth), 'blowfish').worst)}**" in lab.said(app)
    assert not app.table[0].value.equals(before)
    app.button(key="overtime:forecast").click().run()
    assert set(app.table[0].value.to_numpy().ravel()) == {"50 %, hidden"}


def test_an_example_street_opens_its_tab_and_is_undone() -> None:
    app = lab.opened("Over_time", tab="A moment", **LINK)
    app.button(key=f"overtime:example:{DAY}").click().run()
    street = PRESETS["steady houses"]
    assert lab.scenario_of(app) == street
    ways = {way.name for way in compositions(street, street.epsilon * street.steps)}
    assert {*app.table[1].value.index, *app.table[2].value.index} == ways
    lab.press(app, "Undo")
    assert lab.scenario_of(app) == STREET


@pytest.mark.parametrize("failed", [False, True])
def test_while_the_observers_are_asked_the_rest_is_there(
    failed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    nothing: cache.Beside[object] = cache.Beside(failed, None)
    monkeypatch.setattr(cache.Shared, "beside", lambda *_, **__: nothing)
    app = lab.opened("Over_time", tab="A moment", **LINK)
    assert not app.table
    assert len(app.error) == failed
    assert f"**{plain(moment_leakage(simulate(STREET), 'blowfish').worst)}**" in lab.said(app)
