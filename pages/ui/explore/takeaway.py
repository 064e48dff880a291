"""What a user takes away, and brings back: link, CSV, JSON, script, notebook, report."""

from functools import partial
from urllib.parse import urlencode

import streamlit as st

from pages.ui import show
from pages.ui.session import lab
from rtp.output.report import report
from rtp.scenario import MAX_JSON_BYTES, Scenario, ScenarioError
from rtp.scenario.export import to_file, to_notebook, to_script
from rtp.scenario.fields import sentence
from rtp.simulation import Day

UPLOAD, REFUSED = "upload:scenario", "upload refused"


def takeaway(day: Day) -> None:
    if not lab().presenting:
        show.lazy_expander("Take it away, or bring it back", partial(_both_ways, day), ":material/download:")


def _both_ways(day: Day) -> None:
    query = urlencode(lab().link())
    _files(day, query)
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
        max_upload_size=show.upload_limit(MAX_JSON_BYTES),
    )
    if sentence := lab().memo.pop(REFUSED, None):
        st.error(sentence, icon=":material/error:")


def _files(day: Day, query: str) -> None:
    scenario = day.scenario
    with st.grid(5, min_column_width=150):
        show.csv("Day as CSV", day.frame, "day.csv", wide=True)
        json = "application/json"
        show.download(
            "Scenario as JSON", partial(to_file, scenario), "scenario.json", json, "data_object", wide=True
        )
        script = partial(to_script, scenario, lab().preset)
        show.download("Python script", script, "run_day.py", "text/x-python", "code", wide=True)
        notebook = partial(to_notebook, scenario, lab().preset)
        kind = "application/x-ipynb+json"
        show.download("Jupyter notebook", notebook, "run_day.ipynb", kind, "menu_book", wide=True)
        page = partial(report, day, query)
        show.download("Report", page, "report.html", "text/html", "description", wide=True)


def _load() -> None:
    if (file := st.session_state[UPLOAD]) is None:
        return
    try:
        lab().open(Scenario.from_json(file.getvalue()))
    except ScenarioError as error:
        lab().memo[REFUSED] = f"{file.name} was not loaded: {sentence(error)}"
