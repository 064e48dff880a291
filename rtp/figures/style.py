"""What figures are made of: a chart and its words, a colour and a dash per mechanism, traces, the layout.

A chart is kept as plain dictionaries in plotly's terms, its numbers as numpy arrays. `Picture.figure` makes
plotly's own object of them, which checks every part: that takes 25 ms for a day, where the dictionaries are
written as JSON in a few. Notebooks, reports and unit tests use the object. A screen sends the dictionaries,
because a whole class may look at it at once; `tests/pages/test_screens.py` checks what each one sends.

Colours are from the Okabe–Ito family, darkened or lightened until each stands out at least 3:1 on both the
light and the dark background; dashes are the second cue. Dots are kept for what is pinned to compare with, in
the colour of its pin.
"""

import html
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from rtp.core.formatting import percent, shown_name
from rtp.core.language import figure
from rtp.core.types import Floats, Ints
from rtp.mechanisms import REGISTRY
from rtp.mechanisms import short as short  # names of rates, beside their marks
from rtp.mechanisms import title as title

Spec = dict[str, Any]  # a part of a figure as plotly reads it
Trace = Spec
Positions = NDArray[np.datetime64] | Floats | Ints | Sequence[float] | Sequence[str] | Sequence[None]


@dataclass(frozen=True)
class Picture:
    """A chart, and what it shows, for those who cannot see it."""

    traces: list[Trace]
    layout: Spec
    words: str
    frames: Sequence[
        Spec
    ] = ()  # through which it is played where it is shown: whole parts of data and layout

    @property
    def figure(self) -> go.Figure:
        """The chart as plotly's own object, every part checked, as it stands at first."""
        return go.Figure(self.traces, self.layout)

    @property
    def spec(self) -> Spec:
        """The chart as plotly's JSON has it, unchecked."""
        layout = {name: part for name, part in self.layout.items() if name != "shapes" or part}
        return {"data": self.traces, "layout": layout} | ({"frames": self.frames} if self.frames else {})


class Diagram(NamedTuple):
    """A drawing as SVG, and what it shows, for those who cannot see it."""

    svg: str
    words: str


class Mark(NamedTuple):
    """The colour and dash of a curve."""

    colour: str
    dash: str = "solid"


GREY, LIMIT, WHITE = "#7d8590", "#c0504d", "#ffffff"
ARRIVE, LEAVE = "#6b5bb5", "#b0506a"
SIMULATED = Mark("#8f5a9c")  # far from blue and orange, which mean rates
EXPECTED = Mark("#7a8f2f", "dash")
PUBLISHED = Mark(GREY, "dashdot")
PINNED_DASH = "dot"
PIN_COLOURS = ("#c026d3", "#0e8a9a", "#9a6a2f", "#5f8f00")  # by slot
LEVEL_WIDTH = 1.5  # of straight lines across a chart: thinner than a curve
PERCENT_TICKS: Spec = {"ticksuffix": " %", "tickformat": ",~r"}  # without powers of ten
SHARE_HOVER = "%{text} %"  # what a share says when pointed at, as all text writes a percentage
# Of models, groups and houses: none is a mechanism's.
MODEL_COLOURS = ("#7d5fc4", "#8c5a52", "#5f7391", LEAVE, "#8a7a5c", "#5b8a5a", LIMIT, "#7b6f66")


def share_ticks(*shares: float) -> Spec:
    """Ticks of an axis at these shares, in percent: plotly alone would write them without a space."""
    return {"tickvals": list(shares), "ticktext": [percent(share) for share in shares]}


HALVES = share_ticks(0, 0.5, 1)


def label(mechanism: str) -> str:
    """The mechanism's name where people read it."""
    return REGISTRY[mechanism].label


def name(name: str) -> str:
    """A name that somebody else wrote, for Plotly, which reads a part of HTML."""
    return html.escape(shown_name(name))


def mark(mechanism: str) -> Mark:
    """The mechanism's own colour and dash."""
    return Mark(REGISTRY[mechanism].colour, REGISTRY[mechanism].dash)


class PinMark(NamedTuple):
    """The name and colour of a pinned scenario in every chart."""

    name: str
    colour: str


