"""Every number of the section: published against ours."""

from functools import partial

import streamlit as st

from pages.ui.show import csv
from rtp.paper.comparison import SECTIONS, table
from rtp.paper.reproduction import Days
from rtp.paper.table import comparison_frame, narrow_frame, verdict_words
from rtp.statistics import LEVEL_WORDS


def every_number(days: Days) -> None:
    """One tab per part of the section; nothing is left out, and what does not agree says why."""
    st.subheader("Every number of the section", anchor=False)
    rows = table(days)
    st.write(
        verdict_words(rows),
        f"Ours is the mean of {len(days):,} days; the range holds {LEVEL_WORDS} of them.",
    )
    for section, tab in zip(SECTIONS, st.tabs(SECTIONS), strict=True):
        mine = [row for row in rows if row.section == section]
        with tab:
            st.table(narrow_frame(mine).set_index("Quantity"))
            st.markdown(
                "\n".join(f"- **{row.quantity}:** {row.why}" for row in mine if row.verdict != "agrees")
            )
    csv("Table as CSV", partial(comparison_frame, rows), "published_and_ours.csv")
