"""Algorithm 1 on a few houses: their joint states as a hypercube, what each is believed to do, and the noise.

Every house has its own direction of the hypercube, so parallel edges are about the same house, and up is
occupied. An edge joins states that differ in one house; where both are possible it makes that house
protected, and is strong. Colour and size both carry the probability; an impossible state is hollow and grey.
Each picture shows what is known when a line of the algorithm has been executed, and no more.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from rtp.algorithm1 import ModelStep, all_states, neighbours
from rtp.core.types import Bools, Floats
from rtp.figures import style
from rtp.figures.style import GREY, Mark, Picture, Spec, Trace
from rtp.mechanisms import UNPROTECTED
from rtp.scenario import Scenario
from rtp.teaching.stage import (
    MAX_STAGE_HOUSES,
    STAGE_MECHANISM,
    LineNumber,
    Stage,
    house_list,
    occupied_probabilities,
    rate_text,
    state_label,
)

Edges = Sequence[tuple[int, int, int]]  # (state, state, the house they differ in)

_HEIGHT, _BESIDE_HEIGHT = 380, 300  # on a stage that fits 1024 × 768
_TABS = 54  # pixels less where tabs stand above the cube
# One direction per house, all upwards, chosen so that corners, edges and their labels keep clear.
DIRECTIONS = {
    2: ((-0.8, 0.6), (0.8, 0.6)),
    3: ((-0.64, 0.10), (-0.20, 0.63), (0.00, 1.03)),
    4: ((-0.56, 0.12), (-0.33, 0.42), (-0.01, 1.49), (0.10, 0.77)),
    5: ((-0.23, 0.43), (-0.28, 0.93), (0.54, 0.76), (0.43, 0.41), (1.02, 0.20)),
}
_SIZES = {2: (34, 50), 3: (32, 46), 4: (30, 38), 5: (8, 22)}  # smallest and largest corner, in pixels
HOUSE_COLOURS = style.MODEL_COLOURS[:MAX_STAGE_HOUSES]  # never grey: that is a house out of κ
_LABELLED_EDGES = 32  # more labels than that hide the picture: then two for each house, on the outline
SCALE = ((0.0, "#76706b"), (1.0, "#9c3fa8"))  # each stands out 3:1 on light, on dark and against white
TRUE_STATE = style.MODEL_COLOURS[3]
_BELOW: Spec = {"textposition": "bottom center", "textfont": {"size": 12}}
_CROWDED = 16  # states from which there is no room beside a corner
_REACH = 6  # scales to each side that the density of the noise is drawn


def reading_words(scenario: Scenario) -> str:
    """How the hypercube is to be read."""
    return (
        f"A corner is a joint state, {scenario.house(0)} first: 0 is empty, 1 occupied; a hollow one is "
        "impossible. A strong edge joins two possible states and puts the house whose number it has into κ."
    )


def states_figure(
    stage: Stage, own: ModelStep, line: int, truth: int | None = None, *, under_tabs: bool = False
) -> Picture:
    """The joint states under one model; the true one is starred if given."""
    houses = _house_count(own)
    at = all_states(houses) @ np.array(DIRECTIONS[houses])
    margin = 0.13 * np.ptp(at, axis=0)
    low, high = at.min(axis=0) - margin, at.max(axis=0) + margin
    layout = style.layout(
        _HEIGHT - _TABS * under_tabs,
        {
            "hovermode": "closest",
            "margin": style.BARE | {"t": style.EDGE},
            "xaxis": {"visible": False, "range": [low[0], high[0]]},
            "yaxis": {"visible": False, "range": [low[1], high[1]]},
        },
    )
    strong = own.neighbours if line >= LineNumber.NEIGHBOURS else ()
    traces = [*_edges(stage.scenario, at, strong, line), *_corners(at, own, line, truth)]
    return Picture(traces, layout, _states_words(stage.scenario, own, line))


def _states_words(scenario: Scenario, own: ModelStep, line: int) -> str:
    houses, (distribution, name) = _house_count(own), _shown_distribution(own, line)
    cube = f"Hypercube of {len(distribution)} joint states of {houses} houses"
    if line < LineNumber.PRIOR:
        return f"{cube}; no probabilities yet."
    best = int(distribution.argmax())
    return (
        f"{cube}, {own.possible.sum()} of them possible. {name} of {state_label(best, houses)}: "
        f"{distribution[best]:.3f}, and of none more. "
        f"{len(own.neighbours)} edges join possible states; protected: {house_list(scenario, own.protected)}."
    )


def _house_count(own: ModelStep) -> int:
    return len(own.prior).bit_length() - 1


def _shown_distribution(own: ModelStep, line: int) -> tuple[Floats, str]:
    """The distribution over joint states when that line has been executed, and its name."""
    return (own.posterior, "Posterior") if line >= LineNumber.POSTERIOR else (own.prior, "Prior")


def _corners(at: Floats, own: ModelStep, line: int, truth: int | None) -> Iterator[Trace]:
    """Possible states filled, impossible ones small and hollow."""
    distribution, name = _shown_distribution(own, line)
    possible = own.possible if line >= LineNumber.POSSIBLE else own.possible | True
    smallest, largest = _SIZES[_house_count(own)]
    size = np.full(len(distribution), float(smallest))
    filled: Spec = {"color": GREY, "size": smallest}
    if line >= LineNumber.PRIOR:
        size += (largest - smallest) * np.sqrt(distribution / distribution.max())
        filled = _marker(distribution[possible], size[possible], name)
    hollow: Spec = {"symbol": "circle-open", "color": GREY, "size": smallest / 2, "line": {"width": 2}}
    yield _states(at, own, line, possible, filled) | {"showlegend": False} | _label_places(possible)
    if not possible.all():
        named = {"name": "Impossible state", "showlegend": False}
        beside = {"textposition": "middle left"} if len(at) < _CROWDED else {}  # clear of the edges
        yield _states(at, own, line, ~possible, hollow) | named | _BELOW | beside
    if truth is not None:  # which only the street knows
        star: Spec = {"symbol": "star-open", "size": float(size[truth]) + 12, "color": TRUE_STATE}
        star |= {"line": {"width": 2.5}}
        yield style.points(at[[truth], 0], at[[truth], 1], "The true state", star) | {
            "hoverinfo": "name",
            "showlegend": False,
        }


def _states(at: Floats, own: ModelStep, line: int, chosen: Bools, marker: Spec) -> Trace:
    """Some states as points with their digits; of the largest cube only all empty and all occupied."""
    houses, states = _house_count(own), np.flatnonzero(chosen).tolist()
    named = states if houses < MAX_STAGE_HOUSES else (0, len(chosen) - 1)
    texts = [state_label(i, houses) if i in named else "" for i in states]
    hovers = [_hover(own, i, line) for i in states]
    return style.labels(at[chosen, 0], at[chosen, 1], texts, hovers, marker) | {"cliponaxis": False}


def _label_places(possible: Bools) -> Spec:
    """Where the digits of possible states stand: inside; above or below the corners of the largest cube."""
    if len(possible) < 2**MAX_STAGE_HOUSES:
        return {"textposition": "middle center", "textfont": {"size": 12, "color": style.WHITE}}
    last = len(possible) - 1
    above = ["top center" if i == last else "bottom center" for i in np.flatnonzero(possible)]
    return _BELOW | {"textposition": above}


def _hover(own: ModelStep, state: int, line: int) -> str:
    text = f"State {state_label(state, _house_count(own))}"
    if line >= LineNumber.PRIOR:
        text += f"<br>prior {own.prior[state]:.4g}"
    if line >= LineNumber.POSTERIOR:
        text += f"<br>posterior {own.posterior[state]:.4g}"
    return text + ("<br>impossible" if line >= LineNumber.POSSIBLE and not own.possible[state] else "")


def _marker(distribution: Floats, size: Floats, name: str) -> Spec:
    return {
        "color": distribution,
        "colorscale": SCALE,
        "cmin": 0.0,
        "cmax": distribution.max(),
        "opacity": 1.0,
        "size": size,
        "line": {"width": 1, "color": GREY},
        "colorbar": {
            "title": {"text": name, "side": "top"},
            "orientation": "h",
            "thickness": 10,
            "len": 0.9,
            "y": -0.02,
            "yanchor": "top",
            "nticks": 6,
            "tickformat": ".2~g",
        },
    }


def _edges(scenario: Scenario, at: Floats, strong: Edges, line: int) -> Iterator[Trace]:
    """Weak edges in one trace; each house's strong ones in its colour, labelled once κ is there."""
    weak = [edge for edge in neighbours(np.ones(len(at), dtype=bool)) if edge not in set(strong)]
    thin = {"color": GREY, "width": 1, "dash": "dot"}
    yield _segments(at, weak) | {"line": thin, "showlegend": False}
    for house in sorted({house for _, _, house in strong}):
        own = [edge for edge in strong if edge[2] == house]
        thick = {"color": HOUSE_COLOURS[house], "width": 3}
        # no legend: the numbers on the edges say which house it is
        name = scenario.house(house, capital=True)
        yield _segments(at, own) | {"line": thick, "name": name, "showlegend": False}
        if line >= LineNumber.PROTECTED:
            labelled = own if len(strong) <= _LABELLED_EDGES else _outline(at, own)
            yield _edge_labels(scenario, at, house, labelled)


