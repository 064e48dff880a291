"""Widgets bound to a fact: whose word counts, and where the address goes."""

from collections.abc import Callable
from typing import Any

import pytest
import streamlit
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from pages.ui import address, bound, parts, state
from rtp.scenario import Scenario


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    kept: dict[str, Any] = {}
    monkeypatch.setattr(streamlit, "session_state", kept)
    return kept


def test_a_widget_keeps_its_key_while_it_shows_the_fact_and_gets_another_when_not(
    session: dict[str, Any],
) -> None:
    facts: list[float] = []
    first = bound.bind("x", 0.5, facts.append)
    session[first.key] = 0.6
    first.changed()
    assert facts == [0.6]
    assert bound.bind("x", 0.6, facts.append).key == first.key
    second = bound.bind("x", 0.7, facts.append)  # another hand has changed it
    assert (second.key, second.first) != (first.key, first.first)
    first.changed()  # the browser repeats what the widget of the first turn had
    assert facts == [0.6]
    session[first.key] = 0.9  # the user is quicker than the second turn
    first.changed()
    assert facts == [0.6, 0.9]


def test_a_refused_value_gives_way_to_the_fact(session: dict[str, Any]) -> None:
    first = bound.bind("x", 8.0, lambda value: None)
    session[first.key] = 20.0
    first.changed()
    assert bound.bind("x", 8.0, lambda value: None).key != first.key


def test_what_a_widget_shows_already_is_no_change(session: dict[str, Any]) -> None:
    """Streamlit forgets a widget that is not drawn, and takes what the browser still says of it for news."""
    facts: list[str] = []
    first = bound.bind("name", "Flats", facts.append)
    session[first.key] = "Flats"
    first.changed()
    assert facts == []


def test_a_part_that_was_removed_just_before_is_not_changed(session: dict[str, Any]) -> None:
    state.open_with("paper", Scenario())
    parts.edit_group(1, "name", "Towers")
    assert state.current() == Scenario()
    assert state.take_refusal() == state.GONE


ACTIONS = st.tuples(st.sampled_from(["slider", "typed"]), st.integers(0, 9), st.integers(0, 3))


@given(st.lists(ACTIONS, max_size=30))
def test_two_widgets_of_one_fact_end_on_the_last_change_the_app_was_told(
    actions: list[tuple[str, int, int]],
) -> None:
    """However late the browser hears of the app: no echo ever counts as a change, and every change counts."""
    with pytest.MonkeyPatch.context() as patch:
        kept: dict[str, Any] = {}
        patch.setattr(streamlit, "session_state", kept)
        fact, callbacks, seen = [5], dict[str, Callable[[], None]](), dict[str, str]()
        pending: list[dict[str, str]] = []

        def draw() -> dict[str, str]:
            """A run of the script; gives the keys on the screen."""
            keys = {}
            for name in ("slider", "typed"):
                here = bound.bind(name, fact[0], lambda value: fact.__setitem__(0, value))
                callbacks[here.key] = here.changed  # those of earlier runs stay
                kept.setdefault(here.key, fact[0])
                keys[name] = here.key
            for key in set(callbacks) - set(keys.values()):
                kept.pop(key, None)  # what was not drawn is forgotten
            return keys

        seen = draw()
        shown = dict.fromkeys(seen.values(), fact[0])
        for name, value, lag in actions:
            if shown[seen[name]] == value:
                continue  # to put what stands there is no change
            shown[seen[name]] = value
            for key, sent in shown.items():  # everything on the screen, changed or not
                if kept.get(key) != sent:
                    kept[key] = sent
                    callbacks[key]()
            assert fact[0] == value
            pending.append(draw())
            if len(pending) > lag:
                seen = pending[-1]
                pending.clear()
                shown = {key: shown.get(key, kept[key]) for key in seen.values()}


def where_a_session_begins() -> None:
    from pages.ui import address

    address.begin("Explore")


def test_the_address_is_sent_again_when_the_browser_has_not_heard_of_the_last() -> None:
    """Changed and undone before the browser has taken up the first change: it asks with the old address."""
    app = AppTest.from_function(where_a_session_begins).run()
    app.session_state["scenario"] = Scenario(epsilon=2.0)
    app.run()
    assert app.query_params["epsilon"] == "2.0"
    sent: list[dict[str, str]] = []
    app.session_state["scenario"] = Scenario()
    app.query_params.clear()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(streamlit.query_params.__class__, "from_dict", lambda self, link: sent.append(link))
        app.run()
        assert sent == [{}]
        app.run()
        assert sent == [{}], "and only then"
    assert app.session_state[address.SENT] == {}
