"""Every house: its bounds, its bill, what it gives away; and houses left out by a tick."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from pages.ui import cache, show
from pages.ui.session import lab
from pages.ui.show import selectable_table
from pages.ui.widgets import url_pills, url_segmented
from rtp.figures import style
from rtp.mechanisms import FEATURED, private
from rtp.output.roster import effect_words, everyone, leave_out, left_out, roster
from rtp.scenario import MAX_LISTED
from rtp.simulation import Day

if TYPE_CHECKING:
    import pandas as pd


def houses(day: Day) -> None:
    mechanism = url_segmented("Published rates", private(), "houses:rate", style.label, default=FEATURED)
    _left_out(day, mechanism)
    if day.scenario.households > MAX_LISTED:
        st.info(f"Houses are shown one by one on streets of at most {MAX_LISTED:,}.")
        return
    key = day.scenario.to_json(None)
    own = cache.bills_of(day)[mechanism]
    frame = cache.cached("roster", f"{key} {mechanism}", partial(roster, day, mechanism, own), weight="heavy")
    groups = [group.name for group in day.scenario.groups]
    shown = url_pills("Groups shown", groups, "houses:groups") if len(groups) > 1 else ()
    part = frame[frame["Group"].isin(shown)] if shown else frame
    st.caption("Tick houses to see the street without them; click a column's name to sort.")
    chosen = [int(part.index[row]) for row in selectable_table(part, f"houses:{hash((key, tuple(shown)))}")]
    _without(day, mechanism, chosen)
    show.csv("Houses as CSV", partial(_frame, frame), "houses.csv")


def _frame(frame: "pd.DataFrame") -> "pd.DataFrame":
    return frame


def _left_out(day: Day, mechanism: str) -> None:
    """Who is left out already, and what that does."""
    if not (gone := left_out(day.scenario)):
        return
    with st.container(border=True):
        st.markdown(effect_words(cache.day(everyone(day.scenario)), day, mechanism))
        st.button(
            "Bring everyone back" if len(gone) > 1 else f"Bring {gone[0].name} back",
            icon=":material/undo:",
            on_click=lab().change,
            args=(everyone,),
        )


def _without(day: Day, mechanism: str, chosen: Sequence[int]) -> None:
    if not chosen:
        return
    with st.container(border=True):
        if len(chosen) == day.scenario.households:
            st.warning("At least one house must stay.", icon=":material/error:")
            return
        after = leave_out(day, chosen)
        st.markdown(effect_words(day, cache.day(after), mechanism))
        st.button(
            "Leave them out" if len(chosen) > 1 else "Leave it out",
            icon=":material/person_remove:",
            on_click=lab().open,
            args=(after,),
        )
