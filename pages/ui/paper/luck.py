"""One run, or many: how one day's RMSRE is spread, and how often luck alone makes the difference."""

from functools import partial

import streamlit as st

from pages.ui import jobs
from pages.ui.cached import kept, picture
from pages.ui.remembered import asked
from pages.ui.show import chart, metric
from rtp.core.stats import LEVEL_WORDS
from rtp.figures import style
from rtp.figures.paper import distribution
from rtp.paper.odds import odds
from rtp.paper.published import EXCESS
from rtp.paper.reproduction import FIRST_DAYS, MANY_DAYS, MOST_DAYS, PAPER, Days, finding, many_days, say
from rtp.paper.tables import whole_exponents
from rtp.scenario import Bounds

REDRAW = 2.0  # seconds between pictures while days are being simulated


def one_or_many() -> jobs.Job[Days] | None:
    """The luck of the days there are, and the work that makes more."""
    st.subheader("One run, or many", anchor=False)
    count = asked(Bounds(FIRST_DAYS, MOST_DAYS, "Days to simulate"), MANY_DAYS, "paper:days")
    job = jobs.run(
        "paper",
        PAPER.to_json(),
        partial(many_days, PAPER, count),
        f"Simulate {count:,} days",
        f"The first {FIRST_DAYS} are there at once.",
    )
    jobs.while_running(job, REDRAW, partial(_luck, job))
    return job


def days_so_far(job: jobs.Job[Days] | None) -> Days:
    """The longer of what is there at once and what has been simulated; both start with the same days."""
    first = kept("paper days", "", partial(many_days, PAPER, FIRST_DAYS), "Simulating the first days …")
    result = job.result if job is not None else None
    return result if result is not None and len(result) > len(first) else first


def _luck(job: jobs.Job[Days] | None) -> None:
    days = days_so_far(job)
    with st.container(border=True):
        words = kept("paper", f"finding {len(days)}", partial(finding, days))
        st.markdown(f"**The finding.** {whole_exponents(words)}")
    _chances(days)
    chart(picture(partial(distribution, days), "distribution", len(days)), key="distribution")
    st.caption(f"From {len(days):,} simulated days, each with its own street, lives and noise.")


def _chances(days: Days) -> None:
    found = kept("paper", f"odds {len(days)}", partial(odds, days))
    own_noise = "The share of days, each mechanism with noise of its own."
    with st.grid(4, min_column_width=150):
        for name, apart in found.two_runs.items():
            metric(
                f"{style.label(name)}, two runs",
                say(apart.value, ".0%"),
                f"{EXCESS.text} or more apart",
                f"The chance that two runs of the same mechanism differ by {EXCESS.text} or more, over all "
                f"pairs of days; {LEVEL_WORDS} interval {say(apart.low, '.0%')} to {say(apart.high, '.0%')}.",
            )
        metric("Naive worse", say(found.naive_worse, ".0%"), f"by {EXCESS.text} or more", own_noise)
        metric("Blowfish worse", say(found.blowfish_worse, ".0%"), f"by {EXCESS.text} or more", own_noise)
