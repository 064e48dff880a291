"""The two sides of the Households screen: how groups live, with its pictures, and the houses one by one."""

from collections.abc import Sequence
from functools import partial

import streamlit as st

from pages.ui import cache
from pages.ui.cache import picture
from pages.ui.households.groups import groups, models
from pages.ui.households.periods import cards, start, week
from pages.ui.show import chart
from pages.ui.widgets import url_segmented
from rtp.figures import households as figures
from rtp.figures.households import period_names
from rtp.figures.style import Picture
from rtp.mechanisms import FEATURED
from rtp.mechanisms.blowfish import sensitivity_by_model
from rtp.output.words import group_words
from rtp.paper.published import figure2
from rtp.scenario import Scenario
from rtp.simulation import Day, is_papers_street, street_key
from rtp.simulation.day import loudest_house
from rtp.street.draw import Block, evenly
from rtp.street.simulate import replay_houses

STRIPES = 30


def charts(day: Day, model: int, group: int) -> None:
    _occupancy(day, model, group)
    left, right = st.columns(2)
    with left:
        _habits(day, model, group)
    with right:
        st.markdown("**Drawn bounds**: the largest among the uncertain houses sets the noise")
        setter = loudest_house(day.release[FEATURED])
        make = partial(figures.bounds_figure, day, setter)
        chart(picture(make, "bounds", street_key(day.scenario), setter), key="bounds")


def _occupancy(day: Day, model: int, group: int) -> None:
    make = partial(_occupancy_picture, day, model, group)
    chart(picture(make, "occupancy", street_key(day.scenario), model, group), key="occupancy")


def _occupancy_picture(day: Day, model: int, group: int) -> Picture:
    houses = evenly(day.scenario.households, STRIPES)
    states, _ = replay_houses(day.street_day.spec, day.street, houses.tolist())
    protected = day.street_day.support_classes.protected_under(model)
    published = figure2()[:2] if is_papers_street(day.scenario) else None
    whose = day.scenario.models[model].habits[group]
    return figures.occupancy_figure(day, houses, states, protected, published, whose)


def _habits(day: Day, model: int, group: int) -> None:
    spec, scenario = day.street_day.spec, day.scenario
    blocks = [block for block in spec.blocks if block.group == group]
    if not blocks:
        st.info("No house belongs to this group: its share of the street is too small.")
        return
    count = len(blocks[0])
    st.markdown(f"**Personal habits**: {group_words(scenario.groups[group].name, count)}")
    make = partial(_habits_picture, day, model, group, blocks[0])
    chart(picture(make, "habits", street_key(scenario), model, group), key="scatter")


def _habits_picture(day: Day, model: int, group: int, block: Block) -> Picture:
    leave, arrive = day.street_day.spec.transition_probabilities(day.street, model, block)
    names = period_names(day.scenario.models[model].habits[group])
    return figures.habits_figure(day.street_day.spec.schedules[model][group], names, leave, arrive)


def sensitivity(day: Day) -> None:
    """Which model sets the noise, where there are several."""
    if len(day.scenario.models) > 1:
        by_model = sensitivity_by_model(day.market.public)
        chart(figures.models_figure(day.scenario, day.hours, by_model), key="models")


def pick(scenario: Scenario) -> tuple[int, int]:
    model = group = 0
    with st.container(horizontal=True):
        if len(scenario.models) > 1:
            model = _number("Model θ shown", [m.name for m in scenario.models], "shown model")
        if len(scenario.groups) > 1:
            group = _number("Group shown", [g.name for g in scenario.groups], "shown group")
    return model, group


def _number(label: str, names: Sequence[str], key: str) -> int:
    return url_segmented(label, range(len(names)), key, names.__getitem__)


def habits(scenario: Scenario) -> None:
    model, group = pick(scenario)
    cards(scenario, model, group, week(scenario, model, group))
    start(scenario, model, group)
    day = cache.day(scenario)
    charts(day, model, group)
    groups(scenario, group)
    models(scenario, model)
    sensitivity(day)
