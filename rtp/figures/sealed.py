"""Find the cheat in pictures: what one sealed mechanism publishes, on axes that all five share."""

from collections.abc import Sequence

import numpy as np

from rtp.core.types import Floats
from rtp.figures import style
from rtp.figures.daytime import clock, times
from rtp.figures.style import Mark, Picture, Spec
from rtp.mechanisms import UNPROTECTED
from rtp.teaching.sealed import SHOWN_DAYS, Prices

RATE, ERROR = VIEWS = ("Rate", "Error")  # the rate beside the optimal one, or how far it is off
COLOUR = style.MODEL_COLOURS[0]  # no mechanism's: none is to be guessed by it
_HEIGHT, _ROOM = 128, 0.03  # pixels; of the range, above and below


def sealed_figure(prices: Prices, letter: str, view: str) -> Picture:
    """A sealed mechanism's rates beside the optimal one, or their distance to it."""
    x, apart = times(prices.hours), view == ERROR
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
    return Picture(traces, style.layout(_HEIGHT, frame), words)


def _shown(prices: Prices, letter: str, apart: bool) -> Floats:
    return prices.rate[letter] - prices.optimal if apart else prices.rate[letter]


def _span(curves: Sequence[Floats]) -> tuple[float, float]:
    """What the common axis shows."""
    low, high = (float(end([end(curve) for curve in curves])) for end in (np.min, np.max))
    return low - _ROOM * (high - low), high + _ROOM * (high - low)
