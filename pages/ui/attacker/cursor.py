"""The step of the day one looks at; the same on every tab."""

import streamlit as st

from pages.ui.player import Pace, Player, time_slider
from rtp.scenario import Scenario

PACE = Pace(tick=1.0, stride=2, forgotten=10.0)


def cursor() -> Player:
    here: Player = st.session_state.setdefault("attacker:cursor", Player(PACE, "attacker:step"))
    return here


def chosen_step(scenario: Scenario, label: str) -> int:
    return time_slider(cursor(), label, label, scenario.steps, scenario.when)
