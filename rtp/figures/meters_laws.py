"""What the houses of each group use, as learned: the share of their use up to any power, in either state."""

from collections.abc import Mapping

import numpy as np

from rtp.figures import style
from rtp.figures.picture import Picture
from rtp.figures.style import Mark
from rtp.scenario import Law

HEIGHT = 320


def laws_figure(laws: Mapping[str, Law]) -> Picture:
    """By the group's name: one line while occupied, one while empty; a point mass is a step."""
    traces, said = [], []
    for g, (name, law) in enumerate(laws.items()):
        colour = style.MODEL_COLOURS[g % len(style.MODEL_COLOURS)]
        for state, masses, dash in (("occupied", law.occupied, "solid"), ("empty", law.empty, "dash")):
            share = np.concatenate([[0.0], np.cumsum(masses)])
            traces.append(
                style.line(law.edges, share, f"{name}, {state}", Mark(colour, dash), hover="%{y:.1%}")
            )
            half = float(np.interp(0.5, share, law.edges))
            said.append(f"{name} while {state}, half of the time at most {half:.2g} kilowatts")
    layout = style.layout(
        HEIGHT,
        style.axes("Use, kW", "Share of the time"),
        {"yaxis": {"tickformat": ".0%", "range": [0, 1.03]}, "xaxis": {"rangemode": "tozero"}},
    )
    return Picture(traces, layout, f"How much the houses of each group use: {'; '.join(said)}.")
