"""The Algorithm screen: Algorithm 1 thinks about a small street, line by line."""

from functools import partial

from pages.ui import player, sidebar
from pages.ui.algorithm.place import LAST_STEP, place
from pages.ui.algorithm.screen import classroom, notes

scenario = sidebar.begin("Algorithm", "Algorithm 1 thinks about a small street, line by line.")
player.run(place().player, LAST_STEP, partial(classroom, scenario))
notes()
