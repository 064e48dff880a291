"""The six screens, as the menu lists them, and their addresses for links."""

from functools import cache
from pathlib import Path
from typing import NamedTuple

import streamlit as st

ROOT = Path(__file__).resolve().parents[2]  # the folder of app.py: a checkout, or `app` in the package


class Screen(NamedTuple):
    path: str
    title: str
    icon: str
    group: str  # in the menu


SCREENS = (
    Screen("app.py", "Explore", ":material/monitoring:", "Understand"),
    Screen("pages/Attack.py", "Attack", ":material/visibility:", "Understand"),
    Screen("pages/Paper.py", "Paper", ":material/menu_book:", "Understand"),
    Screen("pages/Street.py", "Street", ":material/home_work:", "Work"),
    Screen("pages/Decide.py", "Decide", ":material/balance:", "Work"),
    Screen("pages/Class.py", "Class", ":material/school:", "Teach"),
)

TAB = "tab"  # the parameter that says which part of a screen is shown
READINGS, ALGORITHM, PLAY = "From readings", "Algorithm 1", "Play"


class Home(st.Page):
    """The first screen, whose address is the folder that all are in: a link that says no path at all leads,
    opened in a new tab, to the screen one comes from."""

    @property
    def url_path(self) -> str:
        return "."


@cache
def page(path: str) -> st.Page:
    """Looked up in the file system once, and not for every link that is drawn."""
    return Home(ROOT / path, default=True) if path == SCREENS[0].path else st.Page(ROOT / path)
