"""The four period cards: start, matrix, the other basis, and the state diagram."""

from collections.abc import Callable
from functools import partial
from typing import Concatenate, NamedTuple, ParamSpec

import streamlit as st

from pages.ui import state
from pages.ui.fields import number, pick
from rtp.clock import hhmm
from rtp.figures.diagram import state_diagram
from rtp.scenario import Basis, Period, Scenario, edits

BASES: dict[Basis, str] = {"period": "Over the period", "step": "Per step"}
CELLS = ((0, 0, "Stay empty"), (0, 1, "Arrive"), (1, 0, "Leave"), (1, 1, "Stay occupied"))
UP_AND_ABOUT = "Occupied means up and about: to go to sleep is to leave, to wake up is to arrive."
MARKS = {0.0: " · impossible", 1.0: " · certain"}

Arguments = ParamSpec("Arguments")


class Address(NamedTuple):
    """Of one period in the scenario."""

    model: int
    group: int
    period: int

    def key(self, name: str) -> str:
        return f"{name}:{self.model}:{self.group}:{self.period}"

    def put(
        self,
        scenario: Scenario,
        change: Callable[Concatenate[Period, Arguments], Period],
        *args: Arguments.args,
        **kwargs: Arguments.kwargs,
    ) -> Scenario:
        """The scenario with this period changed."""
        part = scenario.models[self.model].habits[self.group].periods[self.period]
        return edits.put_period(scenario, *self, change(part, *args, **kwargs))


def cards(scenario: Scenario, model: int, group: int) -> None:
    """One card for each period of a group's habits under a model."""
    with st.grid(4, min_column_width=220):
        for index in range(4):
            with st.container(border=True, height="stretch"):
                _card(scenario, Address(model, group, index))


def _card(scenario: Scenario, at: Address) -> None:
    habits = scenario.models[at.model].habits[at.group]
    part, steps = habits.periods[at.period], habits.steps()[at.period]
    end = habits.periods[(at.period + 1) % 4].start
    st.markdown(f"**{part.name}** · {hhmm(part.start)}–{hhmm(end)} · {steps} steps")
    st.caption(UP_AND_ABOUT)
    number("start", part.start, partial(_set_start, at), step=0.25, key=at.key("start"))
    pick(
        "Chances are",
        list(BASES),
        part.basis,
        _basis_words,
        partial(_set_basis, at, steps, scenario.conversion),
        key=at.key("basis"),
        width="stretch",
    )
    with st.grid(2, min_column_width=90, vertical_alignment="bottom"):  # rows from, columns to
        for row, to, words in CELLS:
            value = part.matrix[row][to]
            number(
                "matrix",
                value,
                partial(_set_entry, at, row, to),
                key=f"{at.key('cell')}:{row}:{to}",
                label=words + MARKS.get(value, ""),
            )
    other: Basis = "step" if part.basis == "period" else "period"
    same = edits.set_basis(part, steps, other, scenario.conversion)
    st.caption(f"{BASES[other]}: arrive {same.arrive:.4g}, leave {same.leave:.4g}")
    drawn = state_diagram(part.matrix)
    st.image(drawn.svg, alt=drawn.words, width="stretch")


def _basis_words(basis: Basis) -> str:
    return BASES[basis].lower()


def _set_start(at: Address, hour: float) -> None:
    state.edit(at.put, Period.replace, start=hour)


def _set_basis(at: Address, steps: int, conversion: str, basis: Basis) -> None:
    """Switching the basis restates the same habits."""
    state.edit(at.put, edits.set_basis, steps, basis, conversion)


def _set_entry(at: Address, row: int, to: int, chance: float) -> None:
    state.edit(at.put, edits.set_entry, row, to, chance)
