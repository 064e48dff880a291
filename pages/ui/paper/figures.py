"""Figure 2, as published and as we get it."""

from functools import partial

import streamlit as st

from pages.ui import cache
from pages.ui.show import chart, metric
from pages.ui.widgets import url_number, url_segmented
from rtp.core.formatting import percent
from rtp.figures import paper as figures
from rtp.figures import style
from rtp.figures.day import VIEWS
from rtp.metrics import ERROR_MEANS
from rtp.paper import published
from rtp.paper.comparison import picture_words
from rtp.paper.reproduction import MAX_DAYS, PAPER, PaperDays, as_printed, rmse
from rtp.scenario import Bounds
from rtp.simulation import Day


def figure_2(days: PaperDays) -> Day:
    """The paper's three pictures beside ours; gives the run that is shown."""
    st.subheader("Figure 2, as published and as we get it", anchor=False)
    with st.container(horizontal=True):
        run = int(url_number(Bounds(0, MAX_DAYS, "Our run (seed)"), PAPER.seed, "paper:run"))
        view = url_segmented("Figure 2c shows", VIEWS, "paper:view")
    day = cache.day(PAPER.replace(seed=run))
    _metrics(day)
    _pictures(day, days, view)
    return day


def _metrics(day: Day) -> None:
    """One run beside the published numbers."""
    _, occupancy, consumption = published.figure2()
    with st.grid(4, min_column_width=150):
        metric("Distance to 2a", f"{rmse(day.occupancy, occupancy):.4f}", "RMSE of this run")
        metric("Distance to 2b", f"{rmse(day.consumption, consumption):.4f}", "RMSE of this run")
        for name, number in figures.PRINTED.items():
            release = day.release[name]
            metric(
                f"{style.label(name)} RMSRE",
                as_printed(release.rmsre, ".3e"),
                f"published {number.text}",
                f"On average: {as_printed(release.expected_rmsre, '.3e')}, an error of "
                f"{percent(release.expected_error)}.\n\n{ERROR_MEANS}",
                beneath=f"error {percent(release.error)}",
            )


def _pictures(day: Day, days: PaperDays, view: str) -> None:
    """Side by side where there is room."""
    with st.grid(3, min_column_width=320):
        for key, words, make in (
            ("2a", "Mean occupancy", partial(figures.mean_occupancy_figure, day, days)),
            ("2b", "Mean consumption", partial(figures.mean_consumption_figure, day, days)),
            ("2c", "Calculated rates", partial(figures.rates_figure, day, view)),
        ):
            with st.container():
                st.markdown(f"**{key} · {words}**")
                chart(cache.picture(make, "paper", key, day.scenario.seed, len(days), view), key=key)
    st.caption(picture_words(days))
