"""The Attack screen: what an observer tells of a house, what she believes, and what the promise allows."""

from functools import partial

import streamlit as st

from pages.ui import cache, pins, sidebar
from pages.ui.attack import houses, observer
from pages.ui.attack.one_house import one_house
from pages.ui.attack.over_time import over_time
from pages.ui.attack.verdict import verdict
from pages.ui.widgets import url_tabs


def draw() -> None:
    scenario = sidebar.begin("Attack", "What the rates give away.")
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
    pins.controls()
    pins.table(day)
    with first:  # which takes longest, and is begun last: what is asked below it need not wait
        verdict(scenario, watching)
