"""What a rate costs and what it gives away, side by side: the two small pictures at the top of Explore.

Both axes stand still while ε moves. Cost spans a thousandfold and more, so its dots lie on a logarithmic axis
of whole powers of ten; exposure is a share. Pale is what stood there before the last change.
"""

from collections.abc import Mapping
from math import ceil, floor, log10

from rtp.core.formatting import percent
from rtp.core.stats import Range
from rtp.figures import style
from rtp.figures.daytime import panel_title
from rtp.figures.style import GREY, Picture, Spec, Trace
from rtp.figures.theme import STRONG
from rtp.mechanisms import FEATURED, UNPROTECTED, YARDSTICK
from rtp.metrics import ERROR_DIGITS
from rtp.simulation import Day
from rtp.teaching.exposure import Exposure

HEIGHT, ROW = 120, 17  # pixels; of more rates than four each has a row, whose name is written
_ROOM: Spec = {"l": 62, "r": 46, "t": 26, "b": 24}
_BEFORE: Spec = {"symbol": "line-ns", "size": 13, "line": {"width": 2.5, "color": style.rgba(GREY, 0.6)}}
LEAST, MOST = 1 / 30, 100.0  # of the naive error at ε = 1: from ε = 10 with a filter to ε = 0.01
EMPTY = 1e-4  # percent: the axis of a street without any error


def cost_figure(day: Day, cost: Mapping[str, Range], before: Mapping[str, Range] | None = None) -> Picture:
    """The RMSRE of each rate, a dot in the range of 95 % of days."""
    naive = 100 * day.release[YARDSTICK].expected_error
    unit = max(naive * day.scenario.epsilon, EMPTY)
    low, high = floor(log10(LEAST * unit)), ceil(log10(MOST * unit))
    traces: list[Trace] = []
    for name, own in cost.items():
        row, colour = style.short(name), style.mark(name).colour
        value, *ends = (max(100 * each, 10.0**low) for each in own)
        if before and name in before:
            at = max(100 * before[name].value, 10.0**low)
            traces.append(style.points([at], [row], f"{row} before", _BEFORE))
        spread = style.line(ends, [row, row], row, style.Mark(style.rgba(colour, 0.35)), width=9)
        mean, least, most = (percent(each, ERROR_DIGITS) for each in own)
        hover = f"{mean}; 95 % of days {least} to {most}"
        dot = style.labels([value], [row], [f"    {percent(own.value, ERROR_DIGITS)}"], [hover], _dot(colour))
        traces += [spread, dot | {"textposition": "middle right", "cliponaxis": False}]
    ticks = list(range(low, high + 1))
    axis: Spec = {
        "type": "log",
        "range": [low, high],
        "tickvals": [10.0**tick for tick in ticks],
        "ticktext": [percent(10.0**tick / 100) for tick in ticks],
        "showgrid": True,
    }
    said = ", ".join(f"{style.short(name)} {percent(own.value, ERROR_DIGITS)}" for name, own in cost.items())
    return _small("Cost: RMSRE in a typical step", traces, axis, f"RMSRE in a typical step: {said}.")


def exposure_figure(found: Exposure, before: Exposure | None = None) -> Picture:
    """How often the observer is right by habits, from the private rate, from the optimal rate."""
    rows = {
        "habits": (found.habits, before and before.habits, style.EXPECTED.colour),
        style.short(FEATURED): (found.private, before and before.private, style.mark(FEATURED).colour),
        style.short(UNPROTECTED): (found.optimal, before and before.optimal, style.mark(UNPROTECTED).colour),
    }
    traces: list[Trace] = []
    for row, (own, earlier, colour) in rows.items():
        value, low, high = (100 * each for each in own)
        bar = style.bars([value], [row], row, style.rgba(colour, 0.8), hover=f"{low:.1f} to {high:.1f} %")
        ends = {"array": [high - value], "arrayminus": [value - low]}
        either: Spec = {"type": "data", "symmetric": False, "thickness": 1.5, "color": STRONG} | ends
        traces.append(
            bar
            | {"orientation": "h", "width": 0.62, "error_x": either}
            | {"text": [f"   {percent(own.value, 2)}"], "textposition": "outside", "cliponaxis": False}
            | {"constraintext": "none"}  # or it is set smaller than all other text
        )
        if earlier:
            traces.append(style.points([100 * earlier.value], [row], f"{row} before", _BEFORE))
    ticks = [0, 25, 50, 75, 100]
    axis: Spec = {"range": [0, 100], "tickvals": ticks, "ticktext": [f"{tick} %" for tick in ticks]}
    said = ", ".join(f"{row} {percent(own.value, 2)}" for row, (own, *_) in rows.items())
    houses = "one house alone" if found.street.households == 1 else "two such houses"
    title = f"Exposure: observer right ({houses})"
    return _small(title, traces, axis, f"The observer is right: {said}.")


def _dot(colour: str) -> Spec:
    return {"color": colour, "size": 11}


def _small(title: str, traces: list[Trace], axis: Spec, words: str) -> Picture:
    rows = list(dict.fromkeys(row for trace in traces for row in trace["y"]))
    own: Spec = {
        "margin": _ROOM,
        "showlegend": False,
        "hovermode": "closest",
        "xaxis": axis,
        "yaxis": {
            "range": [len(rows) - 0.5, -0.5],
            "autorange": False,
            "type": "category",
            "tickvals": rows,  # or some are left out where there are many
            "automargin": False,
        },
        "annotations": [panel_title(title, 1.0) | {"xshift": -_ROOM["l"] + 6}],
    }
    height = max(HEIGHT, _ROOM["t"] + ROW * len(rows) + _ROOM["b"])
    return Picture(traces, style.layout(height, own), words)
