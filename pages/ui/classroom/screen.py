"""The Class screen: exercises, a cheat to find, the plan of a lesson, and the way into the Play room."""

from functools import partial

from pages.ui import sidebar
from pages.ui.classroom import cheat
from pages.ui.classroom.lesson import OWN, exercises, teacher
from pages.ui.classroom.play import entry
from pages.ui.classroom.play.ways import TABS
from pages.ui.screens import PLAY
from pages.ui.session import lab
from pages.ui.widgets import url_tabs
from rtp.teaching.plan import CHEAT_TAB

_EXERCISES = "Exercises"


def draw(first: str = _EXERCISES) -> None:
    """Without a choice in the address the tab `first` is open."""
    scenario = sidebar.begin(
        "Class",
        bare=entry.in_a_room,
        uses_scenario=lambda lab: lab.setting(TABS, first) == _EXERCISES and lab.setting(OWN, False),
    )
    if entry.in_a_room(lab()):
        entry.draw()
        return
    url_tabs(
        TABS,
        {
            _EXERCISES: partial(exercises, scenario),
            CHEAT_TAB: cheat.find_the_cheat,
            "The plan": teacher,
            PLAY: entry.draw,
        },
        default=first,
    )
