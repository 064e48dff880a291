"""A change is made to its end, whatever the browser asks for meanwhile."""

from streamlit.testing.v1 import AppTest


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
