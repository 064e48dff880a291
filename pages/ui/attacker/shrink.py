"""One click to a street of few houses and the unprotected rate; one click back."""

import streamlit as st

from pages.ui import state, view
from pages.ui.attacker.controls import RATE
from pages.ui.once import take
from rtp.mechanisms import UNPROTECTED
from rtp.scenario import Scenario, edit

FEW = 5
BEFORE = "attacker:before"
SHRINK = f"Let her see the unprotected rate of {FEW} houses only: how soon does she know who is at home?"
BACK = f"Which of {FEW} houses can still deny being at home? And what if she saw the calibrated rate?"


def shrink(scenario: Scenario) -> str:
    """The button, and the words that go with it."""
    before = st.session_state.get(BEFORE) if scenario.households == FEW else None
    if before:
        st.button(f"Back to {before[0]:,} houses", icon=":material/undo:", on_click=_back)
        return BACK
    st.button(
        f"Shrink to {FEW} houses",
        icon=":material/compress:",
        on_click=_shrink,
        disabled=scenario.households <= FEW,
    )
    return SHRINK


def _shrink() -> None:
    if state.current().households <= FEW:  # a second click
        return
    st.session_state[BEFORE] = state.current().households, view.fact(RATE, "").value
    view.put(RATE, UNPROTECTED)
    state.edit(edit.of_size, FEW)


def _back() -> None:
    if before := take(BEFORE):
        houses, rate = before
        view.put(RATE, rate)
        state.apply(households=houses)
