"""The guided tour at work: each stop sets the scenario and the view, and the user's own come back at the end.

While the tour is on, the address holds the stop's number and the user's own scenario, so that a reload, or
somebody else's browser, resumes the tour there and still ends it with that scenario. What is changed on the
way is nobody's: the next stop sets its own.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import streamlit as st

from pages.ui import readers, state, view
from pages.ui.once import take
from rtp.scenario import ScenarioError
from rtp.scenario.share import read_link
from rtp.teaching.tour import STOPS, TourStop

TOUR = "tour"
LINK = "story"  # its name in the address
OWN = ("scenario", "preset", "past", "future", "pins", view.VIEW)  # what is put aside
READ = readers.whole(1, len(STOPS))


class Tour(NamedTuple):
    number: int  # of the stop, from 1
    own: dict[str, Any]  # the user's, put aside

    @property
    def stop(self) -> TourStop:
        return STOPS[self.number - 1]


def current() -> Tour | None:
    return st.session_state.get(TOUR)


def go(number: int) -> None:
    """To a stop, from the one before it or from outside the tour."""
    before = current()
    own = before.own if before else {name: _copy(st.session_state[name]) for name in OWN}
    tour, everywhere = Tour(number, own), view.everywhere()
    reading = read_link(tour.stop.scenario)
    state.open_with(reading.preset, reading.scenario)
    st.session_state.update({"pins": {}, view.VIEW: {}, TOUR: tour})
    view.follow(tour.stop.screen, tour.stop.view)
    st.session_state[view.VIEW] |= everywhere


def leave() -> None:
    """The user's own scenario, view, pins and history as they were."""
    if tour := take(TOUR):
        everywhere = view.everywhere()
        st.session_state.update(tour.own)
        st.session_state[view.VIEW] |= everywhere


def follow(text: str) -> list[ScenarioError]:
    """Go on where an address says so; gives what could not be read."""
    if not text:
        return []
    try:
        number = int(str(READ(LINK, text)))
    except ScenarioError as error:
        return [error]
    if (tour := current()) is None or tour.number != number:
        go(number)
    return []


def about_the_day() -> bool:
    """Whether the stop chooses how Explore draws its day, which therefore comes first."""
    tour = current()
    return tour is not None and "view" in tour.stop.view


def elsewhere(screen: str) -> str | None:
    """The page of the stop, where that is not this screen."""
    tour = current()
    return None if tour is None or tour.stop.screen == screen else tour.stop.page


def _copy(value: object) -> object:
    return dict(value) if isinstance(value, dict) else value


def start() -> None:
    """The button that begins it."""
    if current() is None:
        st.button(
            "Tell me the story", icon=":material/auto_stories:", on_click=go, args=(1,), key="story:start"
        )


def bar(screen: str, aside: Callable[[], Mapping[str, str]]) -> None:
    """Where the tour stands, what to see, and the way on; `aside` gives the link of what was put aside."""
    if (tour := current()) is None:
        return
    own = aside()
    last, number, stop = len(STOPS), tour.number, tour.stop
    with st.container(border=True, key="story"):
        st.markdown(f"**{number} of {last} · {stop.title}**  \n{stop.words}")
        with st.container(horizontal=True, vertical_alignment="center"):
            if screen != stop.screen:
                _way(number, f"Go to {stop.screen}", "arrow_forward", own)
            else:
                if number > 1:
                    _way(number - 1, "Back", "arrow_back", own)
                if number < last:
                    _way(number + 1, "Next", "arrow_forward", own)
            ending = "End the story" if number < last else "The end: back to my own scenario"
            kept = "Your own scenario is put aside and comes back at the end."
            st.button(ending, on_click=leave, key="story:end", help=kept)


def _way(number: int, label: str, icon: str, own: Mapping[str, str]) -> None:
    """A link and not a button: the browser then has one entry of its history for every stop."""
    page, query = STOPS[number - 1].page, dict(own) | {LINK: str(number)}
    st.page_link(page, label=label, icon=f":material/{icon}:", query_params=query, width="content")
