"""The observer at work: her belief about one house against the truth, and about every house of the street."""

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from rtp.arrays import Bools, Floats, Ints
from rtp.attacker.observer import Posterior
from rtp.figures import daytime, style
from rtp.figures.daytime import Panel
from rtp.figures.picture import Picture
from rtp.figures.style import Mark, PinMark, Spec, Trace
from rtp.mechanisms import REGISTRY
from rtp.simulation import Day

HEIGHT, STREET_HEIGHT = 560, 640
FIRST = 40  # houses whose names can be read beside the map
TRUTH = Mark(style.GREY)
TRUTH_NAME = "Truth: occupied"
HER_BELIEF = "Her belief"
DOUBT, NEUTRAL, SURE, INK = "#d98f5c", "#f3f0e6", "#2a8fb8", "#111111"  # the ink can be read on all three


NO_PINS: Mapping[PinMark, Floats] = MappingProxyType({})


def belief_figure(
    day: Day,
    seen: Posterior,
    column: int,
    occupied: Bools,
    step: int,
    pins: Mapping[PinMark, Floats] = NO_PINS,
) -> Picture:
    """Above: what she believes up to a step, beside the model alone, the truth, and dotted what she would
    believe in pinned scenarios. Below: each step's evidence in the band that the promise draws; what is
    infinite ends at the edge."""
    evidence, promised = seen.log_evidence[:, column], REGISTRY[seen.mechanism].promised(day.scenario.epsilon)
    limit = promised if np.isfinite(promised) else day.scenario.epsilon
    reach = 1.2 * max(limit, float(np.abs(evidence[np.isfinite(evidence)]).max(initial=1e-3)))
    kept = "no promise" if np.isinf(promised) else "promised"
    chance = {"range": [-0.02, 1.15], "tickformat": ".0%", "tickvals": [0, 0.5, 1]}
    odds = {"range": [-reach, reach], "title": {"text": "ln of the odds", "standoff": 18}}
    stack = [
        Panel("Chance that the house is occupied", 0.47, 1.0, chance),
        Panel(f"Evidence per step; limit ±{limit:g} ({kept})", 0.0, 0.37, odds),
    ]
    layout = style.layout(
        HEIGHT, daytime.panels(day.scenario, stack, gap=0.01), {"legend": {"y": 1.06}, "bargap": 0.1}
    )
    layout["shapes"] += _edges(limit)
    if step + 1 < day.scenario.steps:
        layout["shapes"].append(_now(daytime.times(day.hours)[step]))
    traces = [
        *_beliefs(day, seen, column, occupied, step),
        *_pinned(day, pins, step),
        _bars(day, np.clip(evidence, -reach, reach), evidence, step)
        | {"marker": {"color": style.mark(seen.mechanism).colour, "line": {"width": 0}}},
    ]
    return Picture(traces, layout, _belief_words(day, seen, column, occupied, step))


def _beliefs(day: Day, seen: Posterior, column: int, occupied: Bools, step: int) -> list[Trace]:
    x, now = daytime.times(day.hours), step + 1
    own = Mark(style.mark(seen.mechanism).colour)
    truth = style.line(x, occupied.astype(float), TRUTH_NAME, TRUTH, hover="%{y:.1%}", width=1, shape="hv")
    return [
        truth | {"fill": "tozeroy", "fillcolor": style.rgba(TRUTH.colour, 0.25)},
        style.line(x, seen.model_only[:, column], "The model alone", style.EXPECTED, hover="%{y:.1%}"),
        style.line(x[:now], seen.belief[:now, column], HER_BELIEF, own, hover="%{y:.1%}", width=3),
    ]


def _pinned(day: Day, pins: Mapping[PinMark, Floats], step: int) -> list[Trace]:
    x, now = daytime.times(day.hours)[: step + 1], step + 1
    drawn = []
    for pin, belief in pins.items():
        curve = style.line(x, belief[:now], HER_BELIEF, Mark(pin.colour), hover="%{y:.1%}")
        drawn += [style.pin_legend(pin), style.pinned(curve, pin)]
    return drawn


