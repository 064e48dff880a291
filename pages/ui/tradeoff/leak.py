"""The same error against what all rates together tell about one moment."""

from functools import partial

import streamlit as st

from pages.ui.cache import cached
from pages.ui.session import lab
from pages.ui.show import Point, clickable
from rtp.core.formatting import plain
from rtp.figures.leakage import price_figure
from rtp.leakage.budget import BUDGETS, MAX_HOUSE_DAYS, MomentPrice, joined, price_of_a_moment
from rtp.simulation import Day


def leak_curve(day: Day, target: float, log: bool) -> None:
    """A point for every budget, the scenario's own among them."""
    scenario = day.scenario
    if scenario.households * scenario.days > MAX_HOUSE_DAYS:
        st.info(f"The leak of a moment is drawn for streets of up to {MAX_HOUSE_DAYS:,} houses × days.")
        return
    picture = price_figure(_price(day), scenario.steps, scenario.epsilon, log, target)
    clickable(picture, "tradeoff:leak", _set_epsilon)
    st.caption(
        "**Click a point to set ε everywhere.** Across: by how much all rates of the record together can "
        "shift the log-odds of one moment of one house, exactly, for an insider, under the worst of the "
        "models; the worst moment of the worst house. Up: expected error, computed without sampling. One "
        f"point per budget; diamonds: ε = {plain(scenario.epsilon)} now. At equal leak the lower line is the "
        "better bargain. What leaks follows from the noise, whatever its ε is called: those that publish the "
        "noisy rate as it is share a line where their noise is the same all day. More on the page Over time."
    )


def _price(day: Day) -> MomentPrice:
    """The budgets that are the same for everybody, and the scenario's own."""
    scenario = day.scenario
    common = partial(price_of_a_moment, scenario, BUDGETS, street_day=day.street_day)
    own = partial(price_of_a_moment, scenario, [scenario.epsilon], street_day=day.street_day)
    key = scenario.replace(epsilon=1.0).to_json(None)
    return joined(
        cached("price", key, common, "Asking every budget …", weight="heavy"),
        cached("leak", scenario.to_json(None), own),
    )


def _set_epsilon(point: Point) -> None:
    lab().set("epsilon", float(point["customdata"][0]))
