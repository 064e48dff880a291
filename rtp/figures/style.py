"""The look of every chart, once: a colour and a dash per mechanism, the clock axis, the shaded periods.

Colours are from the Okabe–Ito family, darkened or lightened until each stands out at least 3:1 on both the
light and the dark background; dashes are the second cue. Dots are kept for the pinned baseline.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from rtp.arrays import Floats
from rtp.mechanisms import REGISTRY
from rtp.scenario import Scenario


class Mark(NamedTuple):
    colour: str
    dash: str = "solid"


SIMULATED = Mark("#6f7fd0")
ARRIVE, LEAVE = "#00936b", "#d55e00"
EXPECTED = Mark("#7a8f2f", "dash")
PUBLISHED = Mark("#7d8590", "dashdot")
BASELINE_DASH = "dot"
MODEL_COLOURS = ("#1f7fc4", "#d55e00", "#00936b", "#b8578f", "#a37b00", "#4f8a9e", "#c0504d", "#7d8590")
NIGHT = "rgba(110, 118, 140, 0.16)"
DAYLIGHT = "rgba(110, 118, 140, 0.05)"
MIDNIGHT = np.datetime64("2001-01-01T00:00")  # the clock axis' first day; its day of the year is 1


def label(mechanism: str) -> str:
    return REGISTRY[mechanism].label


def mark(mechanism: str) -> Mark:
    """The mechanism's own colour and dash."""
    return Mark(REGISTRY[mechanism].colour, REGISTRY[mechanism].dash)


def rgba(colour: str, opacity: float) -> str:
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({red}, {green}, {blue}, {opacity})"


def times(hours: Floats) -> NDArray[np.datetime64]:
    """Hours since the first midnight as the clock axis wants them."""
    return MIDNIGHT + np.round(hours * 60).astype("timedelta64[m]")


LAYOUT: dict[str, Any] = {  # what all charts share
    "margin": {"l": 8, "r": 8, "t": 48, "b": 8},
    "hovermode": "x unified",
    "uirevision": "keep",
    "legend": {"orientation": "h", "x": 0, "y": 1.0, "yanchor": "bottom", "xanchor": "left"},
    "modebar": {"remove": ["select2d", "lasso2d", "autoScale2d"], "orientation": "h"},
}


def base(fig: go.Figure, height: int) -> go.Figure:
    """The shared look. A figure that is redrawn often is better born with LAYOUT: updates are slow."""
    fig.update_layout(LAYOUT, height=height)
    fig.update_xaxes(automargin=True)
    fig.update_yaxes(automargin=True, title_standoff=18)
    return fig


def clock(days: int = 1) -> dict[str, Any]:
    """An x axis of hours and minutes; the day's number too where there are several."""
    return {
        "type": "date",
        "tickformat": "%H:%M" if days == 1 else "%H:%M\nDay %-j",
        "hoverformat": "%H:%M" if days == 1 else "Day %-j, %H:%M",
        "range": [str(MIDNIGHT), str(MIDNIGHT + np.timedelta64(days * 24, "h"))],
        "nticks": 9,
    }


def clock_axis(fig: go.Figure, days: int = 1) -> None:
    fig.update_xaxes(clock(days))


def panel_title(words: str, top: float) -> dict[str, Any]:
    """A panel's name at its top left."""
    return {
        "text": f"<b>{words}</b>",
        "x": 0,
        "y": top,
        "xref": "paper",
        "yref": "paper",
        "xanchor": "left",
        "yanchor": "bottom",
        "showarrow": False,
        "font": {"size": 13},
    }


def shade_periods(
    fig: go.Figure, scenario: Scenario, axes: Sequence[tuple[str, str]] = (("x", "y"),)
) -> None:
    shapes, names = periods(scenario, axes)
    fig.update_layout(shapes=shapes, annotations=[*fig.layout.annotations, *names])


def periods(
    scenario: Scenario, axes: Sequence[tuple[str, str]]
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Shapes and names of the periods of the first group: behind every panel, named in the first."""
    shapes: list[dict[str, Any]] = []
    names: list[dict[str, Any]] = []
    for start, end, i, name in _spans(scenario):
        left, right = times(np.array([start, end]))
        shapes += [
            {
                "type": "rect",
                "x0": str(left),
                "x1": str(right),
                "y0": 0,
                "y1": 1,
                "xref": x,
                "yref": f"{y} domain",
                "fillcolor": DAYLIGHT if i % 2 else NIGHT,
                "line": {"width": 0},
                "layer": "below",
            }
            for x, y in axes
        ]
        if scenario.days == 1 and end - start > 0.5 and name not in [n["text"] for n in names]:
            names.append(
                {
                    "x": str(left + (right - left) // 2),
                    "y": 1,
                    "xref": axes[0][0],
                    "yref": f"{axes[0][1]} domain",
                    "yanchor": "top",
                    "textangle": 0 if end - start >= 2 else -90,
                    "text": name,
                    "showarrow": False,
                    "font": {"size": 11},
                    "opacity": 0.8,
                }
            )
    return shapes, names


def _spans(scenario: Scenario) -> list[tuple[float, float, int, str]]:
    """(start hour, end hour, index, name) of every stretch of a period, over all days."""
    parts = scenario.models[0].habits[0].periods
    edges = [(p.start, i) for i, p in enumerate(parts)]
    if parts[0].start > 0:
        edges = [(0.0, len(parts) - 1), *edges]
    ends = [start for start, _ in edges[1:]] + [24.0]
    return [
        (24 * day + start, 24 * day + end, i, parts[i].name)
        for day in range(scenario.days)
        for (start, i), end in zip(edges, ends, strict=True)
    ]
