"""The crowd: the noise that a street of so many houses still needs against outsiders."""

from functools import partial

import streamlit as st

from pages.ui import cache
from pages.ui.overtime.controls import Watched
from pages.ui.show import chart, csv
from pages.ui.widgets import url_segmented
from rtp.core.formatting import plain
from rtp.figures.leakage import crowd_figure
from rtp.leakage.crowd import USUAL_DELTA, noise_frame, noise_still_needed
from rtp.leakage.words import crowd_words
from rtp.simulation import Day

DELTAS = (1e-3, USUAL_DELTA, 1e-9)


def crowd(day: Day, watched: Watched) -> None:
    delta = url_segmented(
        "δ — how often the promise may fail", DELTAS, "overtime:delta", plain, default=USUAL_DELTA
    )
    key = f"{day.scenario.to_json(None)} {delta} {watched.house}"
    make = partial(noise_still_needed, day, day.scenario.epsilon, delta, house=watched.house)
    found = cache.cached("crowd", key, make, "Adding up the neighbours …")
    st.markdown(crowd_words(found))
    chart(crowd_figure(found, day.scenario.households), "overtime:crowd")
    house = day.scenario.house(found.house, capital=True)
    st.caption(
        f"{house} at {day.scenario.when(found.step)}, among neighbours drawn like this "
        "street's, as likely to be at home as the first model says before any rate is seen. For one rate, "
        "rounded up; over many rates an outsider learns more."
    )
    csv("The crowd as CSV", partial(noise_frame, found), "crowd.csv")
    with st.expander("The formula", icon=":material/function:"):
        st.latex(
            r"\delta(\varepsilon) = \max\left(\int \max(0, f_1 - e^\varepsilon f_0),\ "
            r"\int \max(0, f_0 - e^\varepsilon f_1)\right)"
        )
        st.markdown(
            "f₁ and f₀ are the densities of the rate where the house is occupied and where it is empty."
        )
