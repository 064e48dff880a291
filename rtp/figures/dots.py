"""Chances as dots: a hundred to a grid, as many filled as there are such prices."""

from collections.abc import Sequence
from functools import cache

from rtp.figures import style
from rtp.figures.diagram import Diagram
from rtp.story.chances import Chances
from rtp.story.words import of_100

SIDE, RADIUS, GRID, GAP, TOP, LEFT = 8, 3.1, 80, 36, 42, 2
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
        f'height="{height}" font-family="sans-serif" font-size="13">{_dots()}{"".join(parts)}</svg>'
    )
    return Diagram(svg, " ".join(words))


@cache
def _grid(left: float, top: float, filled: int) -> str:
    """Line by line from the top: an area of filled dots, and one of the others."""
    down, along = SIDE * (filled // 10), SIDE * (filled % 10)
    return (
        f'<g transform="translate({left:g} {top:g})">'
        f'<path fill="url(#filled)" d="M0 0h{GRID}v{down}H{along}v{SIDE}H0z"/>'
        f'<path fill="url(#open)" d="M{GRID} {GRID}H0V{down + SIDE}H{along}v-{SIDE}H{GRID}z"/></g>'
    )


def _dots() -> str:
    """What areas are filled with: four hundred circles would be slow to draw."""
    inks = {"filled": f'fill="{YES}"', "open": f'fill="none" stroke="{style.GREY}"'}
    return "".join(
        f'<pattern id="{name}" width="{SIDE}" height="{SIDE}" patternUnits="userSpaceOnUse">'
        f'<circle cx="{SIDE / 2}" cy="{SIDE / 2}" r="{RADIUS}" {ink}/></pattern>'
        for name, ink in inks.items()
    )


def _text(x: float, y: float, words: str, bold: bool = False) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return f'<text x="{x:g}" y="{y:g}" fill="{style.GREY}"{weight}>{words}</text>'
