"""How many houses the stage has, and whether the truth is marked."""

import streamlit as st

from pages.ui.algorithm.position import Position
from pages.ui.widgets import slider, toggle
from rtp.scenario import Scenario
from rtp.teaching.stage import MAX_STAGE_HOUSES, MIN_STAGE_HOUSES


def controls(scenario: Scenario, here: Position) -> None:
    with st.container(horizontal=True, gap="medium", vertical_alignment="center"):
        houses = range(MIN_STAGE_HOUSES, MAX_STAGE_HOUSES + 1)
        with st.container(width=260):
            slider(
                "Houses on the stage",
                houses,
                here.chosen_houses(scenario),
                str,
                here.choose_houses,
                key="houses",
            )
        toggle(
            "Show the truth",
            here.truth,
            here.show_truth,
            key="show truth",
            help="Mark the state the street is really in, which only the street knows.",
        )
