"""What is at stake: the public price and what an observer makes of one house; probabilities as dots."""

from collections.abc import Iterator, Sequence

from rtp.figures import daytime, style
from rtp.figures.attack import truth_area
from rtp.figures.daytime import Panel
from rtp.figures.style import Diagram, Mark, Picture, Spec, Trace
from rtp.mechanisms import FEATURED, UNPROTECTED
from rtp.simulation import Day
from rtp.teaching.threat import PriceBeliefs, Threat, of_100, whole_percent

_HEIGHT = 350
OCCUPIED_NAME, HABITS_NAME = "Truth", "Habits"
SAYS = {UNPROTECTED: "Her belief from the public price", FEATURED: "Her belief from the private price"}
PRICE = {UNPROTECTED: "Public price", FEATURED: "Private price"}
_AXES = {UNPROTECTED: "y2", FEATURED: "y3"}
_PROBABILITY: Spec = {"range": [-0.04, 1.08], "tickformat": ".0%", "tickvals": [0, 0.5, 1], "showgrid": False}


def threat_figure(day: Day, threat: Threat, step: int, title: str) -> Picture:
    """Three panels on one clock: both prices, and what she believes from each beside the truth. The title
    says which day of which street it is. The line marks the moment that the dots are about; a click on a
    point chooses another."""
    stake, house = threat.stake, day.scenario.house(threat.stake.house)
    shares = {name: whole_percent(threat.accuracy(belief)) for name, belief in threat.belief.items()}
    stack = [
        Panel(title, 0.72, 0.97, {}, False),
        Panel(f"{SAYS[UNPROTECTED]}: right {shares[UNPROTECTED]}", 0.37, 0.62, _PROBABILITY, False),
        Panel(f"{SAYS[FEATURED]}: right {shares[FEATURED]}", 0.02, 0.27, _PROBABILITY, False),
    ]
    own: Spec = {"margin": {"l": 46, "t": 54, "b": 28}, "legend": {"y": 1.06}}
    layout = style.layout(_HEIGHT, daytime.panels(day.scenario, stack, gap=0.005), own)
    del layout["xaxis"]["title"]
    dotted = {"color": style.GREY, "width": 1, "dash": "dot"}
    layout["shapes"].append(style.upright(str(daytime.times(day.hours)[step]), dotted))
    words = (
        f"{title}. Three charts over the day: the public and the private price; below, what an observer "
        f"believes of {house}, which is occupied at {whole_percent(stake.occupied.mean())} of all moments. "
        f"From the public price she is right at {shares[UNPROTECTED]}, from the private price at "
        f"{shares[FEATURED]}, by habits alone at {whole_percent(threat.accuracy(stake.guess))}."
    )
    return Picture(_traces(day, threat), layout, words)


def _traces(day: Day, threat: Threat) -> Iterator[Trace]:
    x = daytime.times(day.hours)
    clicked = style.clickable_steps(day.scenario.steps)
    for name, words in PRICE.items():
        rate = day.release[name].rate
        yield style.line(x, rate, words, style.mark(name), hover="%{y:.2f}", width=1.5) | clicked
    truth = truth_area(x, threat.stake.occupied, OCCUPIED_NAME)
    guess = style.line(x, threat.stake.guess, HABITS_NAME, style.EXPECTED, hover="%{y:.0%}", width=1.5)
    for name, belief in threat.belief.items():
        panel = {"yaxis": _AXES[name], "showlegend": name == UNPROTECTED}
        own = style.line(x, belief, SAYS[name], Mark(style.mark(name).colour), hover="%{y:.0%}", width=3)
        yield truth | panel
        yield guess | {"legendgroup": "guess"} | panel
        yield own | clicked | panel | {"showlegend": False}


_SIDE, _RADIUS, _GRID, _GAP, _TOP, _LEFT = 8, 3.1, 80, 36, 42, 2
_LABEL = 104  # pixels that "100 if occupied" takes at most
_YES = style.MODEL_COLOURS[1]
_COLUMNS = ("if empty", "if occupied")


def dots_figure(rows: Sequence[tuple[str, PriceBeliefs]]) -> Diagram:
    """Two grids of a hundred dots for each named pair of probabilities, as many filled as there are such
    prices among a hundred."""
    height, width = len(rows) * (_GRID + _TOP), _LEFT + _GRID + _GAP + _LABEL
    parts, words = [], []
    for r, (name, pair) in enumerate(rows):
        for c, (column, probability) in enumerate(zip(_COLUMNS, pair, strict=True)):
            x, y = _LEFT + c * (_GRID + _GAP), r * (_GRID + _TOP) + _TOP
            parts.append(_grid(x, y, of_100(probability)))
            parts.append(_label(x, y - 5, f"{of_100(probability)} {column}"))
        parts.append(_label(_LEFT, r * (_GRID + _TOP) + 20, name, bold=True))
        words.append(
            f"{name}: {of_100(pair.empty)} of 100 dots {_COLUMNS[0]}, {of_100(pair.occupied)} {_COLUMNS[1]}."
        )
    return Diagram(style.svg(width, height, [_patterns(), *parts]), " ".join(words))


def _grid(left: float, top: float, filled: int) -> str:
    """Line by line from the top: an area of filled dots, and one of the others."""
    down, along = _SIDE * (filled // 10), _SIDE * (filled % 10)
    return (
        f'<g transform="translate({left:g} {top:g})">'
        f'<path fill="url(#filled)" d="M0 0h{_GRID}v{down}H{along}v{_SIDE}H0z"/>'
        f'<path fill="url(#open)" d="M{_GRID} {_GRID}H0V{down + _SIDE}H{along}v-{_SIDE}H{_GRID}z"/></g>'
    )


def _patterns() -> str:
    """What areas are filled with: four hundred circles would be slow to draw."""
    inks = {"filled": f'fill="{_YES}"', "open": f'fill="none" stroke="{style.GREY}"'}
    return "".join(
        f'<pattern id="{name}" width="{_SIDE}" height="{_SIDE}" patternUnits="userSpaceOnUse">'
        f'<circle cx="{_SIDE / 2}" cy="{_SIDE / 2}" r="{_RADIUS}" {ink}/></pattern>'
        for name, ink in inks.items()
    )


def _label(x: float, y: float, words: str, bold: bool = False) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return f'<text x="{x:g}" y="{y:g}" fill="{style.GREY}"{weight}>{words}</text>'
