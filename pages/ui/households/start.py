"""Known or unknown at the start, and how far habits spread."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from pages.ui import state
from pages.ui.fields import number, pick, toggle
from pages.ui.parts import edit_habits
from rtp.scenario import Scenario

UNKNOWN = 0.5  # where a start that was known is switched back to
STATES = {0.0: "empty", 1.0: "occupied"}


def start(scenario: Scenario, model: int, group: int) -> None:
    initial = scenario.models[model].habits[group].initial_occupied
    commit = partial(edit_habits, model, group, "initial_occupied")
    with st.grid(4, min_column_width=200, vertical_alignment="bottom"):
        toggle(
            "Known at the start",
            initial in STATES,
            partial(_know, commit, initial),
            key="known",
            help="Everyone knows which state these houses are in at the first step.",
        )
        if initial in STATES:
            pick(
                "At the first step they are",
                list(STATES),
                initial,
                STATES.__getitem__,
                commit,
                key="known state",
            )
        else:
            number("initial_occupied", initial, commit, key="page initial_occupied")
        number(
            "habit_spread",
            scenario.habit_spread,
            partial(state.put, "habit_spread"),
            key="page habit_spread",
            help="Standard deviation of each house's own chances around the group's, per 15 minutes.",
        )


def _know(commit: Callable[[float], None], initial: float, known: bool) -> None:
    commit(float(round(initial)) if known else UNKNOWN)
