"""The Class screen: exercises, the plan of a lesson, and the way into the Play room."""

from functools import partial

from pages.ui import sidebar
from pages.ui.classroom.lesson import exercises, teacher
from pages.ui.classroom.play import entry
from pages.ui.classroom.play.ways import TABS
from pages.ui.screens import PLAY
from pages.ui.session import lab
from pages.ui.widgets import url_tabs


def draw(came_by: str = "") -> None:
    scenario = sidebar.begin("Class", "Predict, try, play.", bare=entry.in_a_room, came_by=came_by)
    if entry.in_a_room(lab()):
        entry.draw()
        return
    url_tabs(
        TABS,
        {"Exercises": partial(exercises, scenario), "The plan": teacher, PLAY: entry.draw},
    )
