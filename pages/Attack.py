"""What an observer learns."""

from pages.ui.attack import screen

screen.draw()
