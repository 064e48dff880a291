"""Widgets that show a value of the lab: versions, echoes, and changes whose callback never came."""

from collections.abc import Callable
from typing import Any

import pytest
import streamlit
from streamlit.testing.v1 import AppTest

from pages.ui import session
from pages.ui.lab import Lab
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


def app_of(page: Callable[[], None]) -> AppTest:
    app = AppTest.from_function(page, default_timeout=60).run()
    assert not app.exception
    return app


def is_on(app: AppTest) -> bool:
    return bool(app.toggle[0].value)


def test_a_widget_that_was_changed_elsewhere_is_another_one() -> None:
    app = app_of(two_for_one)
    before = key(app, "also"), key(app, "toggle")
    app.toggle(key=key(app, "toggle")).set_value(True).run()
    assert is_on(app)
    assert app.segmented_control(key=key(app, "also")).value is True
    assert (key(app, "also") == before[0], key(app, "toggle") == before[1]) == (False, True)


def test_an_echo_of_the_version_before_changes_nothing() -> None:
    """The browser has not heard of the next version yet, and its user goes on."""
    app = app_of(two_for_one)
    old = app.segmented_control(key=key(app, "also"))
    echo, said = str(old.key), old.value
    app.toggle(key=key(app, "toggle")).set_value(True).run()
    app.session_state[echo] = said
    app.run()
    assert is_on(app)


def test_nothing_is_lost_where_a_callback_never_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    toggle = streamlit.toggle

    def without_callback(*args: Any, on_change: object, **more: Any) -> bool:
        return toggle(*args, **more)

    monkeypatch.setattr(streamlit, "toggle", without_callback)
    app = app_of(two_for_one)
    app.toggle(key=key(app, "toggle")).set_value(True).run()
    assert is_on(app)
    assert app.segmented_control(key=key(app, "also")).value is True


def test_a_click_counts_where_the_next_request_breaks_off_collecting(monkeypatch: pytest.MonkeyPatch) -> None:
    class BrokenOffError(Exception):
        pass

    def broken_off() -> None:
        raise BrokenOffError

    monkeypatch.setattr(session, "collect", broken_off)
    lab = Lab()
    with pytest.raises(BrokenOffError):
        session.press(lab.set, "epsilon", 2.0)
    assert lab.scenario.epsilon == 2.0
