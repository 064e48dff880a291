"""A change is made, and a run is sent, to its end, whatever the browser asks for meanwhile."""

from types import SimpleNamespace
from typing import Any

import pytest
from streamlit import config
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.Common_pb2 import DoubleArray
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData, ScriptRequests
from streamlit.testing.v1 import AppTest

from pages.ui import guard
from tests.help.app import QUICK, enter, link_of, number, opened, press, typed_state


def interrupted() -> None:
    """An app whose user acts again while his first action is being dealt with, and while a screen opens."""
    import streamlit as st
    from streamlit.runtime.scriptrunner import RerunData, get_script_run_ctx

    from pages.ui import guard

    def act_again() -> None:
        context = get_script_run_ctx()
        assert context is not None
        assert context.script_requests is not None
        context.script_requests.request_rerun(RerunData(page_script_hash=context.page_script_hash))

    def add(name: str) -> None:
        st.session_state[name] = 1 + st.session_state.get(name, 0)

    def change() -> None:
        add("begun")
        act_again()
        add("done")

    st.slider("Level", 0, 9, key="level", on_change=change)
    if "opened" not in st.session_state:
        with guard.whole():
            st.session_state["opened"] = True
            act_again()
            st.session_state["followed"] = True
        add("after it")


def test_a_callback_and_what_is_whole_are_not_broken_off() -> None:
    app = AppTest.from_function(interrupted).run()
    assert not app.exception
    assert app.session_state["followed"]
    assert "after it" not in app.session_state, "afterwards the newer request has its turn"
    app.slider(key="level").set_value(3).run()
    assert not app.exception
    assert (app.session_state["begun"], app.session_state["done"]) == (1, 1)
    assert app.session_state["level"] == 3


def three_buttons_and_a_slider() -> None:
    import streamlit as st

    def note(action: str) -> None:
        level = st.session_state.get("level", 0)
        st.session_state["done"] = [*st.session_state.get("done", []), (action, level)]

    level = st.slider("Level", 0, 9, key="level", on_change=note, args=("slid",))
    st.session_state["seen"] = [
        label
        for label, possible in (("Undo", True), ("Share", True), ("Reset", level > 0))
        if st.button(label, key=label, disabled=not possible, on_click=note, args=(label,))
    ]


def test_actions_in_one_breath_are_done_in_their_order_and_each_as_often_as_it_was_made() -> None:
    """What one of them makes possible, the next one may use."""
    app = AppTest.from_function(three_buttons_and_a_slider).run()
    slider, undo, share, reset = (app.slider[0].id, *(button.id for button in app.button))

    def action(level: float, clicked: str = "") -> WidgetStates:
        """As the browser tells it: the values of all widgets, and a click once."""
        states = WidgetStates(widgets=[WidgetState(id=slider, double_array_value=DoubleArray(data=[level]))])
        if clicked:
            states.widgets.add(id=clicked, trigger_value=True)
        return states

    requests = ScriptRequests()
    clicks = (undo, undo, share)
    for asked in (*(action(0, each) for each in clicks), action(3), action(3, reset), action(4)):
        requests.request_rerun(RerunData(widget_states=asked))
    app._run(requests.on_scriptrunner_ready().rerun_data.widget_states)
    assert not app.exception
    done = [("Undo", 0), ("Undo", 0), ("Share", 0), ("slid", 3), ("Reset", 3), ("slid", 4)]
    assert app.session_state["done"] == done
    assert app.session_state["seen"] == ["Undo", "Share", "Reset"], "in the run that follows them all"
    app.run()
    assert (app.session_state["done"], app.session_state["seen"]) == (done, [])


def twice(app: AppTest, label: str) -> None:
    """Two clicks before the app answers."""
    next(button for button in app.button if button.label == label).click()
    clicked = app._tree.get_widget_states()
    app._run(guard.in_order(clicked, WidgetStates.FromString(clicked.SerializeToString())))
    assert not app.exception


def test_two_clicks_in_one_breath_undo_two_changes_and_do_once_what_can_be_done_once() -> None:
    app = opened("Attacker", households="40", epsilon="3")
    for epsilon in (2.0, 1.0):
        enter(app, "epsilon", epsilon)
    twice(app, "Undo")
    assert app.session_state["scenario"].epsilon == 3
    twice(app, "Shrink to 5 houses")
    twice(app, "Back to 40 houses")
    assert app.session_state["scenario"].households == 40
    twice(app, "Pin this run")
    assert [name for name in link_of(app) if name.startswith("pin")] == ["pin1"]


def test_what_is_refused_just_after_the_number_came_back_is_said_to_be_refused() -> None:
    app = opened(QUICK)
    enter(app, "alpha", "2")
    press(app, "Undo")
    next(button for button in app.button if button.label == "Redo").click()
    clicked = app._tree.get_widget_states()
    typed = WidgetStates(widgets=[typed_state(app, "alpha", "0")])
    app._run(guard.in_order(clicked, typed))
    assert app.session_state["scenario"].alpha == 2
    assert "it must be a number from" in number(app, "alpha")["refused"]
    press(app, "Undo")
    assert number(app, "alpha")["refused"] == ""


@pytest.mark.parametrize(
    ("asked", "waits"), [(ClientState(fragment_id="progress"), True), (ClientState(), False), (None, False)]
)
def test_a_part_of_a_page_waits_until_the_run_before_has_been_sent(
    asked: ClientState | None, waits: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run that has ended is sent when the session no longer has its runner."""
    requested: list[object] = []
    later: list[Any] = []
    monkeypatch.setattr(guard, "_request", lambda session, state: requested.append(state))
    requests = ScriptRequests()
    loop = SimpleNamespace(call_later=lambda seconds, *call: later.append(call))
    session: Any = SimpleNamespace(_scriptrunner=SimpleNamespace(_requests=requests), _event_loop=loop)
    guard.request_in_turn(session, asked)
    assert requested == [asked], "while a run goes on Streamlit itself has them wait"
    requests.request_stop()
    guard.request_in_turn(session, asked)
    assert (len(requested), len(later)) == ((1, 1) if waits else (2, 0))
    if waits:
        session._scriptrunner = None
        ((call, *arguments),) = later
        call(*arguments)
        assert requested == [asked, asked]


def test_a_session_has_one_thread() -> None:
    assert config.get_option("runner.fastReruns") is False
