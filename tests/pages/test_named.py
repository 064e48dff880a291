"""Named scenarios: one list, pinned on three screens, saved in the browser, taken away and brought back."""

import json
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from pages.ui import browser as sent
from pages.ui import pins
from pages.ui.explore.screen import COMPARE
from pages.ui.named import NOW, NamedScenarios
from rtp import PRESETS, Scenario
from rtp.exposure import Observer
from rtp.figures import style
from rtp.output.exposure import share
from rtp.scenario import edit
from rtp.scenario.share import Named, pins_to_link, to_library
from tests.help.app import QUICK, click, figures, key, known_exposure, lab_of, opened, scenario_of

SMALL = Scenario(households=20)
TIGHT = Named(name="Tight", scenario=SMALL.replace(epsilon=0.1))
TINY = Named(name="Tiny", preset="tiny street", scenario=PRESETS["tiny street"])
PINS = {1: TIGHT, 2: Named(name="Loose", scenario=SMALL.replace(epsilon=2.0)), 4: TINY}
LINK = {"households": "20"} | pins_to_link(PINS, {})


class Browser:
    """What the component does, without a browser."""

    def __init__(self) -> None:
        self.held: Any = {}

    def __call__(self, *, data: dict[str, Any], **_: object) -> dict[str, str]:
        if isinstance(self.held, dict):
            self.held = told(self.held, data["due"])
        return {"report": json.dumps(self.held)}


def told(held: dict[str, str], due: dict[str, str | None]) -> dict[str, str]:
    """What a browser holds once it has heard of the changes that are due."""
    return {name: text for name, text in {**held, **due}.items() if text is not None}


@pytest.fixture
def browser(monkeypatch: pytest.MonkeyPatch) -> Browser:
    held = Browser()
    monkeypatch.setattr(sent, "storage", held)
    return held


def dialog(app: AppTest) -> AppTest:
    """The list open again: without a browser every click closes it."""
    click(app, "action:saved")
    assert not app.exception
    return app


def save_as(app: AppTest, name: str) -> AppTest:
    dialog(app).text_input(key=key(app, f"text:{pins.NAME}")).set_value(name)
    app.button(key="saved:save").click().run()
    return app


def refused(app: AppTest) -> str:
    """What was refused at the last click, said once."""
    return " ".join(toast.value for toast in app.toast)


def dotted(app: AppTest) -> dict[str, str]:
    """The colours of the dotted curves, by name of the pin."""
    return {
        trace["legendgroup"].removeprefix("pin "): trace["line"]["color"]
        for figure in figures(app)
        for trace in figure["data"]
        if str(trace.get("legendgroup", "")).startswith("pin ")
    }


@pytest.mark.long
@pytest.mark.parametrize(
    ("screen", "tab", "drawn"),
    [
        ("Explore", "", {1, 2, 4}),
        ("Attack", "Who shows, and when", {1, 2}),  # a tiny street lives another day
    ],
)
def test_pins_have_their_colours_and_a_column_on_every_screen(screen: str, tab: str, drawn: set[int]) -> None:
    app = opened(screen, tab=tab, **LINK, rate="naive", **({"house": "1"} if screen == "Attack" else {}))
    assert not app.error
    assert dotted(app) == {PINS[slot].name: style.PIN_COLOURS[slot - 1] for slot in drawn}
    (table,) = (t.value for t in app.table if "Tight" in t.value.columns)
    assert list(table.columns) == [NOW, "Tight", "Loose", "Tiny"]
    for name, scenario in {NOW: SMALL, "Loose": PINS[2].scenario}.items():
        found = (known_exposure("moment", who) for who in get_args(Observer))
        areas = {share(each.at("naive", scenario.epsilon), each.exact) for each in found}
        assert areas <= set(table[name]), "by the rate decided for"
    assert any("Tiny" in c.value for c in app.caption) == (4 not in drawn), "what is not drawn is said"