def _edge_labels(scenario: Scenario, at: Floats, house: int, edges: Edges) -> Trace:
    """The house's number in the middle of its edges: the place of its digit, from 1."""
    middle = np.array([(at[i] + at[j]) / 2 for i, j, _ in edges])
    houses = len(at).bit_length() - 1
    texts, dot = [f"<b>{house + 1}</b>"] * len(edges), {"size": 17, "color": HOUSE_COLOURS[house]}
    ends = [f"{state_label(i, houses)} – {state_label(j, houses)}" for i, j, _ in edges]
    hovers = [f"{pair}: {scenario.house(house)}" for pair in ends]
    labels = style.labels(middle[:, 0], middle[:, 1], texts, hovers, dot)
    return labels | {"textfont": {"color": style.WHITE, "size": 12}, "showlegend": False}


def _segments(at: Floats, edges: Edges) -> Trace:
    """Separate lines in one trace: a gap after each."""
    ends = np.array([[at[i], at[j], [np.nan, np.nan]] for i, j, _ in edges]).reshape(-1, 2)
    return {"type": "scatter", "x": ends[:, 0], "y": ends[:, 1], "mode": "lines", "hoverinfo": "skip"}


def _outline(at: Floats, edges: Edges) -> Edges:
    """The two outermost of some parallel edges."""
    i, j, _ = edges[0]
    across = np.array([-(at[j] - at[i])[1], (at[j] - at[i])[0]])
    along = sorted(edges, key=lambda edge: float(at[edge[0]] @ across))
    return [along[0], along[-1]]


