"""The lab begins here, with Explore."""

from pages.ui.explore import screen

screen.draw()
