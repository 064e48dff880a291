"""The poster as a drawing: small multiples of belief over amber bands, streets down and noise across.

It is SVG by hand, so that the file that is taken away, the picture on a screen and the one in the README are
the same bytes. It brings its own light ground.
"""

from collections.abc import Sequence

import numpy as np

from rtp.core.formatting import percent
from rtp.core.types import Bools, Floats
from rtp.figures import style
from rtp.figures.attack import TRUTH
from rtp.figures.style import GREY, Diagram
from rtp.figures.theme import BACKGROUND, INK
from rtp.mechanisms import FEATURED, UNPROTECTED
from rtp.teaching.poster import Panel

_WIDE, _HIGH, _ACROSS, _DOWN = 250, 84, 14, 26  # pixels of a panel, and between two
_LEFT, _TOP = 100, 30
_LINE = 18
_CLOCK = (0, 6, 12, 18, 24)
_LEGEND = "amber: somebody is in · dashed: what habits alone say · line: what an outsider believes"
_BAND = 0.38  # opacity of the truth


def poster_figure(panels: Sequence[Panel]) -> Diagram:
    """All panels, street by street, each with how often the observer is right on that day."""
    streets = list(dict.fromkeys(panel.households for panel in panels))
    budgets = list(dict.fromkeys(panel.epsilon for panel in panels))
    width = _LEFT + len(budgets) * (_WIDE + _ACROSS)
    legend = [_LEGEND] if len(budgets) > 1 else _LEGEND.split(" · ")
    height = _TOP + len(streets) * (_HIGH + _DOWN) + 26 + _LINE * len(legend)
    parts = [f'<rect width="{width}" height="{height}" fill="{BACKGROUND}"/>']
    parts += [_text(_place(budgets.index(e), 0)[0], 16, _noise(e), bold=True) for e in budgets]
    for row, households in enumerate(streets):
        parts.append(_text(4, _place(0, row)[1] + _HIGH / 2 + 5, f"{households:,} houses", bold=True))
    for panel in panels:
        at = _place(budgets.index(panel.epsilon), streets.index(panel.households))
        parts.append(f'<g transform="translate({at[0]:g} {at[1]:g})">{"".join(_panel(panel))}</g>')
    foot = _place(0, len(streets))[1] + 12
    for column in range(len(budgets)):
        for hour in _CLOCK:
            x = _place(column, 0)[0] + _WIDE * hour / 24
            end = "start" if hour == 0 else "end" if hour == 24 else "middle"
            parts.append(_text(x, foot, f"{hour:02d}:00", anchor=end))
    parts += [_text(_LEFT, height - 10 - _LINE * up, each) for up, each in enumerate(reversed(legend))]
    return Diagram(style.svg(width, height, parts), _words(panels))


def _place(column: int, row: int) -> tuple[float, float]:
    return _LEFT + column * (_WIDE + _ACROSS), _TOP + row * (_HIGH + _DOWN)


def _noise(epsilon: float | None) -> str:
    return "no noise" if epsilon is None else f"ε = {epsilon:g}"


def _panel(panel: Panel) -> list[str]:
    """The truth as bands, habits dashed, her belief, and how often she is right."""
    colour = style.mark(UNPROTECTED if panel.epsilon is None else FEATURED).colour
    right = percent(panel.right, 2)
    return [
        f'<path d="{_bands(panel.occupied)}" fill="{TRUTH.colour}" fill-opacity="{_BAND}"/>',
        f'<path d="M0 {_HIGH}H{_WIDE}M0 0H{_WIDE}" stroke="{GREY}" stroke-opacity="0.4"/>',
        _curve(panel.habits, style.EXPECTED.colour, 'stroke-width="1.5" stroke-dasharray="5 4"'),
        _curve(panel.belief, colour, 'stroke-width="2.5"'),
        _text(_WIDE, _HIGH + 14, f"right {right} of this day", anchor="end"),
    ]


def _bands(occupied: Bools) -> str:
    """A rectangle for every stretch of time in which somebody is in."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], occupied.astype(int), [0]])))
    scale = _WIDE / len(occupied)
    return "".join(
        f"M{scale * start:.1f} 0H{scale * end:.1f}V{_HIGH}H{scale * start:.1f}z"
        for start, end in zip(edges[::2], edges[1::2], strict=True)
    )


def _curve(shares: Floats, colour: str, stroke: str) -> str:
    x = (np.arange(len(shares)) + 0.5) * _WIDE / len(shares)
    points = " ".join(f"{a:.1f},{_HIGH * (1 - b):.1f}" for a, b in zip(x, shares, strict=True))
    return f'<polyline points="{points}" fill="none" stroke="{colour}" {stroke}/>'


def _text(x: float, y: float, words: str, *, bold: bool = False, anchor: str = "start") -> str:
    weight = ' font-weight="bold"' if bold else ""
    return f'<text x="{x:g}" y="{y:g}" fill="{INK}" text-anchor="{anchor}"{weight}>{words}</text>'


def _words(panels: Sequence[Panel]) -> str:
    said = "; ".join(
        f"{panel.households:,} houses, {_noise(panel.epsilon)}: right {percent(panel.right, 2)}"
        for panel in panels
    )
    return (
        "What an outsider believes of one house through a day, over amber bands while somebody is in; longer "
        f"streets downwards, more noise to the right. {said}."
    )
