"""Algorithm 1 line by line, as printed and with today's values, and the table of the step."""

from collections.abc import Sequence
from functools import partial

import streamlit as st

from pages.ui.algorithm.bar import LISTING
from pages.ui.algorithm.numbers import HIDDEN
from pages.ui.algorithm.position import Position
from pages.ui.show import csv, items
from rtp.teaching.consequences import definitions
from rtp.teaching.lines import INPUT, LAST, NOTES, OUTPUT, AlgorithmLine, step_table
from rtp.teaching.stage import Stage

HEIGHT = 400  # pixels, as high as the picture beside it


def listing(lines: Sequence[AlgorithmLine], current: int) -> None:
    """In its own scroller: the line just executed marked, the ones after it still silent."""
    text = [f":gray[**Input:** {INPUT}]", f":gray[**Output:** {OUTPUT}]"]
    for number, formula, comment, value in lines:
        if number == current:
            head, tail = f":blue-badge[{number}]", f":blue-background[**{value}**]"
        else:
            head, tail = f"**{number}**", value if number < current else HIDDEN
        note = f" :gray[:small[▷ {comment}]]" if comment else ""
        text.append(f"{head} {formula}{note}  \n&emsp;{tail}")
    with st.container(height=HEIGHT, key=LISTING):
        st.markdown("\n\n".join(text))


def table(moved: Stage, here: Position) -> None:
    """The step's table to look at and to take away."""
    csv(
        "This step's table as CSV",
        partial(step_table, moved, here.step),
        f"step_{here.step + 1:02d}.csv",
        disabled=here.line < LAST,
        help="State, prior, Pr[r̂|state] and posterior; available when the whole step is executed.",
    )
    if here.line == LAST:
        st.dataframe(step_table(moved, here.step), hide_index=True, height=360)
    else:
        st.info(f"The table of every state is there when all {LAST} lines of the step are executed.")


def in_words(moved: Stage, model: int, here: Position) -> None:
    """What is promised, definition by definition, and what the listing leaves open."""
    for name, words, at_this_step in definitions(moved, here.step, model):
        st.markdown(f"**{name}.** {words} *{at_this_step}*")
    st.markdown(f"**About the lines**{items(NOTES)}")
