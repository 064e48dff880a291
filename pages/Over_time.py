"""The Over time screen: what can be learned about a house from many rates, and when."""

from functools import partial

import streamlit as st

from pages.ui import cache, sidebar
from pages.ui.holiday import holiday
from pages.ui.overtime import (
    CROWD,
    DAY,
    HOLIDAY,
    MOMENT,
    TAB,
    controls,
    crowd,
    example_streets,
    learned,
    moment,
    try_this,
    whole_day,
)
from pages.ui.widgets import url_tabs

scenario = sidebar.begin("Over time", "What can be learned about you, and when?")
day = cache.day(scenario)
first = st.container()
watched = controls(scenario)
with first:
    learned(day, watched)
try_this()
example_streets()
url_tabs(
    TAB,
    {
        MOMENT: partial(moment, day, watched),
        HOLIDAY: partial(holiday, day, watched),
        CROWD: partial(crowd, day, watched),
        DAY: partial(whole_day, day),
    },
)
