"""A field for a number: what is typed is understood exactly, or refused beneath the field.

`st.number_input` turns an emptied field into its minimum, drops a decimal comma, and reads 1e4 as 1. This
is a line of text, which `rtp.scenario.typed` reads. What is refused stays in the field, where it can be
corrected, until the number changes; meanwhile the last good number holds.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, NamedTuple

import streamlit as st

from pages.ui.session import lab
from pages.ui.versions import remembered, versioned
from rtp.core.formatting import in_markdown
from rtp.scenario import Bounds, ScenarioError
from rtp.scenario.typed import parse, shown

Width = int | Literal["stretch"]


class Form(NamedTuple):
    """How a number is written, and read."""

    show: Callable[[float], str] = shown
    read: Callable[..., float] = parse


PLAIN = Form()


@dataclass
class FieldState:
    """Mutable, one per session and field."""

    value: float | None  # the number when it was last drawn, or taken
    typed: str = ""  # what was refused
    refused: str = ""  # and why

    def enter(
        self, read: Callable[[str], float], save: Callable[[Any], None], may_be_empty: bool, text: str
    ) -> None:
        """Save what was typed, or remember why not; an emptied field keeps its number unless None is one."""
        self.typed, self.refused = text, ""
        if not (text.strip() or may_be_empty):
            return
        try:
            value = read(text) if text.strip() else None
            save(value)
            self.refused = lab().pop_message()
        except ScenarioError as error:
            self.refused = str(error)
        if not self.refused:
            self.value = value


def number_field(
    label: str,
    value: float | None,
    save: Callable[[Any], None],
    bounds: Bounds,
    *,
    key: str,
    width: Width = "stretch",
    **look: Any,
) -> None:
    """A number as `bare_number` has it, and beneath it why one was refused. That moves nothing elsewhere."""
    with st.container(key=key, gap="xxsmall", width=width):
        if why := bare_number(label, value, save, bounds, key=key, **look):
            st.error(in_markdown(why))


def bare_number(
    label: str,
    value: float | None,
    save: Callable[[Any], None],
    bounds: Bounds,
    *,
    key: str,
    percents: bool = False,
    empty: str | None = None,
    form: Form = PLAIN,
    **look: Any,
) -> str:
    """A number within bounds, or of a hundred where `percents` are asked for. An emptied field keeps its
    value, unless it stands for None, in the words `empty`. Gives why a number was refused, to be said where
    there is room. The `look` is that of `st.text_input`."""
    state = remembered(key, lambda: FieldState(value))
    if state.value != value:
        state.value, state.refused = value, ""  # it has changed since
    text = state.typed if state.refused else "" if value is None else form.show(value)
    read = partial(form.read, bounds=bounds._replace(words=label), percents=percents)
    shows = versioned(key, text, partial(state.enter, read, save, empty is not None))
    label = in_markdown(label)
    st.text_input(label, text, key=shows.key, on_change=shows.changed, placeholder=empty, **look)
    return state.refused
