"""Algorithm 1 line by line, and the table of the step."""

from collections.abc import Sequence
from functools import partial

import streamlit as st

from pages.ui.algorithm.numbers import HIDDEN
from pages.ui.algorithm.position import Position
from pages.ui.show import csv
from rtp.classroom.lesson import Lesson
from rtp.classroom.lines import LAST, Line, step_table


def listing(lines: Sequence[Line], current: int) -> None:
    """The lines with today's values; the one just executed marked, the ones after it still silent."""
    text = []
    for number, formula, value in lines:
        if number == current:
            head, tail = f":blue-badge[{number}]", f":blue-background[**{value}**]"
        else:
            head, tail = f"**{number}**", value if number < current else HIDDEN
        text.append(f"{head} ${formula}$  \n&emsp;{tail}")
    st.markdown("  \n".join(text))


def table(moved: Lesson, here: Position) -> None:
    """The step's table to look at and to take away."""
    csv(
        "This step's table as CSV",
        partial(step_table, moved, here.step),
        f"step_{here.step + 1:02d}.csv",
        disabled=here.line < LAST,
        help="State, prior, Pr[r̂|state] and posterior; available when the whole step is executed.",
    )
    shown = st.expander("Every state of this step", key="section:table", on_change="rerun")
    if shown.open and here.line == LAST:
        with shown:
            st.dataframe(step_table(moved, here.step), hide_index=True, height=360)
