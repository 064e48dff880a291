"""The Algorithm screen: Algorithm 1 thinks about a small street, line by line."""

import streamlit as st

from pages.ui import sidebar, state
from pages.ui.algorithm import controls, listing, models, numbers, table
from pages.ui.classroom import TICK, lessons, place, think
from pages.ui.moves import panel, try_this
from rtp.classroom.consequences import difference, everyone, privacy, promise
from rtp.classroom.lesson import Lesson
from rtp.classroom.lines import PUBLISHED, lines

NOTES = (
    "Line 4: the paper prints Aᵗ, but its Section II defines Aᵗ as driving step t to t + 1; so the prior of "
    "step t uses the matrix of step t − 1.",
    "Line 5 is decided by what is impossible, never by a number that has become too small for the computer: "
    "Laplace noise explains any rate.",
    "Line 15: Pr[r̂|state] is exact, the density of a sum of uniform consumptions plus Laplace noise.",
)


def says(street: Lesson, moved: Lesson, step: int, line: int) -> None:
    """What the step means, as far as the lines have come."""
    if line < PUBLISHED:
        st.info(f"What the step means is told when its rate is published, in line {PUBLISHED}.")
        return
    told = [privacy(moved, step), promise(moved, step)]
    if moved.moves:
        told.insert(1, difference(street, moved, step))
    show, icon = (st.info, "shield") if everyone(moved.at(step)) else (st.warning, "visibility")
    show("  \n".join(told), icon=f":material/{icon}:")


scenario = sidebar.begin("Algorithm", "Algorithm 1 thinks about a small street, line by line.")
playing = place().playing


@st.fragment(run_every=TICK if playing else None)
def classroom() -> None:
    here = place()
    here.tick()
    if here.playing != playing or state.current() != scenario:
        st.rerun()  # the clock of a fragment is set from outside
    controls(scenario)
    street, moved = lessons(scenario)
    for taught in (street, moved):
        think(taught, here.step)
    numbers(street, moved, here)
    says(street, moved, here.step, here.line)
    left, right = st.columns([2, 3])
    with right:
        shown = models(moved, here)
    with left:
        algorithm, moves, experiments = st.tabs(["Algorithm 1", "Make a move", "Try this"])
        with algorithm:
            listing(lines(moved, here.step, shown), here.line)
        with moves:
            panel(street, moved)
        with experiments:
            try_this(street)
    table(moved, here)


classroom()
with st.expander("About the lines", icon=":material/menu_book:"):
    st.markdown("".join(f"\n- {note}" for note in NOTES))
