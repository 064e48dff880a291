"""An address of an earlier version: see `pages/ui/screens.py`."""

from pages.ui.attack import screen

screen.draw("Attacker")
