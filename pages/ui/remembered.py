"""Controls whose value the view remembers: choices, switches, numbers, tabs."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TypeVar

import streamlit as st
from streamlit.elements.lib.mutable_tab_container import TabContainer

from pages.ui import fields, view
from pages.ui.bound import bind
from pages.ui.number import Empty, Width, number_field
from rtp.scenario import Bounds, Scenario

Option = TypeVar("Option")


def one_of(
    label: str,
    options: Sequence[Option],
    key: str,
    words: Callable[[Option], str] = str,
    *,
    first: Option | None = None,
    help: str | None = None,
) -> Option:
    """One of a few; the view remembers which. One that is gone gives way to the first."""
    here = view.fact(key, options[0] if first is None else first)
    value = here.value if here.value in options else options[0]
    fields.pick(label, options, value, words, here.commit, key=key, help=help)
    return value


def from_list(
    label: str,
    options: Sequence[Option],
    key: str,
    words: Callable[[Option], str] = str,
    *,
    first: Option | None = None,
    width: Width = "stretch",
    help: str | None = None,
) -> Option:
    """One of many, from a list that opens; the view remembers which. What is gone gives way to the first."""
    here = view.fact(key, options[0] if first is None else first)
    value = here.value if here.value in options else options[0]
    fields.select(label, options, value, words, here.commit, key=key, width=width, help=help)
    return value


def on_off(label: str, key: str, first: bool = False, help: str | None = None) -> bool:
    """A switch; the view remembers it."""
    here = view.fact(key, first)
    fields.toggle(label, here.value, here.commit, key=key, help=help)
    return here.value


def asked(bounds: Bounds, first: int, key: str, width: Width = 160) -> int:
    """A whole number; the view remembers it."""
    here: view.Fact[float] = view.fact(key, first)
    number_field(bounds.words, here.value, here.commit, bounds, key=f"number:{key}", width=width)
    return int(here.value)


def asked_house(key: str, scenario: Scenario, *, empty: str, help: str, width: Width = 190) -> int | None:
    """A house, or None, which an emptied field stands for in the words `empty`; so does one that is gone."""
    here: view.Fact[int | None] = view.fact(key, None)
    house = here.value if here.value is not None and here.value < scenario.households else None
    number_field(
        "House",
        house,
        partial(view.put, key),
        Bounds(0, scenario.households - 1, "House"),
        key=f"number:{key}",
        step=1,
        help=help,
        width=width,
        empty=Empty(empty, partial(view.put, key, None)),
    )
    return house


def tabs(key: str, drawn: Mapping[str, Callable[[], None]]) -> None:
    """A tab for each; only what the open one shows is computed. The view remembers which."""
    for tab, draw in zip(tabs_of(list(drawn), key), drawn.values(), strict=True):
        if tab.open:
            with tab:
                draw()


def tabs_of(names: Sequence[str], key: str) -> Sequence[TabContainer]:
    """Tabs of which the view remembers the open one; one that is gone gives way to the first."""
    opened = view.fact(key, names[0])
    value = opened.value if opened.value in names else names[0]
    here = bind(key, value, opened.commit)
    return st.tabs(names, default=value, key=here.key, on_change=here.changed)
