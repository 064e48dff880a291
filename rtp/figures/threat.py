"""What is at stake, in one picture: the public price, and what an observer makes of one house.

Chances as dots: a hundred to a grid, as many filled as there are such prices.
"""

from collections.abc import Iterator, Sequence
from functools import cache

from rtp.core.types import Floats
from rtp.figures import daytime, style
from rtp.figures.daytime import Panel
from rtp.figures.picture import Diagram, Picture
from rtp.figures.style import Mark, Spec, Trace
from rtp.mechanisms import FEATURED, UNPROTECTED
from rtp.simulation import Day
from rtp.story.chances import Chances
from rtp.story.threat import Threat, right
from rtp.story.words import of_100, whole_percent

HEIGHT = 350
TRUTH = Mark("#a37b00")
TRUTH_NAME, GUESS_NAME = "Truth", "Habits"
SAYS = {UNPROTECTED: "Her belief, unprotected price", FEATURED: "Her belief, private price"}
PRICE = {UNPROTECTED: "Unprotected", FEATURED: "Private"}
AXES = {UNPROTECTED: "y2", FEATURED: "y3"}
CHANCE: Spec = {"range": [-0.04, 1.08], "tickformat": ".0%", "tickvals": [0, 0.5, 1], "showgrid": False}

# Only curves with markers can be clicked: these have some that are not seen, and of which one is drawn.
CLICKED: Spec = {
    "mode": "lines+markers",
    "marker": {"size": 6, "opacity": 0, "maxdisplayed": 1},
    "selected": {"marker": {"opacity": 0}},
    "unselected": {"marker": {"opacity": 0}},
}


def threat_figure(day: Day, found: Threat, step: int) -> Picture:
    """Three panels on one clock: both prices, and what she believes from each beside the truth. The line
    marks the moment that the chances are about; a click on a point chooses another."""
    stack = [
        Panel(f"The public price; private by {style.label(FEATURED)}", 0.72, 0.97, {}, False),
        *(
            Panel(f"{SAYS[name]}: right {whole_percent(right(found, belief))}", bottom, top, CHANCE, False)
            for (name, belief), (bottom, top) in zip(
                found.belief.items(), ((0.37, 0.62), (0.02, 0.27)), strict=True
            )
        ),
    ]
    own: Spec = {"margin": {"l": 46, "t": 54, "b": 28}, "legend": {"y": 1.06}}
    layout = style.layout(HEIGHT, daytime.panels(day.scenario, stack, gap=0.005), own)
    del layout["xaxis"]["title"]
    layout["shapes"].append(_moment(str(daytime.times(day.hours)[step])))
    return Picture(_traces(day, found), layout, _words(day, found))


def _traces(day: Day, found: Threat) -> Iterator[Trace]:
    x = daytime.times(day.hours)
    clicked = CLICKED | {"customdata": [[step] for step in range(day.scenario.steps)]}
    for name in found.belief:
        mark = style.mark(name)
        words = PRICE[name]
        yield style.line(x, day.release[name].rate, words, mark, hover="%{y:.2f}", width=1.5) | clicked
    occupied: Floats = found.stake.occupied.astype(float)
    for first, (name, belief) in zip((True, False), found.belief.items(), strict=True):
        where = {"yaxis": AXES[name]}
        truth = style.line(x, occupied, TRUTH_NAME, TRUTH, width=0, shape="hv")
        yield (
            truth
            | {"fill": "tozeroy", "fillcolor": style.rgba(TRUTH.colour, 0.4), "showlegend": first}
            | where
        )
        guess = style.line(x, found.stake.guess, GUESS_NAME, style.EXPECTED, hover="%{y:.0%}", width=1.5)
        yield guess | {"showlegend": first, "legendgroup": "guess"} | where
        own = style.line(x, belief, SAYS[name], Mark(style.mark(name).colour), hover="%{y:.0%}", width=3)
        yield own | {"showlegend": False} | clicked | where


def _moment(time: str) -> Spec:
    line = {"color": style.GREY, "width": 1, "dash": "dot"}
    return {"type": "line", "line": line, "x0": time, "x1": time, "y0": 0, "y1": 1, "yref": "paper"}


def _words(day: Day, found: Threat) -> str:
    stake, times = found.stake, found.stake.occupied.mean()
    unprotected, private, guess = (
        whole_percent(right(found, belief)) for belief in (stake.unprotected, found.private, stake.guess)
    )
    return (
        f"Three charts over the day of a street of {day.scenario.households:,}. The public price, "
        f"unprotected and private. Below, what an observer believes of house {stake.house}, which is "
        f"occupied at {whole_percent(times)} of all moments: from the unprotected price she is right at "
        f"{unprotected}, from the private price at {private}, by habits alone at {guess}."
    )


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
            parts.append(_label(x, y - 5, f"{of_100(chance)} {column}"))
        parts.append(_label(LEFT, r * (GRID + TOP) + 20, name, bold=True))
        words.append(
            f"{name}: {of_100(pair.empty)} of 100 dots {COLUMNS[0]}, {of_100(pair.occupied)} {COLUMNS[1]}."
        )
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" font-family="sans-serif" font-size="13">{_patterns()}{"".join(parts)}</svg>'
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


def _patterns() -> str:
    """What areas are filled with: four hundred circles would be slow to draw."""
    inks = {"filled": f'fill="{YES}"', "open": f'fill="none" stroke="{style.GREY}"'}
    return "".join(
        f'<pattern id="{name}" width="{SIDE}" height="{SIDE}" patternUnits="userSpaceOnUse">'
        f'<circle cx="{SIDE / 2}" cy="{SIDE / 2}" r="{RADIUS}" {ink}/></pattern>'
        for name, ink in inks.items()
    )


def _label(x: float, y: float, words: str, bold: bool = False) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return f'<text x="{x:g}" y="{y:g}" fill="{style.GREY}"{weight}>{words}</text>'
