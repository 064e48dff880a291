"""Which rate to publish."""

from pages.ui.decide import screen

screen.draw()
