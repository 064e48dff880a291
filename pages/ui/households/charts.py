"""The street's day, personal habits, drawn bounds, and what each model makes of the noise."""

import streamlit as st

from pages.ui import state
from pages.ui.show import chart
from rtp.figures import households as figures
from rtp.mechanisms import FEATURED
from rtp.mechanisms.blowfish import sensitivity_by_model
from rtp.paper.published import figure2
from rtp.scenario import DEFAULT_PRESET
from rtp.simulation import Day
from rtp.simulation.setter import loudest_house
from rtp.street.days import households
from rtp.street.protected import protected_under
from rtp.street.sample import evenly

STRIPES = 30


def charts(day: Day, model: int, group: int) -> None:
    _occupancy(day, model)
    left, right = st.columns(2)
    with left:
        _habits(day, model, group)
    with right:
        st.markdown("**Drawn bounds**: the largest among the uncertain houses sets the noise")
        chart(figures.bounds_figure(day, loudest_house(day.release[FEATURED])), key="bounds")


def _occupancy(day: Day, model: int) -> None:
    houses = evenly(day.scenario.households, STRIPES)
    states, _ = households(day.life.spec, day.street, houses.tolist())
    protected = protected_under(day.life.kinds, model)
    papers = state.preset() == DEFAULT_PRESET and day.scenario.days == 1
    published = figure2()[:2] if papers else None
    chart(figures.occupancy_figure(day, houses, states, protected, published), key="occupancy")


def _habits(day: Day, model: int, group: int) -> None:
    spec, scenario = day.life.spec, day.scenario
    blocks = [block for block in spec.blocks if block.group == group]
    if not blocks:
        st.info("No house belongs to this group: its share of the street is too small.")
        return
    leave, arrive = spec.chances(day.street, model, blocks[0])
    names = [p.name for p in scenario.models[model].habits[group].periods]
    st.markdown(f"**Personal habits** of {leave.shape[1]:,} houses of {scenario.groups[group].name}")
    chart(figures.habits_figure(spec.schedules[model][group], names, leave, arrive), key="scatter")


def sensitivity(day: Day) -> None:
    """Which model sets the noise, where there are several."""
    if len(day.scenario.models) > 1:
        by_model = sensitivity_by_model(day.market.public)
        chart(figures.models_figure(day.scenario, day.hours, by_model), key="models")
