"""What an accepted error, a percentage of the rate in a typical step, asks for."""

from functools import partial

import streamlit as st

from pages.ui import state
from pages.ui.show import metric
from pages.ui.tradeoff.sampled import budgets_for
from rtp.figures import style
from rtp.simulation import Day
from rtp.tradeoff.answers import answer, needed, target_rmsre


def accepted(day: Day, percentage: float) -> None:
    target = target_rmsre(percentage, day.scenario.steps)
    found = budgets_for(day, target)
    reply = answer(found, target, day.scenario.steps)
    with st.grid(len(found), min_column_width=150):
        for name, budget in found.items():
            best = "most private" if budget is reply.best else None
            metric(f"{style.label(name)} needs", needed(budget), best, budget.words, colour="normal")
    st.write(reply.words)
    if reply.reading is not None and reply.reading.epsilon:
        st.button(
            f"Set {needed(reply.reading)}",
            key="tradeoff:use",
            icon=":material/check:",
            on_click=partial(state.apply, epsilon=reply.reading.epsilon),
            disabled=reply.reading.epsilon == day.scenario.epsilon,
        )
