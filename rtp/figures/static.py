"""Drawings as SVG by hand: a chart for paper, and the poster.

*A chart of lines and points* is for paper, where nothing can be pointed at and plotly's script is four
megabytes too many.

*The poster* is small multiples of belief over amber bands, streets down and noise across. The file that is
taken away, the picture on a screen and the one in the README are the same bytes. It brings its own light
ground.
"""

import html
from collections.abc import Iterable, Iterator, Sequence
from math import ceil, floor, log10
from typing import NamedTuple

import numpy as np

from rtp.core.formatting import percent, plain
from rtp.core.types import Bools, Floats
from rtp.figures import daytime, style
from rtp.figures.attack import TRUTH
from rtp.figures.style import GREY, Diagram, Picture, Spec, Trace
from rtp.figures.theme import BACKGROUND, INK
from rtp.mechanisms import FEATURED, UNPROTECTED
from rtp.teaching.poster import Panel

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
    return Diagram(_svg(_WIDTH, foot + rows * _ROW, parts), picture.words)


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


def _svg(width: int, height: int, parts: Iterable[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" font-family="sans-serif" font-size="13" text-anchor="start">'
        f"{''.join(parts)}</svg>"
    )


def _text(
    x: float, y: float, words: str, anchor: str = "start", colour: str = _INK, *, bold: bool = False
) -> str:
    weight = ' font-weight="bold"' if bold else ""
    place = f'x="{round(x, 1):g}" y="{round(y, 1):g}"'
    return f'<text {place} fill="{colour}" text-anchor="{anchor}"{weight}>{html.escape(words)}</text>'


_PANEL_WIDTH, _PANEL_HEIGHT, _ACROSS, _DOWN = 250, 84, 14, 26  # pixels of a panel, and between two
_PANELS_LEFT, _PANELS_TOP = 100, 30
_CLOCK = (0, 6, 12, 18, 24)
_LEGEND = "amber: somebody is in · dashed: what habits alone say · line: what an outsider believes"
_BAND = 0.38  # opacity of the truth


def poster_figure(panels: Sequence[Panel]) -> Diagram:
    """All panels, street by street, each with how often she is right on that day."""
    streets = list(dict.fromkeys(panel.households for panel in panels))
    budgets = list(dict.fromkeys(panel.epsilon for panel in panels))
    width = _PANELS_LEFT + len(budgets) * (_PANEL_WIDTH + _ACROSS)
    legend = [_LEGEND] if len(budgets) > 1 else _LEGEND.split(" · ")
    height = _PANELS_TOP + len(streets) * (_PANEL_HEIGHT + _DOWN) + 26 + _ROW * len(legend)
    parts = [f'<rect width="{width}" height="{height}" fill="{BACKGROUND}"/>']
    parts += [_text(_place(budgets.index(e), 0)[0], 16, _noise(e), colour=INK, bold=True) for e in budgets]
    for row, households in enumerate(streets):
        parts.append(
            _text(
                4, _place(0, row)[1] + _PANEL_HEIGHT / 2 + 5, f"{households:,} houses", colour=INK, bold=True
            )
        )
    for panel in panels:
        at = _place(budgets.index(panel.epsilon), streets.index(panel.households))
        parts.append(f'<g transform="translate({at[0]:g} {at[1]:g})">{"".join(_panel(panel))}</g>')
    foot = _place(0, len(streets))[1] + 12
    for column in range(len(budgets)):
        for hour in _CLOCK:
            x = _place(column, 0)[0] + _PANEL_WIDTH * hour / 24
            end = "start" if hour == 0 else "end" if hour == 24 else "middle"
            parts.append(_text(x, foot, f"{hour:02d}:00", end, INK))
    for up, words in enumerate(reversed(legend)):
        parts.append(_text(_PANELS_LEFT, height - 10 - _ROW * up, words, colour=INK))
    return Diagram(_svg(width, height, parts), _poster_words(panels))


def _place(column: int, row: int) -> tuple[float, float]:
    return _PANELS_LEFT + column * (_PANEL_WIDTH + _ACROSS), _PANELS_TOP + row * (_PANEL_HEIGHT + _DOWN)


def _noise(epsilon: float | None) -> str:
    return "no noise" if epsilon is None else f"ε = {epsilon:g}"


def _panel(panel: Panel) -> list[str]:
    """The truth as bands, habits dashed, her belief, and how often she is right."""
    colour = style.mark(UNPROTECTED if panel.epsilon is None else FEATURED).colour
    right, alone = percent(panel.right, 2), percent(panel.habits_right, 2)
    return [
        f'<path d="{_bands(panel.occupied)}" fill="{TRUTH.colour}" fill-opacity="{_BAND}"/>',
        f'<path d="M0 {_PANEL_HEIGHT}H{_PANEL_WIDTH}M0 0H{_PANEL_WIDTH}" stroke="{GREY}" '
        'stroke-opacity="0.4"/>',
        _curve(panel.habits, style.EXPECTED.colour, 'stroke-width="1.5" stroke-dasharray="5 4"'),
        _curve(panel.belief, colour, 'stroke-width="2.5"'),
        _text(_PANEL_WIDTH, _PANEL_HEIGHT + 14, f"right {right} of this day; habits {alone}", "end", INK),
    ]


def _bands(occupied: Bools) -> str:
    """A rectangle for every stretch of time in which somebody is in."""
    scale = _PANEL_WIDTH / len(occupied)
    return "".join(
        f"M{scale * start:.1f} 0H{scale * end:.1f}V{_PANEL_HEIGHT}H{scale * start:.1f}z"
        for start, end in daytime.stretches(occupied)
    )


def _curve(shares: Floats, colour: str, stroke: str) -> str:
    x = (np.arange(len(shares)) + 0.5) * _PANEL_WIDTH / len(shares)
    points = " ".join(f"{a:.1f},{_PANEL_HEIGHT * (1 - b):.1f}" for a, b in zip(x, shares, strict=True))
    return f'<polyline points="{points}" fill="none" stroke="{colour}" {stroke}/>'


def _poster_words(panels: Sequence[Panel]) -> str:
    said = "; ".join(
        f"{panel.households:,} houses, {_noise(panel.epsilon)}: right {percent(panel.right, 2)}, by habits "
        f"{percent(panel.habits_right, 2)}"
        for panel in panels
    )
    return (
        "What an outsider believes of one house through a day, over amber bands while somebody is in; longer "
        f"streets downwards, more noise to the right. {said}."
    )
