"""Widgets that show a value of the lab: versions, echoes, lost callbacks, and what they leave behind."""

from typing import Any

import pytest
import streamlit
from streamlit.testing.v1 import AppTest

from pages.ui.versions import REMEMBERED, VERSIONS
from tests.help.app import click, key, lab_of, opened, scenario_of


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
    for _ in range(8):
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
    app = opened("Decide", tab="ε for a target error", households="20")
    app.text_input(key=key(app, "number:accepted error")).set_value("1").run()
    offered = app.button(key="tradeoff:use").label
    app.text_input(key=key(app, "number:epsilon")).set_value("7")
    click(app, "tradeoff:use")
    assert offered.endswith(f"ε = {scenario_of(app).epsilon:g}")
    assert app.button(key="tradeoff:use").disabled, "what it offered is in use"
    lab_of(app).undo()
    assert scenario_of(app.run()).epsilon == 7.0, "what was typed was saved before"
