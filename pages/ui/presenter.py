"""Presenter view: a screen in front of a class. One switch, which stands in the link.

The sidebar is folded, and charts are in large type. What is left to do is what a teacher does while everybody
looks: move ε, draw another day, go to another screen. Files to take away wait until the class is over.
"""

from collections.abc import Callable

import streamlit as st

from pages.ui import view

FACT = "presenting"


def on() -> bool:
    return view.fact(FACT, False).value


def offer() -> None:
    """The way in."""
    st.button(
        "Present",
        icon=":material/present_to_all:",
        on_click=view.put,
        args=(FACT, True),
        help="For a class: large type, no sidebar, only the controls of the moment",
    )


def bar(title: str, menu: Callable[[], None], budget: Callable[[], None], draw: Callable[[], None]) -> None:
    """One row that stays in view, in place of the sidebar: the screen's title, the way to others, ε, another
    day, the way back."""
    with st.container(horizontal=True, vertical_alignment="center", key="presenter"):
        st.title(title, anchor=False, width="content")
        with st.popover("Screens", icon=":material/menu:"):
            menu()
        with st.container(width=280):
            budget()
        draw()
        st.button(
            "End",
            icon=":material/close:",
            on_click=view.put,
            args=(FACT, False),
            help="End presenting: the sidebar comes back",
        )
