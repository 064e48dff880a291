"""The Paper screen: Algorithm 1 line by line; the published numbers and pictures, ours beside them."""

from collections.abc import Callable
from functools import partial

from pages.ui import sidebar
from pages.ui.paper.algorithm import classroom
from pages.ui.paper.reproduction import READINGS, asked_tab, figure_2, numbers, readings, verdict
from pages.ui.screens import ALGORITHM
from pages.ui.widgets import url_tabs
from rtp.paper.published import TITLE

TAB = "paper:tab"


def draw(came_by: str = "") -> None:
    scenario = sidebar.begin(
        "Paper",
        f"“{TITLE}” (CDC 2019), reproduced.",
        uses_scenario=lambda here: here.setting(TAB, asked_tab()) == ALGORITHM,
        came_by=came_by,
    )
    url_tabs(
        TAB,
        {
            ALGORITHM: partial(classroom, scenario),
            "Figures": partial(_reproduced, figure_2),
            "Numbers": partial(_reproduced, numbers),
            READINGS: partial(_reproduced, readings),
        },
        default=asked_tab(),
    )


def _reproduced(part: Callable[[], None]) -> None:
    """A part that compares the paper's own scenario, whatever the sidebar says."""
    verdict()
    part()
