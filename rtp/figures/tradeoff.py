"""The price of privacy: the error over the budget, what it does to bills, and maps of what if.

A map shows lines with intervals over one field, or a heat map over two; its points can be clicked.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from rtp.core.formatting import percent, plain
from rtp.core.stats import LEVEL_WORDS
from rtp.core.types import Floats
from rtp.figures import style
from rtp.figures.style import LEVEL_WIDTH, Mark, Picture, PinMark, Spec, Trace
from rtp.mechanisms import FEATURED, REGISTRY, UNPROTECTED
from rtp.money.summary import Summary
from rtp.scenario import Scenario
from rtp.scenario.units import amount, titled
from rtp.sweep.measures import MEASURES, shown_unit
from rtp.sweep.whatif import LOG_FROM, Map
from rtp.tradeoff import Curve, ErrorLine

_HEIGHT, _CHANGE_HEIGHT = 400, 380
_ABOVE = 30  # pixels above the curves, for what ε is now
_BEYOND = [0.94, 1.06]  # of the ends of the axis: half a marker
_CURVE_PIXELS = _HEIGHT - _ABOVE - 60
_BAND_OPACITY = 0.14
_BINS = 40  # of the changes of bills
TICKS = 8  # of a map's axis at most
_COLOURS, _DOT_EDGE = "Viridis", "#0e151c"


class PinnedCurve(NamedTuple):
    """The curve of a pinned scenario."""

    curve: Curve
    epsilon: float  # where the pinned scenario stands on it


def curve_figure(
    curve: Curve,
    epsilon: float,
    log: bool,
    target: float | None = None,
    pins: Mapping[PinMark, PinnedCurve] | None = None,
) -> Picture:
    """The error, in percent, over ε with one-day bands; `target`, a percentage, is a level across.

    `pins`, dotted in their colours: the featured mechanism of a pinned scenario, with a diamond where it
    stands.
    """
    shown = _percents(curve)
    traces = [*_bands(curve.epsilons, shown)]
    for name, line in shown.items():
        traces.append(_line(curve.epsilons, line, name, style.label(name), style.mark(name).dash))
    for pin, other in (pins or {}).items():
        traces += _pinned(pin, other)
    ends = [style.End(style.label(n), style.mark(n).colour, line.expected[-1]) for n, line in shown.items()]
    ends += [
        style.End(pin.name, pin.colour, 100 * other.curve.lines[FEATURED].expected[-1])
        for pin, other in (pins or {}).items()
    ]
    if target is not None:
        ends.append(style.End(f"accepted {percent(target / 100)}", style.GREY, target))
    span = _span(traces, target, log)
    traces.append(style.line([epsilon] * 2, span, "ε now", Mark(style.GREY), width=LEVEL_WIDTH))
    if target is not None:
        traces.append(style.accepted_error(curve.epsilons[[0, -1]].tolist(), target))
    place = np.log10 if log else np.array
    layout = style.layout(
        _HEIGHT,
        style.error_axes("ε per step", log),
        style.end_labels(ends, span, _CURVE_PIXELS, log=log),
        {"margin": {"t": _ABOVE}, "yaxis": {"range": place(span).tolist()}},
        {"xaxis": {"range": place(curve.epsilons[[0, -1]] * _BEYOND).tolist()}},
    )
    layout["annotations"].append(
        style.note(f"ε = {epsilon:g} now", float(place(epsilon)), 1, "auto", yref="paper")
    )
    at = int(np.argmin(np.abs(curve.epsilons - epsilon)))
    errors = ", ".join(f"{style.label(n)} {percent(line.expected[at])}" for n, line in curve.lines.items())
    words = (
        f"Expected error over ε from {curve.epsilons[0]:g} to {curve.epsilons[-1]:g}, with the range of "
        f"{LEVEL_WORDS} of {curve.days} days. At ε = {curve.epsilons[at]:g}: {errors}."
        + (f" Dotted: {style.label(FEATURED)} of {', '.join(pin.name for pin in pins)}." if pins else "")
    )
    return Picture(traces, layout, words)


def _span(traces: Sequence[Trace], target: float | None, log: bool) -> tuple[float, float]:
    """What the axis of the error shows: every curve and band, and the accepted error, whatever ε is now."""
    drawn = np.concatenate([np.asarray(trace["y"], dtype=float) for trace in traces] + [[target or np.nan]])
    drawn = drawn[np.isfinite(drawn) & (drawn > 0)]
    low, high = (float(drawn.min()), float(drawn.max())) if drawn.size else (0.1, 10.0)
    return (low / 1.3, high * 1.3) if log else (0.0, high * 1.05)


def _percents(curve: Curve) -> dict[str, ErrorLine]:
    return {name: line.times(100.0) for name, line in curve.lines.items()}


def _bands(epsilons: Floats, lines: Mapping[str, ErrorLine]) -> Iterator[Trace]:
    """The range of single days, where it is one and can be drawn on a logarithmic axis."""
    for name, line in lines.items():
        if np.all(line.low > 0) and np.all(np.isfinite(line.high)) and np.any(line.high > line.low):
            colour = style.mark(name).colour
            yield style.band(epsilons, line.low, line.high, colour, _BAND_OPACITY) | {"legendgroup": name}


def _pinned(pin: PinMark, other: PinnedCurve) -> Iterator[Trace]:
    line, x = _percents(other.curve)[FEATURED], other.curve.epsilons
    drawn = style.pinned(_line(x, line, FEATURED, style.label(FEATURED), style.PINNED_DASH), pin)
    here = np.arange(len(x)) == np.argmin(np.abs(x - other.epsilon))
    sizes, symbols = np.where(here, 12, 4), np.where(here, "diamond", "circle")
    yield style.pin_legend(pin)
    yield drawn | {"marker": {"size": sizes, "symbol": symbols, "color": pin.colour}}


def _line(x: Floats, line: ErrorLine, name: str, words: str, dash: str) -> Trace:
    value, low, high = (style.percent_hover(of) for of in ("y", "customdata[0]", "customdata[1]"))
    mark, hover = Mark(style.mark(name).colour, dash), f"{value} ({low} to {high})"
    return style.line(x, style.finite(line.expected), words, mark, hover=hover) | {
        "mode": "lines+markers",
        "marker": {"size": 6},
        "legendgroup": name,
        "customdata": np.column_stack([line.low, line.high]),
    }


def change_figure(summary: Summary, mechanism: str, span: str, scenario: Scenario) -> Picture:
    """Share of households by the change of their bill over a span, on average over many such spans."""
    spans = summary.spans
    changes, weight = spans.change, np.repeat(spans.weight, spans.count)
    edges = np.linspace(*_ends(changes), _BINS + 1)
    middles, colour = (edges[1:] + edges[:-1]) / 2, style.mark(mechanism).colour
    shares = np.histogram(changes.ravel(), edges, weights=weight)[0] / weight.sum()
    bars = style.bars(
        middles,
        100 * shares,
        style.label(mechanism),
        style.rgba(colour, 0.55),
        hover=style.percent_hover("y"),
    )
    bars["marker"]["line"] = {"color": colour, "width": 1}
    across = titled(f"Change of a household's bill over {span}", scenario, "money")
    own: Spec = {
        "bargap": 0,
        "xaxis": {"hoverformat": ".3g"},
        "yaxis": style.PERCENT_TICKS | {"rangemode": "tozero"},
        "showlegend": False,
    }
    layout = style.layout(_CHANGE_HEIGHT, style.axes(across, "Share of households"), own)
    mean, worst = (amount(of.value, scenario) for of in (summary.bills.mean, summary.bills.worst))
    words = (
        f"Distribution of the change of a household's bill over {span}, from {spans.count} repetitions: "
        f"mean {mean}, worst tenth {worst}; {percent(summary.bills.paying_more)} pay more."
    )
    return Picture([bars | {"width": np.diff(edges)}], layout, words)


def _ends(changes: Floats) -> tuple[float, float]:
    """Where the axis begins and ends: nearly all changes."""
    low, high = np.quantile(changes, (0.002, 0.998))
    margin = 0.5e-9 + 0.02 * (high - low)
    return float(low - margin), float(high + margin)


def lines_figure(sweep: Map, measure: str) -> Picture:
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
    layout = style.layout(
        _HEIGHT, style.axes(words, MEASURES[measure]), {"xaxis": _ticks(axis), "yaxis": _unit_ticks(measure)}
    )
    return Picture(traces, layout, _words(sweep, measure))


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
    return f"{MEASURES[measure]} over {' and '.join(sweep.words().values())}."


def heat_figure(sweep: Map, measure: str, mechanism: str) -> Picture:
    """Two fields against one measure of one mechanism; the dots are there to be clicked."""
    (columns, across), (rows, up) = sweep.words().items()
    names = [[plain(value, 4) for value in sweep.axis(address)] for address in (columns, rows)]
    traces = [_cells(sweep, measure, mechanism, names), _dots(sweep, measure, mechanism, names)]
    category = {"type": "category", "showgrid": False}
    layout = style.layout(
        _HEIGHT,
        style.axes(across, up),
        {"hovermode": "closest", "margin": {"t": 16}, "xaxis": category, "yaxis": category},
    )
    return Picture(traces, layout, _words(sweep, measure))


def _cells(sweep: Map, measure: str, mechanism: str, names: list[list[str]]) -> Trace:
    """The mean at every point computed so far."""
    m = list(REGISTRY).index(mechanism)
    table = np.full((len(names[0]), len(names[1])), np.nan)
    for point, (mean, _) in sweep.shown(measure).items():
        table[np.unravel_index(point, table.shape)] = mean[m]
    return {
        "type": "heatmap",
        "x": names[0],
        "y": names[1],
        "z": style.finite(table).T,
        "colorscale": _COLOURS,
        "hoverinfo": "skip",
        "colorbar": {"title": {"text": MEASURES[measure], "side": "right"}, "thickness": 14}
        | _unit_ticks(measure),
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
