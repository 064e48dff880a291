"""Input widgets that show a piece of the scenario and hand changes back to it.

Each widget is given its value from the scenario on every run, so it can never disagree with it. Bounds and
words come from where they are written.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Literal, TypeVar

import streamlit as st

from pages.ui import state
from rtp.scenario import BOUNDS, Scenario, edits

Option = TypeVar("Option")


def number(
    name: str,
    value: float,
    commit: Callable[[float], None],
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
        on_change=partial(_commit_typed, key, commit),
        help=help,
        disabled=disabled,
    )


def _commit_typed(key: str, commit: Callable[[float], None]) -> None:
    if st.session_state[key] is not None:  # an emptied field keeps its last value
        _commit(key, commit)


def _commit(key: str, commit: Callable[[Option], None]) -> None:
    commit(st.session_state[key])


def field(name: str, *, step: float, help: str | None = None) -> None:
    """A number that is a field of the scenario itself."""
    number(name, getattr(state.current(), name), partial(state.put, name), step=step, help=help)


def choice(name: str, label: str, options: Mapping[str | None, str], help: str | None = None) -> None:
    """A field with few values, each with its words."""
    key = f"choice:{name}"
    st.session_state[key] = getattr(state.current(), name)
    st.selectbox(
        label,
        list(options),
        key=key,
        format_func=options.__getitem__,
        on_change=partial(_commit, key, partial(state.put, name)),
        help=help,
    )


def switch(name: str, label: str, help: str | None = None) -> None:
    key = f"switch:{name}"
    st.session_state[key] = getattr(state.current(), name)
    st.toggle(label, key=key, on_change=partial(_commit, key, partial(state.put, name)), help=help)


def text(value: str, commit: Callable[[str], None], *, key: str, label: str) -> None:
    key = f"text:{key}"
    st.session_state[key] = value
    st.text_input(label, key=key, max_chars=40, on_change=partial(_commit, key, commit))


def pick(
    label: str,
    options: Sequence[Option],
    value: Option,
    words: Callable[[Option], str],
    commit: Callable[[Option], None],
    *,
    key: str,
    width: Literal["content", "stretch"] = "content",
) -> None:
    """One of a few values, kept elsewhere."""
    st.session_state[key] = value
    st.segmented_control(
        label,
        options,
        key=key,
        format_func=words,
        required=True,
        on_change=partial(_commit, key, commit),
        width=width,
    )


def edit_group(index: int, name: str, value: object) -> None:
    """Change one field of one group."""
    state.edit(_with_group, index, name, value)


def _with_group(scenario: Scenario, index: int, name: str, value: object) -> Scenario:
    return edits.put_group(scenario, index, scenario.groups[index].replace(**{name: value}))


def edit_habits(model: int, group: int, name: str, value: object) -> None:
    """Change one field of a group's habits under one model."""
    state.edit(_with_habits, model, group, name, value)


def _with_habits(scenario: Scenario, model: int, group: int, name: str, value: object) -> Scenario:
    habits = scenario.models[model].habits[group]
    return edits.put_habits(scenario, model, group, habits.replace(**{name: value}))


def edit_share(index: int, value: float) -> None:
    """Weigh one group; the others make room."""
    state.edit(edits.set_share, index, value)


def edit_model_name(index: int, value: str) -> None:
    state.edit(_with_name, index, value)


def _with_name(scenario: Scenario, index: int, name: str) -> Scenario:
    return edits.put_model(scenario, index, scenario.models[index].replace(name=name))
