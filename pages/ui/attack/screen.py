"""The Attack screen: what an observer learns about a house, when, and whether the promise holds."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from pages.ui import cache, pins, sidebar
from pages.ui.attack import observer, over_time, trials
from pages.ui.attack.holiday import holiday
from pages.ui.screens import OVER_TIME
from pages.ui.widgets import url_tabs
from rtp.scenario import Scenario
from rtp.simulation import Day


def draw(came_by: str = "") -> None:
    scenario = sidebar.begin(
        "Attack",
        "What an observer of the rates learns about each house, and whether the promise holds.",
        came_by=came_by,
    )
    day = cache.day(scenario)
    url_tabs(
        "attack:tab",
        {
            "One house": partial(_asked, observer.one_house, day),
            "How often she is right": partial(_asked, trials.how_well, day),
            OVER_TIME: partial(_over_time, scenario, day),
            "The whole street": partial(_asked, observer.street, day),
            "The audit": partial(trials.audit, day),
        },
    )
    pins.controls()
    pins.table(day)


def _asked(part: Callable[[Day, observer.Observer], None], day: Day) -> None:
    """A part of which the observer is chosen."""
    chosen = observer.controls(day.scenario)
    trials.try_this(day, chosen)
    part(day, chosen)


def _over_time(scenario: Scenario, day: Day) -> None:
    first = st.container()
    watched = over_time.controls(scenario)
    with first:
        over_time.learned(day, watched)
    over_time.try_this()
    over_time.example_streets()
    url_tabs(
        over_time.TAB,
        {
            over_time.MOMENT: partial(over_time.moment, day, watched),
            over_time.HOLIDAY: partial(holiday, day, watched),
            over_time.CROWD: partial(over_time.crowd, day, watched),
            over_time.DAY: partial(over_time.whole_day, day),
        },
    )