def pinned(trace: Trace, pin: PinMark) -> Trace:
    """The same curve as one of a pinned scenario: dotted, in its colour, and shown or hidden with it."""
    return trace | {
        "name": f"{pin.name}: {trace['name']}",
        "line": trace["line"] | {"color": pin.colour, "dash": PINNED_DASH, "width": 1.5},
        "legendgroup": f"pin {pin.name}",
        "showlegend": False,
    }


def pin_legend(pin: PinMark) -> Trace:
    """A pin's entry in the legend; it draws nothing itself."""
    entry = line([None], [None], pin.name, Mark(pin.colour, PINNED_DASH))
    return entry | {"legendgroup": f"pin {pin.name}", "showlegend": True}


def _parts(colour: str) -> str:
    return ", ".join(str(int(colour[i : i + 2], 16)) for i in (1, 3, 5))


def rgb(colour: str) -> str:
    """As a browser writes a colour."""
    return f"rgb({_parts(colour)})"


def rgba(colour: str, opacity: float) -> str:
    return f"rgba({_parts(colour)}, {opacity})"


def line(
    x: Positions,
    y: Positions,
    name: str,
    mark: Mark,
    *,
    hover: str = "",
    width: float = 2,
    shape: str = "linear",
) -> Trace:
    """A curve. `hover` is plotly's template of what it says when pointed at; without, it says nothing."""
    return {
        "type": "scatter",
        "mode": "lines",
        "x": x,
        "y": y,
        "name": name,
        "line": {"color": mark.colour, "dash": mark.dash, "width": width, "shape": shape},
    } | _hover(hover, y)


def _hover(template: str, y: Positions) -> Spec:
    if template == SHARE_HOVER:
        shares = (100 * np.asarray(y, dtype=float)).round(1)
        return {"hovertemplate": template, "text": [f"{share:g}" for share in shares]}
    return {"hovertemplate": template} if template else {"hoverinfo": "skip"}


def points(x: Positions, y: Positions, name: str, marker: Spec, *, hover: str = "") -> Trace:
    """Separate points with the marker; `hover` as of a line."""
    drawn = {"type": "scatter", "mode": "markers", "x": x, "y": y, "name": name, "marker": marker}
    return drawn | _hover(hover, y)


def labels(x: Positions, y: Positions, texts: Sequence[str], hovers: Sequence[str], marker: Spec) -> Trace:
    """Points with a text each, and another one when pointed at."""
    written = {"mode": "markers+text", "text": texts, "hovertext": hovers, "hoverinfo": "text"}
    return points(x, y, "", marker) | written


def bars(x: Positions, y: Positions, name: str, colour: str, *, hover: str) -> Trace:
    """A bar at each position."""
    return {"type": "bar", "x": x, "y": y, "name": name, "marker": {"color": colour}} | _hover(hover, y)


def level(ends: Sequence[float], height: float, name: str, mark: Mark) -> Trace:
    """A straight line across the chart, from end to end."""
    return line(ends, [height, height], name, mark, width=LEVEL_WIDTH)


def note(text: str, x: str | float, y: float, across: str = "left", up: str = "bottom", **more: Any) -> Spec:
    """Words at a place, which lies at their left and bottom unless it is said where."""
    return {"text": text, "x": x, "y": y, "xanchor": across, "yanchor": up, "showarrow": False, **more}


def shade(start: str | float, end: str | float, colour: str, **more: Any) -> Spec:
    """A stretch behind the curves, as high as the chart or panel."""
    ends: Spec = {"type": "rect", "x0": start, "x1": end, "y0": 0, "y1": 1, "yref": "paper"}
    return ends | {"fillcolor": colour, "line": {"width": 0}, "layer": "below"} | more


def upright(x: str | float, line: Spec) -> Spec:
    """A vertical line through all panels."""
    return {"type": "line", "x0": x, "x1": x, "y0": 0, "y1": 1, "yref": "paper", "line": line}


def band(
    x: NDArray[np.datetime64] | Floats, low: Floats, high: Floats, colour: str, opacity: float, name: str = ""
) -> Trace:
    """The area between two curves; in the legend if it has a name."""
    return {
        "type": "scatter",
        "mode": "lines",
        "x": np.concatenate([x, x[::-1]]),
        "y": np.concatenate([high, low[::-1]]),
        "name": name,
        "fill": "toself",
        "fillcolor": rgba(colour, opacity),
        "line": {"width": 0},
        "hoverinfo": "skip",
        "showlegend": bool(name),
    }


