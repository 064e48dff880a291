"""The first answer: three secrets, two observers, a number and a word each."""

from functools import partial

import streamlit as st

from pages.ui import cache
from pages.ui.overtime.controls import Watched
from rtp.leakage.detection import WEEK
from rtp.leakage.overview import Overview, overview
from rtp.leakage.words import overview_frame, overview_words
from rtp.simulation import Day


def learned(day: Day, watched: Watched) -> None:
    found = _overview(day, watched)
    st.table(overview_frame(day.scenario, found))
    chosen = watched.house is not None
    st.caption(overview_words(day.scenario, found, watched.rate, chosen=chosen))


def _overview(day: Day, watched: Watched) -> Overview:
    scenario = day.scenario
    step = cache.moments(day, *watched).step % (scenario.steps // scenario.days)
    key = f"{scenario.to_json(None)} {watched.rate} {watched.house} {step}"
    return cache.cached("overview", key, partial(_made, day, watched, step))


def _made(day: Day, watched: Watched, step: int) -> Overview:
    longer = day.scenario.replace(days=WEEK)
    return overview(day.scenario, watched.rate, step, house=watched.house, week=cache.street_day(longer))
