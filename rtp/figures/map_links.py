"""Which cells of the map of joint states belong together: an arc joins two possible states that differ in one
house, in that house's colour and with its number, so that κ can be read off the map.

Cells that differ in one house mostly do not touch, and eight uncertain houses make a thousand pairs. Few
pairs are all drawn; of many, one for each protected house, all from the likeliest state.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from rtp.algorithm1 import ModelStep
from rtp.core.types import Floats, Ints
from rtp.figures import style
from rtp.figures.states import house_colour, house_count, shown_law
from rtp.figures.style import Trace
from rtp.teaching.lines import PROTECTED, state_label

MANY = 12  # pairs from which only one for each house is drawn
BEND = 0.22  # of its length, how far an arc leaves the straight line
POINTS = 24


class Link(NamedTuple):
    state: int
    other: int
    house: int


def links(own: ModelStep, line: int) -> list[Link]:
    """The pairs that are drawn: all, or of many those of the likeliest state, a pair for each house of κ."""
    pairs = [Link(*pair) for pair in own.neighbours]
    if len(pairs) <= MANY:
        return pairs
    law, _ = shown_law(own, line)
    likeliest = int(np.argmax(np.where(own.possible, law, -1.0)))
    chosen = {pair.house: pair for pair in pairs}
    chosen |= {pair.house: pair for pair in pairs if likeliest in (pair.state, pair.other)}
    return [chosen[house] for house in sorted(chosen)]


def map_links(own: ModelStep, line: int, states: Ints) -> Iterator[Trace]:
    """The arcs of each house, and their numbers once κ is known; `states` says which state lies in which "
    "cell."""
    place = np.argsort(states.ravel())  # where each state lies
    at = np.column_stack([place % states.shape[1], place // states.shape[1]]).astype(float)
    drawn = links(own, line)
    for house in sorted({link.house for link in drawn}):
        arcs = [_arc(at[link.state], at[link.other]) for link in drawn if link.house == house]
        yield _lines(house, arcs)
        if line >= PROTECTED:
            ends = [(link.state, link.other) for link in drawn if link.house == house]
            yield _numbers(house, arcs, ends, house_count(own))


def _arc(start: Floats, end: Floats) -> Floats:
    """(POINTS, 2) from one cell to another, bent to one side so that arcs along a row lie apart."""
    t = np.linspace(0, 1, POINTS)[:, None]
    along = end - start
    side = np.array([along[1], -along[0]])
    side = side if (side[1], side[0]) > (0, 0) else -side
    return np.asarray(start + t * along + 4 * BEND * t * (1 - t) * side)


def _lines(house: int, arcs: Sequence[Floats]) -> Trace:
    """All arcs of a house in one trace: a gap after each."""
    gap = np.full((1, 2), np.nan)
    points = np.concatenate([part for arc in arcs for part in (arc, gap)])
    return {
        "type": "scatter",
        "x": points[:, 0],
        "y": points[:, 1],
        "mode": "lines",
        "line": {"color": house_colour(house), "width": 3},
        "name": f"House {house}",
        "hoverinfo": "skip",
        "showlegend": False,
    }


def _numbers(house: int, arcs: Sequence[Floats], ends: Sequence[tuple[int, int]], houses: int) -> Trace:
    """The house's number in the middle of its arcs."""
    middle = np.array([arc[POINTS // 2] for arc in arcs])
    return {
        "type": "scatter",
        "x": middle[:, 0],
        "y": middle[:, 1],
        "mode": "markers+text",
        "text": [f"<b>{house}</b>"] * len(arcs),
        "marker": {"size": 15, "color": house_colour(house)},
        "textfont": {"color": style.WHITE, "size": 10},
        "hovertext": [f"{state_label(i, houses)} – {state_label(j, houses)}: house {house}" for i, j in ends],
        "hoverinfo": "text",
        "showlegend": False,
    }
