"""The Paper screen: Algorithm 1 line by line; the published numbers and pictures, ours beside them."""

from functools import partial

from pages.ui import sidebar
from pages.ui.paper.algorithm import classroom
from pages.ui.paper.reproduction import READINGS, asked_tab, figure_2, numbers, readings
from pages.ui.screens import ALGORITHM
from pages.ui.widgets import url_tabs
from rtp.paper.published import TITLE

TAB = "paper:tab"


def draw(came_by: str = "") -> None:
    scenario = sidebar.begin(
        "Paper",
        f"“{TITLE}”, reproduced.",
        uses_scenario=lambda here: here.setting(TAB, asked_tab()) == ALGORITHM,
        came_by=came_by,
    )
    url_tabs(
        TAB,
        {
            ALGORITHM: partial(classroom, scenario),
            "Figures": figure_2,
            "Numbers": numbers,
            READINGS: readings,
        },
        default=asked_tab(),
    )
