"""Widgets that show a value of the lab: versions, echoes, and changes whose callback never came."""

from typing import Any

import pytest
import streamlit
from streamlit.testing.v1 import AppTest

from tests.help.app import key


def two_for_one() -> None:
    """The same setting twice."""
    from functools import partial

    from pages.ui.session import collect, lab
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
