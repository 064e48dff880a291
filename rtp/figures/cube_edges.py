"""The edges of the hypercube of joint states: each joins two states that differ in one house."""

from collections.abc import Iterator, Sequence

import numpy as np

from rtp.algorithm1 import neighbours
from rtp.core.types import Floats
from rtp.figures import style
from rtp.figures.states import GREY, house_colour
from rtp.figures.style import Trace
from rtp.teaching.lines import PROTECTED, state_label

Edges = Sequence[tuple[int, int, int]]  # (state, state, the house they differ in)

LABELLED_EDGES = 32  # more labels than that hide the picture: then two for each house, on the outline


def cube_edges(at: Floats, strong: Edges, line: int) -> Iterator[Trace]:
    """Weak edges in one trace; each house's strong ones in its colour, labelled once κ is known."""
    known = set(strong)
    weak = [edge for edge in neighbours(np.ones(len(at), dtype=bool)) if edge not in known]
    thin = {"color": GREY, "width": 1, "dash": "dot"}
    yield _segments(at, weak) | {"line": thin, "showlegend": False}
    for house in range(len(at).bit_length() - 1):
        own = [edge for edge in strong if edge[2] == house]
        if own:
            thick = {"color": house_colour(house), "width": 3}
            yield _segments(at, own) | {
                "line": thick,
                "name": f"House {house}",
                "showlegend": False,  # the numbers on the edges say it
            }
        if own and line >= PROTECTED:
            yield _edge_labels(at, house, own if len(strong) <= LABELLED_EDGES else _outline(at, own))


def _edge_labels(at: Floats, house: int, edges: Edges) -> Trace:
    """The house's number in the middle of its edges."""
    middle = np.array([(at[i] + at[j]) / 2 for i, j, _ in edges])
    houses = len(at).bit_length() - 1
    return {
        "type": "scatter",
        "x": middle[:, 0],
        "y": middle[:, 1],
        "mode": "markers+text",
        "text": [f"<b>{house}</b>"] * len(edges),
        "marker": {"size": 15, "color": house_colour(house)},
        "textfont": {"color": style.WHITE, "size": 10},
        "hovertext": [
            f"{state_label(i, houses)} – {state_label(j, houses)}: house {house}" for i, j, _ in edges
        ],
        "hoverinfo": "text",
        "showlegend": False,
    }


def _segments(at: Floats, edges: Edges) -> Trace:
    """Separate lines in one trace: a gap after each."""
    ends = np.array([[at[i], at[j], [np.nan, np.nan]] for i, j, _ in edges]).reshape(-1, 2)
    return {"type": "scatter", "x": ends[:, 0], "y": ends[:, 1], "mode": "lines", "hoverinfo": "skip"}


def _outline(at: Floats, edges: Edges) -> Edges:
    """The two outermost of some parallel edges."""
    i, j, _ = edges[0]
    across = np.array([-(at[j] - at[i])[1], (at[j] - at[i])[0]])
    offsets = [float(at[k] @ across) for k, _, _ in edges]
    return [edges[k] for k in sorted({int(np.argmin(offsets)), int(np.argmax(offsets))})]
