"""The Decide screen: the answer on one page, and what-if maps."""

from functools import partial

from pages.ui import cache, sidebar
from pages.ui.decide.answer import decision
from pages.ui.decide.whatif import whatif
from pages.ui.widgets import url_tabs


def draw() -> None:
    scenario = sidebar.begin("Decide", "")
    url_tabs(
        "decide:tab",
        {
            "The answer": partial(decision, cache.day(scenario)),
            "What-if map": partial(whatif, scenario),
        },
    )
