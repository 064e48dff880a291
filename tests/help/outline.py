"""A screen as a list of what stands on it: one line per element, in the order of the screen.

`tests/pages/screens` keeps these lists, a file a screen: titles, labels, icons, options, limits, hints and
running text. The words of the screens are recorded there and nowhere else; `make record` writes them anew.
"""

from pathlib import Path
from typing import NamedTuple

from streamlit.testing.v1.element_tree import Block, Element, Node

from pages.ui.sidebar import MORE
from rtp.teaching.plan import STOPS
from rtp.version import VERSION
from tests.help.app import click, glance, is_chart, opened

KEPT = Path(__file__).parents[1] / "pages" / "screens"
TEXT = (
    "title",
    "header",
    "subheader",
    "caption",
    "markdown",
    "latex",
    "code",
    "info",
    "success",
    "warning",
    "error",
)
MANY = 12  # options from which only the first and the last are listed


class View(NamedTuple):
    """A tab of a screen, and the link by which it is looked at."""

    page: str
    tab: str = ""
    preset: str = "paper"
    households: str = ""
    more: tuple[tuple[str, str], ...] = ()  # parameters of the link


UNSURE = "unsure curator"
# Each list, and what it shows one beneath the other.
SCREENS: dict[str, tuple[View, ...]] = {
    "explore": (View("Explore"),),
    "attack": (
        View("Attack", "A moment, a day, a week", "paper", "30"),
        View("Attack", "Who shows, and when", "paper", "30", (("house", "4"),)),
        View("Attack", "The promise over time", "paper", "30"),
    ),
    "paper": (
        View("Paper", "", UNSURE),
        View("Paper", "", UNSURE, more=(("below", "In words"),)),
        View("Paper", "", UNSURE, more=(("below", "Every state"), ("line", "16"))),
        View("Paper", more=(("below", "Linked houses"),)),
        View("Paper", "The audit", "paper", "30"),
        *(View("Paper", tab) for tab in ("Figures", "Numbers", "Readings")),
        View("Paper", "Readings", more=(("reading", "Theorems"),)),
    ),
    "street": (
        View("Street", "", UNSURE),
        View("Street", "Groups", UNSURE),
        View("Street", "Models Θ", UNSURE),
        View("Street", "Houses", UNSURE, "30"),
        View("Street", "From readings"),
    ),
    "decide": (View("Decide", "What-if map"),),
    "class": tuple(View("Class", tab) for tab in ("Exercises", "Find the cheat", "The plan", "Play")),
    "sidebar": (),
    "story": (),
}
VIEWS = [view for views in SCREENS.values() for view in views]


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
    label, icon, hint = (str(getattr(proto, name, "") or "") for name in ("label", "icon", "help"))
    if isinstance(node, Element) and node.type in TEXT:
        label = str(node.value).replace("\n", " ⏎ ")
    elif is_chart(proto):
        return "chart"
    elif not label:
        return ""
    if node.type == "text_input" and (text := node.proto.default or node.proto.placeholder):
        label += f" = {text}"
    off = "off" if getattr(proto, "disabled", False) else ""
    parts = [node.type, label, icon, _options(proto), off, f"(? {hint})" if hint else ""]
    return " ".join(part for part in parts if part).replace("\n", " ⏎ ")


def _options(proto: object) -> str:
    options = [str(getattr(option, "content", option)) for option in getattr(proto, "options", ())]
    if len(options) > MANY:
        options = [options[0], f"… {len(options)} …", options[-1]]
    return f"[{' · '.join(options)}]" if options else ""


def outline_of(name: str) -> str:
    """Return all that is recorded of a screen."""
    if name == "sidebar":
        return sidebar()
    if name == "story":
        return "\n".join(_of_stop(number) for number in range(1, len(STOPS) + 1))
    return "\n".join(_of_view(view) for view in SCREENS[name])


def _of_view(view: View) -> str:
    more = (f"{name}={text}" for name, text in view.more)
    shown = " · ".join(part for part in (*view[:-1], *more) if part)
    return "\n".join([f"=== {shown}", *outline(glance(*view).main)]) + "\n"


def _of_stop(number: int) -> str:
    """A stop as it stands at first; of the first one also what it answers."""
    app = opened(story=str(number))
    lines = outline(app.main)
    if number == 1:
        lines += outline(click(click(app, "story:mark"), "story:answer").main)
    return "\n".join([f"=== {number}", *lines]) + "\n"


def sidebar() -> str:
    """The menu and every control, all sections open."""
    app = opened("Street", sections=(MORE,), preset="mixed street")
    return "\n".join(outline(app.sidebar)).replace(VERSION, "(its version)") + "\n"
