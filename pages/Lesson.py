"""The Lesson screen: eight exercises, and the plan of a lesson for the teacher."""

from functools import partial

from pages.ui import sidebar
from pages.ui.lesson import exercises, teacher
from pages.ui.widgets import url_tabs

scenario = sidebar.begin("Lesson", "Predict, try it in the lab, then see what it computes.")
url_tabs("lesson:tab", {"Exercises": partial(exercises, scenario), "For the teacher": teacher})
