"""The story before the numbers: what is at stake, how far noise protects, and what ε means in chances."""

from functools import partial

import streamlit as st

from pages.ui import cache, show, tour
from pages.ui.session import lab
from pages.ui.widgets import toggle
from rtp.figures.threat import dots_figure, threat_figure
from rtp.scenario import Scenario
from rtp.simulation import Day
from rtp.teaching.threat import (
    BELIEVER_WORDS,
    MAX_FOLLOWED_HOUSES,
    STORY_HOUSES,
    Threat,
    beliefs_at,
    price_words,
    question,
    stake,
    story_street,
    threat,
    threat_headline,
    worst_case,
)

OWN, MOMENT = "story:own", "story:step"


def story(scenario: Scenario) -> None:
    """On few houses, or on the street at hand; not where the tour is about the day's picture."""
    if tour.about_the_day():
        return
    own = lab().setting(OWN, False)
    here = own and STORY_HOUSES < scenario.households <= MAX_FOLLOWED_HOUSES
    day = cache.day(scenario.replace(days=1) if here else story_street(scenario))
    found = _threat(day)
    st.markdown(f"{question(found, day, here)}  \n{threat_headline(found, day)}")
    with st.container(horizontal=True, vertical_alignment="center"):
        tour.start()
        if STORY_HOUSES < scenario.households <= MAX_FOLLOWED_HOUSES:
            label = f"The same on the street at hand ({scenario.households:,} houses)"
            toggle(label, own, partial(lab().show, OWN), key=OWN)
    chosen: int | None = lab().chosen(MOMENT)
    step = chosen if chosen is not None and chosen < day.scenario.steps else None
    moment = day.scenario.steps * 3 // 4 if step is None else step
    left, right = st.columns([2, 1], gap="small")
    with left:
        make = partial(threat_figure, day, found, moment)
        drawn = cache.picture(make, "threat", day.scenario.to_json(None), moment)
        show.clickable(drawn, "threat", _choose)
    with right, st.container(border=True):
        _chances(day, found, moment)


def _threat(day: Day) -> Threat:
    """Only its private half is made anew for another ε."""
    scenario = day.scenario
    without = scenario.replace(epsilon=1.0).to_json(None)
    known = cache.cached("stake", without, partial(stake, day), "Reading every rate …")
    return cache.cached("threat", scenario.to_json(None), partial(threat, day, known))


def _choose(point: show.Point) -> None:
    lab().show(MOMENT, int(point["customdata"][0]))


def _chances(day: Day, found: Threat, step: int) -> None:
    here, epsilon = beliefs_at(day, found.stake, step), day.scenario.epsilon
    rows = [(f"Worst case, ε = {epsilon:g}", worst_case(epsilon))]
    if here is not None:
        rows.insert(
            0, (f"{day.scenario.house(found.stake.house, capital=True)}, {day.scenario.when(step)}", here)
        )
    drawn = dots_figure(rows)
    st.markdown("**ε in chances**", help=BELIEVER_WORDS)
    st.image(drawn.svg, alt=drawn.words, width="content")
    st.caption(price_words(found, day, step, here))