def beliefs_figure(stage: Stage, own: ModelStep, line: int) -> Picture:
    """Pr[occupied] of every house before and after the rate; houses out of κ in grey."""
    before, after = occupied_probabilities(own.prior), occupied_probabilities(own.posterior)
    left_out = [line >= LineNumber.PROTECTED and h not in own.protected for h in range(stage.houses)]
    why = ["linked" if h in (stage.linked or ()) else "sure" for h in range(stage.houses)]
    names = [
        f"{stage.scenario.house_label(h)} · {bound:.3g}" + (f" · {why[h]}" if left_out[h] else "")
        for h, bound in enumerate(stage.street.bound)
    ]
    colours = [GREY if out else HOUSE_COLOURS[h] for h, out in enumerate(left_out)]
    traces = [
        _dots(before if line >= LineNumber.PRIOR else None, names, colours, "Prior", "circle-open"),
        _dots(after if line >= LineNumber.POSTERIOR else None, names, colours, "Posterior", "circle"),
    ]
    if line >= LineNumber.POSTERIOR:
        ends = np.column_stack([before, after, np.full_like(before, np.nan)])
        moves = style.line(ends.ravel(), np.repeat(names, 3).tolist(), "", Mark(GREY))
        traces = [moves | {"showlegend": False}, *traces]
    own_layout: Spec = {
        "hovermode": "closest",
        "xaxis": {"range": [-0.07, 1.07], "nticks": 6},
        "yaxis": {"type": "category", "autorange": "reversed"},
    }
    layout = style.layout(_BESIDE_HEIGHT, style.axes("Pr[occupied]", "House · bound"), own_layout)
    houses = [
        f"{stage.scenario.house(h)} {b:.2f}" + (f" to {a:.2f}" if line >= LineNumber.POSTERIOR else "")
        for h, (b, a) in enumerate(zip(before, after, strict=True))
    ]
    known = ", ".join(houses) if line >= LineNumber.PRIOR else "not known yet"
    return Picture(traces, layout, f"Pr[occupied] before and after the rate: {known}.")


