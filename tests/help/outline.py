"""A screen as a list of what stands on it: one line per element, in the order of the screen.

`tests/pages/screens` keeps these lists of every screen and tab, word for word: titles, labels, icons,
options, limits, hints and running text. After a change that is meant, `python -m tests.help.outline` writes
them anew, or those that it is given by name.
"""

import json
import sys
from pathlib import Path

from streamlit.proto.BidiComponent_pb2 import BidiComponent
from streamlit.testing.v1.element_tree import Block, Element, Node

from pages.ui.settings import MORE
from rtp.version import VERSION
from tests.help.app import glance, opened

RENEW = "if this is meant: python -m tests.help.outline"
KEPT = Path(__file__).parents[1] / "pages" / "screens"
TEXT = ("title", "subheader", "caption", "markdown", "latex", "code", "info", "success", "warning", "error")
MANY = 12  # options from which only the first and the last are listed

# Each list, and the screen, tab and link that it shows.
SCREENS: dict[str, tuple[str, str, str, str]] = {
    "explore": ("Explore", "", "paper", ""),
    "households": ("Households", "", "unsure curator", ""),
    "households, houses": ("Households", "Houses one by one", "unsure curator", "30"),
    "algorithm": ("Algorithm", "", "unsure curator", ""),
    "algorithm, moves": ("Algorithm", "Make a move", "unsure curator", ""),
    "algorithm, words": ("Algorithm", "In words", "unsure curator", ""),
    "algorithm, table": ("Algorithm", "Every state", "unsure curator", ""),
    "paper": ("Paper", "", "paper", ""),
    "paper, numbers": ("Paper", "Numbers", "paper", ""),
    "paper, choices": ("Paper", "Choices", "paper", ""),
    "paper, theorems": ("Paper", "Theorems", "paper", ""),
    "tradeoff": ("Trade-off", "Cost of privacy", "paper", ""),
    "tradeoff, wrong model": ("Trade-off", "What if the model is wrong?", "paper", ""),
    "tradeoff, map": ("Trade-off", "What-if map", "paper", ""),
    "attacker": ("Attacker", "One house", "paper", "30"),
    "attacker, how well": ("Attacker", "How well does she do?", "paper", "30"),
    "attacker, street": ("Attacker", "The street", "paper", "60"),
    "attacker, audit": ("Attacker", "The audit", "paper", "30"),
    "over time": ("Over_time", "A moment", "paper", "30"),
    "over time, holiday": ("Over_time", "A holiday", "paper", "30"),
    "over time, crowd": ("Over_time", "The crowd", "paper", "30"),
    "over time, day": ("Over_time", "A whole day", "paper", "30"),
    "your street": ("Your_street", "", "paper", ""),
    "lesson": ("Lesson", "Exercises", "paper", ""),
    "lesson, teacher": ("Lesson", "For the teacher", "paper", ""),
    "play": ("Play", "", "paper", ""),
}


def outline(block: Block, depth: int = 0) -> list[str]:
    lines = []
    for node in block.children.values():
        told = _told(node)
        if told:
            lines.append("  " * depth + told)
        if isinstance(node, Block):
            lines += outline(node, depth + bool(told))
    return lines


def _told(node: Node) -> str:
    """One element; nothing for what only arranges others."""
    proto = getattr(node, "proto", None)
    if isinstance(proto, BidiComponent):
        return _number(proto) if proto.component_name == "lab_number" else ""
    label, icon, hint = (str(getattr(proto, name, "") or "") for name in ("label", "icon", "help"))
    if isinstance(node, Element) and node.type in TEXT:
        label = str(node.value).replace("\n", " ⏎ ")
    elif not label and node.type != "plotly_chart":
        return ""
    off = "off" if getattr(proto, "disabled", False) else ""
    parts = [node.type, label, icon, _options(proto), off, f"(? {hint})" if hint else ""]
    return " ".join(part for part in parts if part).replace("\n", " ⏎ ")


def _options(proto: object) -> str:
    options = [str(getattr(option, "content", option)) for option in getattr(proto, "options", ())]
    if len(options) > MANY:
        options = [options[0], f"… {len(options)} …", options[-1]]
    return f"[{' · '.join(options)}]" if options else ""


def _number(field: BidiComponent) -> str:
    """A field for a number: what it shows, and where minus and plus lead."""
    (shows,) = json.loads(field.json)
    ends = [side[0] if (side := shows[name]) else "·" for name in ("down", "up")]
    off, hint = "off" if shows["disabled"] else "", f"(? {shows['help']})" if shows["help"] else ""
    text = shows["text"] or shows["empty"]
    parts = ["number", shows["label"], f"{ends[0]} ← {text} → {ends[1]}", off, hint]
    return " ".join(part for part in parts if part).replace("\n", " ⏎ ")


def screen(name: str) -> str:
    page, tab, preset, households = SCREENS[name]
    return "\n".join(outline(glance(page, tab, preset, households).main)) + "\n"


def sidebar() -> str:
    """The menu and every control, all sections open."""
    app = opened("Households", sections=(MORE,), preset="mixed street")
    return "\n".join(outline(app.sidebar)).replace(VERSION, "(its version)") + "\n"


if __name__ == "__main__":
    KEPT.mkdir(exist_ok=True)
    for name in sys.argv[1:] or SCREENS:
        (KEPT / f"{name}.txt").write_text(screen(name), encoding="utf-8")
    (KEPT / "sidebar.txt").write_text(sidebar(), encoding="utf-8")
