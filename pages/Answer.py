"""An address of an earlier version: see `pages/ui/screens.py`."""

from pages.ui.decide import screen

screen.draw("Answer")