def _dots(probability: Floats | None, names: list[str], colours: list[str], title: str, symbol: str) -> Trace:
    """A dot for each house; without probabilities only the legend's."""
    x = [None] * len(names) if probability is None else probability
    marker = {"symbol": symbol, "size": 12, "color": colours, "line": {"width": 2.5, "color": colours}}
    return style.points(x, names, title, marker, hover=f"{title.lower()} %{{x:.4f}}<extra>%{{y}}</extra>")


def step_noise_figure(stage: Stage, t: int, line: int) -> Picture:
    """The density the noisy rate is drawn from, with the optimal and the published rate."""
    step, optimal = stage.at(t), float(stage.release.optimal[t])
    traces: list[Trace] = []
    words, height = "The noise: not drawn yet", 1.0
    if line >= LineNumber.NOISE and step.scale > 0:
        height = 1 / (2 * step.scale)
        traces.append(_density(optimal, step.scale))
    if line >= LineNumber.OPTIMAL:
        words = f"Optimal rate {rate_text(optimal)}"
        mark = Mark(style.mark(UNPROTECTED).colour, "dash")
        traces.append(_level(optimal, height, "Optimal", mark, "square"))
    if line >= LineNumber.NOISE:
        words += f", Laplace density of scale {step.scale:.4g} around it"
    if line >= LineNumber.NOISY:
        words += f", published rate {rate_text(step.published)}"
        mark = Mark(style.mark(STAGE_MECHANISM).colour)
        traces.append(_level(step.published, height, "Published", mark, "circle"))
    far = max(_REACH * step.scale or 1.0, 1.1 * abs(step.published - optimal))
    own: Spec = {
        "hovermode": "closest",
        "xaxis": {"range": [optimal - far, optimal + far], "nticks": 7},
        "yaxis": {"range": [0, 1.08 * height], "showticklabels": step.scale > 0},
    }
    return Picture(traces, style.layout(_BESIDE_HEIGHT, style.axes("Rate", "Density"), own), f"{words}.")


def _density(optimal: float, scale: float) -> Trace:
    reach = _REACH * scale
    x = np.sort(np.append(np.linspace(optimal - reach, optimal + reach, 240), optimal))
    y = 1 / (2 * scale) * np.exp(-np.abs(x - optimal) / scale)
    hover = "density %{y:.4g}<extra></extra>"
    curve = style.line(x, y, f"Lap({scale:.4g})", Mark(GREY), hover=hover, width=1.5)
    return style.filled(curve, opacity=0.18)


def _level(at: float, height: float, name: str, mark: Mark, symbol: str) -> Trace:
    """A rate as a pole with its symbol on top."""
    hover = f"{name.lower()} {rate_text(at)}<extra></extra>"
    pole = style.line([at, at], [0, height], f"{name} {rate_text(at)}", mark, hover=hover, width=3)
    return pole | {"mode": "lines+markers", "marker": {"size": [0, 10], "symbol": symbol}}
