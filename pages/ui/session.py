"""The session's lab at work in Streamlit: where it is kept, when widgets are read, when the address is sent.

Three facts about the browser. It pushes an entry of its history whenever it is sent another address. It says
when a run was asked for by its Back or Forward, and then the app follows the address instead of sending its
own. And `st.query_params` at the start of a run is what the browser had when it asked, not what it has been
sent since: the lab remembers what it sent last.

A run can be broken off wherever it calls Streamlit, so also in the callback of a widget, and the callback of
a change is called once. At the start of every run, a fragment's too, each widget's value is therefore
compared with what it was known to show, and differences are saved: nothing depends on a callback being
called to its end.
"""

from collections.abc import Callable
from typing import Any

import streamlit as st

from pages.ui import compat
from pages.ui.lab import Lab, Link
from pages.ui.screens import meant
from rtp.core.formatting import in_markdown
from rtp.scenario import Scenario

LAB, WATCHED = "lab", "watched widgets"

compat.keep_uploads_in_memory()
compat.keep_forged_values_out_of_log()


def lab() -> Lab:
    """The session's."""
    held: Lab | None = st.session_state.get(LAB)
    if held is None:
        held = st.session_state[LAB] = Lab()
    return held


def watch(name: str, save_difference: Callable[[], None]) -> None:
    """Save what a widget shows at the start of every run, where it differs from what it was known to show."""
    st.session_state.setdefault(WATCHED, {})[name] = save_difference


def collect() -> None:
    """Save all differences; a widget that is not on the screen has none."""
    for save_difference in list(st.session_state.get(WATCHED, {}).values()):
        save_difference()


def press(act: Callable[..., None], *args: object) -> None:
    """What a button does, after all that was typed before it was clicked: both may arrive together, and in
    any order. `act` does not call Streamlit: a click is told once, so it counts even where the next request
    breaks off the collecting, which the next run makes up for."""
    try:
        collect()
    finally:
        act(*args)


def button(
    label: str, key: str, icon: str, act: Callable[..., None], *args: object, off: bool = False, **look: Any
) -> bool:
    """A button that does this when it is pressed; the rest of its look is that of `st.button`."""
    drawn = f":material/{icon}:" if icon else None
    return st.button(label, key, icon=drawn, on_click=press, args=(act, *args), disabled=off, **look)


def begin(screen: str, came_by: str = "") -> Scenario:
    """A run of a screen begins, possibly by an address of an earlier version; gives the scenario in use."""
    collect()
    here = lab()
    here.came_by = came_by
    page = here.arrive(screen, _address(), by_history=compat.is_history_navigation())
    if page:
        st.switch_page(page, query_params=here.link())
    send()
    return here.scenario


def _address() -> Link:
    """The address that the browser has, in the words of this version."""
    return meant(lab().came_by, st.query_params.to_dict())


def send() -> None:
    """Send the address where the browser has, or will have, another one."""
    wanted = lab().address_to_send(_address())
    if wanted is not None:
        st.query_params.from_dict(wanted)


def fragment(draw: Callable[[], None], every: float | None = None) -> None:
    """A part of the screen that is drawn again by itself, on a change inside it or every so many seconds."""

    def again() -> None:
        collect()
        draw()

    st.fragment(again, run_every=every)()


def notices() -> None:
    """What is wrong with the address, and where the eye is what was refused."""
    damaged, unknown = lab().notes()
    if damaged:
        st.error(in_markdown(damaged), icon=":material/link_off:")
    if unknown:
        st.caption(in_markdown(unknown))
    if message := lab().pop_message():
        st.toast(in_markdown(message), icon=":material/error:", duration="long")
    if message := lab().pop_told():
        st.toast(in_markdown(message), icon=":material/info:", duration="long")
