"""The guided tour's controls: where it stands, what to see, the way on. What it does is the lab's."""

import streamlit as st

from pages.ui.lab import Link
from pages.ui.params import TOUR
from pages.ui.session import lab
from rtp.teaching.tour import STOPS


def about_the_day() -> bool:
    """Whether the stop chooses how Explore draws its day, which therefore comes first."""
    tour = lab().tour
    return tour is not None and "view" in tour.stop.view


def start() -> None:
    """The button that begins it."""
    if lab().tour is None:
        st.button(
            "Tell me the story",
            icon=":material/auto_stories:",
            on_click=lab().go_to_stop,
            args=(1,),
            key="story:start",
        )


def bar() -> None:
    """Where the tour stands, what to see, and the way on."""
    here = lab()
    if here.tour is None:
        return
    own, last, number, stop = here.link(), len(STOPS), here.tour.number, here.tour.stop
    with st.container(border=True, key="story"):
        st.markdown(f"**{number} of {last} · {stop.title}**  \n{stop.words}")
        with st.container(horizontal=True, vertical_alignment="center"):
            if here.screen != stop.screen:
                _way(number, f"Go to {stop.screen}", "arrow_forward", own)
            else:
                if number > 1:
                    _way(number - 1, "Back", "arrow_back", own)
                if number < last:
                    _way(number + 1, "Next", "arrow_forward", own)
            ending = "End the story" if number < last else "The end: back to my own scenario"
            kept = "Your own scenario is put aside and comes back at the end."
            st.button(ending, on_click=here.leave_tour, key="story:end", help=kept)


def _way(number: int, label: str, icon: str, own: Link) -> None:
    """A link and not a button: the browser then has one entry of its history for every stop."""
    page, query = STOPS[number - 1].page, own | {TOUR: str(number)}
    st.page_link(page, label=label, icon=f":material/{icon}:", query_params=query, width="content")
