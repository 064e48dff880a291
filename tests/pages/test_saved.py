"""Scenarios saved under names: what the browser holds, and what happens where it holds nothing."""

import json
from typing import Any

import pytest
import streamlit
from streamlit.testing.v1 import AppTest

from pages.ui import saved
from rtp import PRESETS, Scenario
from rtp.scenario.share import Named, to_library
from tests.help.app import QUICK, key, opened, press, scenario_of

TIGHT = Named(name="Tight", scenario=Scenario(epsilon=0.1, households=20))


class Browser:
    """What the component does, without a browser."""

    def __init__(self, held: dict[str, object] | None) -> None:
        self.held = held

    def __call__(self, *, data: dict[str, Any], **_: object) -> Any:
        if self.held is not None:
            for name, text in data["changes"]:
                self.held.pop(name, None) if text is None else self.held.update({name: text})
        report = json.dumps({"held": self.held, "turn": data["turn"]})
        return {"report": report}


@pytest.fixture
def browser(monkeypatch: pytest.MonkeyPatch) -> Browser:
    held = Browser({})
    monkeypatch.setattr(saved, "_component", held)
    return held


def dialog(**link: str) -> AppTest:
    app = opened(QUICK, **({"households": "20", "epsilon": "0.1"} | link))
    press(app, "Saved")
    assert not app.exception
    return app


def name_it(app: AppTest, name: str) -> None:
    app.text_input(key=key(app, "text:saved name")).set_value(name)
    app.button(key="saved:save").click().run()
    press(app, "Saved")


def test_a_scenario_is_saved_opened_tomorrow_and_deleted(browser: Browser) -> None:
    app = dialog()
    name_it(app, "Tight")
    assert browser.held == {"Tight": TIGHT.to_text()}
    tomorrow = opened()
    assert [b.label for b in tomorrow.button if b.key and b.key.startswith("saved:offer")] == ["Tight"]
    tomorrow.button(key="saved:offer:Tight").click().run()
    assert scenario_of(tomorrow) == TIGHT.scenario
    assert not [b for b in tomorrow.button if b.key and b.key.startswith("saved:offer")], "no plain address"
    press(tomorrow, "Saved")
    tomorrow.button(key="saved:delete:Tight").click().run()
    press(tomorrow, "Saved")
    assert browser.held == {}


def test_a_taken_name_is_asked_about(browser: Browser) -> None:
    browser.held = {"Tight": "Tight?seed=9"}
    app = dialog()
    name_it(app, "Tight")
    assert browser.held == {"Tight": "Tight?seed=9"}
    assert app.warning[0].value == "There is a scenario saved as “Tight”."
    app.button(key="saved:keep").click().run()
    press(app, "Saved")
    assert browser.held == {"Tight": "Tight?seed=9"}
    name_it(app, "Tight")
    app.button(key="saved:overwrite").click().run()
    press(app, "Saved")
    assert browser.held == {"Tight": TIGHT.to_text()}


def test_a_taken_name_with_a_space_behind_it_is_asked_about_too(browser: Browser) -> None:
    browser.held = {"Tight": "Tight?seed=9"}
    app = dialog()
    name_it(app, "Tight ")
    assert browser.held == {"Tight": "Tight?seed=9"}
    assert app.warning[0].value == "There is a scenario saved as “Tight”."


def test_a_name_may_have_a_colon(browser: Browser) -> None:
    app = dialog()
    name_it(app, "Mill Lane: tight, 12:30")
    assert list(browser.held or {}) == ["Mill Lane: tight, 12:30"]
    assert r"**Mill Lane\: tight, 12\:30**" in [text.value for text in app.markdown]
    app.button(key="saved:delete:Mill Lane: tight, 12:30").click().run()
    press(app, "Saved")
    assert browser.held == {}


def test_a_bad_name_is_refused_in_one_sentence(browser: Browser) -> None:
    app = dialog()
    app.text_input(key=key(app, "text:saved name")).set_value("<b>")
    app.button(key="saved:save").click().run()
    press(app, "Saved")
    assert browser.held == {}
    assert app.error[0].value.startswith("name is '<b>'; it must start with a letter or digit")


def test_what_cannot_be_read_is_said_and_kept(browser: Browser) -> None:
    browser.held = {"Old": "Old?epsilon=0", "Odd": 7, "Tight": TIGHT.to_text()}
    app = dialog()
    app.run()
    press(app, "Saved")
    assert any(c.value.startswith("**Old** cannot be read: epsilon is 0;") for c in app.caption)
    assert browser.held["Old"] == "Old?epsilon=0"


def test_where_the_browser_keeps_nothing_that_is_said_and_nothing_is_lost(browser: Browser) -> None:
    browser.held = None
    app = dialog()
    name_it(app, "Tight")
    assert saved.NOT_KEPT in [w.value for w in app.warning]
    assert app.button(key="saved:open:Tight")


def test_a_file_brings_all_back_but_overwrites_nothing(browser: Browser) -> None:
    browser.held = {"Mansions": "Mansions?seed=9"}
    app = dialog()
    app.run()
    press(app, "Saved")
    mansions = Named(name="Mansions", preset="mansions", scenario=PRESETS["mansions"])
    file = to_library([TIGHT, mansions]).encode()
    app.file_uploader(key=saved.UPLOAD).upload("mine.json", file, "application/json").run()
    press(app, "Saved")
    assert browser.held == {"Mansions": "Mansions?seed=9", "Tight": TIGHT.to_text()}
    assert app.error[0].value == (
        "Another scenario is saved as “Mansions”: delete it first, then load again."
    )
    app.file_uploader(key=saved.UPLOAD).upload("bad.json", b"{}", "application/json").run()
    press(app, "Saved")
    assert app.error[0].value == "bad.json was not loaded: The file holds no list of scenarios."


@pytest.mark.parametrize("nonsense", ["", "{", "[]", "7", '{"held": 3, "turn": 1}', '{"held": {}}', "null"])
def test_nonsense_from_the_browser_is_as_good_as_nothing(
    nonsense: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    session: dict[str, Any] = {}
    monkeypatch.setattr(streamlit, "session_state", session)
    monkeypatch.setattr(saved, "_component", lambda **_: {"report": nonsense})
    here = saved._saved()
    here.change("Tight", TIGHT.to_text())
    saved._mount("here")
    assert here.texts == {"Tight": TIGHT.to_text()}
    assert here.report == saved.Report(None, 0)
