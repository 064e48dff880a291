"""Figure 2 and every number of Section IV, published and ours; one run, or many."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from pages.ui import cache, jobs, pool
from pages.ui.cache import cached, picture
from pages.ui.params import PAPER_DAYS
from pages.ui.show import chart, csv, metric
from pages.ui.widgets import url_number, url_segmented
from rtp.core.formatting import percent
from rtp.core.stats import LEVEL_WORDS
from rtp.figures import paper as figures
from rtp.figures import style
from rtp.figures.day import VIEWS
from rtp.figures.paper import distribution_figure
from rtp.metrics import ERROR_MEANS
from rtp.paper import published
from rtp.paper.comparison import (
    JUDGED,
    ComparisonRow,
    comparison_frame,
    narrow_frame,
    picture_words,
    table,
    verdict_words,
    whole_exponents,
)
from rtp.paper.reproduction import (
    FIRST_DAYS,
    MANY_DAYS,
    MAX_DAYS,
    PAPER,
    PaperDays,
    as_printed,
    finding,
    many_days,
    rmse,
)
from rtp.scenario import DEFAULT_PRESET, PRESETS, Bounds
from rtp.simulation import Day

if TYPE_CHECKING:
    import pandas as pd


REDRAW = 2.0  # seconds between pictures while days are being simulated


def one_or_many() -> jobs.Job[PaperDays] | None:
    """The luck of the days there are, and the work that makes more."""
    st.subheader("One run, or many", anchor=False)
    count = int(url_number(PAPER_DAYS, MANY_DAYS, "paper:days"))
    job = jobs.run(
        "paper",
        PAPER.to_json(),
        partial(_simulate, count),
        f"Simulate {count:,} days",
        f"The first {FIRST_DAYS} are there at once.",
    )
    jobs.while_running(job, REDRAW, partial(_luck, job))
    return job


def _simulate(count: int, report: jobs.Report[PaperDays]) -> PaperDays:
    return pool.call(many_days, PAPER, count, progress=report)


def days_so_far(job: jobs.Job[PaperDays] | None) -> PaperDays:
    """The longer of what is there at once and what has been simulated; both start with the same days."""
    first = cached(
        "paper days", "", partial(many_days, PAPER, FIRST_DAYS), "Simulating the first days …", weight="heavy"
    )
    result = job.result if job is not None else None
    return result if result is not None and len(result) > len(first) else first


def _luck(job: jobs.Job[PaperDays] | None) -> None:
    days = days_so_far(job)
    with st.container(border=True):
        words = cached("paper", f"finding {len(days)}", partial(finding, days))
        st.markdown(f"**The finding.** {whole_exponents(words)}")
    chart(picture(partial(distribution_figure, days), "distribution", len(days)), key="distribution")
    st.caption(f"From {len(days):,} simulated days, each with its own street, lives and noise.")


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


def every_number(days: PaperDays) -> None:
    """One tab per part of the section; nothing is left out, and what does not agree says why."""
    st.subheader("Every number of the section", anchor=False)
    rows = cached("paper", f"rows {len(days)}", partial(table, days))
    st.write(
        verdict_words(rows),
        f"Ours is the mean of {len(days):,} days; the range holds {LEVEL_WORDS} of them.",
    )
    for (section, judged), tab in zip(JUDGED.items(), st.tabs(list(JUDGED)), strict=True):
        mine = [row for row in rows if row.section == section]
        with tab:
            st.caption(judged)
            st.table(cached("paper", f"{section} {len(days)}", partial(_narrow, mine)))
            st.markdown(
                "\n".join(f"- **{row.quantity}:** {row.why}" for row in mine if row.verdict != "agrees")
            )
    csv("Table as CSV", partial(comparison_frame, rows), "published_and_ours.csv", of=PRESETS[DEFAULT_PRESET])


def _narrow(rows: Sequence[ComparisonRow]) -> "pd.DataFrame":
    return narrow_frame(rows).set_index("Quantity")
