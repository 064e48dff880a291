"""The joint states of a few houses as a hypercube.

Every house has its own direction, so parallel edges are about the same house, and up is occupied. An edge
joins states that differ in one house; where both are possible it makes that house protected, and is strong.
Colour and size both carry the probability; an impossible state is hollow and grey.
"""

from collections.abc import Iterator

import numpy as np

from rtp.algorithm1 import ModelStep, all_states
from rtp.core.types import Bools, Floats
from rtp.figures import style
from rtp.figures.cube_edges import cube_edges
from rtp.figures.map_links import MANY
from rtp.figures.picture import Picture
from rtp.figures.state_map import map_figure
from rtp.figures.states import (
    GREY,
    HEIGHT,
    SCALE,
    TABS,
    colour_bar,
    house_count,
    hover,
    shown_law,
    shown_possible,
    star,
)
from rtp.figures.style import Spec, Trace
from rtp.teaching.lines import NEIGHBOURS, PRIOR, house_list, state_label

CUBE_HOUSES = 5  # more corners than 2^5 are no longer a picture
# One direction per house, all upwards, chosen so that corners, edges and their labels keep clear.
DIRECTIONS = {
    2: ((-0.8, 0.6), (0.8, 0.6)),
    3: ((-0.64, 0.10), (-0.20, 0.63), (0.00, 1.03)),
    4: ((-0.56, 0.12), (-0.33, 0.42), (-0.01, 1.49), (0.10, 0.77)),
    5: ((-0.23, 0.43), (-0.28, 0.93), (0.54, 0.76), (0.43, 0.41), (1.02, 0.20)),
}
SIZES = {2: (34, 50), 3: (32, 46), 4: (32, 42), 5: (8, 22)}  # smallest and largest corner, in pixels
BELOW: Spec = {"textposition": "bottom center", "textfont": {"size": 11}}


def states_figure(
    own: ModelStep, line: int, truth: int | None = None, *, under_tabs: bool = False
) -> Picture:
    """What is known when that line has been executed: a cube for few houses, a map for more."""
    draw = _cube if house_count(own) <= CUBE_HOUSES else map_figure
    return Picture(*draw(own, line, truth, HEIGHT - TABS * under_tabs), _words(own, line))


def reading(houses: int) -> str:
    """How to read the picture."""
    if houses <= CUBE_HOUSES:
        return (
            "Each corner is a joint state, house 0 first: 0 is empty, 1 occupied. Parallel edges are about "
            "the same house; a strong edge joins two possible states and puts that house into κ."
        )
    return (
        "Each cell is a joint state: the first houses along the side, the others along the bottom. An arc "
        "joins two possible states that differ in one house only, and carries its number: it puts that house "
        f"into κ. Of more than {MANY} such pairs, one for each house is drawn."
    )


def _words(own: ModelStep, line: int) -> str:
    houses, (law, name) = house_count(own), shown_law(own, line)
    shape = "Hypercube" if houses <= CUBE_HOUSES else "Map"
    if line < PRIOR:
        return f"{shape} of {len(law)} joint states of {houses} houses; no probabilities yet."
    best = np.argsort(-law, kind="stable")[:3]
    return (
        f"{shape} of {len(law)} joint states of {houses} houses, {own.possible.sum()} of them possible. "
        f"Likeliest by {name.lower()}: "
        f"{', '.join(f'{state_label(int(i), houses)} {law[i]:.3f}' for i in best)}. "
        f"{len(own.neighbours)} edges join possible states; protected: {house_list(own.protected)}."
    )


def _cube(own: ModelStep, line: int, truth: int | None, height: int) -> tuple[list[Trace], Spec]:
    houses = house_count(own)
    at = all_states(houses) @ np.array(DIRECTIONS[houses])
    margin = 0.13 * np.ptp(at, axis=0)
    low, high = at.min(axis=0) - margin, at.max(axis=0) + margin
    layout = style.layout(
        height,
        {
            "hovermode": "closest",
            "margin": style.BARE,
            "xaxis": {"visible": False, "range": [low[0], high[0]]},
            "yaxis": {"visible": False, "range": [low[1], high[1]]},
        },
    )
    strong = own.neighbours if line >= NEIGHBOURS else ()
    return [*cube_edges(at, strong, line), *_corners(at, own, line, truth)], layout


def _corners(at: Floats, own: ModelStep, line: int, truth: int | None) -> Iterator[Trace]:
    """Possible states filled, impossible ones small and hollow."""
    law, name = shown_law(own, line)
    possible = shown_possible(own, line)
    smallest, largest = SIZES[house_count(own)]
    size = np.full(len(law), float(smallest))
    filled: Spec = {"color": GREY, "size": smallest}
    if line >= PRIOR:
        size += (largest - smallest) * np.sqrt(law / law.max())
        filled = _marker(law[possible], size[possible], name)
    hollow: Spec = {"symbol": "circle-open", "color": GREY, "size": smallest / 2, "line": {"width": 2}}
    impossible = {"marker": hollow, "name": "Impossible state", "showlegend": True}
    if possible.any():
        yield _states(at, own, line, possible) | {"marker": filled, "showlegend": False} | _names(possible)
    if not possible.all():
        yield _states(at, own, line, ~possible) | impossible | BELOW
    if truth is not None:
        yield star(at[truth, 0], at[truth, 1], float(size[truth]) + 12)


def _states(at: Floats, own: ModelStep, line: int, chosen: Bools) -> Trace:
    """Some states as points with their digits; of the largest cube only all empty and all occupied."""
    houses, states = house_count(own), np.flatnonzero(chosen).tolist()
    named = states if houses < CUBE_HOUSES else (0, len(chosen) - 1)
    return {
        "type": "scatter",
        "x": at[chosen, 0],
        "y": at[chosen, 1],
        "mode": "markers+text",
        "text": [state_label(i, houses) if i in named else "" for i in states],
        "hovertext": [hover(own, i, line) for i in states],
        "hoverinfo": "text",
        "cliponaxis": False,
    }


def _names(possible: Bools) -> Spec:
    """Where the digits of possible states stand: inside; above or below the corners of the largest cube."""
    if len(possible) < 2**CUBE_HOUSES:
        return {"textposition": "middle center", "textfont": {"size": 11, "color": style.WHITE}}
    last = len(possible) - 1
    above = ["top center" if i == last else "bottom center" for i in np.flatnonzero(possible)]
    return BELOW | {"textposition": above}


def _marker(law: Floats, size: Floats, name: str) -> Spec:
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
