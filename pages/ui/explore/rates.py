"""The day's rates in one picture: which ones, rates or errors, beside a pinned run."""

from collections.abc import Sequence
from functools import partial

import streamlit as st

from pages.ui import cached, show, state, view
from pages.ui.fields import several
from rtp.figures import style
from rtp.figures.timeline import VIEWS, day_figure
from rtp.mechanisms import FEATURED, REGISTRY, UNPROTECTED, YARDSTICK
from rtp.simulation import Day

AT_FIRST: Sequence[str] = (UNPROTECTED, FEATURED, YARDSTICK)


def rates(day: Day, baseline: Day | None) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        shown = view.fact("shown", AT_FIRST)
        several("Rates", list(REGISTRY), shown.value, style.label, shown.commit, key="shown")
        kind = show.one_of("View", VIEWS, "view")
        if baseline:
            st.button("Unpin", icon=":material/keep_off:", on_click=state.unpin, help="Forget the pinned run")
        st.button(
            "Pin this run",
            icon=":material/keep:",
            on_click=state.pin,
            help="Keep this run as a dotted baseline",
        )
    order = [name for name in REGISTRY if name in shown.value]
    make = partial(day_figure, day, order, kind, baseline)
    pinned = baseline.scenario.to_json(None) if baseline else ""
    show.chart(cached.picture(make, "day", day.scenario.to_json(None), order, kind, pinned), key="day")
