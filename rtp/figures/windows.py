"""Lit windows: who is in, and what an observer believes from two rates, on the same houses through one day.

Three rows of the same houses. Above, the truth: a window is lit, amber, while somebody is in. Beneath, what
she believes from the optimal rate, and from the private one: the brighter a window, the likelier she holds it
that somebody is in. A window has a ring where she is wrong: lit, and she thinks it dark, or the other way
round. What is exactly even is no error.

The day is played in the browser: `Picture.frames` has one frame for each step, with a sentence, what changes
and nothing else, beliefs in whole percents. On a phone the browser breaks the lines anew, as the layout says
under `phone`: twenty to a line would be slits there. A ring is the cell of a map that lies behind the windows
and has narrower gaps, so that rings and windows keep their sizes to each other on every screen.
"""

from collections.abc import Mapping, Sequence
from math import ceil
from typing import NamedTuple

import numpy as np

from rtp.core.stats import right_guesses
from rtp.core.types import Bools, Floats, Ints
from rtp.figures import daytime, style
from rtp.figures.style import Picture, Spec, Trace

DARK, LIT = "#263248", "#e3a008"  # a window; with somebody in
# Belief in percent: as steps of lightness, the largest where it turns from one side of even to the other.
BELIEF_SCALE = ((0.0, DARK), (0.4, "#4b5669"), (0.6, "#949aa2"), (1.0, "#fffbea"))
RING, CHOSEN = "#e0527a", "#ffffff"  # around a window where she is wrong; around the house one looks at
WALL = "#10192a"
IN_A_LINE, FEWEST = 20, 10  # windows in a line; as wide as if they were so many, where they are fewer
_LINE, _ABOVE = 42, 32  # pixels of a line of windows, and above a row of them
PHONE, _PHONE_LINE = 10, 34  # windows in a line there, and its pixels
_GAP, _RIM = 7, 2  # between windows, and between their rings


Scale = Sequence[tuple[float, str]]  # from 0 to 1, a colour at each of some shares


class Believed(NamedTuple):
    """What she holds of the houses, and from which rate."""

    title: str  # what stands behind a dot is how to read it
    belief: Floats  # (T, n) Pr[occupied]


def windows_figure(
    houses: Mapping[int, str],
    title: str,
    occupied: Bools,
    believed: Sequence[Believed],
    times: Sequence[str],
    sentences: Sequence[str],
    step: int = 0,
    chosen: int | None = None,
) -> Picture:
    """The houses, by number and name, as windows, (T, n) occupied, at a step, with a frame for every other,
    and a sentence for each; a click on a window says its house's number, and the `chosen` one has a frame.
    `title` is that of the truth."""
    titles = [title, *(each.title for each in believed)]
    place = [*houses].index(chosen) if chosen is not None and chosen in houses else None
    percents = [np.rint(100 * each.belief).astype(int) for each in believed]
    rings = [wrong(each.belief, occupied) for each in believed]
    frames: list[Spec] = [
        {
            "name": time,
            "words": sentences[t],
            "data": [
                {"z": _grid(occupied[t])},
                *({"z": _grid(each[t])} for row in zip(rings, percents, strict=True) for each in row),
            ],
        }
        for t, time in enumerate(times)
    ]
    truth = _map(0, ((0.0, DARK), (1.0, LIT)), 1, _GAP) | _said(houses, "")
    still = [truth, *(trace for row in range(1, len(titles)) for trace in _row(houses, row))]
    traces = [trace | shown for trace, shown in zip(still, frames[step]["data"], strict=True)]
    wide, narrow = (
        _panels(titles, len(houses), place, *line) for line in ((IN_A_LINE, _LINE), (PHONE, _PHONE_LINE))
    )
    fixed: Spec = {
        "margin": {"l": style.EDGE, "r": style.EDGE, "t": 0, "b": style.EDGE},
        "hovermode": "closest",
        "showlegend": False,
        "meta": {"frame": step, "phone": {"across": PHONE, "layout": narrow}},
    }
    layout = style.layout(wide["height"], fixed, wide)
    return Picture(traces, layout, _words(occupied, rings, believed, times, sentences[step]), frames)


def wrong(belief: Floats, occupied: Bools) -> Bools:
    """Where a belief is on the wrong side of even."""
    return np.asarray(right_guesses(belief, occupied) == 0)


