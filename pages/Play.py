"""The short address of the Play room, for phones."""

from pages.ui.classroom import screen

screen.draw("Play")
