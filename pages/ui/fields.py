"""Input widgets that show a piece of the scenario and hand changes back to it.

Each widget is given its value from the scenario on every run, so it can never disagree with it. Bounds and
words come from where they are written.
"""

from collections.abc import Callable
from typing import Any

import streamlit as st

from pages.ui import state
from rtp.scenario import BOUNDS, edits

Commit = Callable[[Any], None]


def number(
    name: str,
    value: float,
    commit: Commit,
    *,
    step: float,
    key: str | None = None,
    label: str | None = None,
    help: str | None = None,
    disabled: bool = False,
) -> None:
    """A number within the bounds of `name`; the browser refuses what is outside and keeps the last good."""
    low, high, words = BOUNDS[name]
    whole = isinstance(low, int)
    key = f"number:{key or name}"
    st.session_state[key] = value
    st.number_input(
        label or words,
        min_value=low,
        max_value=int(high) if whole else float(high),
        step=int(step) if whole else step,
        format="%d" if whole else "%g",
        key=key,
        on_change=lambda: _commit(key, commit),
        help=help,
        disabled=disabled,
    )


def _commit(key: str, commit: Commit) -> None:
    if (value := st.session_state[key]) is not None:  # an emptied field keeps its last value
        commit(value)


def field(name: str, *, step: float, help: str | None = None) -> None:
    """A number that is a field of the scenario itself."""
    number(
        name, getattr(state.current(), name), lambda value: state.apply(**{name: value}), step=step, help=help
    )


def choice(name: str, label: str, options: dict[Any, str], help: str | None = None) -> None:
    """A field with few values, each with its words."""
    key = f"choice:{name}"
    st.session_state[key] = getattr(state.current(), name)
    st.selectbox(
        label,
        list(options),
        key=key,
        format_func=lambda value: options[value],
        on_change=lambda: state.apply(**{name: st.session_state[key]}),
        help=help,
    )


def switch(name: str, label: str, help: str | None = None) -> None:
    key = f"switch:{name}"
    st.session_state[key] = getattr(state.current(), name)
    st.toggle(label, key=key, on_change=lambda: state.apply(**{name: st.session_state[key]}), help=help)


def text(value: str, commit: Commit, *, key: str, label: str, hidden: bool = False) -> None:
    key = f"text:{key}"
    st.session_state[key] = value
    st.text_input(
        label,
        key=key,
        max_chars=40,
        on_change=lambda: commit(st.session_state[key]),
        label_visibility="collapsed" if hidden else "visible",
    )


def edit_group(index: int, name: str, value: Any) -> None:
    """Change one field of one group."""
    state.edit(lambda s: edits.put_group(s, index, s.groups[index].replace(**{name: value})))


def edit_habits(model: int, group: int, name: str, value: Any) -> None:
    """Change one field of a group's habits under one model."""
    state.edit(
        lambda s: edits.put_habits(s, model, group, s.models[model].habits[group].replace(**{name: value}))
    )


def edit_share(index: int, value: float) -> None:
    """Weigh one group; the others make room."""
    state.edit(lambda s: edits.set_share(s, index, value))


def edit_model_name(index: int, value: str) -> None:
    state.edit(lambda s: edits.put_model(s, index, s.models[index].replace(name=value)))
