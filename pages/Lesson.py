"""An address of an earlier version: see `pages/ui/screens.py`."""

from pages.ui.classroom import screen

screen.draw("Lesson")
