"""The observer at work on a street: her belief about every house by time, with the truth on top."""

import numpy as np
from numpy.typing import NDArray

from rtp.attack.observer import Posterior
from rtp.core.types import Bools, Ints
from rtp.figures import daytime, style
from rtp.figures.belief import TRUTH_NAME
from rtp.figures.picture import Picture
from rtp.figures.style import Mark, Trace
from rtp.simulation import Day

STREET_HEIGHT = 640
FIRST = 40  # houses whose names can be read beside the map
DOUBT, NEUTRAL, SURE, INK = "#d98f5c", "#f3f0e6", "#2a8fb8", "#111111"  # the ink can be read on all three


def street_figure(
    day: Day, seen: Posterior, columns: Ints, occupied: Bools | None, gain: bool = False
) -> Picture:
    """Houses in this order by time: her belief, or what the rates added to the model's. Where the truth is
    given, a line while a house is occupied."""
    few = len(columns) <= FIRST
    edges = daytime.times(np.append(day.hours, day.hours[-1] + day.scenario.step_minutes / 60))
    traces = [_heat(edges, seen, columns, gain)]
    if occupied is not None:
        traces.append(_truth(edges, occupied[:, columns], few))
    houses = {
        "range": [len(columns) - 0.5, -0.5],
        "showgrid": False,
        "title": {"text": "House"},
        "tickvals": np.arange(len(columns)),
        "ticktext": seen.houses[columns].astype(str),
        "showticklabels": few,
    }
    clock = daytime.clock(day.scenario.days) | {"showgrid": False}
    layout = style.layout(STREET_HEIGHT, {"hovermode": "closest", "xaxis": clock, "yaxis": houses})
    first = int(columns[0])
    words = (
        f"Heat map of {len(columns)} houses by time of day. First is house {seen.houses[first]}, of which "
        f"the rates move her belief by {seen.exposure[first]:.1%} on average."
    )
    return Picture(traces, layout, words)


def _heat(edges: NDArray[np.datetime64], seen: Posterior, columns: Ints, gain: bool) -> Trace:
    z = (seen.belief - seen.model_only if gain else seen.belief)[:, columns].T.astype(np.float32)
    reach = float(np.abs(z).max()) or 1.0 if gain else 1.0
    return {
        "type": "heatmap",
        "x": edges,
        "y": np.arange(len(columns)),
        "z": z,
        "colorscale": [[0, DOUBT], [0.5, NEUTRAL], [1, SURE]] if gain else [[0, NEUTRAL], [1, SURE]],
        "zmin": -reach if gain else 0.0,
        "zmax": reach,
        "colorbar": {"tickformat": ".1%" if reach < 0.1 else ".0%", "thickness": 12},
        "hovertemplate": "House %{y}, %{x|%H:%M}: %{z:.1%}<extra></extra>",
    }


def _truth(edges: NDArray[np.datetime64], occupied: Bools, few: bool) -> Trace:
    """A line for every stretch (T, n) in which a house is occupied, with gaps between, in one trace."""
    comes_or_goes = np.diff(np.pad(occupied.T.astype(int), ((0, 0), (1, 1))), axis=1)
    row, start = np.nonzero(comes_or_goes > 0)
    end = np.nonzero(comes_or_goes < 0)[1]
    x = edges[np.column_stack([start, end, end]).ravel()]
    y = np.column_stack([row, row, np.full(len(row), np.nan)]).ravel()
    line = style.line(x, y, TRUTH_NAME, Mark(INK), width=2 if few else 1)
    return line | {"opacity": 1.0 if few else 0.4, "showlegend": True}
