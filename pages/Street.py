"""Who lives on the street."""

from pages.ui.street import screen

screen.draw()
