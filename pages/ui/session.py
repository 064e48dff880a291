"""The session's lab at work in Streamlit: where it is kept, when widgets are read, when the address is sent.

Three facts about the browser. It pushes an entry of its history whenever it is sent another address. It says
when a run was asked for by its Back or Forward, and then the app follows the address instead of sending its
own. And `st.query_params` at the start of a run is what the browser had when it asked, not what it has been
sent since: the lab remembers what it sent last.
"""

import gc
from collections.abc import Callable
from typing import Any

import streamlit as st

from pages.ui import compat
from pages.ui.lab import Lab
from pages.ui.versions import collect, forget, renew
from rtp.core.formatting import in_markdown
from rtp.scenario import Scenario

LAB = "lab"
WAY = "way"  # to which page a button leads, whose view the lab has taken already

compat.keep_uploads_in_memory()
# A run makes some ten thousand objects, and now and then Python looks through all there are for those that
# nobody needs. Without those of the libraries, and less often, a change takes the server a sixth less.
gc.freeze()
gc.set_threshold(10_000, 20, 20)


def lab() -> Lab:
    """The session's."""
    held: Lab | None = st.session_state.get(LAB)
    if held is None:
        held = st.session_state[LAB] = Lab()
    return held


def press(act: Callable[..., None], *args: object) -> None:
    """What a button does, after all that was typed before it was clicked: both may arrive together, and in
    any order. `act` does not call Streamlit: a click is told once, so it counts even where the next request
    breaks off the collecting, which the next run makes up for. One that a timer of another part of the screen
    has told is told again, and counts then."""
    if compat.is_told_again():
        return
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


def close(key: str) -> None:
    """What opens, and has this key, is closed when it is drawn next."""
    st.session_state[key] = False


def begin(screen: str) -> Scenario:
    """A run of a screen begins; gives the scenario in use."""
    collect()
    own = lab()
    if own.screen == screen:  # of another one Streamlit has put away all values already
        forget()
    if way := own.extras.pop(WAY, None):  # it is as good as there already
        st.switch_page(way, query_params=own.link())
    by_history = compat.is_history_navigation()
    if by_history:
        renew("slider:")  # which tell a key 200 ms after it: Back, pressed meanwhile, is the later action
    page = own.arrive(screen, st.query_params.to_dict(), by_history=by_history)
    if page:
        st.switch_page(page, query_params=own.link())
    send()
    return own.scenario


def send() -> None:
    """Send the address where the browser has, or will have, another one."""
    wanted = lab().address_to_send(st.query_params.to_dict())
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
    if message := lab().pop_notice():
        st.toast(in_markdown(message), icon=":material/info:", duration="long")
