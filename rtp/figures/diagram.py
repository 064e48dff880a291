"""A two-state diagram as SVG: arrows as wide as the chances are large, dashed where they are zero."""

from typing import NamedTuple

from rtp.figures import style
from rtp.scenario import Matrix

INK = style.GREY
OCCUPIED, EMPTY = style.MODEL_COLOURS[0], style.MODEL_COLOURS[4]
WIDEST = 9.0


class Diagram(NamedTuple):
    """A drawing, and what it shows, for those who cannot see it."""

    svg: str
    words: str


def state_diagram(matrix: Matrix) -> Diagram:
    """Empty on the left, occupied on the right; the numbers are those of the matrix."""
    (stay_away, arrive), (leave, stay) = matrix
    parts = [
        _arrow("M 96 44 C 130 24 170 24 200 40", arrive, EMPTY, (148, 20)),
        _arrow("M 204 86 C 170 106 130 106 100 90", leave, OCCUPIED, (150, 120)),
        _loop(42, stay_away, EMPTY, -1),
        _loop(258, stay, OCCUPIED, 1),
        _node(70, "empty", EMPTY),
        _node(230, "occupied", OCCUPIED),
    ]
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 130" width="300" height="130" '
        f'font-family="sans-serif" font-size="13" text-anchor="middle">{"".join(parts)}</svg>'
    )
    return Diagram(svg, f"State diagram: chance to arrive {arrive:.3g}, to leave {leave:.3g}.")


def _stroke(chance: float, colour: str) -> str:
    if chance == 0:
        return f'stroke="{INK}" stroke-width="1" stroke-dasharray="3 4" fill="none" opacity="0.7"'
    return f'stroke="{colour}" stroke-width="{1 + (WIDEST - 1) * chance:.2f}" fill="none" opacity="0.75"'


def _arrow(path: str, chance: float, colour: str, at: tuple[int, int]) -> str:
    x, y = path.split()[-2:]
    tip = f'<circle cx="{x}" cy="{y}" r="{2 + WIDEST / 2 * chance:.2f}" fill="{colour if chance else INK}"/>'
    return f'<path d="{path}" {_stroke(chance, colour)}/>{tip}{_number(chance, at)}'


def _loop(x: int, chance: float, colour: str, side: int) -> str:
    far = x + side * 34
    return (
        f'<path d="M {x} 52 C {far} 34 {far} 96 {x} 78" {_stroke(chance, colour)}/>'
        f"{_number(chance, (x + side * 12, 30))}"
    )


def _node(x: int, name: str, colour: str) -> str:
    return (
        f'<circle cx="{x}" cy="65" r="31" fill="{colour}"/>'
        f'<text x="{x}" y="69" fill="{style.WHITE}" font-size="12">{name}</text>'
    )


def _number(chance: float, at: tuple[int, int]) -> str:
    return f'<text x="{at[0]}" y="{at[1]}" fill="{INK}">{chance:.3g}</text>'
