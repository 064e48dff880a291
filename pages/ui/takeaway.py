"""What a user takes away, and brings back: link, CSV, JSON, script, report."""

from collections.abc import Callable
from urllib.parse import urlencode

import streamlit as st

from pages.ui import state
from rtp.report import report
from rtp.scenario import MAX_JSON_BYTES, Scenario, ScenarioError
from rtp.scenario.script import to_script
from rtp.simulation import Day
from rtp.tables import to_csv

UPLOAD = "upload:scenario"


def takeaway(day: Day) -> None:
    """Download buttons and the upload field. Files are made when asked for, outside the session."""
    query, preset = urlencode(state.current_link()), state.preset()
    with st.grid(4, min_column_width=150):
        _download("Day as CSV", lambda: to_csv(day.frame()), "day.csv", "text/csv", ":material/table:")
        _download(
            "Scenario as JSON",
            day.scenario.to_json,
            "scenario.json",
            "application/json",
            ":material/data_object:",
        )
        _download(
            "Python script",
            lambda: to_script(day.scenario, preset),
            "run_day.py",
            "text/x-python",
            ":material/code:",
        )
        _download("Report", lambda: report(day, query), "report.html", "text/html", ":material/description:")
    st.caption(
        "The address of this page holds the whole scenario, seed included: copy it to share these numbers."
    )
    st.code(
        "?" + query if query else "The paper's day needs no parameters: the plain address is the link.",
        language=None,
        wrap_lines=True,
    )
    st.file_uploader(
        "Load a scenario (JSON, at most 1 MB)",
        type="json",
        key=UPLOAD,
        on_change=_load,
        max_upload_size=MAX_JSON_BYTES // 1_000_000,
    )


def _download(label: str, make: Callable[[], str], name: str, mime: str, icon: str) -> None:
    st.download_button(label, make, name, mime, icon=icon, on_click="ignore", width="stretch")


def _load() -> None:
    if (file := st.session_state[UPLOAD]) is None:
        return
    try:
        state.replace(Scenario.from_json(file.getvalue()))
    except ScenarioError as error:
        state.refuse(f"{file.name} was not loaded: {error}")
