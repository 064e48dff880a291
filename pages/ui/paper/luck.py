"""One run, or many: how one day's RMSRE is spread, and what that says about the published difference."""

from functools import partial

import streamlit as st

from pages.ui import jobs, pool
from pages.ui.cache import cached, picture
from pages.ui.params import PAPER_DAYS
from pages.ui.show import chart
from pages.ui.widgets import url_number
from rtp.figures.paper import distribution_figure
from rtp.paper.comparison import whole_exponents
from rtp.paper.reproduction import (
    FIRST_DAYS,
    MANY_DAYS,
    PAPER,
    PaperDays,
    finding,
    many_days,
)

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
