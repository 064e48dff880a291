"""The Trade-off screen: which error a budget buys, who pays for it, and what if things were different."""

import streamlit as st

from pages.ui import cached, sidebar
from pages.ui.money import cost_of_privacy
from pages.ui.tradeoff import error_curve, wrong_model
from pages.ui.whatif import whatif

scenario = sidebar.begin("Trade-off", "The price of privacy: what an error costs in ε, and ε in money.")
day = cached.day(scenario)
error_curve(day)

money, wrong, maps = st.tabs(
    ["Cost of privacy", "What if the model is wrong?", "What-if map"],
    key="tradeoff:tab",
    on_change="rerun",
)
if money.open:
    with money:
        cost_of_privacy(day)
if wrong.open:
    with wrong:
        wrong_model(day)
if maps.open:
    with maps:
        whatif(scenario)
