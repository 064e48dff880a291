"""The Attack screen: what an observer tells of a house, what she believes, and what the promise allows."""

from functools import partial

import streamlit as st

from pages.ui import cache, guide, jobs, pins, sidebar
from pages.ui.attack import houses, observer
from pages.ui.attack.one_house import one_house
from pages.ui.attack.over_time import over_time
from pages.ui.attack.verdict import verdict
from pages.ui.session import lab
from pages.ui.show import download
from pages.ui.widgets import url_expander, url_tabs
from rtp.figures.poster import poster_figure
from rtp.figures.style import Diagram
from rtp.scenario import Scenario
from rtp.teaching.poster import poster

_POSTER = "attack:poster"


def draw() -> None:
    scenario = sidebar.begin("Attack", "What the rates give away.")
    if guide.step() and lab().chosen(_POSTER):
        _poster(scenario)
        return
    day = cache.day(scenario)
    first = st.container()
    watching = observer.controls(scenario)
    url_tabs(
        "attack:tab",
        {
            "Lit windows": partial(houses.windows, day, watching),
            "One house": partial(one_house, day, watching),
            "Who shows, and when": partial(houses.who_shows, day, watching),
            "The whole street": partial(houses.street, day, watching),
        },
    )
    over_time(day, watching)
    url_expander("The poster", _POSTER, ":material/grid_on:", partial(_poster, scenario))
    pins.controls()
    pins.table(day)
    with first:  # which takes longest, and is begun last: what is asked below it need not wait
        verdict(scenario, watching)


def _poster(scenario: Scenario) -> None:
    """Streets of four lengths by three widths of noise, to look at and to take away."""
    drawn = _drawn(scenario)
    st.image(drawn.svg)
    st.caption(drawn.words)
    download("Poster (SVG)", lambda: drawn.svg, "poster.svg", "image/svg+xml", "image")


@cache.shared(apart_from=("epsilon", "households"), spinner="Drawing twelve days …")
def _drawn(scenario: Scenario) -> Diagram:
    return poster_figure(jobs.call(poster, scenario))
