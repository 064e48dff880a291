"""The same curve when filter and forecast believe in another model than people live by."""

import streamlit as st

from pages.ui.show import chart
from pages.ui.tradeoff.curve import logarithmic
from pages.ui.tradeoff.sampled import curve_believing
from pages.ui.widgets import url_select
from rtp.core.stats import LEVEL_WORDS
from rtp.figures.tradeoff import curve_figure
from rtp.simulation import Day
from rtp.tradeoff.misspecification import candidates, verdict

BELIEF = "tradeoff:belief"


def wrong_model(day: Day) -> None:
    offered = candidates(day.scenario)
    if not offered:
        st.info("No other model fits this scenario; add one on the Households page.")
        return
    words = url_select("Filter and forecast believe", list(offered), BELIEF)
    right, wrong = curve_believing(day, None), curve_believing(day, offered[words])
    log, epsilon = logarithmic(), day.scenario.epsilon
    chart(curve_figure(wrong, epsilon, log, right=right), "tradeoff:wrong")
    st.write(verdict(right, wrong, epsilon, words))
    st.caption(
        f"People live by “{day.scenario.models[0].name}” in both; dotted lines believe so, too. Noise is "
        "the same and guards against the scenario's own models, so the promise stands and the other "
        f"mechanisms do not move. Lines: expected error, computed. Bands: {LEVEL_WORDS} of {wrong.days} days "
        "with today's demand and other noise."
    )
