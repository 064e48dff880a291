"""The price of privacy: error over budget, for every mechanism.

What privacy does to bills: the picture a tariff analyst draws.
"""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from rtp.core.formatting import percent
from rtp.core.stats import LEVEL_WORDS
from rtp.core.types import Floats
from rtp.figures import style
from rtp.figures.picture import Picture
from rtp.figures.style import LEVEL_WIDTH, Mark, PinMark, Trace
from rtp.mechanisms import FEATURED, REGISTRY
from rtp.metrics import ERROR_AXIS
from rtp.money.summary import Summary
from rtp.scenario import Scenario
from rtp.scenario.units import amount, titled
from rtp.tradeoff import Curve, Line

HEIGHT = 460
BAND_OPACITY = 0.14


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
    return Picture(traces, layout, _curve_words(curve, epsilon, pins))


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
        if REGISTRY[name].postprocess is not None:
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


def _curve_words(curve: Curve, epsilon: float, pins: Mapping[PinMark, PinnedCurve]) -> str:
    at = int(np.argmin(np.abs(curve.epsilons - epsilon)))
    errors = ", ".join(f"{style.label(n)} {percent(line.expected[at])}" for n, line in curve.typical.items())
    return (
        f"Expected error over ε from {curve.epsilons[0]:g} to {curve.epsilons[-1]:g}, with the range of "
        f"{LEVEL_WORDS} of {curve.days} days. At ε = {curve.epsilons[at]:g}: {errors}."
        + (f" Dotted: {style.label(FEATURED)} of {', '.join(pin.name for pin in pins)}." if pins else "")
    )


CHANGE_HEIGHT = 380
BINS = 40


def change_figure(found: Summary, mechanism: str, span: str, scenario: Scenario) -> Picture:
    """Share of households by the change of their bill: one day's or span's bars, and others' as a line."""
    today, others = found.changes, found.other_changes
    edges = np.linspace(*_ends(today, others), BINS + 1)
    middles, colour = (edges[1:] + edges[:-1]) / 2, style.mark(mechanism).colour
    bars = {
        "type": "bar",
        "x": middles,
        "y": _share(today, edges),
        "width": np.diff(edges),
        "name": f"This day, all {len(today):,} households"
        if found.own
        else f"One of them, {len(today):,} households",
        "marker": {"color": style.rgba(colour, 0.55), "line": {"color": colour, "width": 1}},
        "hovertemplate": "%{y:.1%}",
    }
    name = f"{found.runs} independent {'days' if found.own else 'spans of days'}"
    line = style.line(middles, _share(others, edges), name, style.EXPECTED, hover="%{y:.1%}", shape="hvh")
    layout = style.layout(
        CHANGE_HEIGHT,
        style.axes(
            titled(f"Change of a household's bill over {span}", scenario, "money"), "Share of households"
        ),
        {
            "bargap": 0,
            "xaxis": {"hoverformat": ".3g"},
            "yaxis": {"tickformat": ".0%", "rangemode": "tozero"},
        },
    )
    return Picture([bars, line], layout, _change_words(today, span, scenario))


def _change_words(today: Floats, span: str, scenario: Scenario) -> str:
    median, p95 = np.quantile(today, (0.5, 0.95))
    told = [amount(float(value), scenario) for value in (today.mean(), median, p95, today.max())]
    return (
        f"Distribution of the change of {len(today):,} bills over {span}: mean {told[0]}, median {told[1]}, "
        f"95th percentile {told[2]}, worst {told[3]}."
    )


def _ends(today: Floats, others: Floats) -> tuple[float, float]:
    low, high = np.quantile(others, (0.002, 0.998))
    low, high = min(low, today.min()), max(high, today.max())
    margin = 0.5e-9 + 0.02 * (high - low)
    return float(low - margin), float(high + margin)


def _share(values: Floats, edges: Floats) -> Floats:
    return np.histogram(values, edges)[0] / values.size
