"""The guided tour at work: each stop sets the scenario and the view, and the user's own come back at the end.

While the tour is on, the address holds the stop's number and the user's own scenario, so that a reload, or
somebody else's browser, resumes the tour there and still ends it with that scenario. What is changed on the
way is nobody's: the next stop sets its own.
"""

from functools import partial
from typing import Any, NamedTuple

import streamlit as st

from pages.ui import readers, state, view
from rtp.scenario.link import read_link
from rtp.story.tour import STOPS, Stop

TOUR = "tour"
LINK = "story"  # its name in the address
OWN = ("scenario", "preset", "past", "future", "pins", view.VIEW)  # what is put aside
READ = readers.whole(1, len(STOPS))


class Tour(NamedTuple):
    number: int  # of the stop, from 1
    own: dict[str, Any]  # the user's, put aside
    arriving: bool  # the stop's screen is still to be opened

    @property
    def stop(self) -> Stop:
        return STOPS[self.number - 1]


def current() -> Tour | None:
    return st.session_state.get(TOUR)


def go(number: int) -> None:
    """To a stop, from the one before it or from outside the tour."""
    before = current()
    own = before.own if before else {name: _copy(st.session_state[name]) for name in OWN}
    tour = Tour(number, own, True)
    reading = read_link(tour.stop.scenario)
    state.open_with(reading.preset, reading.scenario)
    st.session_state.update({"pins": {}, view.VIEW: {}, TOUR: tour})
    view.follow(tour.stop.screen, tour.stop.view)


def leave() -> None:
    """The user's own scenario, view, pins and history as they were."""
    if tour := st.session_state.pop(TOUR, None):
        st.session_state.update(tour.own)


def arrive(screen: str) -> str | None:
    """The page to open where the stop is on another screen, once; wandering off by the menu is free."""
    tour = current()
    if tour is None or not tour.arriving:
        return None
    if tour.stop.screen == screen:
        st.session_state[TOUR] = tour._replace(arriving=False)
        return None
    return tour.stop.page


def _copy(value: object) -> object:
    return dict(value) if isinstance(value, dict) else value


def start() -> None:
    """The button that begins it."""
    if current() is None:
        st.button(
            "Tell me the story", icon=":material/auto_stories:", on_click=go, args=(1,), key="story:start"
        )


def bar(screen: str) -> None:
    """Where the tour stands, what to see, and the way on."""
    if (tour := current()) is None:
        return
    last, number, stop = len(STOPS), tour.number, tour.stop
    with st.container(border=True, key="story"):
        st.markdown(f"**{number} of {last} · {stop.title}**  \n{stop.words}")
        with st.container(horizontal=True, vertical_alignment="center"):
            st.button("Back", on_click=go, args=(number - 1,), disabled=number == 1, key="story:back")
            if screen != stop.screen:
                label = f"Go to {stop.screen}"
                st.button(label, on_click=partial(go, number), type="primary", key="story:return")
            elif number < last:
                st.button("Next", on_click=go, args=(number + 1,), type="primary", key="story:next")
            ending = "End the story" if number < last else "The end: back to my own scenario"
            st.button(ending, on_click=leave, key="story:end")
            st.caption("Your own scenario is put aside and comes back at the end.", width="content")
