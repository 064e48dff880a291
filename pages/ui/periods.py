"""The four period cards: start, matrix, the other basis, and the state diagram."""

from collections.abc import Callable

import streamlit as st

from pages.ui import state
from pages.ui.fields import number
from rtp.clock import hhmm
from rtp.figures.diagram import alt_text, state_diagram
from rtp.scenario import Basis, Period, Scenario, edits

BASES: dict[Basis, str] = {"period": "Over the period", "step": "Per step"}
CELLS = ((0, 0, "Stay empty"), (0, 1, "Arrive"), (1, 0, "Leave"), (1, 1, "Stay occupied"))
MARKS = {0.0: " · impossible", 1.0: " · certain"}

Edit = Callable[[Callable[[Period], Period]], None]


def cards(scenario: Scenario, model: int, group: int) -> None:
    """One card for each period of a group's habits under a model."""
    with st.grid(4, min_column_width=220):
        for index in range(4):
            with st.container(border=True, height="stretch"):
                _card(scenario, model, group, index)


def _card(scenario: Scenario, model: int, group: int, index: int) -> None:
    habits = scenario.models[model].habits[group]
    part, steps = habits.periods[index], habits.steps()[index]
    end = habits.periods[(index + 1) % 4].start
    place = f"{model}:{group}:{index}"

    def edit(change: Callable[[Period], Period]) -> None:
        state.edit(lambda s: edits.put_period(s, model, group, index, change(part)))

    st.markdown(f"**{part.name}** · {hhmm(part.start)}–{hhmm(end)} · {steps} steps")
    number("start", part.start, lambda v: edit(lambda p: p.replace(start=v)), step=0.25, key=f"start:{place}")
    _basis(part, steps, scenario.conversion, edit, place)
    with st.grid(2, min_column_width=90, vertical_alignment="bottom"):  # rows from, columns to
        for row, to, words in CELLS:
            _cell(part, row, to, words, edit, place)
    other: Basis = "step" if part.basis == "period" else "period"
    same = edits.set_basis(part, steps, other, scenario.conversion)
    st.caption(f"{BASES[other]}: arrive {same.arrive:.4g}, leave {same.leave:.4g}")
    st.image(state_diagram(part.matrix), alt=alt_text(part.matrix), width="stretch")


def _cell(part: Period, row: int, to: int, words: str, edit: Edit, place: str) -> None:
    value = part.matrix[row][to]
    number(
        "matrix",
        value,
        lambda entered: edit(lambda p: edits.set_entry(p, row, to, entered)),
        step=0.05,
        key=f"cell:{place}:{row}:{to}",
        label=words + MARKS.get(value, ""),
    )


def _basis(part: Period, steps: int, conversion: str, edit: Edit, place: str) -> None:
    """Switching the basis restates the same habits."""
    key = f"basis:{place}"
    st.session_state[key] = part.basis
    st.segmented_control(
        "Chances are",
        list(BASES),
        format_func=lambda basis: BASES[basis].lower(),
        key=key,
        required=True,
        on_change=lambda: edit(lambda p: edits.set_basis(p, steps, st.session_state[key], conversion)),
        width="stretch",
    )
