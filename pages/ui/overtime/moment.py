"""One moment: how far all rates together can tell, and which of them give it away."""

from functools import partial

import streamlit as st

from pages.ui import cache
from pages.ui.overtime.controls import Watched
from pages.ui.session import lab
from pages.ui.show import Point, chart, clickable, csv
from rtp.figures.leakage import moment_figure, price_figure
from rtp.leakage.budget import BUDGETS, MAX_HOUSE_DAYS, price_of_a_moment
from rtp.leakage.moment import giveaway, moment_frame, moment_leakage
from rtp.leakage.words import moment_words
from rtp.mechanisms import REGISTRY
from rtp.simulation import Day

STEP = "overtime:step"


def moment(day: Day, watched: Watched) -> None:
    found = cache.moments(day, *watched)
    chosen: int | None = lab().chosen(STEP)
    step = found.step if chosen is None else min(chosen, day.scenario.steps - 1)
    bounded = REGISTRY[watched.rate].assumes == "bounded" and REGISTRY[watched.rate].adds_noise
    any_use = moment_leakage(day, *watched, any_use=True) if bounded else None
    st.markdown(moment_words(day, found, any_use))
    gives = giveaway(day, watched.rate, int(found.house[step]), step)
    clickable(moment_figure(day, found, step, gives), "overtime:moment", _choose)
    st.caption(
        "**Click a time to see which rates give it away**: the bars say how much less could be learned about "
        "that moment without each of them. Exact for an insider, from the loss really spent on the house at "
        "each step, of several models the worst; each time shows the house that loses most then."
    )
    csv("Moments as CSV", partial(moment_frame, day, found), "moments.csv")
    _price(day)
    with st.expander("The formula", icon=":material/function:"):
        st.latex(r"g(x) = \ln\frac{a_1 e^x + 1 - a_1}{a_0 e^x + 1 - a_0}")
        st.markdown(
            "Each rate's evidence lies within ±e. What the rates before, or after, a moment say of its "
            "neighbour reaches it through g, with a₀ and a₁ the chances that the neighbour is occupied where "
            "the moment is empty, and where it is occupied. Past, own rate and future add up."
        )


def _choose(point: Point) -> None:
    lab().show(STEP, int(point["customdata"][0]))


def _price(day: Day) -> None:
    section = st.expander(
        "What a leak costs", key="overtime:price", on_change="rerun", icon=":material/payments:"
    )
    if not section.open:
        return
    with section:
        if day.scenario.households * day.scenario.days > MAX_HOUSE_DAYS:
            st.caption(
                f"Drawn for streets of up to {MAX_HOUSE_DAYS:,} houses × days; the command line has no limit."
            )
            return
        key = day.scenario.replace(epsilon=1.0).to_json(None)
        make = partial(price_of_a_moment, day.scenario, BUDGETS, street_day=day.street_day)
        found = cache.cached("price", key, make, "Asking every budget …", weight="heavy")
        chart(price_figure(found, day.scenario.steps, day.scenario.epsilon), "overtime:price figure")
        st.caption("Error against the leak of the worst moment, instead of ε: one point per budget.")
