"""The plan of an hour, with a way to every stop."""

from itertools import accumulate

import streamlit as st

from pages.ui.lesson.links import of_stop
from pages.ui.show import items
from rtp.teaching.plan import HOUR, PLAN, PlanStop


def teacher() -> None:
    st.markdown(
        f"**An hour of {HOUR} minutes.** Each stop opens in a tab of its own. At an exercise: read the "
        "question, let everybody predict, try it in the lab together, then reveal. The answers are computed "
        "from the street at hand, so a class can ask the same of its own."
    )
    starts = accumulate((stop.minutes for stop in PLAN), initial=0)
    st.markdown(items([_line(start, stop) for start, stop in zip(starts, PLAN, strict=False)]))
    st.caption(
        "`make class` opens the lab to everyone in the room and shows the address as a QR code; predictions "
        "stand in the address, so a student can hand them in as a link."
    )


def _line(start: int, stop: PlanStop) -> str:
    where = f"Exercise {stop.exercise}" if stop.exercise is not None else stop.screen
    return (
        f"**{start}–{start + stop.minutes} min · {stop.title}.** {stop.say} [Open: {where}]({of_stop(stop)})"
    )
