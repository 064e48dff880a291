"""The Play screen: the class is the street. A room's host, its players and its beamer see each their own."""

from pages.ui import sidebar
from pages.ui.play.entry import draw, in_a_room

sidebar.begin("Play", "Each student is a house. A price is published. Who is at home?", bare=in_a_room)
draw()