def test_a_run_is_pinned_renamed_opened_and_unpinned() -> None:
    app = opened(households="20", sections=[COMPARE])
    assert not app.table
    click(app, "pin:now")
    app.button(key="pin:interval").click().run()
    assert {slot: pin.scenario for slot, pin in lab_of(app).pins.items()} == {
        1: SMALL,
        2: edit.set_step_minutes(SMALL, 30),
    }
    assert app.button(key="pin:interval").disabled
    app.text_input(key=key(app, "text:pin 1")).set_value("Mine").run()
    assert app.query_params["pin1"] == "Mine?households=20"
    for bad in (lab_of(app).pins[2].name, NOW, "?b"):
        app.text_input(key=key(app, "text:pin 1")).set_value(bad).run()
        assert any(bad in caption.value for caption in app.caption)
        assert lab_of(app).pins[1].name == "Mine"
    app.button(key="open:pin:#2").click().run()
    assert scenario_of(app).step_minutes == 30
    assert app.button(key="open:pin:#2").disabled
    app.button(key="unpin:pin:#1").click().run()
    assert list(lab_of(app).pins) == [2]


def test_a_scenario_is_saved_opened_tomorrow_pinned_and_deleted(browser: Browser) -> None:
    dialog(save_as(opened(QUICK, households="20", epsilon="0.1"), " Tight "))
    assert browser.held == {"Tight": TIGHT.to_text()}
    tomorrow = opened()
    tomorrow.button(key="saved:offer:Tight").click().run()
    assert scenario_of(tomorrow) == TIGHT.scenario
    assert not [b for b in tomorrow.button if b.key and b.key.startswith("saved:offer")], "no plain address"
    dialog(tomorrow).button(key="pin:saved:Tight").click().run()
    assert lab_of(tomorrow).pins == {1: TIGHT}
    dialog(tomorrow).button(key="delete:saved:#1").click().run()
    assert dialog(tomorrow).button(key="save:saved:#1"), "still pinned"
    assert browser.held == {}


def test_what_cannot_be_read_or_stored_is_said_and_kept(browser: Browser) -> None:
    browser.held = {"Old: é": "Old: é?epsilon=0", "Odd": 7, "Tight": TIGHT.to_text()}
    app = dialog(opened(QUICK))
    assert any("Old: é" in c.value and "epsilon" in c.value for c in app.caption)
    assert browser.held["Old: é"] == "Old: é?epsilon=0"
    for nothing in (None, 7, "x"):  # or nonsense: the session keeps what it has
        browser.held = nothing
        assert len(dialog(app).warning) == 1
        assert app.button(key="open:saved:Tight")


def test_neither_a_name_nor_a_file_overwrites_what_is_saved(browser: Browser) -> None:
    browser.held = {"Tiny": "Tiny?seed=9"}
    app = dialog(opened(QUICK))
    for bad in ("Tiny", "?b"):
        assert bad in refused(save_as(app, bad))
    for file, content, named in (("a.json", to_library([TIGHT, TINY]), "Tiny"), ("b.json", "{}", "b.json")):
        upload = dialog(app).file_uploader(key=pins.UPLOAD)
        assert named in refused(upload.upload(file, content.encode(), "application/json").run())
    dialog(app)
    assert browser.held == {"Tiny": "Tiny?seed=9", "Tight": TIGHT.to_text()}


ACTS = st.tuples(st.sampled_from(["save", "delete", "hear", "elsewhere"]), st.sampled_from("AB"))


@given(st.lists(ACTS, max_size=12))
def test_browser_and_session_end_alike_whenever_the_browser_hears(acts: list[tuple[str, str]]) -> None:
    """Of another window's changes too; what is saved here meanwhile is never lost."""
    named, held = NamedScenarios(), dict[str, str]()
    for turn, (act, name) in enumerate([*acts, ("hear", ""), ("hear", "")]):
        if act == "elsewhere":
            held[name] = f"{name}?seed={turn}"
        elif act == "hear":
            asked, changes = held, dict(named.due)
            held = told(held, changes)
            named.hear(asked)  # what it held before
            assert told(named.saved, changes) == named.saved
            named.hear(held)
        else:
            named.delete(name)
            if act == "save":
                named.save(Named(name=name, scenario=Scenario(seed=turn)))
    assert (named.saved, named.due) == (held, {})
