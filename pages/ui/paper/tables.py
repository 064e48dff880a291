"""Every number of the section: published against ours."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from pages.ui.cache import cached
from pages.ui.show import csv
from rtp.core.stats import LEVEL_WORDS
from rtp.paper.comparison import (
    JUDGED,
    ComparisonRow,
    comparison_frame,
    narrow_frame,
    table,
    verdict_words,
)
from rtp.paper.reproduction import PaperDays
from rtp.scenario import DEFAULT_PRESET, PRESETS

if TYPE_CHECKING:
    import pandas as pd


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
            st.table(cached("paper", f"{section} {len(days)}", partial(_frame, mine)))
            st.markdown(
                "\n".join(f"- **{row.quantity}:** {row.why}" for row in mine if row.verdict != "agrees")
            )
    csv("Table as CSV", partial(comparison_frame, rows), "published_and_ours.csv", of=PRESETS[DEFAULT_PRESET])


def _frame(rows: Sequence[ComparisonRow]) -> "pd.DataFrame":
    return narrow_frame(rows).set_index("Quantity")
