"""The Algorithm screen put together; it is drawn again at every tick while it plays."""

import streamlit as st

from pages.ui import state
from pages.ui.algorithm.controls import controls
from pages.ui.algorithm.experiments import try_this
from pages.ui.algorithm.lessons import lessons, think
from pages.ui.algorithm.listing import listing, table
from pages.ui.algorithm.moves import panel
from pages.ui.algorithm.numbers import consequences, numbers
from pages.ui.algorithm.pictures import models
from pages.ui.algorithm.position import position
from pages.ui.remembered import tabs_of
from pages.ui.show import items
from rtp.classroom.lines import lines
from rtp.scenario import Scenario

NOTES = (
    "Line 4: the paper prints Aᵗ, but its Section II defines Aᵗ as driving step t to t + 1; so the prior of "
    "step t uses the matrix of step t − 1.",
    "Line 5 is decided by what is impossible, never by a number that has become too small for the computer: "
    "Laplace noise explains any rate.",
    "Line 15: Pr[r̂|state] is exact, the density of a sum of uniform consumptions plus Laplace noise.",
)


def classroom(scenario: Scenario) -> None:
    if state.current() != scenario:
        st.rerun()  # a move was applied to the scenario: the rest of the page follows
    here = position()
    controls(scenario, here)
    street, moved = lessons(scenario)
    for taught in (street, moved):
        think(taught, here.step)
    numbers(street, moved, here)
    consequences(street, moved, here)
    left, right = st.columns([2, 3])
    with right:
        shown = models(moved, here)
    with left:
        algorithm, moves, experiments = tabs_of(["Algorithm 1", "Make a move", "Try this"], "algorithm:tab")
        with algorithm:
            listing(lines(moved, here.step, shown), here.line)
        with moves:
            panel(street, moved)
        with experiments:
            try_this(street)
    table(moved, here)


def notes() -> None:
    with st.expander("About the lines", icon=":material/menu_book:"):
        st.markdown(items(NOTES))
