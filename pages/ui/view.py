"""What the user looks at: facts of the screens that are not the scenario's, kept in the session.

Those that are `declared` stand in the address too; the others are remembered by the session alone.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Generic, NamedTuple, TypeVar

import streamlit as st

from pages.ui.declared import DECLARED, EVERY, FIRST, Declared
from rtp.scenario import ScenarioError

VIEW = "view"

Value = TypeVar("Value")


class Fact(NamedTuple, Generic[Value]):
    name: str
    value: Value
    commit: Callable[[Value], None]


def fact(name: str, first: Value) -> Fact[Value]:
    """What the session remembers under that name; at first what is declared, or else `first`."""
    value: Value = _facts().get(name, FIRST.get(name, first))
    return Fact(name, value, partial(put, name))


def put(name: str, value: object) -> None:
    _facts()[name] = value


class Kept(Generic[Value]):
    """An attribute of a class that is a declared fact of the view."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, owner: object, owners: type) -> Value:
        value: Value = _facts().get(self.name, FIRST[self.name])
        return value

    def __set__(self, owner: object, value: Value) -> None:
        put(self.name, value)


def to_link(screen: str) -> dict[str, str]:
    """The parameters of a link for what a screen shows, where that is not what it shows at first."""
    facts = _facts()
    return {
        each.link: each.text(facts[each.name])
        for each in _of(screen)
        if each.name in facts and facts[each.name] is not None and not _same(facts[each.name], each.first)
    }


def follow(screen: str, link: Mapping[str, str]) -> list[ScenarioError]:
    """Show on a screen what a link says, and what it shows at first where the link says nothing; gives what
    could not be read."""
    damaged = []
    for each in _of(screen):
        _facts().pop(each.name, None)
        if each.link in link:
            try:
                put(each.name, each.read(each.link, link[each.link]))
            except ScenarioError as error:
                damaged.append(error)
    return damaged


def everywhere() -> dict[str, object]:
    """The facts that hold on every screen, whatever else is shown."""
    return {each.name: _facts()[each.name] for each in _of(EVERY) if each.name in _facts()}


def names(screen: str) -> frozenset[str]:
    """Of the link's parameters that belong to a screen."""
    return frozenset(each.link for each in _of(screen))


def _of(screen: str) -> list[Declared]:
    return [each for each in DECLARED if each.screen in (screen, EVERY)]


def _same(value: object, first: object) -> bool:
    """A choice of several is the same in any order of clicks."""
    if isinstance(value, list | tuple) and isinstance(first, list | tuple):
        return sorted(value) == sorted(first)
    return value == first


def _facts() -> dict[str, Any]:
    facts: dict[str, Any] = st.session_state.setdefault(VIEW, {})
    return facts
