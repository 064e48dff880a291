"""A chart of lines and points as SVG: for paper, where nothing can be pointed at and plotly's script is four
megabytes too many."""

import html
from collections.abc import Iterator, Sequence
from math import ceil, floor, log10
from typing import NamedTuple

import numpy as np

from rtp.core.formatting import plain
from rtp.core.types import Floats
from rtp.figures import style
from rtp.figures.style import Diagram, Picture, Spec, Trace

_WIDTH, _HIGH, _LEFT, _RIGHT, _TOP, _ROW = 760, 240, 62, 12, 10, 18
_INK, _GRID = "#1b2430", "#d5dbe3"
_DASHES = {"dot": "2 4", "dash": "7 4", "dashdot": "7 3 2 3", "longdash": "10 4"}
_TICKS = 6  # about so many, where a chart says none
_STAR = "0,-9 2.6,-3 9,-3 4,1.5 6,8.5 0,4.5 -6,8.5 -4,1.5 -9,-3 -2.6,-3"


class _Axis(NamedTuple):
    """What lies where between 0 and 1."""

    low: float
    high: float
    log: bool
    ticks: dict[float, str]
    title: str

    def place(self, values: Floats) -> Floats:
        shown = np.log10(np.maximum(values, 1e-300)) if self.log else values
        return np.clip((shown - self.low) / (self.high - self.low), 0.0, 1.0)


def diagram(picture: Picture) -> Diagram:
    """The chart's lines and points, its axes, and who is who beneath them."""
    drawn = [trace for trace in picture.traces if trace["type"] == "scatter"]
    across, up = (_axis(picture.layout.get(f"{name}axis", {}), drawn, name) for name in "xy")
    named = [trace for trace in drawn if trace.get("name") and _of_its_own(trace)]
    rows = ceil(len(named) / 3)
    parts = [*_frame(across, up)]
    for trace in drawn:
        parts += _trace(trace, across, up)
    foot = _TOP + _HIGH + 3 * _ROW
    for number, trace in enumerate(named):
        x, y = _LEFT + number % 3 * (_WIDTH - _LEFT) / 3, foot + number // 3 * _ROW
        parts.append(_key(trace, x, y))
        parts.append(_text(x + 34, y + 4, str(trace["name"])))
    return Diagram(style.svg(_WIDTH, foot + rows * _ROW, parts), picture.words)


def _of_its_own(trace: Trace) -> bool:
    """Whether it is a line, or a mark that lies on none."""
    return "lines" in trace.get("mode", "lines") or trace["marker"].get("symbol") is not None


def _axis(spec: Spec, traces: Sequence[Trace], name: str) -> _Axis:
    log, title = spec.get("type") == "log", spec.get("title", {})
    words = title if isinstance(title, str) else str(title.get("text", ""))
    if "range" in spec:
        low, high = spec["range"]
    else:
        values = np.concatenate([np.asarray(trace[name], dtype=float) for trace in traces])
        low, high = float(values.min()), float(values.max())
        margin = 0.05 * (high - low) if name == "y" else 0.0
        low, high = low - margin, high + margin
    if "tickvals" in spec:
        ticks = dict(zip(map(float, spec["tickvals"]), map(str, spec["ticktext"]), strict=True))
    else:
        step = _round((high - low) / _TICKS)
        every = np.arange(ceil(low / step), floor(high / step) + 1) * step
        ticks = {float(value): plain(float(value)) for value in every}
    return _Axis(low, high, log, ticks, words)


def _round(step: float) -> float:
    """The next larger of 1, 2, 3, 4, 5 and 10 times a power of ten."""
    power = 10.0 ** floor(log10(step))
    return float(next(n * power for n in (1, 2, 3, 4, 5, 10) if n * power >= step * (1 - 1e-9)))


def _frame(across: _Axis, up: _Axis) -> Iterator[str]:
    """Grid, ticks and titles."""
    bottom, right = _TOP + _HIGH, _WIDTH - _RIGHT
    yield f'<path d="M{_LEFT} {_TOP}V{bottom}H{right}" fill="none" stroke="{_INK}" stroke-width="1"/>'
    for value, words in across.ticks.items():
        (x,), _ = _points([value], [0.0], across, up)
        yield f'<path d="M{x:.1f} {_TOP}V{bottom}" stroke="{_GRID}"/>'
        yield _text(x, bottom + _ROW, words, "middle")
    for value, words in up.ticks.items():
        _, (y,) = _points([1.0], [value], across, up)
        yield f'<path d="M{_LEFT} {y:.1f}H{right}" stroke="{_GRID}"/>'
        yield _text(_LEFT - 6, y + 4, words, "end")
    yield _text((_LEFT + right) / 2, bottom + 2 * _ROW, across.title, "middle")
    if up.title:
        turned = f'transform="translate(13 {(_TOP + bottom) / 2:g}) rotate(-90)"'
        yield f"<g {turned}>{_text(0, 0, up.title, 'middle')}</g>"


def _points(x: Sequence[float], y: Sequence[float], across: _Axis, up: _Axis) -> tuple[Floats, Floats]:
    wide = _WIDTH - _LEFT - _RIGHT
    places = across.place(np.asarray(x, dtype=float)), up.place(np.asarray(y, dtype=float))
    return _LEFT + wide * places[0], _TOP + _HIGH * (1 - places[1])


def _trace(trace: Trace, across: _Axis, up: _Axis) -> Iterator[str]:
    x, y = _points(trace["x"], trace["y"], across, up)
    opacity = trace.get("opacity", 1.0)
    if "lines" in trace.get("mode", "lines"):
        if trace["line"].get("shape") == "hv":
            x, y = np.repeat(x, 2)[1:], np.repeat(y, 2)[:-1]
        points = " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(x, y, strict=True))
        yield f'<polyline points="{points}" fill="none" {_stroke(trace)} opacity="{opacity:g}"/>'
    else:
        for a, b in zip(x, y, strict=True):
            yield _mark(trace, float(a), float(b))


def _stroke(trace: Trace) -> str:
    line = trace["line"]
    dash = _DASHES.get(line.get("dash", "solid"))
    dashes = "" if dash is None else f' stroke-dasharray="{dash}"'
    return f'stroke="{line["color"]}" stroke-width="{line.get("width", 2):g}"{dashes}'


def _mark(trace: Trace, x: float, y: float) -> str:
    marker = trace["marker"]
    if marker.get("symbol") == "star":
        return f'<polygon points="{_STAR}" transform="translate({x:.1f} {y:.1f})" fill="{marker["color"]}"/>'
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{marker["size"] / 2:g}" fill="{marker["color"]}"/>'


def _key(trace: Trace, x: float, y: float) -> str:
    if "lines" in trace.get("mode", "lines"):
        return f'<path d="M{x:g} {y:g}h26" fill="none" {_stroke(trace)}/>'
    return _mark(trace, x + 13, y)


def _text(x: float, y: float, words: str, anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" fill="{_INK}" text-anchor="{anchor}">{html.escape(words)}</text>'
