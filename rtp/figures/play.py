"""The pictures of Play: the price as it grows, truth against belief, and the tally of a prediction."""

from collections.abc import Sequence

import numpy as np

from rtp.attack.scores import right_guesses
from rtp.core.types import Floats
from rtp.figures import style
from rtp.figures.attack import FIRST, INK, NEUTRAL, SURE
from rtp.figures.style import Mark, Picture, Spec, Trace
from rtp.mechanisms import REGISTRY, UNPROTECTED
from rtp.play import Round, Scores
from rtp.play.scores import share_right
from rtp.scenario.units import titled

_PRICE_HEIGHT, _TALLY_ROW = 320, 56
_HOUSE_ROW, _AROUND = 26, 120  # pixels of a row of the reveal, and of what stands around all rows
AT_HOME = "Truth: at home"


def _clock(played: Round) -> Spec:
    """An axis with a place for every step of the round, from the first to the last."""
    return {
        "type": "linear",
        "title": {"text": "Hour of the round"},
        "range": [-0.5, played.steps - 0.5],
        "tickvals": list(range(played.steps)),
        "ticktext": [played.when(step) for step in range(played.steps)],
        "showgrid": False,
        "zeroline": False,
    }


def price_name(mechanism: str) -> str:
    return "Exact price" if mechanism == UNPROTECTED else f"{style.label(mechanism)} price"


def price_figure(played: Round, price: Floats, exact: Floats | None = None) -> Picture:
    """One street's price, step by step, as far as it has been published; beside the exact one where given."""
    steps = np.arange(len(price))
    own, name = style.mark(played.mechanism), price_name(played.mechanism)
    traces = []
    if exact is not None:
        behind = style.line(
            steps, exact[: len(price)], "Exact price", Mark(style.GREY, "dash"), hover="%{y:.1f}"
        )
        traces.append(behind)
    curve = style.line(steps, price, name, own, hover="%{y:.1f}", width=3)
    traces.append(curve | {"mode": "lines+markers", "marker": {"size": 9, "color": own.colour}})
    axes = {"xaxis": _clock(played), "yaxis": {"title": {"text": titled("Price", played.scenario, "rate")}}}
    if not len(price):
        return Picture(traces, style.layout(_PRICE_HEIGHT, axes), "No price has been published yet.")
    said = ", ".join(f"{value:.1f} at {played.when(step)}" for step, value in enumerate(price.tolist()))
    return Picture(traces, style.layout(_PRICE_HEIGHT, axes), f"{name}: {said}.")


def reveal_figure(scores: Scores, street: int | None = None) -> Picture:
    """Truth against belief, for every house and step of one street, or of all: the darker a field, the surer
    the observer that somebody is at home; a dot where somebody is. A cross where she is wrong."""
    played = scores.round
    houses = np.arange(played.houses) if street is None else np.array(played.streets[street])
    belief, at_home = scores.belief[:, houses], scores.at_home[:, houses]
    step, row = np.nonzero(at_home)
    wrong_step, wrong_row = np.nonzero((belief != 0.5) & ((belief > 0.5) != at_home))
    labels = [f"{house + 1} ({played.size(house):g} kW)" for house in houses.tolist()]
    heat: Trace = {
        "type": "heatmap",
        "x": np.arange(played.steps),
        "y": np.arange(len(houses)),
        "z": belief.T.round(3),
        "colorscale": [[0, NEUTRAL], [1, SURE]],
        "zmin": 0.0,
        "zmax": 1.0,
        "xgap": 2,
        "ygap": 2,
        "colorbar": {"tickformat": ".0%", "thickness": 12, "title": {"text": "Belief"}},
        "text": [[played.when(t) for t in range(played.steps)]] * len(houses),
        "customdata": [[label] * played.steps for label in labels],
        "hovertemplate": "House %{customdata}, %{text}: %{z:.0%}<extra></extra>",
    }
    dot = {"symbol": "circle", "size": 9, "color": INK}
    cross = {"symbol": "x-thin", "size": 15, "line": {"width": 2, "color": style.LEAVE}}
    traces = [
        heat,
        style.points(step, row, AT_HOME, dot) | {"showlegend": True},
        style.points(wrong_step, wrong_row, "The observer is wrong", cross) | {"showlegend": True},
    ]
    rows = {
        "range": [len(houses) - 0.5, -0.5],
        "tickvals": np.arange(len(houses)),
        "ticktext": labels,
        "showticklabels": len(houses) <= FIRST,
        "title": {"text": "House"},
        "showgrid": False,
        "zeroline": False,
    }
    height = _AROUND + _HOUSE_ROW * min(max(len(houses), 6), FIRST)
    layout = style.layout(height, {"hovermode": "closest", "xaxis": _clock(played), "yaxis": rows})
    layout["shapes"] = _between_streets(played, len(houses))
    return Picture(traces, layout, _reveal_words(scores, houses.tolist()))


def _between_streets(played: Round, rows: int) -> list[Spec]:
    """A line between one street and the next."""
    line = {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "line": {"color": style.GREY, "width": 2}}
    return [
        line | {"y0": row - 0.5, "y1": row - 0.5} for row in range(played.per_street, rows, played.per_street)
    ]


def _reveal_words(scores: Scores, houses: list[int]) -> str:
    played, name = scores.round, price_name(scores.mechanism).lower()
    budget = f" at ε = {played.epsilon:g}" if REGISTRY[scores.mechanism].adds_noise else ""
    each = []
    for house in houses[:FIRST]:
        home, belief = scores.at_home[:, house], scores.belief[:, house]
        each.append(
            f"house {house + 1} {home.sum()} hours at home, right {right_guesses(home, belief):g} times"
        )
    right = share_right(scores.at_home[:, houses], scores.belief[:, houses])
    return (
        f"Truth against the observer's belief from the {name}{budget}, {len(houses)} houses by "
        f"{played.steps} hours. She is right {right:.0%} of the time: {'; '.join(each)}."
    )


def tally_figure(options: Sequence[str], counts: Sequence[int], answer: int | None = None) -> Picture:
    """How many chose each option of a prediction, as bars; the right one marked where it is revealed."""
    names = [f"✓ {option}" if i == answer else option for i, option in enumerate(options)]
    colours = [style.ARRIVE if i == answer else style.SIMULATED.colour for i in range(len(options))]
    bars: Trace = {
        "type": "bar",
        "orientation": "h",
        "x": list(counts),
        "y": np.arange(len(options)),
        "text": [str(count) for count in counts],
        "textposition": "outside",
        "cliponaxis": False,
        "marker": {"color": colours},
        "hoverinfo": "skip",
    }
    rows = {
        "range": [len(options) - 0.5, -0.5],
        "tickvals": np.arange(len(options)),
        "ticktext": names,
        "showgrid": False,
    }
    top = max([*counts, 1])
    across = {"title": {"text": "Answers"}, "range": [0, 1.1 * top], "tickformat": "d", "nticks": 6}
    layout = style.layout(_AROUND + _TALLY_ROW * len(options), {"xaxis": across, "yaxis": rows})
    answers = "; ".join(f"{option}: {count}" for option, count in zip(options, counts, strict=True))
    right = "" if answer is None else f" Right is: {options[answer]}."
    return Picture([bars], layout, f"{sum(counts)} answers. {answers}.{right}")
