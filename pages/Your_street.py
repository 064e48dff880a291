"""An address of an earlier version: see `pages/ui/screens.py`."""

from pages.ui.street import screen

screen.draw("Your street")
