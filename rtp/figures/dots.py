"""Chances as dots: a hundred to a grid, as many filled as there are such prices."""

from collections.abc import Sequence
from functools import cache

from rtp.figures import style
from rtp.figures.diagram import Diagram
from rtp.story.chances import Chances
from rtp.story.words import of_100

SIDE, RADIUS, GRID, GAP, TOP, LEFT = 8.0, 3.1, 80, 36, 42, 2
YES = style.MODEL_COLOURS[1]
COLUMNS = ("if empty", "if occupied")


def dots_figure(rows: Sequence[tuple[str, Chances]]) -> Diagram:
    """A row of two grids for each named pair of chances."""
    height, width = len(rows) * (GRID + TOP), 2 * GRID + GAP + 2 * LEFT
    parts, words = [], []
    for r, (name, pair) in enumerate(rows):
        for c, (column, chance) in enumerate(zip(COLUMNS, pair, strict=True)):
            x, y = LEFT + c * (GRID + GAP), r * (GRID + TOP) + TOP
            parts.append(_grid(x, y, of_100(chance)))
            parts.append(_text(x, y - 5, f"{of_100(chance)} {column}"))
        parts.append(_text(LEFT, r * (GRID + TOP) + 20, name, bold=True))
        words.append(
            f"{name}: {of_100(pair.empty)} of 100 dots {COLUMNS[0]}, {of_100(pair.occupied)} {COLUMNS[1]}."
        )
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" font-family="sans-serif" font-size="13">{"".join(parts)}</svg>'
    )
    return Diagram(svg, " ".join(words))


@cache
def _grid(left: float, top: float, filled: int) -> str:
    """A path for the filled dots and one for the others: a hundred circles would be slow to draw."""
    dots = [_dot(left + SIDE * (i % 10 + 0.5), top + SIDE * (i // 10 + 0.5)) for i in range(100)]
    return (
        f'<path fill="{YES}" d="{"".join(dots[:filled])}"/>'
        f'<path fill="none" stroke="{style.GREY}" d="{"".join(dots[filled:])}"/>'
    )


def _dot(x: float, y: float) -> str:
    """A circle of two arcs."""
    arc = f"a{RADIUS} {RADIUS} 0 0 0"
    return f"M{x - RADIUS:g} {y:g}{arc} {2 * RADIUS} 0{arc}-{2 * RADIUS} 0z"


def _text(x: float, y: float, words: str, bold: bool = False) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return f'<text x="{x:g}" y="{y:g}" fill="{style.GREY}"{weight}>{words}</text>'
