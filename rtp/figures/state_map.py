"""The hypercube of many houses laid flat: one cell per joint state.

Rows and columns are in Gray code, so cells that touch differ in one house. An impossible state is hollow and
grey; arcs join the possible ones that put a house into κ (see `map_links`).
"""

from typing import NamedTuple

import numpy as np

from rtp.algorithm1 import ModelStep
from rtp.core.types import Ints
from rtp.figures import style
from rtp.figures.map_links import map_links
from rtp.figures.states import (
    GREY,
    SCALE,
    colour_bar,
    house_count,
    hover,
    shown_law,
    shown_possible,
    star,
)
from rtp.figures.style import Spec, Trace
from rtp.teaching.lines import NEIGHBOURS, POSSIBLE, PRIOR, state_label

ABOVE = 40  # pixels for the legend
BELOW = 60  # for the labels and the title of the axis, and again for the colour bar
UPRIGHT: Spec = {"automargin": False, "tickangle": -90}  # sixteen labels side by side


class Cells(NamedTuple):
    """Which joint state lies where."""

    states: Ints  # (rows, columns)
    down: list[str]  # the first houses' states, one per row
    along: list[str]  # the other houses', one per column


def map_figure(own: ModelStep, line: int, truth: int | None, height: int) -> tuple[list[Trace], Spec]:
    """What is known when that line has been executed; the true state starred if given."""
    houses = house_count(own)
    rows, cells = houses // 2, _cells(houses)
    traces = [_filled(own, line, cells, height), *_hollow(own, line, cells)]
    if line >= NEIGHBOURS:
        traces += map_links(own, line, cells.states)
    if truth is not None:
        r, c = np.argwhere(cells.states == truth)[0]
        traces.append(star(float(c), float(r), 18))
    layout = style.layout(
        height,
        {
            "hovermode": "closest",
            "margin": {"l": style.EDGE, "t": ABOVE, "b": 2 * BELOW},
            "xaxis": UPRIGHT | _axis(f"Houses {rows} to {houses - 1}", cells.along),
            "yaxis": _axis(f"Houses 0 to {rows - 1}", cells.down),
        },
    )
    return traces, layout


def _cells(houses: int) -> Cells:
    rows, columns = houses // 2, houses - houses // 2
    down, along = _gray(rows), _gray(columns)
    return Cells(
        states=down[:, None] * 2**columns + along[None, :],
        down=[state_label(int(r), rows) for r in down],
        along=[state_label(int(c), columns) for c in along],
    )


def _filled(own: ModelStep, line: int, cells: Cells, height: int) -> Trace:
    """The possible states in colour, once there are probabilities."""
    law, name = shown_law(own, line)
    shown = shown_possible(own, line) & (line >= PRIOR)
    return {
        "type": "heatmap",
        "z": np.where(shown, law, np.nan)[cells.states],
        "x": np.arange(len(cells.along)),
        "y": np.arange(len(cells.down)),
        "zmin": 0.0,
        "zmax": law.max(),
        "colorscale": SCALE,
        "xgap": 2,
        "ygap": 2,
        "hovertext": [[hover(own, int(state), line) for state in row] for row in cells.states],
        "hoverinfo": "text",
        "colorbar": colour_bar(name) | {"y": -BELOW / (height - ABOVE - 2 * BELOW)},
        "showscale": line >= PRIOR,
    }


def _hollow(own: ModelStep, line: int, cells: Cells) -> list[Trace]:
    """All other states, if any."""
    shown = shown_possible(own, line) & (line >= PRIOR)
    at = np.argwhere(~shown[cells.states])
    if not len(at):
        return []
    return [
        {
            "type": "scatter",
            "x": at[:, 1],
            "y": at[:, 0],
            "mode": "markers",
            "marker": {"symbol": "square-open", "color": GREY, "size": 9},
            "name": "Impossible state",
            "hovertext": [hover(own, int(cells.states[r, c]), line) for r, c in at],
            "hoverinfo": "text",
            "showlegend": line >= POSSIBLE,
        }
    ]


def _axis(title: str, labels: list[str]) -> Spec:
    return {
        "tickvals": list(range(len(labels))),
        "ticktext": labels,
        "range": [-0.5, len(labels) - 0.5],
        "title": {"text": f"{title} (0 empty, 1 occupied)"},
        "tickfont": {"size": 10},
        "showgrid": False,
        "zeroline": False,
    }


def _gray(bits: int) -> Ints:
    """The numbers of so many bits in an order in which neighbours differ in one bit."""
    numbers = np.arange(2**bits, dtype=np.intp)
    return np.asarray(numbers ^ (numbers >> 1))
