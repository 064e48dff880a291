"""Maps of what if: lines with intervals over one field, or a heat map over two, whose points can be clicked.

What is accepted and what is hidden is outlined on either.
"""

from typing import NamedTuple

import numpy as np

from rtp.core.formatting import plain
from rtp.core.types import Floats
from rtp.exposure import HIDDEN
from rtp.figures import style
from rtp.figures.style import Mark, Picture, Spec, Trace
from rtp.mechanisms import REGISTRY, UNPROTECTED
from rtp.sweep.measures import ERROR, EXPOSED, shown_unit
from rtp.sweep.whatif import LOG_FROM, Map

_HEIGHT = 400
TICKS = 8  # of a map's axis at most
_COLOURS, _DOT_EDGE = "Viridis", "#0e151c"


class Limits(NamedTuple):
    """What is outlined, in percent: the error that is accepted, if one is, and up to where a secret is
    hidden."""

    accepted: float | None = None
    hidden: float = 100 * HIDDEN

    def of(self, measure: str) -> float | None:
        """The one that a measure has."""
        return self.accepted if measure == ERROR else self.hidden if measure in EXPOSED else None


HIDES_ONLY = Limits()


def lines_figure(sweep: Map, measure: str, limits: Limits = HIDES_ONLY) -> Picture:
    """One field against one measure, for every mechanism."""
    ((address, words),) = sweep.words().items()
    axis = sweep.axis(address)
    points, shown = sorted(sweep.parts), sweep.shown(measure)
    traces: list[Trace] = []
    for m, name in enumerate(REGISTRY):
        mean = np.array([shown[p][0][m] for p in points])
        if name == UNPROTECTED and not mean.any():  # it has no error, no noise and costs nothing
            continue
        half = [shown[p][1][m] for p in points]
        hover = _estimate("y", "customdata[1]", measure)
        x, mark = [axis[p] for p in points], style.mark(name)
        line = style.line(x, style.finite(mean), style.label(name), mark, hover=hover)
        line |= {"mode": "lines+markers", "error_y": {"array": half, "thickness": 1.2, "width": 3}}
        traces.append(line | {"customdata": [list(pair) for pair in zip(points, half, strict=True)]})
    if (limit := limits.of(measure)) is not None:
        traces.append(style.level([axis[0], axis[-1]], limit, _outlined(measure), Mark(style.GREY, "dash")))
    layout = style.layout(
        _HEIGHT,
        style.axes(words, sweep.measures()[measure]),
        {"xaxis": _ticks(axis), "yaxis": _unit_ticks(measure)},
    )
    return Picture(traces, layout, _words(sweep, measure))


def _outlined(measure: str) -> str:
    return "accepted" if measure == ERROR else "hidden"


def _estimate(mean: str, half: str, measure: str) -> str:
    """A mean and its interval, as plotly's template."""
    return f"%{{{mean}:,.4~r}} ± %{{{half}:,.2~r}}{shown_unit(measure)}"


def _unit_ticks(measure: str) -> Spec:
    return style.PERCENT_TICKS if shown_unit(measure) else {}


def _ticks(axis: list[float]) -> Spec:
    far = axis[0] > 0 and axis[-1] / axis[0] >= LOG_FROM
    ticks = axis[:: -(-len(axis) // TICKS)]
    return {
        "type": "log" if far else "linear",
        "tickvals": ticks,
        "ticktext": [plain(value) for value in ticks],
        "hoverformat": ",.4~r",
    }


def _words(sweep: Map, measure: str) -> str:
    return f"{sweep.measures()[measure]} over {' and '.join(sweep.words().values())}."


def heat_figure(sweep: Map, measure: str, mechanism: str, limits: Limits = HIDES_ONLY) -> Picture:
    """Two fields against one measure of one mechanism; the dots are there to be clicked. Outlined is where an
    error is accepted and where a secret is hidden, whichever of them is shown."""
    (columns, across), (rows, up) = sweep.words().items()
    names = [[plain(value, 4) for value in sweep.axis(address)] for address in (columns, rows)]
    traces = [_cells(sweep, measure, mechanism, names)]
    outlined = {each: limits.of(each) for each in sweep.measures()}
    traces += [
        _outline(sweep, each, mechanism, names, limit)
        for each, limit in outlined.items()
        if limit is not None
    ]
    traces.append(_dots(sweep, measure, mechanism, names))
    category = {"type": "category", "showgrid": False}
    layout = style.layout(
        _HEIGHT,
        style.axes(across, up),
        {"hovermode": "closest", "margin": {"t": 16}, "xaxis": category, "yaxis": category},
    )
    return Picture(traces, layout, _words(sweep, measure))


def _cells(sweep: Map, measure: str, mechanism: str, names: list[list[str]]) -> Trace:
    """The mean at every point computed so far."""
    return {
        "type": "heatmap",
        "x": names[0],
        "y": names[1],
        "z": style.finite(_table(sweep, measure, mechanism, names)).T,
        "colorscale": _COLOURS,
        "hoverinfo": "skip",
        "colorbar": {"title": {"text": sweep.measures()[measure], "side": "right"}, "thickness": 14}
        | _unit_ticks(measure),
    }


def _table(sweep: Map, measure: str, mechanism: str, names: list[list[str]]) -> Floats:
    """Means, (columns, rows); not a number where a point is still to come."""
    m = list(REGISTRY).index(mechanism)
    table = np.full((len(names[0]), len(names[1])), np.nan)
    for point, (mean, _) in sweep.shown(measure).items():
        table[np.unravel_index(point, table.shape)] = mean[m]
    return table


def _outline(sweep: Map, measure: str, mechanism: str, names: list[list[str]], limit: float) -> Trace:
    """A line along a limit: solid around what is accepted, dashed around what is hidden."""
    return {
        "type": "contour",
        "x": names[0],
        "y": names[1],
        "z": style.finite(_table(sweep, measure, mechanism, names)).T,
        "contours": {"start": limit, "end": limit, "size": 1, "coloring": "none"},
        "line": {"color": style.WHITE, "width": 3, "dash": "solid" if measure == ERROR else "dash"},
        "showscale": False,
        "showlegend": False,
        "hoverinfo": "skip",
        "name": _outlined(measure),
    }


def _dots(sweep: Map, measure: str, mechanism: str, names: list[list[str]]) -> Trace:
    """A dot in each cell that knows its point: heat map cells cannot be clicked."""
    m, shown = list(REGISTRY).index(mechanism), sweep.shown(measure)
    points = sorted(sweep.parts)
    column, row = np.unravel_index(points, (len(names[0]), len(names[1])))
    x, y = [names[0][i] for i in column], [names[1][j] for j in row]
    dot = {"size": 11, "color": style.WHITE, "line": {"color": _DOT_EDGE, "width": 1.5}}
    hover = _estimate("customdata[1]", "customdata[2]", measure) + ", %{customdata[3]} days<extra></extra>"
    return style.points(x, y, "", dot, hover=hover) | {
        "customdata": [[p, shown[p][0][m], shown[p][1][m], sweep.parts[p].days] for p in points],
        "showlegend": False,
    }
