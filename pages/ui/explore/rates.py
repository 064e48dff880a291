"""The day's rates in one picture: which ones, rates or errors, beside pinned ones."""

from collections.abc import Mapping
from functools import partial

import streamlit as st

from pages.ui import cache, pins, show
from pages.ui.widgets import url_pills, url_segmented
from rtp.figures import style
from rtp.figures.day import VIEWS, day_figure, flat_words
from rtp.figures.households import models_figure
from rtp.figures.style import PinMark
from rtp.mechanisms import REGISTRY
from rtp.mechanisms.blowfish import sensitivity_by_model
from rtp.output.glossary import help_for
from rtp.simulation import Day


def rates(day: Day, pinned: Mapping[PinMark, Day]) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        order = url_pills("Rates", list(REGISTRY), "shown", style.label)
        kind = url_segmented("View", VIEWS, "view")
    pins.controls()
    make = partial(day_figure, day, order, kind, pinned)
    parts = day.scenario.to_json(None), order, kind, *pins.texts()
    show.chart(cache.picture(make, "day", *parts), key="day")
    show.caption(flat_words(day, order))
    if len(day.scenario.models) > 1:
        st.markdown("**Which model demands the noise**", help=help_for("Θ"))
        by_model = sensitivity_by_model(day.market.public)
        show.chart(models_figure(day.scenario, day.hours, by_model), key="models")
