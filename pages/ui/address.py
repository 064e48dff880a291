"""The address is the view: the scenario, the pins, and what the screen shows, and nothing else.

Three facts about the browser. It pushes an entry of its history whenever it is sent another address. It says
when a run was asked for by its Back or Forward, and then the app follows the address instead of sending its
own. And `st.query_params` at the start of a run is what the browser had when it asked, not what it has been
sent since: the app remembers what it sent last.

An address may mean a view without being written as the app would write it: damaged in parts, with parameters
of other people's. It stays as it is until the view changes.
"""

from collections.abc import Sequence
from typing import NamedTuple
from urllib.parse import urlencode

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages.ui import guard, state, tour, view
from pages.ui.declared import EVERY
from rtp.scenario import DEFAULT_PRESET, PRESETS, Scenario
from rtp.scenario.share import (
    PIN_NAMES,
    Pins,
    damage_words,
    pins_to_link,
    read_link,
    read_pins,
    to_link,
    unknown_words,
)

PINS = "pins"
SCREEN = "screen"
SENT = "address sent"
MEANT = "address meant"

Link = dict[str, str]


class Meant(NamedTuple):
    """An address that was followed, the link that the app would write for it, and what to say of it."""

    address: Link
    link: Link
    damaged: str
    unknown: str


def begin(screen: str) -> Scenario:
    """The session's scenario; a fresh one, and a way through the browser's history, take the view from the
    address."""
    with guard.whole():
        _arrive(screen)
    send()
    return state.current()


def _arrive(screen: str) -> None:
    moved, st.session_state[SCREEN] = st.session_state.get(SCREEN) != screen, screen
    if "scenario" not in st.session_state:
        st.session_state[PINS] = {}
        state.open_with(DEFAULT_PRESET, PRESETS[DEFAULT_PRESET])
        _follow(screen, fresh=True)
        if page := tour.elsewhere(screen):
            st.switch_page(page, query_params=here())
    elif through_history():
        _follow(screen)
    elif moved:  # the menu has given the browser its address, which it may not have put up yet
        st.session_state[SENT] = st.query_params.to_dict()
        tour.follow(st.query_params.get(tour.LINK, ""))


def through_history() -> bool:
    """Whether this run was asked for by the browser's Back or Forward."""
    context = get_script_run_ctx()
    return context is not None and context.is_history_navigation


def _follow(screen: str, fresh: bool = False) -> None:
    """Show what the address says, and remember what it means; in a fresh session there is nothing to undo."""
    tour.leave()
    address = st.query_params.to_dict()
    own = view.names(screen) | PIN_NAMES.keys() | {tour.LINK}
    reading = read_link({name: text for name, text in address.items() if name not in own}, state.listed())
    pinned = read_pins(address, pins())
    shown = view.follow(screen, address)
    st.session_state[PINS] = dict(pinned.pins)
    state.travel_to(reading.preset, reading.scenario)
    if fresh:
        state.open_with(*state.named())
    stop = tour.follow(address.get(tour.LINK, ""))
    damaged = damage_words([*reading.damaged, *pinned.damaged, *shown, *stop])
    st.session_state[MEANT] = Meant(address, link(screen), damaged, unknown_words(reading.unknown))
    st.session_state[SENT] = address


def pins() -> Pins:
    held: Pins = st.session_state[PINS]
    return held


def link(screen: str) -> Link:
    """The parameters that stand for the view on a screen, that screen included where it is not this one; on
    the guided tour its stop, and the scenario that was put aside for it."""
    return links([screen])[screen]


def links(screens: Sequence[str]) -> dict[str, Link]:
    """The same for several: what they have in common is put together once."""
    if on_tour := tour.current():
        stop = aside(on_tour) | view.to_link(EVERY) | {tour.LINK: str(on_tour.number)}
        return dict.fromkeys(screens, stop)
    scenario, pinned = to_link(state.current(), state.preset()), pins()
    views = {screen: scenario | view.to_link(screen) for screen in screens}
    if not pinned:
        return views
    return {screen: link | pins_to_link(pinned, len(urlencode(link))) for screen, link in views.items()}


def aside(on_tour: tour.Tour) -> Link:
    """The link of what was put aside for the tour."""
    scenario = to_link(on_tour.own["scenario"], on_tour.own["preset"])
    return scenario | pins_to_link(on_tour.own[PINS], len(urlencode(scenario)))


def here() -> Link:
    """The link of the screen in use."""
    return link(str(st.session_state[SCREEN]))


def send() -> None:
    """Send the address where the browser has another one, or will have when what was last sent arrives."""
    address, wanted = st.query_params.to_dict(), here()
    if address == st.session_state[SENT] and (address == wanted or _means(address, wanted)):
        return
    st.query_params.from_dict(wanted)
    st.session_state[SENT] = wanted


def _means(address: Link, wanted: Link) -> bool:
    meant: Meant = st.session_state[MEANT]
    return (meant.address, meant.link) == (address, wanted)


def notes() -> None:
    """What is damaged or unknown in the address, for as long as it stands."""
    meant: Meant = st.session_state[MEANT]
    if not (meant.damaged or meant.unknown) or not _means(st.session_state[SENT], here()):
        return
    if meant.damaged:
        st.error(meant.damaged, icon=":material/link_off:")
    if meant.unknown:
        st.caption(meant.unknown)
