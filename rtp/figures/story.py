"""The story in pictures, one for each claim, so low that a beamer shows them with their words; and what one
sealed mechanism publishes, on axes that all five share."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from rtp.core.formatting import whole_percent
from rtp.core.stats import Range
from rtp.core.types import Floats
from rtp.figures import daytime, style
from rtp.figures.attack import truth_area
from rtp.figures.daytime import Panel, clock, times
from rtp.figures.style import Mark, Picture, Positions, Spec, Trace
from rtp.figures.theme import STRONG
from rtp.mechanisms import UNPROTECTED
from rtp.output.exposure import COIN, share
from rtp.simulation import Day
from rtp.teaching.sealed import SHOWN_DAYS, Prices
from rtp.teaching.tour import Stake

_HEIGHT = 370  # pixels, before it is made larger for a class
_TRUTH, HABITS = "Up and about", "Habits"
_PROBABILITY: Spec = {"range": [-0.04, 1.08], "showgrid": False, **style.HALVES}
_GAP = 0.13  # of the height, between panels
_TOP = 0.93


class Believed(NamedTuple):
    """What an observer holds of the house, and where from."""

    name: str
    belief: Floats  # (T,) Pr[occupied]
    colour: str


def story_beliefs_figure(day: Day, own: Stake, believed: Sequence[Believed], price: bool = False) -> Picture:
    """Her beliefs about one house beside the truth, each in a panel of its own; above them the optimal rate
    where that is asked for."""
    shares = [whole_percent(own.right(each.belief)) for each in believed]
    titles = ["The optimal rate"] if price else []
    titles += [
        f"{each.name}: right {share} of this day" for each, share in zip(believed, shares, strict=True)
    ]
    words = (
        f"A day of {day.scenario.households:,} houses; {day.scenario.house(own.house)} is occupied at "
        f"{whole_percent(own.occupied.mean())} of all moments. {'; '.join(titles)}."
    )
    axes: list[Spec] = [{}] * price + [_PROBABILITY] * len(believed)
    return Picture([*_beliefs(day, own, believed, price)], _panels(day, titles, axes), words)


def _beliefs(day: Day, own: Stake, believed: Sequence[Believed], price: bool) -> Iterator[Trace]:
    x = daytime.times(day.hours)
    if price:
        rate = day.release[UNPROTECTED].rate
        yield style.line(x, rate, "Optimal rate", style.mark(UNPROTECTED), hover="%{y:.2f}")
    for number, each in enumerate(believed):
        axis = "y" if number + price == 0 else f"y{number + price + 1}"
        yield from _panel(x, own, each, {"yaxis": axis, "showlegend": number == 0})


def _panel(x: Positions, own: Stake, believed: Believed, place: Spec) -> Iterator[Trace]:
    """The truth, what habits alone say, and last her belief; what all panels have is named in one."""
    yield truth_area(x, own.occupied, _TRUTH) | place
    if believed.name != HABITS:
        guess = style.line(x, own.guess, HABITS, style.EXPECTED, hover=style.SHARE_HOVER, width=1.5)
        yield guess | {"legendgroup": "guess"} | place
    line = style.line(
        x, believed.belief, believed.name, Mark(believed.colour), hover=style.SHARE_HOVER, width=3
    )
    yield line | place | {"showlegend": believed.name == HABITS}


def _panels(day: Day, titles: Sequence[str], axes: Sequence[Spec]) -> Spec:
    """Panels of equal height, one above the other."""
    count = len(titles)
    height = (_TOP - _GAP * (count - 1)) / count
    tops = [_TOP - number * (height + _GAP) for number in range(count)]
    stack = [
        Panel(title, max(top - height, 0.0), top, axis, False)
        for title, top, axis in zip(titles, tops, axes, strict=True)
    ]
    frame: Spec = {"margin": {"l": 46, "t": 40, "b": 30}, "legend": {"y": 1.02}}
    layout = style.layout(_HEIGHT, daytime.panels(day.scenario, stack, gap=0.005), frame)
    del layout["xaxis"]["title"]  # the clock needs none
    return layout


def areas_figure(areas: Mapping[str, Range], who: str) -> Picture:
    """How often somebody tells, as bars from a coin to always with their intervals, the first on top."""
    names = [f"{name} · {share(area)}" for name, area in areas.items()]
    value, low, high = (list(ends) for ends in zip(*areas.values(), strict=True))
    interval: Spec = {
        "type": "data",
        "symmetric": False,
        "array": [end - own for own, end in zip(value, high, strict=True)],
        "arrayminus": [own - end for own, end in zip(value, low, strict=True)],
    }
    trace = style.bars(value, names, who, style.SIMULATED.colour, hover="%{y}<extra></extra>")
    trace |= {"orientation": "h", "error_x": interval | {"thickness": 1.5, "color": STRONG}}
    own: Spec = {
        "xaxis": {"range": [0.5, 1.02], **style.FROM_HALF, "title": {"text": f"{who}<br>({COIN})"}},
        "yaxis": {"autorange": "reversed", "automargin": True, "tickfont": {"size": 15}},
        "margin": {"t": 16},
        "showlegend": False,
    }
    layout = style.layout(_HEIGHT, style.axes(who, ""), own)
    return Picture([trace], layout, f"{who} ({COIN}): {', '.join(names)}.")


_RATE, _ERROR = VIEWS = ("Rate", "Error")  # the rate beside the optimal one, or how far it is off
COLOUR = style.MODEL_COLOURS[0]  # no mechanism's: none is to be guessed by it
_SEALED, _MARGIN = 128, 0.03  # pixels; of the range, above and below


def sealed_figure(prices: Prices, letter: str, view: str) -> Picture:
    """A sealed mechanism's rates beside the optimal one, or their distance to it."""
    x, apart = times(prices.hours), view == _ERROR
    published = _shown(prices, letter, apart)
    least = 0 * prices.optimal if apart else prices.optimal
    low, high = _span([least, *(_shown(prices, each, apart) for each in prices.rate)])
    marker = {"color": COLOUR, "size": 3.5}
    rate = style.line(x, published, f"Mechanism {letter}", Mark(COLOUR), hover="%{y:.2f}", width=1)
    optimal = Mark(style.mark(UNPROTECTED).colour)
    midnights = times(24 * np.arange(float(SHOWN_DAYS)))
    frame: Spec = {
        "xaxis": clock(SHOWN_DAYS)
        | {
            "title": {"text": ""},
            "tickvals": [str(at) for at in midnights],
            "ticktext": [f"Day {day + 1}" for day in range(SHOWN_DAYS)],
            "ticklabelposition": "outside right",
            "automargin": False,
        },
        "yaxis": {"range": [low, high], "nticks": 4},
        "showlegend": False,
        "margin": {"l": 30, "t": 4, "b": 28},
    }
    far = float(np.abs(prices.rate[letter] - prices.optimal).max())
    words = f"Mechanism {letter}: its rates over {SHOWN_DAYS} days are up to {far:.1f} off the optimal rate."
    traces = [
        style.line(x, least, "Optimal rate", optimal, width=1.5),
        rate | {"mode": "lines+markers", "marker": marker},
    ]
    return Picture(traces, style.layout(_SEALED, frame), words)


def _shown(prices: Prices, letter: str, apart: bool) -> Floats:
    return prices.rate[letter] - prices.optimal if apart else prices.rate[letter]


def _span(curves: Sequence[Floats]) -> tuple[float, float]:
    """What the common axis shows."""
    low, high = (float(end([end(curve) for curve in curves])) for end in (np.min, np.max))
    return low - _MARGIN * (high - low), high + _MARGIN * (high - low)
