"""The Algorithm screen: Algorithm 1 on a small street, line by line."""

from pages.ui import sidebar
from pages.ui.algorithm import classroom

scenario = sidebar.begin("Algorithm", "Algorithm 1 on a small street, line by line.")
classroom(scenario)
