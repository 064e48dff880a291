"""Widgets that show a value of the lab: versions, echoes, lost callbacks, and what they leave behind."""

from typing import Any

import pytest
import streamlit
from streamlit.testing.v1 import AppTest

from pages.ui.versions import REMEMBERED, VERSIONS
from rtp.scenario import LIBRARY
from tests.help.app import QUICK, click, enter, key, lab_of, number, opened, refused, scenario_of


def two_for_one() -> None:
    """The same setting twice."""
    from functools import partial

    from pages.ui.session import lab
    from pages.ui.versions import collect
    from pages.ui.widgets import segmented, toggle

    collect()
    on = lab().setting("on", False)
    toggle("On", on, partial(lab().show, "on"), key="toggle")
    segmented("Also", [True, False], on, str, partial(lab().show, "on"), key="also")


def test_an_echo_of_the_version_before_changes_nothing() -> None:
    """The browser has not heard of the next version yet, and its user goes on."""
    app = AppTest.from_function(two_for_one, default_timeout=60).run()
    old = key(app, "also")
    app.toggle(key=key(app, "toggle")).set_value(True).run()
    assert key(app, "also") != old, "what was changed elsewhere is another widget"
    assert app.segmented_control(key=key(app, "also")).value is True
    app.session_state[old] = False
    app.run()
    assert app.toggle[0].value


def test_nothing_is_lost_where_a_callback_never_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    toggle = streamlit.toggle

    def without_callback(*args: Any, on_change: object, **more: Any) -> bool:
        return toggle(*args, **more)

    monkeypatch.setattr(streamlit, "toggle", without_callback)
    app = AppTest.from_function(two_for_one, default_timeout=60).run()
    app.toggle(key=key(app, "toggle")).set_value(True).run()
    assert app.segmented_control(key=key(app, "also")).value is True


def left_behind(app: AppTest) -> int:
    return len(app.session_state[VERSIONS]) + len(app.session_state[REMEMBERED])


def test_what_is_no_longer_drawn_is_forgotten() -> None:
    """Each time the groups are others, and so are their controls."""
    app = opened("Street", tab="Groups", households="4", step_minutes="60")
    app.run()
    before = left_behind(app)
    for _ in range(4):
        click(app, "add group")
        (last,) = [each for each in app.button if str(each.key).startswith("remove group:1")]
        last.click().run()
    app.run()
    assert len(scenario_of(app).groups) == 1
    assert left_behind(app) <= before + 10
    click(app, "add group")
    app.text_input(key=key(app, "text:group:1")).set_value("Shops").run()
    assert scenario_of(app).groups[1].name == "Shops", "one that is drawn again is heard"


def test_typed_text_and_a_click_in_one_breath_end_at_the_click() -> None:
    app = opened("Explore", households="20")
    preset = LIBRARY[lab_of(app).preset].scenario
    app.text_input(key=key(app, "number:epsilon")).set_value("7")
    click(app, "action:reset")
    assert scenario_of(app) == preset
    lab_of(app).undo()
    before = scenario_of(app.run())
    assert (before.epsilon, before.households) == (7.0, 20), "what was typed was saved before"


# The field for a number: how long a refusal stands, and who is heard. What it understands: test_typed.py


def a_field() -> None:
    import streamlit as st

    from pages.ui.session import lab
    from pages.ui.versions import collect
    from pages.ui.widgets import number_field
    from rtp.scenario import Bounds

    collect()
    heard = lab().extras.setdefault("heard", [])
    value = heard[-1] if heard else 0.5
    number_field("Size", value, heard.append, Bounds(0.0, 10.0, "Size"), key="number:size")
    st.text(heard)


@pytest.fixture
def app() -> AppTest:
    return AppTest.from_function(a_field, default_timeout=60).run()


def test_what_is_refused_stays_until_the_next_good_number(app: AppTest) -> None:
    for typed in ("11", "1,500", "*what*"):
        enter(app, "size", typed)
        shows = number(app, "size")
        assert shows["text"] == typed
        assert "Size" in shows["refused"]
        app.run()
        assert number(app, "size") == shows
    enter(app, "size", "")
    assert number(app, "size") == {"text": "0.5", "refused": ""}
    enter(app, "size", "1,5")
    assert app.text[0].value == "[1.5]"


def test_the_version_before_is_still_heard(app: AppTest) -> None:
    """The browser has not heard of the next one yet, and its user types on."""
    old = key(app, "number:size")
    enter(app, "size", "0,1")
    assert key(app, "number:size") != old
    app.session_state[old] = "0,2"
    app.run()
    assert app.text[0].value == "[0.1, 0.2]"
    assert number(app, "size")["text"] == "0.2"


@pytest.mark.parametrize(("screen", "tab"), [("Explore", ""), ("Street", ""), ("Street", "Groups")])
def test_every_field_says_what_it_refuses(screen: str, tab: str) -> None:
    app = opened(screen, tab=tab, preset="tiny street")
    before = scenario_of(app)
    fields = [box for box in app.text_input if str(box.key).startswith("number:") and not box.disabled]
    for box in fields:
        box.set_value("what?")
    app.run()
    assert scenario_of(app) == before
    assert fields
    for box in fields:
        assert box.label in refused(app, str(box.key)), box.key


def test_a_refused_number_and_undo_in_one_breath() -> None:
    app = opened(QUICK, preset="tiny street")
    enter(app, "epsilon", "0,7")
    app.text_input(key=key(app, "number:epsilon")).set_value("-1")
    click(app, "action:undo")
    assert number(app, "epsilon") == {"text": "0.5", "refused": ""}


def test_the_street_has_as_many_houses_as_its_groups() -> None:
    app = opened("Street", tab="Groups", preset="mixed street")
    for count, group in ((60, 0), (90, 1), (30, 2)):
        enter(app, f"count:{group}", str(count))
        assert number(app, f"count:{group}") == {"text": str(count), "refused": ""}
    scenario = scenario_of(app)
    assert (scenario.households, scenario.groups[2].share) == (180, 30 / 180)
    for group in range(3):
        enter(app, f"count:{group}", "0")
    assert number(app, "count:2")["refused"], "somebody must live there"
    assert scenario_of(app).households == 30
