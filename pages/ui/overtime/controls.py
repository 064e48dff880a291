"""Which rate is published, which house is looked at; the first answer; what to try, and on which street."""

from functools import partial
from typing import NamedTuple

import streamlit as st

from pages.ui import cache, pool
from pages.ui.session import lab
from pages.ui.widgets import url_house, url_select
from rtp.figures import style
from rtp.leakage.detection import WEEK
from rtp.leakage.overview import Overview, overview
from rtp.leakage.words import overview_frame, overview_words
from rtp.mechanisms import NO_DATA, REGISTRY
from rtp.scenario import DEFAULT_PRESET, LIBRARY, Scenario, edit
from rtp.simulation import Day

RATE, HOUSE, TAB = "overtime:rate", "overtime:house", "overtime:tab"
FEW = 20
MOMENT, HOLIDAY, CROWD, DAY = "A moment", "A holiday", "The crowd", "A whole day"
SEEN = {MOMENT: "restless houses", HOLIDAY: DEFAULT_PRESET, CROWD: "whole town", DAY: "steady houses"}
PAPERS_HOLIDAY = "At the paper's own ε an insider sees a week's holiday."


class Watched(NamedTuple):
    rate: str
    house: int | None  # None: whichever loses most


def controls(scenario: Scenario) -> Watched:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        rate = url_select("The rate", list(REGISTRY), RATE, style.label, width=190)
        return Watched(rate, _house(scenario))


def _house(scenario: Scenario) -> int | None:
    return url_house(
        HOUSE,
        scenario,
        empty="the worst off",
        help="Empty: of a moment the house that loses most, else the one whose use differs most.",
    )


def try_this() -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown("**Try this.**", width="content")
        st.button(
            "A tenth of the budget",
            icon=":material/lock:",
            on_click=_tenth,
            help="A moment is hidden much better. Is a holiday?",
        )
        st.button(
            f"A street of {FEW}",
            icon=":material/compress:",
            on_click=partial(lab().change, edit.of_size, FEW),
            help="The crowd is gone: an outsider sees almost as much as an insider.",
        )
        st.button(
            "Publish the forecast",
            icon=":material/visibility_off:",
            on_click=partial(lab().show, RATE, NO_DATA),
            help="It looks at no data: nothing can be learned. What that costs is under A whole day.",
        )


def _tenth() -> None:
    lab().set("epsilon", lab().scenario.epsilon / 10)


def streets_that_show_it() -> None:
    """A preset for each tab, which opens on it."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown("**Streets that show it.**", width="content")
        for tab, name in SEEN.items():
            st.button(
                f"{tab}: {name.capitalize()}",
                icon=":material/home_work:",
                on_click=partial(_show, tab, name),
                help=f"{PAPERS_HOLIDAY if tab == HOLIDAY else LIBRARY[name].look_at} It takes the place of "
                "your scenario; Undo brings that back.",
            )


def _show(tab: str, name: str) -> None:
    lab().open(LIBRARY[name].scenario, name)
    lab().show(TAB, tab)


def learned(day: Day, watched: Watched) -> None:
    found = _overview(day, watched)
    st.table(overview_frame(day.scenario, found))
    chosen = watched.house is not None
    st.caption(overview_words(day.scenario, found, watched.rate, chosen=chosen))


def _overview(day: Day, watched: Watched) -> Overview:
    scenario = day.scenario
    step = cache.moments(day, *watched).step % (scenario.steps // scenario.days)
    key = f"{scenario.to_json(None)} {watched.rate} {watched.house} {step}"
    return cache.cached("overview", key, partial(_made, day, watched, step))


def _made(day: Day, watched: Watched, step: int) -> Overview:
    longer = day.scenario.replace(days=WEEK)
    week = cache.street_day(longer)
    return pool.call(overview, day.scenario, watched.rate, step, house=watched.house, week=week)
