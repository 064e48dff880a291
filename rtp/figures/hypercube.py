"""The joint states of a few houses as a hypercube.

Every house has its own direction, so parallel edges are about the same house, and up is occupied. An edge
joins states that differ in one house; where both are possible it makes that house protected, and is strong.
Colour and size both carry the probability; an impossible state is hollow and grey.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from rtp.arrays import Floats
from rtp.classroom.lines import NEIGHBOURS, PRIOR, PROTECTED, house_list, label
from rtp.figures import style
from rtp.figures.state_map import map_figure
from rtp.figures.states import (
    GREY,
    HEIGHT,
    SCALE,
    colour_bar,
    house_colour,
    house_count,
    hover,
    shown_law,
    shown_possible,
    star,
)
from rtp.joint import ModelStep, all_states, neighbours

Trace = dict[str, Any]  # plotly builds a figure from dictionaries much faster than trace by trace
Edges = Sequence[tuple[int, int, int]]

CUBE_HOUSES = 5  # more corners than 2^5 are no longer a picture
# One direction per house, all upwards, chosen so that corners, edges and their labels keep clear.
DIRECTIONS = {
    2: ((-0.8, 0.6), (0.8, 0.6)),
    3: ((-0.64, 0.10), (-0.20, 0.63), (0.00, 1.03)),
    4: ((-0.56, 0.12), (-0.33, 0.42), (-0.01, 1.49), (0.10, 0.77)),
    5: ((-0.23, 0.43), (-0.28, 0.93), (0.54, 0.76), (0.43, 0.41), (1.02, 0.20)),
}
SIZES = {2: (34, 50), 3: (32, 46), 4: (32, 42), 5: (8, 22)}  # smallest and largest corner, in pixels
LABELLED_EDGES = 32  # more labels than that hide the picture: then two for each house, on the outline


def states_figure(own: ModelStep, line: int, truth: int | None = None) -> go.Figure:
    """What is known when that line has been executed: a cube for few houses, a map for more."""
    return (_cube if house_count(own) <= CUBE_HOUSES else map_figure)(own, line, truth)


def reading(houses: int) -> str:
    """How to read the picture."""
    if houses <= CUBE_HOUSES:
        return (
            "Each corner is a joint state, house 0 first: 0 is empty, 1 occupied. Parallel edges are about "
            "the same house; a strong edge joins two possible states and puts that house into κ."
        )
    return (
        "Each cell is a joint state: the first houses along the side, the others along the bottom. Cells "
        "that touch differ in one house, so two filled ones that touch put that house into κ."
    )


def alt_text(own: ModelStep, line: int) -> str:
    houses, (law, name) = house_count(own), shown_law(own, line)
    shape = "Hypercube" if houses <= CUBE_HOUSES else "Map"
    if line < PRIOR:
        return f"{shape} of {len(law)} joint states of {houses} houses; no probabilities yet."
    best = np.argsort(-law, kind="stable")[:3]
    return (
        f"{shape} of {len(law)} joint states of {houses} houses, {own.possible.sum()} of them possible. "
        f"Likeliest by {name.lower()}: {', '.join(f'{label(int(i), houses)} {law[i]:.3f}' for i in best)}. "
        f"{len(own.neighbours)} edges join possible states; protected: {house_list(own.protected)}."
    )


def _cube(own: ModelStep, line: int, truth: int | None) -> go.Figure:
    houses = house_count(own)
    at = all_states(houses) @ np.array(DIRECTIONS[houses])
    strong = own.neighbours if line >= NEIGHBOURS else ()
    fig = go.Figure([*_edges(at, houses, strong, line), *_corners(at, own, line, truth)])
    style.base(fig, HEIGHT)
    span = np.ptp(at, axis=0)
    low, high = at.min(axis=0) - 0.13 * span, at.max(axis=0) + 0.13 * span
    fig.update_layout(
        hovermode="closest",
        xaxis={"visible": False, "range": [low[0], high[0]]},
        yaxis={"visible": False, "range": [low[1], high[1]]},
    )
    return fig


def _edges(at: Floats, houses: int, strong: Edges, line: int) -> Iterator[Trace]:
    """Weak edges in one trace; each house's strong ones in its colour, labelled once κ is known."""
    known = set(strong)
    weak = [edge for edge in neighbours(np.ones(2**houses, dtype=bool)) if edge not in known]
    thin = {"color": GREY, "width": 1, "dash": "dot"}
    yield _segments(at, weak) | {"line": thin, "hoverinfo": "skip", "showlegend": False}
    for house in range(houses):
        own = [edge for edge in strong if edge[2] == house]
        if not own:
            continue
        colour, named = house_colour(house), line >= PROTECTED
        yield _segments(at, own) | {
            "line": {"color": colour, "width": 3},
            "name": f"House {house}",
            "hoverinfo": "skip",
            "showlegend": named,
        }
        if named:
            some = own if len(strong) <= LABELLED_EDGES else _outline(at, own)
            middle = np.array([(at[i] + at[j]) / 2 for i, j, _ in some])
            yield {
                "type": "scatter",
                "x": middle[:, 0],
                "y": middle[:, 1],
                "mode": "markers+text",
                "text": [f"<b>{house}</b>"] * len(some),
                "marker": {"size": 15, "color": colour},
                "textfont": {"color": "#ffffff", "size": 10},
                "hovertext": [f"{label(i, houses)} – {label(j, houses)}: house {house}" for i, j, _ in some],
                "hoverinfo": "text",
                "showlegend": False,
            }


