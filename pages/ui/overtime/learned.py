"""The first answer: three secrets, two observers, a number and a word each."""

from functools import partial

import streamlit as st

from pages.ui import cached
from pages.ui.overtime.controls import Watched
from rtp.figures import style
from rtp.leakage.detection import WEEK
from rtp.leakage.overview import HIDDEN, VISIBLE, Overview, overview
from rtp.leakage.words import overview_frame
from rtp.simulation import Day


def learned(day: Day, watched: Watched) -> None:
    found = _overview(day, watched)
    st.table(overview_frame(day.scenario, found))
    house = day.scenario.house(found.house, capital=True)
    st.caption(
        f"{house}, from the {style.label(watched.rate)} rates at ε = {day.scenario.epsilon:g}. "
        "How often she is right when shown one house with each answer: 50 % is guessing. Hidden up to "
        f"{HIDDEN:.0%}, visible from {VISIBLE:.0%}, blurred between. The insider knows what everyone "
        f"else used, the outsider the habits only. Average of {found.repetitions} lives with each answer."
    )


def _overview(day: Day, watched: Watched) -> Overview:
    scenario = day.scenario
    step = cached.moments(day, *watched).step % (scenario.steps // scenario.days)
    key = f"{scenario.to_json(None)} {watched.rate} {watched.house} {step}"
    return cached.kept("overview", key, partial(_made, day, watched, step))


def _made(day: Day, watched: Watched, step: int) -> Overview:
    longer = day.scenario.replace(days=WEEK)
    return overview(day.scenario, watched.rate, step, house=watched.house, week=cached.life(longer))
