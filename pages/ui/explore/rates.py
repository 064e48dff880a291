"""The day's rates in one picture: which ones, rates or errors, beside a pinned run."""

from functools import partial

import streamlit as st

from pages.ui import cached, show, state
from rtp.figures import style
from rtp.figures.timeline import VIEWS, day_figure
from rtp.mechanisms import FEATURED, REGISTRY, UNPROTECTED, YARDSTICK
from rtp.simulation import Day

AT_FIRST = (UNPROTECTED, FEATURED, YARDSTICK)


def rates(day: Day, baseline: Day | None) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        shown = st.pills(
            "Rates",
            list(REGISTRY),
            selection_mode="multi",
            default=AT_FIRST,
            format_func=style.label,
            key="shown",
            persist_state="session",
            wrap=True,
        )
        view = show.one_of("View", VIEWS, "view")
        if baseline:
            st.button("Unpin", icon=":material/keep_off:", on_click=state.unpin, help="Forget the pinned run")
        st.button(
            "Pin this run",
            icon=":material/keep:",
            on_click=state.pin,
            help="Keep this run as a dotted baseline",
        )
    order = [name for name in REGISTRY if name in shown]
    make = partial(day_figure, day, order, view, baseline)
    pinned = baseline.scenario.to_json(None) if baseline else ""
    show.chart(cached.picture(make, "day", day.scenario.to_json(None), order, view, pinned), key="day")
