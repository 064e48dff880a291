"""The Paper screen: the published numbers and pictures, ours beside them, and what one run can show."""

import streamlit as st

from pages.ui import sidebar
from pages.ui.paper import (
    all_notes,
    alternatives,
    days_so_far,
    every_number,
    fairness,
    figure_2,
    one_or_many,
    theorems,
)
from rtp.paper.published import TITLE

sidebar.begin("Paper", f"“{TITLE}” (CDC 2019), Section IV, reproduced.")
st.caption(
    "This page always shows the paper's own scenario. Every mechanism draws noise of its own here, which is "
    "our choice: the paper does not say. What you change in the sidebar acts on the other pages only."
)
pictures, many = st.container(), st.container()
with many:
    job = one_or_many()
days = days_so_far(job)
with pictures:
    day = figure_2(days)
fairness()
every_number(days)
alternatives(day)
theorems()
all_notes()
