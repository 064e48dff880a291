"""What an accepted error asks for."""

from functools import partial

import streamlit as st

from pages.ui import state
from pages.ui.show import metric
from pages.ui.tradeoff.sampled import budgets_for
from rtp.figures import style
from rtp.simulation import Day
from rtp.tradeoff.answers import answer, needed


def accepted(day: Day, target: float) -> None:
    found = budgets_for(day, target)
    reply = answer(found, target, day.scenario.steps)
    with st.grid(len(found), min_column_width=150):
        for name, budget in found.items():
            best = "most private" if budget is reply.best else None
            metric(f"{style.label(name)} needs", needed(budget), best, budget.words, colour="normal")
    st.write(reply.words)
    if reply.reading is not None and reply.reading.epsilon:
        st.button(
            f"Set ε = {reply.reading.epsilon:.4g}",
            key="tradeoff:use",
            icon=":material/check:",
            on_click=partial(state.apply, epsilon=reply.reading.epsilon),
            disabled=reply.reading.epsilon == day.scenario.epsilon,
        )