def filled(curve: Trace, opacity: float) -> Trace:
    """The curve with the area beneath it in its colour."""
    return curve | {"fill": "tozeroy", "fillcolor": rgba(curve["line"]["color"], opacity)}


def finite(values: Floats) -> Floats:
    """The values, with a gap where one is infinite: a chart cannot draw it."""
    return np.where(np.isfinite(values), values, np.nan)


# Pixels beside the curves. A chart that finds too little room for its labels is drawn once more, with as much
# as they need: these are what the labels and titles of most charts take, so that once is enough.
EDGE = 8  # where nothing is written
_ROOM: Spec = {"l": 66, "r": EDGE, "t": 48, "b": 60}  # for both axes with their titles, and a legend above
PANELS_ROOM: Spec = {"l": 42, "t": 62}  # panels have their titles inside
BARE: Spec = {"l": EDGE, "b": EDGE}  # without axes

LAYOUT: Spec = {  # what all charts share
    "margin": _ROOM,
    "hovermode": "x unified",
    "uirevision": "keep",
    "legend": {"orientation": "h", "x": 0, "y": 1.0, "yanchor": "bottom", "xanchor": "left"},
    "modebar": {"remove": ["select2d", "lasso2d", "autoScale2d"], "orientation": "h"},
    "xaxis": {"automargin": True},
    "yaxis": {"automargin": True, "title": {"standoff": 18}},
}


class End(NamedTuple):
    """Where a line ends, on the right."""

    name: str
    colour: str
    y: float


END_GAP = 17  # pixels between the names of two lines
END = "end"  # what such a name is called: on a phone all stand in a row above the chart


def end_labels(ends: Sequence[End], span: tuple[float, float], pixels: float) -> Spec:
    """Return a layout with the name of every line where it ends, in place of a legend: names that would lie
    on each other are moved apart as little as can be. The axis shows `span`, so many pixels high; a line that
    ends beyond it has its name at the edge."""
    low, high = span
    ends = sorted((end for end in ends if np.isfinite(end.y)), key=lambda end: end.y)
    y = [min(max(end.y, low), high) for end in ends]
    places = [pixels * (value - low) / (high - low) for value in y]
    notes = [
        note(
            f'<span style="color:{rgb(end.colour)}">●</span> {end.name}',
            1,
            value,
            up="auto",
            xref="paper",
            yshift=round(wanted - place),
            name=END,
        )
        for end, value, place, wanted in zip(ends, y, places, apart(places, END_GAP), strict=True)
    ]
    longest = max((len(end.name) for end in ends), default=0)
    return {"annotations": notes, "showlegend": False, "margin": {"r": EDGE + 24 + 7 * longest}}


def apart(places: Sequence[float], gap: float) -> list[float]:
    """Return the places, which ascend, moved by the least squares so that each is a gap above the one below:
    less a gap for each below it, an isotonic regression."""
    from scipy.optimize import isotonic_regression

    if not places:
        return []
    below = gap * np.arange(len(places))
    moved: list[float] = (isotonic_regression(np.array(places) - below).x + below).tolist()
    return moved


def layout(height: int, *parts: Spec) -> Spec:
    """What all charts share, completed and corrected by the parts of this one."""
    whole = LAYOUT | {"height": height}
    if (signs := figure(".,")) != ".,":  # of decimals and of thousands: plotly's own are English
        whole |= {"separators": signs}
    for part in parts:
        whole = merged(whole, part)
    return whole


def axes(across: str, up: str) -> Spec:
    """The titles of both axes."""
    return {"xaxis": {"title": {"text": across}}, "yaxis": {"title": {"text": up}}}


def merged(one: Spec, other: Spec) -> Spec:
    """Both; where both say something the second holds, except that dictionaries are merged in turn."""
    both = one | other
    for key in one.keys() & other.keys():
        if isinstance(one[key], dict) and isinstance(other[key], dict):
            both[key] = merged(one[key], other[key])
    return both
