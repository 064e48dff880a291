"""What an accepted error, a percentage of the rate in a typical step, asks for."""

from functools import partial

import streamlit as st

from pages.ui.session import lab
from pages.ui.show import items, metric
from pages.ui.tradeoff.sampled import budgets_for
from rtp.figures import style
from rtp.mechanisms import REGISTRY
from rtp.simulation import Day
from rtp.tradeoff.answers import answer, footing, footings, needed, target_rmsre


def accepted(day: Day, percentage: float) -> None:
    target = target_rmsre(percentage, day.scenario.steps)
    found = budgets_for(day, target)
    reply = answer(found, target, day.scenario.steps)
    with st.grid(len(found), min_column_width=150):
        for name, budget in found.items():
            best = "smallest ε" if budget is reply.best else None
            rests_on = footing(REGISTRY[name])
            metric(
                f"{style.label(name)} needs",
                needed(budget),
                best,
                budget.words,
                beneath=rests_on,
                colour="normal",
            )
    st.write(reply.words)
    with st.expander("What each ε relies on", icon=":material/shield:"):
        st.markdown("An ε compares with another one only where both rely on the same." + items(footings()))
    if reply.reading is not None and reply.reading.epsilon:
        st.button(
            f"Set {needed(reply.reading)}",
            key="tradeoff:use",
            icon=":material/check:",
            on_click=partial(lab().set, "epsilon", reply.reading.epsilon),
            disabled=reply.reading.epsilon == day.scenario.epsilon,
        )
