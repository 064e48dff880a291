"""What is left until somebody asks for it is the same as what Streamlit puts together at once."""

from pathlib import Path

import pytest
from streamlit import config
from streamlit.navigation import page as navigation
from streamlit.navigation.page import Page
from streamlit.proto.NewSession_pb2 import NewSession
from streamlit.runtime import app_session
from streamlit.testing.v1 import AppTest

from pages.ui import lean


def widgets() -> None:
    import streamlit as st

    st.session_state["fact"] = 1
    st.session_state.setdefault("empty", None)
    st.text_input("Text", "words", key="text")
    st.selectbox("List", ["one", "two"], key="empty")
    st.toggle("Without a name")
    st.session_state["told"] = dict(st.session_state.to_dict())


def test_the_values_under_names_are_those_of_streamlit() -> None:
    app = AppTest.from_function(widgets).run()
    assert not app.exception
    state = app.session_state._state
    values = state.filtered_state
    assert isinstance(values, lean.Values)
    assert dict(values) == lean._whole(state)
    assert {"fact": 1, "text": "words", "empty": None}.items() <= app.session_state["told"].items()
    (unnamed,) = app.toggle
    assert unnamed.proto.id not in values
    assert "nothing" not in values
    assert len(values) == len(lean._whole(state))


def test_a_value_that_is_emptied_empties_its_widget() -> None:
    """What the values are looked up for: a list whose value is None shows no choice."""
    app = AppTest.from_function(widgets).run()
    assert app.selectbox[0].value is None
    app.text_input[0].set_value("others").run()
    assert app.session_state["text"] == "others"


def theme(light: bool = True) -> NewSession:
    message = NewSession()
    app_session._populate_theme_msg(message.custom_theme)
    if light:
        app_session._populate_theme_msg(message.custom_theme.light, "theme.light")
    app_session._populate_theme_msg(message.custom_theme.sidebar, "theme.sidebar")
    return message


def test_the_theme_is_told_as_streamlit_reads_it(monkeypatch: pytest.MonkeyPatch) -> None:
    lean._theme.cache_clear()
    options = {"theme": {"base": "dark", "baseFontSize": 15}, "theme.light": {"textColor": "#0a121b"}}
    monkeypatch.setattr(
        config, "get_options_for_section", lambda section: options.get(section, {"font": None})
    )
    assert app_session._populate_theme_msg is lean.tell_theme
    told = [theme(), theme()]
    monkeypatch.setattr(app_session, "_populate_theme_msg", lean._read_theme)
    assert told == [theme(), theme()]
    assert theme(light=False) != theme()
    assert not told[0].custom_theme.HasField("sidebar")
    lean._theme.cache_clear()


def test_options_that_are_read_again_change_the_theme() -> None:
    kept = lean._theme("theme")
    assert lean._theme("theme") is kept
    config._on_config_parsed.send()
    assert lean._theme("theme") is not kept


def test_a_page_is_looked_up_once_and_every_run_has_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """As Streamlit makes it; what a run marks does not show in another's."""
    made = []

    def make(path: Path, *, default: bool = False) -> Page:
        made.append(path)
        page = Page.__new__(Page)
        page._default, page._url_path, page._can_be_called = default, path.stem, False
        return page

    lean._first_page.cache_clear()
    monkeypatch.setattr(lean, "_make_page", make)
    assert navigation._create_page is lean.page
    first, again = (lean.page(Path("Lesson.py")) for _ in range(2))
    first._can_be_called = True
    assert not again._can_be_called
    assert (first.url_path, lean.page(Path("Lesson.py"), default=True).url_path) == ("Lesson", "")
    assert made == [Path("Lesson.py")] * 2
    lean._first_page.cache_clear()
