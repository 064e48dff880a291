"""The six screens, and what the addresses of earlier versions mean on them.

An old address draws the new screen where it stands: to send the browser on to another address would leave a
step in its history that leads back again.
"""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

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
    Screen("pages/Street.py", "Street", ":material/home_work:", "Decide"),
    Screen("pages/Decide.py", "Decide", ":material/balance:", "Decide"),
    Screen("pages/Class.py", "Class", ":material/school:", "Teach"),
)

TAB = "tab"  # the parameter that says which part of a screen is shown
NOTHING: Mapping[str, str] = MappingProxyType({})


class Moved(NamedTuple):
    """What became of a screen: the tab of each of its tabs ("": of none), other names of parameters, and what
    one that was left out meant."""

    screen: str
    tabs: Mapping[str, str]
    names: Mapping[str, str] = NOTHING
    unsaid: Mapping[str, str] = NOTHING
    implied: Mapping[str, tuple[str, str]] = MappingProxyType({})  # what a parameter meant besides
    alone: str = ""  # the parameter with which it shows no tabs


OVER_TIME, READINGS, ALGORITHM, PLAY = "Over time", "From readings", "Algorithm 1", "Play"
MOVED = {
    "Households": Moved(
        "Street",
        {"": "Habits", "Habits and groups": "Habits", "Houses one by one": "Houses"},
    ),
    "Your street": Moved("Street", {"": READINGS}, {TAB: "readings"}),
    "Algorithm": Moved("Paper", {"": ALGORITHM}, {TAB: "below"}, implied={"step": ("line", "1")}),
    "Answer": Moved("Decide", {"": "The answer"}),
    "Trade-off": Moved(
        "Decide",
        {
            "": "ε for a target error",
            "What an error costs": "ε for a target error",
            "Cost of privacy": "Money",
            "What-if map": "What-if map",
            "What if the model is wrong?": "Wrong habits",
        },
    ),
    "Attacker": Moved(
        "Attack",
        {
            "": "One house",
            "One house": "One house",
            "How well does she do?": "How often she is right",
            "The street": "The whole street",
            "The audit": "The audit",
        },
    ),
    "Over time": Moved("Attack", {"": OVER_TIME}, {TAB: "over", "step": "when"}, {"knows": "others"}),
    "Lesson": Moved("Class", {"": "Exercises", "Exercises": "Exercises", "For the teacher": "The plan"}),
    "Play": Moved("Class", {"": PLAY}, alone="room"),
}


def meant(came_by: str, address: Mapping[str, str]) -> dict[str, str]:
    """The parameters that an address means today; one that was written since then stays as it is."""
    moved = MOVED.get(came_by)
    if moved is None:
        return dict(address)
    if moved.alone in address:
        return dict(address)
    tab = address.get(TAB, "")
    inner = TAB in moved.names
    if tab in moved.tabs.values() if inner else tab and tab not in moved.tabs:
        return dict(address)
    renamed = {moved.names.get(name, name): text for name, text in address.items()}
    implied = dict(more for name, more in moved.implied.items() if name in address)
    return dict(moved.unsaid) | implied | renamed | {TAB: moved.tabs["" if inner else tab]}
