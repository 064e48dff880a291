"""Known or unknown at the start, and how far habits spread."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from pages.ui.session import lab
from pages.ui.widgets import number, segmented, toggle
from rtp.scenario import Scenario, edit

UNKNOWN = 0.5  # where a start that was known is switched back to
STATES = {0.0: "empty", 1.0: "occupied"}


def start(scenario: Scenario, model: int, group: int) -> None:
    initial = scenario.models[model].habits[group].initial_occupied
    here = lab()
    save = partial(here.change_part, here.parts, edit.set_habits_field, model, group, "initial_occupied")
    with st.grid(4, min_column_width=200, vertical_alignment="bottom"):
        toggle(
            "Known at the start",
            initial in STATES,
            partial(_know, save, initial),
            key=here.part_key("known"),
            help="Everyone knows which state these houses are in at the first step.",
        )
        if initial in STATES:
            segmented(
                "At the first step they are",
                list(STATES),
                initial,
                STATES.__getitem__,
                save,
                key=here.part_key("known state"),
            )
        else:
            number("initial_occupied", initial, save, key=here.part_key("page initial_occupied"))
        number(
            "habit_spread",
            scenario.habit_spread,
            partial(lab().set, "habit_spread"),
            key="page habit_spread",
            help="Standard deviation of each house's own chances around the group's, per 15 minutes.",
        )


def _know(save: Callable[[float], None], initial: float, known: bool) -> None:
    save(float(round(initial)) if known else UNKNOWN)
