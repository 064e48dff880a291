"""The one way a chart comes to a screen: drawn once, and then only changed.

*Why this exists.* `st.plotly_chart` makes its identity of the whole figure, so the browser throws the chart
away at every change and builds another: it is gone for 0.1 to 0.3 s, with a key and without (streamlit issue
8782). A component under a stable key stays, and `browser/chart.js` hands each figure to `Plotly.react`, which
changes what differs: no frame is without a chart, a zoom survives, and values move to their new places.

*What can go.* A release of Streamlit whose keyed charts stay (pull request 16052) needs this only for what
`st.plotly_chart` does not say: the transition, a click as it happens, and frames that run in the
browser. Where none is asked for, `chart` may then call it, and the button for the full screen goes.

Plotly's script is the one inside the installed Python package, served as the folder of a component that is
never drawn. A browser that cannot have it shows the words of the picture instead.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from functools import cache, partial
from importlib import import_module
from importlib.metadata import version
from importlib.resources import files
from math import isfinite
from pathlib import Path
from typing import Any, TypedDict, cast

import streamlit as st
from plotly.io.json import to_json_plotly

from pages.ui.session import lab
from rtp.figures.style import Picture, Spec
from rtp.figures.theme import large, themed

import_module("pandas")  # plotly looks at it, and fails where another session is just loading it
NAME = "lab_chart"
_CODE = Path(__file__).parent / "browser" / "chart.js"
CORNERS = "M2 6V2h4M10 2h4v4M14 10v4h-4M6 14H2v-4"
FRAME = (
    '<div class="lab-chart"><p></p><div></div>'
    '<div class="lab-clock" hidden><button type="button" aria-label="Play">▶</button>'
    '<input type="range" min="0" aria-label="Time"><output></output></div>'
    '<button type="button" aria-label="Full screen" title="Full screen">'
    f'<svg viewBox="0 0 16 16" fill="none" stroke="currentColor" stroke-width="2"><path d="{CORNERS}"/></svg>'
    "</button></div>"
)
CLICKED: Spec = {"dragmode": "pan"}  # where a click means something, a hand that slips must not zoom

_component = st.components.v2.component(
    NAME, html=FRAME, js=_CODE.read_text(encoding="utf-8"), isolate_styles=False
)


class Point(TypedDict, total=False):
    """What an event says: the nearest point, its curve, the range that was marked, by axis, and the frame."""

    x: float
    y: float
    customdata: Sequence[float]
    curve: str
    frame: int
    range: Mapping[str, Sequence[float | str]]  # dates are texts


Hear = Callable[[Point], None]


def chart(
    picture: Picture,
    key: str,
    *,
    card: bool = True,
    click: Hear | None = None,
    selected: Hear | None = None,
) -> None:
    """A chart, in its card unless there is no room for one, with words for those who cannot see it; in front
    of a class in large type. A click on a point and a range that was marked are told as they happen, once,
    to who asks for them."""
    events = {"click": click, "selected": selected}
    asked = {name: act for name, act in events.items() if act is not None}
    layout = themed((CLICKED if click else {}) | picture.spec["layout"])
    whole = picture.spec | {"layout": layout}
    data = {
        "figure": to_json_plotly(large(whole) if lab().presenting else whole),
        "words": picture.words,
        "file": re.sub(r"\W+", "-", f"{lab().screen} {key}".lower()),
        "plotly": _script(),
        "events": list(asked),
    }
    heard: dict[str, Any] = {
        f"on_{name}_change": partial(_heard, key, name, act) for name, act in asked.items()
    }
    with st.container(border=True) if card else nullcontext():
        _component(key=key, data=data, **heard)


def _heard(key: str, name: str, act: Hear) -> None:
    told = st.session_state[key].get(name)
    if isinstance(told, dict):
        act(cast(Point, told))


@cache
def _script() -> str:
    """Where Plotly's script is served, beneath the address of the app; the first run that draws says where
    from. The version makes it another address when the package is another."""
    folder = str(files("plotly") / "package_data")
    served = st.components.v1.declare_component("plotly", path=folder)
    return f"component/{served.name}/plotly.min.js?{version('plotly')}"


def number_of(point: Point) -> float | None:
    """The number that a point was drawn with; None where a script has sent a point that was not drawn."""
    told = point.get("customdata")
    number = told[0] if isinstance(told, list) and told else None
    return number if isinstance(number, int | float) and isfinite(number) and number >= 0 else None