def _segments(at: Floats, edges: Edges) -> Trace:
    """Separate lines in one trace: a gap after each."""
    ends = np.array([[at[i], at[j], [np.nan, np.nan]] for i, j, _ in edges]).reshape(-1, 2)
    return {"type": "scatter", "x": ends[:, 0], "y": ends[:, 1], "mode": "lines"}


def _outline(at: Floats, edges: Edges) -> Edges:
    """The two outermost of some parallel edges."""
    i, j, _ = edges[0]
    across = np.array([-(at[j] - at[i])[1], (at[j] - at[i])[0]])
    places = [float(at[k] @ across) for k, _, _ in edges]
    return [edges[k] for k in sorted({int(np.argmin(places)), int(np.argmax(places))})]


def _corners(at: Floats, own: ModelStep, line: int, truth: int | None) -> Iterator[Trace]:
    """Possible states filled and, where there is room, named inside; impossible ones small and hollow."""
    houses = house_count(own)
    law, name = shown_law(own, line)
    possible = shown_possible(own, line)
    smallest, largest = SIZES[houses]
    size = np.full(len(law), float(smallest))
    filled: dict[str, Any] = {"color": GREY, "size": smallest}
    if line >= PRIOR:
        size += (largest - smallest) * np.sqrt(law / law.max())
        filled = _marker(law[possible], size[possible], name)
    hollow = {"symbol": "circle-open", "color": GREY, "size": smallest / 2, "line": {"width": 2}}
    roomy = houses < CUBE_HOUSES
    inside = {"textposition": "middle center", "textfont": {"size": 11, "color": "#ffffff"}}
    below = {"textposition": "bottom center", "textfont": {"size": 11}}
    last = len(law) - 1  # all empty and all occupied are named even where there is no room inside
    beside = below | {
        "textposition": ["top center" if i == last else "bottom center" for i in np.flatnonzero(possible)]
    }
    for chosen, marker, text in ((possible, filled, inside if roomy else beside), (~possible, hollow, below)):
        states = np.flatnonzero(chosen).tolist()
        if states:
            yield {
                "type": "scatter",
                "x": at[chosen, 0],
                "y": at[chosen, 1],
                "mode": "markers+text",
                "text": [label(i, houses) if roomy or i in (0, last) else "" for i in states],
                "marker": marker,
                "hovertext": [hover(own, i, line) for i in states],
                "hoverinfo": "text",
                "name": "Impossible state",
                "showlegend": chosen is not possible,
                "cliponaxis": False,
            } | text
    if truth is not None:
        yield star(at[truth, 0], at[truth, 1], float(size[truth]) + 12)


def _marker(law: Floats, size: Floats, name: str) -> dict[str, Any]:
    return {
        "color": law,
        "colorscale": SCALE,
        "cmin": 0.0,
        "cmax": law.max(),
        "opacity": 1.0,
        "size": size,
        "line": {"width": 1, "color": GREY},
        "colorbar": colour_bar(name),
    }
