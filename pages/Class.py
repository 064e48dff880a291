"""Exercises, the teacher's plan, the Play room."""

from pages.ui.classroom import screen

screen.draw()
