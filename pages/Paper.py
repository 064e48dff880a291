"""The Paper screen: the published numbers and pictures, ours beside them, and what one run can show."""

import streamlit as st

from pages.ui import sidebar
from pages.ui.paper import asked_tab, choices, figure_2, numbers, theorems, verdict
from pages.ui.widgets import url_tabs
from rtp.paper.published import TITLE

sidebar.begin("Paper", f"“{TITLE}” (CDC 2019), Section IV, reproduced.")
verdict()
st.caption(
    "This screen always shows the paper's own scenario, whatever the sidebar says. Each mechanism draws its "
    "own noise here, which is our choice: the paper does not say."
)
url_tabs(
    "paper:tab",
    {"Figures": figure_2, "Numbers": numbers, "Choices": choices, "Theorems": theorems},
    default=asked_tab(),
)
