"""Whether the weekend is another kind of day, and which kind of day the cards show."""

from functools import partial

import streamlit as st

from pages.ui import state
from pages.ui.fields import select, toggle
from pages.ui.remembered import one_of
from rtp.core.time import WEEKDAYS
from rtp.scenario import LABELS, Scenario, edit

DAYS = ("Monday to Friday", "Weekend")


def week(scenario: Scenario, model: int, group: int) -> bool:
    """True where the cards show the weekend."""
    other = scenario.models[model].habits[group].weekend is not None
    weekend = False
    with st.container(horizontal=True, vertical_alignment="bottom"):
        toggle(
            "Other habits at the weekend",
            other,
            partial(_set, model, group),
            key=f"weekend:{model}:{group}",
            help="On Saturday and Sunday, from midnight to midnight. At first they are those of other days.",
        )
        if other:
            weekend = one_of("Cards show", DAYS, "shown day") == DAYS[1]
        if scenario.has_weekends:
            select(
                LABELS["first_weekday"],
                WEEKDAYS,
                scenario.first_weekday,
                str,
                partial(state.put, "first_weekday"),
                key="choice:first_weekday",
                width=180,
            )
    if scenario.has_weekends and scenario.days < 7:
        st.caption(_reach(scenario))
    return weekend


def _set(model: int, group: int, other: bool) -> None:
    state.edit(edit.set_weekend, model, group, other)


def _reach(scenario: Scenario) -> str:
    days = "one day" if scenario.days == 1 else f"{scenario.days} days"
    return f"The scenario runs {days} from {scenario.first_weekday} on; with Days at 7 it shows a week."
