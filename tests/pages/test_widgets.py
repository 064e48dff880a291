"""Widgets that show a value of the lab: versions, echoes, and changes whose callback never came."""

from typing import Any

import pytest
import streamlit
from streamlit.testing.v1 import AppTest

from pages.ui.session import lab
from pages.ui.versions import UNREADABLE, Read, as_switch, as_text, one_among, some_among, versioned
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


@pytest.mark.parametrize(
    ("read", "value", "good", "bad"),
    [
        (as_text, "text", "other", [7, None, b"text", ["text"]]),
        (as_switch, False, True, ["yes", 2, None]),
        (one_among(["a", "b"]), "a", "b", ["c", 1, None, ["a"]]),
        (one_among(range(3)), 0, 2, [3, -1, 0.5, "1"]),
        (some_among(["a", "b"]), ["a"], ["b", "a"], [["c"], "a", 5, [["a"]]]),
    ],
)
def test_what_a_widget_cannot_show_is_not_saved(
    read: Read[object], value: object, good: object, bad: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    state: dict[str, object] = {}
    monkeypatch.setattr(streamlit, "session_state", state)
    saved: list[object] = []
    for sent in bad:
        before = versioned("widget", value, saved.append, read)
        state[before.key] = sent
        before.changed()
        assert lab().pop_message() == UNREADABLE
        assert versioned("widget", value, saved.append, read).key != before.key, "a new one shows the value"
    assert not saved
    here = versioned("widget", value, saved.append, read)
    state[here.key] = good
    here.changed()
    assert saved == [good]
    assert not lab().pop_message()


def test_an_equal_of_an_option_is_taken_for_the_option() -> None:
    assert type(one_among(range(3))(True)) is int
