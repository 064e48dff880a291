"""Whether the weekend is another kind of day, and which kind of day the cards show."""

from functools import partial

import streamlit as st

from pages.ui.params import KINDS_OF_DAY
from pages.ui.session import lab
from pages.ui.widgets import select, toggle, url_segmented
from rtp.core.time import WEEKDAYS
from rtp.scenario import LABELS, Scenario, edit


def week(scenario: Scenario, model: int, group: int) -> bool:
    """True where the cards show the weekend."""
    other = scenario.models[model].habits[group].weekend is not None
    here, weekend = lab(), False
    with st.container(horizontal=True, vertical_alignment="bottom"):
        toggle(
            "Other habits at the weekend",
            other,
            partial(here.change_parts, here.parts, edit.set_weekend, model, group),
            key=here.part_key(f"weekend:{model}:{group}"),
            help="On Saturday and Sunday, from midnight to midnight. At first they are those of other days.",
        )
        if other:
            weekend = url_segmented("Cards show", KINDS_OF_DAY, "shown day") == KINDS_OF_DAY[1]
        if scenario.has_weekends:
            select(
                LABELS["first_weekday"],
                WEEKDAYS,
                scenario.first_weekday,
                str,
                partial(lab().set, "first_weekday"),
                key="choice:first_weekday",
                width=180,
            )
    if scenario.has_weekends and scenario.days < 7:
        st.caption(_reach(scenario))
    return weekend


def _reach(scenario: Scenario) -> str:
    days = "one day" if scenario.days == 1 else f"{scenario.days} days"
    return f"The scenario runs {days} from {scenario.first_weekday} on; with Days at 7 it shows a week."
