"""The Over time screen: what can be learned about a house from many rates, and when."""

from functools import partial

from pages.ui import cache, sidebar
from pages.ui.overtime import (
    CROWD,
    DAY,
    HOLIDAY,
    MOMENT,
    TAB,
    controls,
    crowd,
    holiday,
    learned,
    moment,
    streets_that_show_it,
    try_this,
    whole_day,
)
from pages.ui.widgets import url_tabs

scenario = sidebar.begin("Over time", "What can be learned about you, and when?")
day = cache.day(scenario)
watched = controls(scenario)
learned(day, watched)
try_this()
streets_that_show_it()
url_tabs(
    TAB,
    {
        MOMENT: partial(moment, day, watched),
        HOLIDAY: partial(holiday, day, watched),
        CROWD: partial(crowd, day, watched),
        DAY: partial(whole_day, day),
    },
)
