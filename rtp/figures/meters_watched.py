"""The observer at one house of a feeder: her beliefs, who was at home, and what every moment can leak."""

import numpy as np

from rtp.core.formatting import percent, plain
from rtp.figures import style
from rtp.figures.belief import TRUTH, belief_name
from rtp.figures.meters import clock
from rtp.figures.picture import Picture
from rtp.figures.style import Mark, Trace
from rtp.meters.watching import Watched

HEIGHT = 460
GIVEN_NAME, GUESS_NAME = "Occupied, as the readings say", "Guess: occupied"


def watched_figure(found: Watched) -> Picture:
    """Above what she believes from each rate, with who was at home behind it; below how far all rates
    together can shift the log-odds of each moment. What is infinite is left out."""
    x = clock(np.datetime64(found.first_date), len(found.occupied), found.day.scenario.step_minutes)
    alone = next(iter(found.seen.values())).model_only[:, 0]
    name = GIVEN_NAME if found.given else GUESS_NAME
    truth = style.line(x, found.occupied.astype(float), name, TRUTH, width=0, shape="hv")
    traces: list[Trace] = [
        truth | {"fill": "tozeroy", "fillcolor": style.rgba(TRUTH.colour, 0.38)},
        style.line(x, alone, "The model alone", style.EXPECTED, hover="%{y:.1%}", width=1.5),
    ]
    for name, seen in found.seen.items():
        own = Mark(style.mark(name).colour)
        traces.append(style.line(x, seen.belief[:, 0], belief_name(name), own, hover="%{y:.1%}"))
        leak = found.leak[name].whole
        shown = np.where(np.isfinite(leak), leak, np.nan)
        below = style.line(x, shown, f"Leak, {style.label(name)}", Mark(own.colour, "dot"), hover="%{y:.3f}")
        traces.append(below | {"yaxis": "y2", "showlegend": False})
    layout = style.layout(
        HEIGHT,
        style.axes("", "Her belief"),
        {
            "yaxis": {
                "domain": [0.42, 1.0],
                "range": [-0.03, 1.05],
                "tickformat": ".0%",
                "tickvals": [0, 0.5, 1],
            },
            "yaxis2": {"domain": [0.0, 0.32], "rangemode": "tozero", "title": {"text": "Leak"}},
            "xaxis": {"anchor": "y2"},
        },
    )
    return Picture(traces, layout, _words(found))


def _words(found: Watched) -> str:
    told = ", ".join(
        f"{style.label(name)} {percent(float(score.accuracy.value), 3)}, worst moment "
        f"{plain(found.leak[name].worst)}"
        for name, score in found.attack.scores.items()
    )
    return f"Beliefs about {found.name} and what each moment can leak. Right at, by rate: {told}."
