"""The Algorithm screen: Algorithm 1 thinks about a small street, line by line."""

from functools import partial

from pages.ui import player, sidebar
from pages.ui.algorithm.position import position
from pages.ui.algorithm.screen import classroom, notes

scenario = sidebar.begin("Algorithm", "Algorithm 1 thinks about a small street, line by line.")
player.run(position().player, position().last_step, partial(classroom, scenario))
notes()
