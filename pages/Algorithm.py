"""An address of an earlier version: see `pages/ui/screens.py`."""

from pages.ui.paper import screen

screen.draw("Algorithm")