def _bars(day: Day, height: Floats, evidence: Floats, step: int) -> Trace:
    """Evidence up to a step; what is cut at the panel's edge is said in full."""
    now = step + 1
    return {
        "type": "bar",
        "x": daytime.times(day.hours)[:now],
        "y": height[:now],
        "customdata": [f"{value:+.3f}" for value in evidence[:now]],
        "name": "Evidence of the step",
        "hovertemplate": "%{customdata}",
        "yaxis": "y2",
        "showlegend": False,
    }


def _edges(limit: float) -> list[Spec]:
    """The band of evidence that the promise allows."""
    line = {"type": "line", "line": {"color": style.LIMIT, "width": 2}, "x0": 0, "x1": 1, "xref": "paper"}
    return [line | {"y0": edge, "y1": edge, "yref": "y2"} for edge in (-limit, limit)]


def _now(time: np.datetime64) -> Spec:
    line = {"type": "line", "line": {"color": TRUTH.colour, "width": 2}}
    return line | {"x0": str(time), "x1": str(time), "y0": 0, "y1": 1, "yref": "paper"}


def _belief_words(day: Day, seen: Posterior, column: int, occupied: Bools, step: int) -> str:
    return (
        f"House {seen.houses[column]} over the day up to {day.scenario.when(step)}: truth "
        f"{'occupied' if occupied[step] else 'empty'}, the model alone says "
        f"{seen.model_only[step, column]:.0%}, her belief is {seen.belief[step, column]:.0%}. The largest "
        f"evidence of one step so far is {np.abs(seen.log_evidence[: step + 1, column]).max():.3f}."
    )


def street_figure(
    day: Day, seen: Posterior, columns: Ints, occupied: Bools | None, gain: bool = False
) -> Picture:
    """Houses in this order by time: her belief, or what the rates added to the model's. Where the truth is
    given, a line while a house is occupied."""
    few = len(columns) <= FIRST
    edges = daytime.times(np.append(day.hours, day.hours[-1] + day.scenario.step_minutes / 60))
    traces = [_heat(edges, seen, columns, gain)]
    if occupied is not None:
        traces.append(_truth(edges, occupied[:, columns], few))
    houses = {
        "range": [len(columns) - 0.5, -0.5],
        "showgrid": False,
        "title": {"text": "House"},
        "tickvals": np.arange(len(columns)),
        "ticktext": seen.houses[columns].astype(str),
        "showticklabels": few,
    }
    clock = daytime.clock(day.scenario.days) | {"showgrid": False}
    layout = style.layout(STREET_HEIGHT, {"hovermode": "closest", "xaxis": clock, "yaxis": houses})
    first = int(columns[0])
    words = (
        f"Heat map of {len(columns)} houses by time of day. First is house {seen.houses[first]}, of which "
        f"the rates move her belief by {seen.exposure[first]:.1%} on average."
    )
    return Picture(traces, layout, words)


def _heat(edges: NDArray[np.datetime64], seen: Posterior, columns: Ints, gain: bool) -> Trace:
    z = (seen.belief - seen.model_only if gain else seen.belief)[:, columns].T.astype(np.float32)
    reach = float(np.abs(z).max()) or 1.0 if gain else 1.0
    return {
        "type": "heatmap",
        "x": edges,
        "y": np.arange(len(columns)),
        "z": z,
        "colorscale": [[0, DOUBT], [0.5, NEUTRAL], [1, SURE]] if gain else [[0, NEUTRAL], [1, SURE]],
        "zmin": -reach if gain else 0.0,
        "zmax": reach,
        "colorbar": {"tickformat": ".1%" if reach < 0.1 else ".0%", "thickness": 12},
        "hovertemplate": "House %{y}, %{x|%H:%M}: %{z:.1%}<extra></extra>",
    }


def _truth(edges: NDArray[np.datetime64], occupied: Bools, few: bool) -> Trace:
    """A line for every stretch (T, n) in which a house is occupied, with gaps between, in one trace."""
    comes_or_goes = np.diff(np.pad(occupied.T.astype(int), ((0, 0), (1, 1))), axis=1)
    row, start = np.nonzero(comes_or_goes > 0)
    end = np.nonzero(comes_or_goes < 0)[1]
    x = edges[np.column_stack([start, end, end]).ravel()]
    y = np.column_stack([row, row, np.full(len(row), np.nan)]).ravel()
    line = style.line(x, y, TRUTH_NAME, Mark(INK), width=2 if few else 1)
    return line | {"opacity": 1.0 if few else 0.4, "showlegend": True}
