"""The Attack screen: what an observer learns about a house, when, and whether the promise holds."""

from functools import partial

import streamlit as st

from pages.ui import cache, pins, sidebar
from pages.ui.attack import observer, over_time, trials
from pages.ui.attack.one_house import one_house
from pages.ui.attack.verdict import verdict
from pages.ui.screens import OVER_TIME
from pages.ui.widgets import url_tabs


def draw(came_by: str = "") -> None:
    scenario = sidebar.begin("Attack", "What the rates give away.", came_by=came_by)
    day = cache.day(scenario)
    first = st.container()
    watching = observer.controls(scenario)
    url_tabs(
        "attack:tab",
        {
            "One house": partial(one_house, scenario, watching),
            "How often she is right": partial(trials.how_well, day, watching),
            OVER_TIME: partial(over_time.over_time, day, watching),
            "The whole street": partial(observer.street, day, watching),
            "The audit": partial(trials.audit, day),
        },
    )
    pins.controls()
    pins.table(day)
    with first:  # which takes longest, and is begun last: what is asked below it need not wait
        verdict(day, watching)
