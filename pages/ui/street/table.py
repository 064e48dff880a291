"""A table of the street: pasted, uploaded, taken away, or done without."""

from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from pages.ui import show
from pages.ui.session import lab
from pages.ui.widgets import versioned
from rtp.output.roster import listed_houses
from rtp.scenario import MAX_LISTED, ScenarioError, edit
from rtp.scenario.house_table import GROUP_COLUMNS, HOUSE_COLUMNS, MAX_BYTES, house_frame, read_table
from rtp.simulation import Day

if TYPE_CHECKING:
    import pandas as pd

UPLOAD, PASTED, REFUSED = "upload:street", "pasted street", "street refused"
EXAMPLE = "house\tgroup\toccupied\tempty\nMill Lane 1\tHouseholds\t1.2\t0.1"


def table(day: Day) -> None:
    with st.expander("Describe the street by a table, or take its table away", icon=":material/table:"):
        st.caption(
            f"One line per house, with the columns {', '.join(HOUSE_COLUMNS)}; or one per group, with "
            f"{', '.join(GROUP_COLUMNS)}, and occupied_min and empty_min where they are not 0. Copy the "
            "cells in your spreadsheet, header included, and paste them here. A new group has the habits of "
            "the first one until you change them."
        )
        _paste()
        st.file_uploader(
            "Or load a table (CSV, XLSX or Parquet)",
            type=["csv", "txt", "tsv", "xlsx", "parquet"],
            key=UPLOAD,
            on_change=_load,
            max_upload_size=show.upload_limit(MAX_BYTES),
        )
        if sentence := lab().memo.get(REFUSED):
            st.error(sentence, icon=":material/error:")
        _away(day)


def _paste() -> None:
    typed = lab().memo.get(PASTED, "")
    here = versioned("street:pasted", typed, _type)
    st.text_area("Pasted table", typed, key=here.key, on_change=here.changed, placeholder=EXAMPLE, height=140)
    st.button("Use the pasted table", icon=":material/check:", on_click=_use_pasted)


def _away(day: Day) -> None:
    scenario = day.scenario
    with st.container(horizontal=True):
        few = scenario.households <= MAX_LISTED
        show.csv(
            "Table of houses as CSV",
            partial(_frame, day),
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


def _frame(day: Day) -> "pd.DataFrame":
    return house_frame(day.scenario, listed_houses(day))


def _use_pasted() -> None:
    _read(str(lab().memo.get(PASTED, "")), "The pasted table")


def _load() -> None:
    if (file := st.session_state[UPLOAD]) is not None:
        _read(file.getvalue(), file.name)


def _type(text: str) -> None:
    lab().memo[PASTED] = text
    lab().memo.pop(REFUSED, None)


def _read(content: bytes | str, name: str) -> None:
    """What is refused stays said until something else is pasted or loaded."""
    lab().memo.pop(REFUSED, None)
    try:
        lab().open(read_table(lab().scenario, content))
    except ScenarioError as error:
        lab().memo[REFUSED] = f"{name} was not used: {error}"
