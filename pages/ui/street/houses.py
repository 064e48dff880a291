"""The street's houses one by one: the table that lists them, and what each pays and gives away."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from pages.ui import cache, jobs, show
from pages.ui.params import RATE
from pages.ui.session import lab
from pages.ui.show import selectable_table
from pages.ui.versions import as_text, versioned
from pages.ui.widgets import offered_rates, url_pills, url_segmented
from rtp.core.formatting import in_markdown
from rtp.figures import style
from rtp.mechanisms import FEATURED, private
from rtp.output.roster import bills_words, effect_words, everyone, leave_out, left_out, listed_houses, roster
from rtp.scenario import MAX_LISTED, Scenario, ScenarioError, edit
from rtp.scenario.house_table import GROUP_COLUMNS, HOUSE_COLUMNS, MAX_BYTES, house_frame, read_table
from rtp.simulation import Day

if TYPE_CHECKING:
    import pandas as pd

UPLOAD, PASTED, REFUSED = "upload:street", "pasted street", "street refused"
TABLE = "Paste or upload a table"
KINDS = ["csv", "txt", "tsv", "xlsx", "parquet"]
EXAMPLE = "group\thouses\toccupied_max\tempty_max\nFlats\t120\t3\t0.3\nShops\t10\t8\t0.5"


def table(day: Day) -> None:
    show.lazy_expander(TABLE, partial(_table, day), ":material/table:")


def _table(day: Day) -> None:
    st.caption(
        f"A line per group with the columns {', '.join(GROUP_COLUMNS)}, or a line per house with "
        f"{', '.join(HOUSE_COLUMNS)}. Copy the cells in your spreadsheet, header included. A new group "
        "has the habits of the first one. Its houses vary from half to all of the peak, unless the "
        "columns occupied_min and empty_min say otherwise."
    )
    _paste()
    show.upload("Or load a table (CSV, XLSX or Parquet)", KINDS, UPLOAD, MAX_BYTES, _read)
    if sentence := lab().memo.get(REFUSED):
        st.error(sentence, icon=":material/error:")
    _away(day)


def _paste() -> None:
    typed = lab().memo.get(PASTED, "")
    here = versioned("street:pasted", typed, _type, as_text)
    st.text_area("Pasted table", typed, key=here.key, on_change=here.changed, placeholder=EXAMPLE, height=140)
    st.button("Use the pasted table", key="street:use", icon=":material/check:", on_click=_use_pasted)


def _away(day: Day) -> None:
    scenario = day.scenario
    with st.container(horizontal=True):
        few = scenario.households <= MAX_LISTED
        show.csv(
            "Table of houses as CSV",
            lambda: house_frame(scenario, listed_houses(day)),
            "street.csv",
            disabled=not few,
            help=None if few else f"At most {MAX_LISTED:,} houses are listed one by one.",
        )
        if scenario.houses is not None:
            st.button(
                "Forget the list, draw houses",
                icon=":material/casino:",
                on_click=lab().change,
                args=(edit.of_size, scenario.households),
                help="As many houses, drawn between the same bounds.",
            )


def _use_pasted() -> None:
    _read("The pasted table", str(lab().memo.get(PASTED, "")))


def _type(text: str) -> None:
    lab().memo[PASTED] = text
    lab().memo.pop(REFUSED, None)


def _read(name: str, content: bytes | str) -> None:
    """What is refused stays said until something else is pasted or loaded."""
    lab().memo.pop(REFUSED, None)
    try:
        if isinstance(content, bytes):
            lab().open(jobs.read(read_table, lab().scenario, content))
        else:
            lab().open(read_table(lab().scenario, content))
    except ScenarioError as error:
        lab().memo[REFUSED] = in_markdown(f"{name} was not used: {error}")


def one_by_one(scenario: Scenario) -> None:
    """What each house pays and gives away."""
    day, claim = cache.day(scenario), st.container()
    mechanism = url_segmented(
        "Published rates", offered_rates(scenario, RATE, private()), RATE, style.label, default=FEATURED
    )
    _left_out(day, mechanism)
    if day.scenario.households > MAX_LISTED:
        st.info(f"Houses are shown one by one on streets of at most {MAX_LISTED:,}.")
        return
    frame = _roster(day, mechanism)
    claim.subheader(bills_words(frame, mechanism), anchor=False)
    groups = [group.name for group in day.scenario.groups]
    shown = url_pills("Groups shown", groups, "houses:groups") if len(groups) > 1 else ()
    part = frame[frame["Group"].isin(shown)] if shown else frame
    st.caption("Tick houses to see the street without them; click a column's name to sort.")
    key = f"houses:{hash(cache.key_of(day, tuple(shown)))}"
    chosen = [int(part.index[row]) for row in selectable_table(part, key)]
    _without(day, mechanism, chosen)
    show.csv("Houses as CSV", lambda: frame, "houses.csv")


@cache.shared(weight=lambda day, mechanism: cache.weight_per_house(day.scenario))
def _roster(day: Day, mechanism: str) -> "pd.DataFrame":
    return roster(day, mechanism, cache.bills_of(day)[mechanism])


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
            key="houses:leave out",
            icon=":material/person_remove:",
            on_click=lab().open,
            args=(after,),
        )