def _grid(values: Ints | Bools | Sequence[int]) -> list[list[int | None]]:
    """Line by line, the last one filled up with nothing."""
    told = [int(value) for value in values]
    lines: list[list[int | None]] = [
        [*told[start : start + IN_A_LINE]] for start in range(0, len(told), IN_A_LINE)
    ]
    short = [None] * (len(lines[0]) - len(lines[-1]))
    return [*lines[:-1], [*lines[-1], *short]]


def _row(houses: Mapping[int, str], row: int) -> tuple[Trace, Trace]:
    """Her belief, and behind it the rings."""
    windows = _map(row, BELIEF_SCALE, 100, _GAP) | _said(houses, ", believed to be in: %{z} %")
    rings = _map(row, ((0.0, WALL), (1.0, RING)), 1, _RIM)
    return rings | {"name": f"rings {row}", "hoverinfo": "skip"}, windows


def _map(row: int, scale: Scale, most: int, gap: int) -> Trace:
    """Cells in these colours, with gaps between them."""
    return {
        "type": "heatmap",
        "name": f"windows {row}",
        "yaxis": _axis(row),
        "colorscale": [[*stop] for stop in scale],
        "zmin": 0,
        "zmax": most,
        "showscale": False,
        "xgap": gap,
        "ygap": gap,
    }


def _said(houses: Mapping[int, str], words: str) -> Spec:
    lines = _grid([*houses])
    known = [[None if house is None else [house, houses[house]] for house in line] for line in lines]
    return {"customdata": known, "hovertemplate": f"%{{customdata[1]}}{words}<extra></extra>"}


def _axis(row: int) -> str:
    return f"y{row + 1}" if row else "y"


def _panels(titles: Sequence[str], houses: int, chosen: int | None, most: int, line: int) -> Spec:
    """Rows one above the other, in lines of at most so many windows and so many pixels, each on a wall of its
    own, beneath its title; around the window at the place that was chosen a frame, in every row."""
    count, lines, across = len(titles), ceil(houses / most), min(houses, most)
    tall = lines * line + _ABOVE
    fixed: Spec = {"visible": False, "fixedrange": True, "anchor": "x"}
    spec: Spec = {
        "height": count * tall,
        "xaxis": fixed | {"range": [-0.5, max(across, FEWEST) - 0.5], "anchor": "y"},
        "shapes": [],
        "annotations": [],
    }
    for row, title in enumerate(titles):
        domain = [(count - 1 - row) / count, 1 - (row * tall + _ABOVE) / (count * tall)]
        spec[f"yaxis{row + 1 if row else ''}"] = fixed | {"range": [lines - 0.5, -0.5], "domain": domain}
        spec["annotations"].append(daytime.panel_title(title, 1) | {"yref": f"{_axis(row)} domain"})
        ends: Spec = {"x0": -0.5, "x1": across - 0.5, "y0": lines - 0.5, "y1": -0.5, "yref": _axis(row)}
        wall: Spec = {"type": "rect", "fillcolor": WALL, "line": {"width": 0}, "layer": "below"}
        spec["shapes"].append(wall | ends)
    if chosen is not None:
        y, x = divmod(chosen, most)
        ends = {"x0": x - 0.47, "x1": x + 0.47, "y0": y - 0.45, "y1": y + 0.45}
        frame: Spec = {"type": "rect", "line": {"color": CHOSEN, "width": 3}}
        spec["shapes"] += [frame | ends | {"yref": _axis(row)} for row in range(count)]
    return spec


def _words(
    occupied: Bools, rings: Sequence[Bools], believed: Sequence[Believed], times: Sequence[str], sentence: str
) -> str:
    """The sentence of the moment shown, and what the rows hold over the day."""
    said = "; ".join(
        f"{each.title.partition(' · ')[0]}: {ring.sum(axis=1).mean():.1f} wrong"
        for each, ring in zip(believed, rings, strict=True)
    )
    return (
        f"{occupied.shape[1]} houses as windows, in three rows: who is in, and what is believed. {sentence} "
        f"On average from {times[0]} to {times[-1]} somebody is in at "
        f"{occupied.sum(axis=1).mean():.1f} of them. {said}."
    )
