"""Widgets that show a fact kept elsewhere, and hand the user's changes back to it.

The browser sends *all* widget values with every change. A widget that the app had just given another value
therefore comes back with its old one while the user goes on elsewhere, looks changed, and would put the old
value back: a stale echo. The cure is that no widget is ever given another value. Its key carries a **turn**;
when the fact is no longer what the widget shows, the next turn begins: a new widget, whose default is the
fact. A turn remembers what its widget is known to show: when that arrives, it is an echo, and is passed over;
anything else is the user's, also from a widget of an earlier turn, which the browser has until it hears of
the next one.

Where the fact lives (the scenario, the view) is the caller's: `bind` takes its name, its value, and what to
do with another one. Give the widget that key, `value` as its default, and `changed` as its `on_change`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, NamedTuple, TypeVar

import streamlit as st

TURNS = "turns"

Value = TypeVar("Value")


@dataclass
class Turn(Generic[Value]):
    """Mutable; of a session and a name the last one counts, and earlier ones are kept by their widgets."""

    key: str
    first: Value  # what the fact was when the turn began
    shown: Value  # what the widget is known to show


class Bound(NamedTuple, Generic[Value]):
    key: str
    first: Value
    changed: Callable[[], None]


def bind(name: str, value: Value, commit: Callable[[Value], None]) -> Bound[Value]:
    """The key and `on_change` of a widget that shows this value now."""
    turns = _turns()
    turn: Turn[Value] | None = turns.get(name)
    if turn is None or turn.shown != value:
        number = 1 + int(turn.key.rpartition(":")[2]) if turn else 0
        turn = turns[name] = Turn(f"{name}:{number}", value, value)
    return Bound(turn.key, turn.first, partial(_changed, turn, commit))


def _turns() -> dict[str, Turn[Any]]:
    turns: dict[str, Turn[Any]] = st.session_state.setdefault(TURNS, {})
    return turns


def _changed(turn: Turn[Value], commit: Callable[[Value], None]) -> None:
    value: Value = st.session_state.get(turn.key, turn.shown)
    if value != turn.shown:
        turn.shown = value
        commit(value)
