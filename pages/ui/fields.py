"""Input widgets that show a fact kept elsewhere and hand changes back to it.

Each is bound to its fact (see `bound`), so it can never disagree with it for long, nor put an old value back.
Bounds and words come from where they are written.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Literal, TypeVar

import streamlit as st

from pages.ui import state
from pages.ui.bound import bind
from pages.ui.number import Width, number_field
from pages.ui.once import take
from rtp.scenario import BOUNDS, LABELS, VALUE_LABELS

REFUSED_TEXT = "refused text"

Option = TypeVar("Option")
Number = TypeVar("Number", bound=float)


def number(
    name: str,
    value: float,
    commit: Callable[[float], None],
    *,
    step: float | None = None,
    key: str | None = None,
    label: str | None = None,
    help: str | None = None,
    disabled: bool = False,
) -> None:
    """A number within the bounds of `name`; what is refused is said beneath it."""
    bounds = BOUNDS[name]
    number_field(
        label or bounds.words,
        value,
        commit,
        bounds,
        key=f"number:{key or name}",
        step=step,
        help=help,
        disabled=disabled,
    )


def field(name: str, *, step: float | None = None, help: str | None = None) -> None:
    """A number that is a field of the scenario itself."""
    number(name, getattr(state.current(), name), partial(state.put, name), step=step, help=help)


def choice(name: str, more: Sequence[str] = (), help: str | None = None) -> None:
    """A field of the scenario with few values, each with its words, and more that are their own."""
    value, commit = getattr(state.current(), name), partial(state.put, name)
    options: dict[str | None, str] = VALUE_LABELS[name] | {each: each for each in more}
    select(LABELS[name], list(options), value, options.__getitem__, commit, key=f"choice:{name}", help=help)


def switch(name: str, help: str | None = None) -> None:
    """A field of the scenario that is on or off."""
    value, commit = getattr(state.current(), name), partial(state.put, name)
    toggle(LABELS[name], value, commit, key=f"switch:{name}", help=help)


def select(
    label: str,
    options: Sequence[Option],
    value: Option,
    words: Callable[[Option], str],
    commit: Callable[[Option], None],
    *,
    key: str,
    help: str | None = None,
    width: Width = "stretch",
) -> None:
    """One of many, from a list that opens."""
    here = bind(key, value, commit)
    st.selectbox(
        label,
        options,
        options.index(value),
        key=here.key,
        format_func=words,
        on_change=here.changed,
        help=help,
        width=width,
    )


def toggle(
    label: str, value: bool, commit: Callable[[bool], None], *, key: str, help: str | None = None
) -> None:
    here = bind(key, value, commit)
    st.toggle(label, value, key=here.key, on_change=here.changed, help=help)


def text(value: str, commit: Callable[[str], None], *, key: str, label: str) -> None:
    here = bind(f"text:{key}", value, partial(_commit_text, key, commit))
    st.text_input(label, value, key=here.key, max_chars=40, on_change=here.changed)
    refused, sentence = st.session_state.get(REFUSED_TEXT) or ("", "")
    if refused == key and sentence:
        st.caption(f":red[{sentence}]")
        take(REFUSED_TEXT)


def _commit_text(key: str, commit: Callable[[str], None], typed: str) -> None:
    commit(typed)
    st.session_state[REFUSED_TEXT] = key, state.take_refusal()


def pick(
    label: str,
    options: Sequence[Option],
    value: Option,
    words: Callable[[Option], str],
    commit: Callable[[Option], None],
    *,
    key: str,
    width: Literal["content", "stretch"] = "content",
    help: str | None = None,
) -> None:
    """One of a few that stand side by side."""
    here = bind(key, value, commit)
    st.segmented_control(
        label,
        options,
        default=value,
        key=here.key,
        format_func=words,
        required=True,
        on_change=here.changed,
        width=width,
        help=help,
    )


def several(
    label: str,
    options: Sequence[Option],
    values: Sequence[Option],
    words: Callable[[Option], str],
    commit: Callable[[Sequence[Option]], None],
    *,
    key: str,
) -> None:
    """Some of a few."""
    here = bind(key, list(values), commit)
    st.pills(
        label,
        options,
        selection_mode="multi",
        default=values,
        key=here.key,
        format_func=words,
        on_change=here.changed,
        wrap=True,
    )


def slider(
    label: str,
    options: Sequence[Number],
    value: Number,
    words: Callable[[Number], str],
    commit: Callable[[Number], None],
    *,
    key: str,
    help: str | None = None,
    disabled: bool = False,
) -> None:
    """One of many in a row; a value that is none of them has its place until the next turn."""
    here = bind(f"slider:{key}", value, commit)
    places = options if here.first in options else sorted([*options, here.first])
    st.select_slider(
        label,
        places,
        value,
        key=here.key,
        format_func=words,
        on_change=here.changed,
        help=help,
        disabled=disabled,
    )
