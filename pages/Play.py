"""The short address of the Play room, for phones."""

from pages.ui.classroom import screen
from pages.ui.screens import PLAY

screen.draw(first=PLAY)
