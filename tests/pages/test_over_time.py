"""The Over time screen: every tab opens, follows its controls, and long work can be started."""

import pytest

from rtp import PRESETS
from rtp.notation import plain
from rtp.overtime.moment import moment
from rtp.simulation import simulate
from tests.help import app as lab

LINK = {"households": "30"}


def test_the_first_table_has_three_secrets_and_two_observers_and_follows_the_rate() -> None:
    app = lab.opened("Over_time", tab="A moment", **LINK)
    table = app.table[0].value
    assert list(table.columns) == ["Insider", "Outsider"]
    assert len(table) == 3
    found = moment(simulate(PRESETS["paper"].replace(households=30)), "blowfish")
    assert f"**{plain(found.worst)}**" in lab.said(app)
    (forecast,) = [button for button in app.button if button.label == "Publish the forecast"]
    app = forecast.click().run()
    assert not app.exception
    assert set(app.table[0].value.to_numpy().ravel()) == {"50 %, hidden"}
    assert "nobody learns anything about any moment" in lab.said(app)


@pytest.mark.parametrize(
    ("tab", "words"),
    [
        ("A holiday", "300 ordinary lives and 300 with the secret"),
        ("The crowd", "whoever knows what the others used sees no crowd"),
        ("A whole day", "with noise for the houses that Algorithm 1 protects"),
    ],
)
def test_every_tab_opens(tab: str, words: str) -> None:
    assert words in lab.said(lab.glance("Over_time", tab, "paper", "30"))


def test_a_tenth_of_the_budget_is_one_click() -> None:
    app = lab.opened("Over_time", tab="A moment", **LINK)
    (tenth,) = [button for button in app.button if button.label == "A tenth of the budget"]
    app = tenth.click().run()
    assert not app.exception
    assert app.session_state["scenario"].epsilon == 0.05
