"""The price of privacy: error over budget, for every mechanism."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from rtp.core.formatting import percent
from rtp.core.stats import LEVEL_WORDS
from rtp.core.types import Floats
from rtp.figures import style
from rtp.figures.picture import Picture
from rtp.figures.style import Mark, PinMark, Trace
from rtp.mechanisms import FEATURED, REGISTRY
from rtp.metrics import ERROR_AXIS
from rtp.tradeoff import Curve, Line

HEIGHT = 460
BAND_OPACITY = 0.14
LEVEL_WIDTH = 1.5  # of the straight lines: thinner than a curve


class PinnedCurve(NamedTuple):
    curve: Curve
    epsilon: float  # where the pinned scenario stands on it


NO_PINS: Mapping[PinMark, PinnedCurve] = MappingProxyType({})


def curve_figure(
    curve: Curve,
    epsilon: float,
    log: bool,
    target: float | None = None,
    right: Curve | None = None,
    pins: Mapping[PinMark, PinnedCurve] = NO_PINS,
) -> Picture:
    """The error, in percent, over ε with one-day bands; `target`, a percentage, is a level across.

    `right`, dotted: filter and forecast with the true model. `pins`, dotted in their colours: the featured
    mechanism of a pinned scenario, with a diamond where it stands.
    """
    shown = _percents(curve)
    traces = [*_bands(curve.epsilons, shown), *(_dotted(right) if right is not None else ())]
    for name, line in shown.items():
        traces.append(_line(curve.epsilons, line, name, style.label(name), style.mark(name).dash))
    for pin, other in pins.items():
        traces += _pinned(pin, other)
    drawn = np.concatenate([[*line.expected, *line.low] for line in shown.values()])
    drawn = drawn[np.isfinite(drawn) & (drawn > 0)]
    if drawn.size:
        now, ends = f"ε = {epsilon:g} now", [drawn.min(), drawn.max()]
        traces.append(style.line([epsilon, epsilon], ends, now, Mark(style.GREY), width=LEVEL_WIDTH))
    if target is not None:
        accepted, mark = f"accepted {percent(target / 100)}", Mark(style.GREY, "dash")
        ends = curve.epsilons[[0, -1]].tolist()
        traces.append(style.line(ends, [target, target], accepted, mark, width=LEVEL_WIDTH))
    kind = {"type": "log", "dtick": 1} if log else {"type": "linear"}
    titles = style.axes("ε — privacy budget per step", ERROR_AXIS)
    layout = style.layout(HEIGHT, titles, {"xaxis": kind, "yaxis": kind | style.PERCENT_TICKS})
    return Picture(traces, layout, _words(curve, epsilon, pins))


def _percents(curve: Curve) -> dict[str, Line]:
    return {name: line.times(100.0) for name, line in curve.typical.items()}


def _bands(epsilons: Floats, lines: Mapping[str, Line]) -> Iterator[Trace]:
    """The range of single days, where it is one and can be drawn on a logarithmic axis."""
    for name, line in lines.items():
        if np.all(line.low > 0) and np.all(np.isfinite(line.high)) and np.any(line.high > line.low):
            colour = style.mark(name).colour
            yield style.band(epsilons, line.low, line.high, colour, BAND_OPACITY) | {"legendgroup": name}


def _pinned(pin: PinMark, other: PinnedCurve) -> Iterator[Trace]:
    line, x = _percents(other.curve)[FEATURED], other.curve.epsilons
    drawn = style.pinned(_line(x, line, FEATURED, style.label(FEATURED), style.PINNED_DASH), pin)
    at = int(np.argmin(np.abs(x - other.epsilon)))
    sizes = np.where(np.arange(len(x)) == at, 12, 4)
    symbols = np.where(sizes > 4, "diamond", "circle")
    yield style.pin_legend(pin)
    yield drawn | {"marker": {"size": sizes, "symbol": symbols, "color": pin.colour}}


def _dotted(right: Curve) -> Iterator[Trace]:
    """Those whose publisher believes a model, were it the true one."""
    for name, line in _percents(right).items():
        if REGISTRY[name].publisher is not None:
            yield _line(right.epsilons, line, name, f"{style.label(name)}, true model", style.PINNED_DASH)


def _line(x: Floats, line: Line, name: str, words: str, dash: str) -> Trace:
    y = np.where(np.isfinite(line.expected), line.expected, np.nan)
    value, low, high = (style.percent_hover(of) for of in ("y", "customdata[0]", "customdata[1]"))
    hover = f"{value} ({low} to {high})"
    return style.line(x, y, words, Mark(style.mark(name).colour, dash), hover=hover) | {
        "mode": "lines+markers",
        "marker": {"size": 6},
        "legendgroup": name,
        "customdata": np.column_stack([line.low, line.high]),
    }


def _words(curve: Curve, epsilon: float, pins: Mapping[PinMark, PinnedCurve]) -> str:
    at = int(np.argmin(np.abs(curve.epsilons - epsilon)))
    errors = ", ".join(f"{style.label(n)} {percent(line.expected[at])}" for n, line in curve.typical.items())
    return (
        f"Expected error over ε from {curve.epsilons[0]:g} to {curve.epsilons[-1]:g}, with the range of "
        f"{LEVEL_WORDS} of {curve.days} days. At ε = {curve.epsilons[at]:g}: {errors}."
        + (f" Dotted: {style.label(FEATURED)} of {', '.join(pin.name for pin in pins)}." if pins else "")
    )
