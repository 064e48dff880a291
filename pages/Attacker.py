"""The Attacker screen: what an observer learns from the published rates, and whether the promise holds."""

from functools import partial

from pages.ui import cache, pins, sidebar
from pages.ui.attacker import controls, one_house, street
from pages.ui.trials import audit, how_well, try_this
from pages.ui.widgets import url_tabs

scenario = sidebar.begin(
    "Attacker", "What an observer of the rates learns about each house, and whether the promise holds."
)
day = cache.day(scenario)
observer = controls(scenario)
try_this(day, observer)
url_tabs(
    "attacker:tab",
    {
        "One house": partial(one_house, day, observer),
        "How well does she do?": partial(how_well, day, observer),
        "The street": partial(street, day, observer),
        "The audit": partial(audit, day),
    },
)
pins.controls()
pins.table(day)
