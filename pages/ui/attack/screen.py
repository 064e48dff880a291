"""The Attack screen: lit windows first, who is in and what an observer believes; beneath them the day of
the house that is looked at; then, a tab each, what she tells over time, who shows and when, the promise."""

from functools import partial

import streamlit as st

from pages.ui import cache, guide, jobs, pins, sidebar
from pages.ui.attack import houses, observer
from pages.ui.attack.one_house import one_house
from pages.ui.attack.over_time import over_time
from pages.ui.attack.verdict import Claim, bars
from pages.ui.session import lab
from pages.ui.show import download
from pages.ui.widgets import url_tabs
from rtp.figures.static import poster_figure
from rtp.scenario import Scenario
from rtp.teaching.plan import POSTER_TAB
from rtp.teaching.poster import BUDGETS, Panel, poster

_TAB = "attack:tab"


def draw() -> None:
    scenario = sidebar.begin("Attack", titled=False)
    if guide.step() and lab().chosen(_TAB) == POSTER_TAB:
        _poster(scenario)
        return
    day = cache.day(scenario)
    claim = Claim()
    with st.container(key="attack-controls", horizontal=True, vertical_alignment="bottom"):
        watching = observer.controls(scenario)
        aside = st.container(key="attack-aside", width="content")
        lit = houses.windows(day, watching)  # where it has to be waited for, here
    claim.say(scenario, watching)
    houses.show(lit)
    if watching.house is not None:
        one_house(day, watching)
    claim.search(aside, scenario, watching)  # after the picture, which need not wait for it
    url_tabs(
        _TAB,
        {
            "A moment, a day, a week": partial(bars, scenario, watching),
            "Who shows, and when": partial(houses.who_shows, day, watching),
            "The promise over time": partial(over_time, day, watching),
            POSTER_TAB: partial(_poster, scenario),
        },
    )
    pins.controls()
    pins.table(day)
    observer.download(day, watching)


def _poster(scenario: Scenario) -> None:
    """Streets of four lengths by three widths of noise, to look at and to take away; on a phone one width
    beneath the other."""
    panels = _panels(scenario)
    drawn = poster_figure(panels)
    with st.container(key="poster"):
        st.image(drawn.svg)
    with st.container(key="poster-columns"):
        for epsilon in BUDGETS:
            st.image(poster_figure([panel for panel in panels if panel.epsilon == epsilon]).svg)
    st.caption(drawn.words)
    download("Poster (SVG)", lambda: drawn.svg, "poster.svg", "image/svg+xml", "image")


@cache.shared(apart_from=("epsilon", "households"), spinner="Drawing twelve days …")
def _panels(scenario: Scenario) -> tuple[Panel, ...]:
    return jobs.call(poster, scenario)
