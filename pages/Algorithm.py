"""The Algorithm screen: Algorithm 1 thinks about a small street, line by line."""

from pages.ui import sidebar
from pages.ui.algorithm import bar
from pages.ui.algorithm.stage import classroom

scenario = sidebar.begin("Algorithm", "Algorithm 1 thinks about a small street, line by line.")
classroom(scenario)
bar.begin()
