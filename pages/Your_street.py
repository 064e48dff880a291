"""The Your street screen: readings of your own meters, what they teach, and the answer to what they ask."""

from functools import partial

from pages.ui import sidebar
from pages.ui.meters import habits, report, source
from pages.ui.readings_answer import answered
from pages.ui.session import lab
from pages.ui.widgets import url_tabs

TAB, ANSWER = "meters:tab", "The answer"

scenario = sidebar.begin(
    "Your street", "From a file of meter readings to habits, rates on real demand, and bills."
)
loaded = source()
if lab().setting(TAB, "") == "Replay":  # as links have called it
    lab().show(TAB, ANSWER)
url_tabs(
    TAB,
    {
        "What was read": partial(report, loaded),
        "What is learned": partial(habits, loaded, scenario),
        ANSWER: partial(answered, loaded, scenario),
    },
)
