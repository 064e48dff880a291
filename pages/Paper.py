"""The Paper screen: the published numbers and pictures, ours beside them, and what one run can show."""

import streamlit as st

from pages.ui import cached, jobs, paper, paper_tables, sidebar
from pages.ui.theorems import theorems
from rtp.figures.paper import VIEWS
from rtp.paper.alternatives import STREETS
from rtp.paper.choices import CHOICES
from rtp.paper.comparison import table
from rtp.paper.reproduction import FIRST_DAYS, MANY_DAYS, MOST_DAYS, PAPER, Days, finding, many_days

REDRAW = 2.0  # seconds between pictures while days are being simulated

sidebar.begin("Paper", "“Privacy of Real-Time Pricing in Smart Grid” (CDC 2019), Section IV, reproduced.")
st.caption(
    "This page always shows the paper's own scenario, with independent noise for every mechanism as in the "
    "paper. What you change in the sidebar acts on the other pages only."
)
pictures, many = st.container(), st.container()

with many:
    st.subheader("One run, or many", anchor=False)
    count = st.number_input(
        "Days to simulate",
        FIRST_DAYS,
        MOST_DAYS,
        MANY_DAYS,
        step=100,
        key="paper:days",
        persist_state="session",
        width=160,
    )
    job = jobs.run(
        "paper",
        PAPER.to_json(),
        lambda report: many_days(PAPER, count, report),
        f"Simulate {count:,} days",
        f"The first {FIRST_DAYS} are there at once.",
    )


def days_so_far() -> Days:
    """The longer of what is there at once and what has been simulated; both start with the same days."""
    first = paper.first_days()
    result: Days | None = job.result if job is not None else None
    return result if result is not None and len(result) > len(first) else first


@st.fragment(run_every=REDRAW if job is not None and job.state == "running" else None)
def luck() -> None:
    days = days_so_far()
    with st.container(border=True):
        st.markdown(f"**The finding.** {paper_tables.whole_exponents(finding(days))}")
    paper.luck(days)
    st.caption(f"From {len(days):,} simulated days, each with its own street, lives and noise.")


days = days_so_far()
with many:
    luck()

with pictures:
    st.subheader("Figure 2, as published and as we get it", anchor=False)
    with st.container(horizontal=True):
        run = st.number_input(
            "Our run (seed)", 0, MOST_DAYS, PAPER.seed, key="paper:run", persist_state="session", width=160
        )
        view = st.segmented_control(
            "Figure 2c shows",
            VIEWS,
            default=VIEWS[0],
            required=True,
            key="paper:view",
            persist_state="session",
        )
    day = cached.day(PAPER.replace(seed=run))
    paper.run_metrics(day)
    paper.figure_2(day, days, view or VIEWS[0])

st.subheader("Every number of the section", anchor=False)
rows = table(days)
st.write(
    paper_tables.verdict_words(rows), f"Ours is the mean of {len(days):,} days; the range holds 95 % of them."
)
paper_tables.comparison_table(rows)

st.subheader("What the paper leaves open, and what we chose", anchor=False)
outcomes = paper.alternatives()
st.write(
    f"Expected RMSRE, luck removed, over the same {STREETS} streets for every answer; by how much one day's "
    "naive error is above Blowfish's (95 % of days); in how many steps Algorithm 1 is dropping houses; the "
    "root mean square distances to Figures 2a and 2b."
)
paper_tables.alternatives_table(outcomes)
names = [choice.name for choice in CHOICES]
chosen = st.selectbox("Look closer at", names, key="paper:choice", persist_state="session")
paper_tables.look_closer(CHOICES[names.index(chosen)], outcomes, days, day)

st.subheader("The two theorems, and where they are checked", anchor=False)
theorems()
