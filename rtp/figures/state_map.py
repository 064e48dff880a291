"""The hypercube of many houses laid flat: one cell per joint state.

Rows and columns are in Gray code, so cells that touch differ in one house. An impossible state is hollow and
grey.
"""

from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from rtp.classroom.lines import POSSIBLE, PRIOR, label
from rtp.figures import style
from rtp.figures.states import (
    GREY,
    HEIGHT,
    SCALE,
    colour_bar,
    house_count,
    hover,
    shown_law,
    shown_possible,
    star,
)
from rtp.joint import ModelStep


def map_figure(own: ModelStep, line: int, truth: int | None) -> go.Figure:
    """What is known when that line has been executed; the true state starred if given."""
    houses = house_count(own)
    rows, columns = houses // 2, houses - houses // 2
    down, along = _gray(rows), _gray(columns)
    order = down[:, None] * 2**columns + along[None, :]
    law, name = shown_law(own, line)
    filled = shown_possible(own, line) & (line >= PRIOR)
    x, y = [label(int(c), columns) for c in along], [label(int(r), rows) for r in down]
    traces: list[dict[str, Any]] = [
        {
            "type": "heatmap",
            "z": np.where(filled, law, np.nan)[order],
            "x": x,
            "y": y,
            "zmin": 0.0,
            "zmax": law.max(),
            "colorscale": SCALE,
            "xgap": 2,
            "ygap": 2,
            "hovertext": [[hover(own, int(state), line) for state in row] for row in order],
            "hoverinfo": "text",
            "colorbar": colour_bar(name) | {"y": -0.22},
            "showscale": line >= PRIOR,
        }
    ]
    hollow = np.argwhere(~filled[order])
    if len(hollow):
        traces.append(
            {
                "type": "scatter",
                "x": [x[c] for _, c in hollow],
                "y": [y[r] for r, _ in hollow],
                "mode": "markers",
                "marker": {"symbol": "square-open", "color": GREY, "size": 9},
                "name": "Impossible state",
                "hovertext": [hover(own, int(order[r, c]), line) for r, c in hollow],
                "hoverinfo": "text",
                "showlegend": line >= POSSIBLE,
            }
        )
    if truth is not None:
        r, c = np.argwhere(order == truth)[0]
        traces.append(star(x[c], y[r], 18))
    fig = style.base(go.Figure(traces), HEIGHT)
    fig.update_layout(
        hovermode="closest",
        xaxis=_axis(f"Houses {rows} to {houses - 1}", x),
        yaxis=_axis(f"Houses 0 to {rows - 1}", y),
    )
    return fig


def _axis(title: str, categories: list[str]) -> dict[str, Any]:
    return {
        "type": "category",
        "categoryorder": "array",
        "categoryarray": categories,
        "title": {"text": f"{title} (0 empty, 1 occupied)"},
        "tickfont": {"size": 10},
        "showgrid": False,
    }


def _gray(bits: int) -> NDArray[np.intp]:
    """The numbers of so many bits in an order in which neighbours differ in one bit."""
    numbers = np.arange(2**bits, dtype=np.intp)
    return np.asarray(numbers ^ (numbers >> 1))
