"""Paper: Algorithm 1 line by line; its promise, audited; the published numbers and pictures, and ours beside
them."""

from functools import partial

from pages.ui import sidebar
from pages.ui.paper.algorithm import classroom
from pages.ui.paper.audit import audit
from pages.ui.paper.reproduction import figure_2, numbers, readings
from pages.ui.screens import ALGORITHM
from pages.ui.widgets import url_tabs
from rtp.paper.published import TITLE

TAB, AUDIT = "paper:tab", "The audit"

scenario = sidebar.begin(
    "Paper",
    f"“{TITLE}”, reproduced.",
    uses_scenario=lambda here: here.setting(TAB, ALGORITHM) in (ALGORITHM, AUDIT),
)
url_tabs(
    TAB,
    {
        ALGORITHM: partial(classroom, scenario),
        AUDIT: partial(audit, scenario),
        "Figures": figure_2,
        "Numbers": numbers,
        "Readings": readings,
    },
)
