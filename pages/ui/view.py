"""What the user looks at: facts of the screens that are not the scenario's."""

from collections.abc import Callable
from functools import partial
from typing import Any, Generic, NamedTuple, TypeVar

import streamlit as st

VIEW = "view"

Value = TypeVar("Value")


class Fact(NamedTuple, Generic[Value]):
    name: str
    value: Value
    commit: Callable[[Value], None]


def fact(name: str, first: Value) -> Fact[Value]:
    """What the session remembers under that name; at first, `first`."""
    value: Value = _facts().get(name, first)
    return Fact(name, value, partial(put, name))


def put(name: str, value: object) -> None:
    _facts()[name] = value


def _facts() -> dict[str, Any]:
    facts: dict[str, Any] = st.session_state.setdefault(VIEW, {})
    return facts
