"""The paper, and its algorithm line by line."""

from pages.ui.paper import screen

screen.draw()
