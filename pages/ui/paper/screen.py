"""The Paper screen: Algorithm 1 line by line; the published numbers and pictures, ours beside them."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from pages.ui import sidebar
from pages.ui.paper.algorithm import classroom
from pages.ui.paper.reproduction import asked_tab, choices, figure_2, numbers, theorems, verdict
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
            "Choices": partial(_reproduced, choices),
            "Theorems": theorems,
        },
        default=asked_tab(),
    )


def _reproduced(part: Callable[[], None]) -> None:
    """A part that compares the paper's own scenario, whatever the sidebar says."""
    verdict()
    st.caption(
        "This is always the paper's own scenario, whatever the sidebar says. Each mechanism draws its own "
        "noise here, which is our choice: the paper does not say."
    )
    part()
