"""The Your street screen: readings of your own meters, what they teach, what would have been published."""

from functools import partial

from pages.ui import sidebar
from pages.ui.meters.learning import habits
from pages.ui.meters.replaying import replaying
from pages.ui.meters.report import report
from pages.ui.meters.source import source
from pages.ui.widgets import url_tabs

scenario = sidebar.begin(
    "Your street", "From a file of meter readings to habits, and to rates on real demand."
)
held = source()
url_tabs(
    "meters:tab",
    {
        "What was read": partial(report, held),
        "What is learned": partial(habits, held, scenario),
        "Replay": partial(replaying, held, scenario),
    },
)
