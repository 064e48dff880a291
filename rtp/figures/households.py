"""The households of the street: occupancy of a group, the rates it leads to, individuals, habits, bounds."""

import numpy as np

from rtp.core.types import Bools, Floats, Ints
from rtp.figures import daytime, style
from rtp.figures.daytime import Panel
from rtp.figures.style import Mark, Picture, Spec, Trace
from rtp.mechanisms import FEATURED, UNPROTECTED
from rtp.scenario import Habits, Scenario
from rtp.scenario.units import titled
from rtp.simulation import Day
from rtp.street.schedule import Schedule

_SMALL_HEIGHT, _SINGLE_HEIGHT, _HALF_HEIGHT, _MODELS_HEIGHT = 250, 560, 340, 320
_STRIPE, _NO_STRIPE = style.SIMULATED.colour, "rgba(125, 133, 144, 0.18)"
_DASHES = ("solid", "dash", "dashdot")  # of the models, in turn
GROUP_COLOURS = (
    "#59636e",
    "#b39a78",
    "#8a97a5",
    "#7a6a55",
    "#a9b4bf",
    "#cdb99a",
    "#434b54",
    "#94856f",
)  # of groups
_BINS = 30
_SMALL: Spec = {
    "showlegend": False,
    "margin": {"l": 56, "r": 90, "t": 8, "b": 44},
    "xaxis": {"title": {"standoff": 6}, "nticks": 7},
    "yaxis": {"title": {"standoff": 8}},
}


def occupancy_figure(
    day: Day, model: int, group: int, published: tuple[Floats, Floats] | None = None
) -> Picture:
    """The share of a group's houses that are occupied, and what a model expects.

    `published` is a curve to hold it against: the paper's Figure 2a, (hours, occupancy).
    """
    scenario, x = day.scenario, daytime.times(day.hours)
    houses = np.count_nonzero(day.street.group == group)
    simulated = 100 * day.street_day.occupied_by_group[group] / houses
    expected = 100 * day.street_day.expected_occupied(model, group) / houses
    hover = style.percent_hover("y")
    curves = [
        style.line(x, expected, "Expected", style.EXPECTED, hover=hover),
        style.line(x, simulated, "Simulated", style.SIMULATED, hover=hover),
    ]
    if published is not None:
        hours, curve = published
        curves.insert(0, style.line(daytime.times(hours), 100 * curve, "Figure 2a", style.PUBLISHED))
    whose, name = scenario.models[model].habits[group], scenario.groups[group].name
    clock = daytime.over_the_day(scenario, f"{name}, occupied", whose)
    clock["yaxis"] |= {
        "tickvals": [0, 50, 100],
        "ticktext": ["0 %", "50 %", "100 %"],
        "range": [0, 114],
    }
    words = f"{name}: between {simulated.min():.0f} % and {simulated.max():.0f} % occupied."
    return Picture(curves, _small(clock, curves), words)


def _small(clock: Spec, curves: list[Trace]) -> Spec:
    """A small chart on the clock, each curve named where it ends."""
    low, high = clock["yaxis"]["range"]
    read = {curve["name"]: (curve, curve["y"][np.isfinite(curve["y"])]) for curve in curves}
    ends = [
        style.End(name, c["line"]["color"], float(np.clip(y[-1], low, high))) for name, (c, y) in read.items()
    ]
    pixels = _SMALL_HEIGHT - _SMALL["margin"]["t"] - _SMALL["margin"]["b"]
    named = style.end_labels(ends, (low, high), pixels)
    notes = [*clock["annotations"], *named["annotations"]]
    return style.layout(_SMALL_HEIGHT, clock, _SMALL, named, {"annotations": notes})


def single_houses_figure(day: Day, houses: Ints, states: Bools, protected: Ints, whose: Habits) -> Picture:
    """A stripe for each sampled house, and how many houses of the street stay protected, on one clock, with
    the periods of the habits at hand shaded."""
    own = Mark(style.mark(FEATURED).colour)
    count = style.line(
        daytime.times(day.hours), protected, "Protected houses", own, hover="%{y:,d}", shape="hv"
    )
    bare = {"showticklabels": False, "autorange": "reversed", "showgrid": False}
    stack = [
        Panel(f"{len(houses)} single houses (filled: occupied)", 0.32, 0.95, bare, shaded=False),
        Panel("Protected houses under this model", 0.0, 0.22, {"rangemode": "tozero"}),
    ]
    layout = style.layout(
        _SINGLE_HEIGHT, daytime.panels(day.scenario, stack, 0.01, whose), {"margin": {"t": 24, "b": 68}}
    )
    traces = [_stripes(day, houses, states), count | {"yaxis": "y2", "showlegend": False}]
    words = (
        f"{len(houses)} single houses, and the number of protected ones, between {protected.min()} and "
        f"{protected.max()}."
    )
    return Picture(traces, layout, words)


def _stripes(day: Day, houses: Ints, states: Bools) -> Trace:
    return {
        "type": "heatmap",
        "x": daytime.times(day.hours),
        "y": [day.scenario.house(int(h), capital=True) for h in houses],
        "z": states.T.astype(int),
        "zmin": 0,
        "zmax": 1,
        "colorscale": [[0, _NO_STRIPE], [1, _STRIPE]],
        "showscale": False,
        "ygap": 1,
        "hovertemplate": "%{y}: %{z:d}<extra></extra>",
    }


def period_names(habits: Habits) -> list[str]:
    """The names of all periods, those of the weekend marked as such."""
    return [p.name for p in habits.periods] + [f"{p.name}, weekend" for p in habits.weekend or ()]


def habits_figure(schedule: Schedule, names: list[str], leave: Floats, arrive: Floats) -> Picture:
    """How the houses' own chances per step scatter around the stated ones; leave and arrive are (P, n)."""
    count = len(names)  # the street may have room for more periods
    traces = [
        *_habits(names, "Arrive", arrive[:count], schedule.arrive[:count], style.ARRIVE),
        *_habits(names, "Leave", leave[:count], schedule.leave[:count], style.LEAVE),
    ]
    own = {"boxmode": "group", "hovermode": "closest", "yaxis": {"rangemode": "tozero"}}
    layout = style.layout(_HALF_HEIGHT, style.axes("Period", "Chance per step"), own)
    words = "How personal chances to leave and arrive scatter around the stated ones, by period."
    return Picture(traces, layout, words)


def _habits(names: list[str], words: str, drawn: Floats, stated: Floats, colour: str) -> list[Trace]:
    diamond = {"color": colour, "symbol": "diamond-open", "size": 10}
    return [
        {
            "type": "box",
            "x": np.repeat(names, drawn.shape[1]),
            "y": drawn.ravel(),
            "name": words,
            "marker": {"color": colour, "size": 3},
            "boxpoints": "outliers",
            "hoverinfo": "y",
        },
        style.points(names, stated, f"{words}, as stated", diamond, hover="%{y:.4f}"),
    ]


def bounds_figure(day: Day, setter: int) -> Picture:
    """The drawn bounds by group, with the house that sets the noise marked."""
    traces = [_histogram(day, group) for group in range(len(day.scenario.groups))]
    own = {"barmode": "overlay", "hovermode": "closest", "bargap": 0}
    titles = style.axes(titled("A house's bound, the larger of its two", day.scenario, "power"), "Houses")
    marked: Spec = {}
    if setter >= 0:
        marked = _setter_line(day.scenario.house(setter), float(day.street.bound[setter]))
    layout = style.layout(_HALF_HEIGHT, titles, own, marked)
    return Picture(traces, layout, "Histogram of the houses' bounds by group.")


def _setter_line(house: str, bound: float) -> Spec:
    """A dashed line at the bound of the house that sets the noise, and its name."""
    dashed = {"color": style.mark(FEATURED).colour, "dash": "dash"}
    place = {"x": bound, "y": 1, "xref": "x", "yref": "paper", "xanchor": "right", "yanchor": "top"}
    words = {"text": f"{house} sets the noise", "showarrow": False}
    return {"shapes": [style.upright(bound, dashed)], "annotations": [place | words]}


def _histogram(day: Day, index: int) -> Trace:
    group = day.scenario.groups[index]
    bounds = day.street.bound[day.street.group == index]
    counts, edges = np.histogram(bounds, _BINS, range=(0, max(group.occupied_max, group.empty_max)))
    middles, hover = (edges[:-1] + edges[1:]) / 2, "%{y} houses near %{x:.3f}"
    drawn = style.bars(middles, counts, group.name, GROUP_COLOURS[index], hover=hover)
    return drawn | {"width": np.diff(edges), "opacity": 0.7}


def models_figure(scenario: Scenario, hours: Floats, sensitivity: Floats) -> Picture:
    """λ of every model over the day; the largest sets the noise."""
    x = daytime.times(hours)
    traces = []
    for m, model in enumerate(scenario.models):
        mark = Mark(GROUP_COLOURS[m], _DASHES[m % len(_DASHES)])
        traces.append(style.line(x, sensitivity[m], model.name, mark, hover="%{y:.3f}", shape="hv"))
    top = Mark(style.mark(UNPROTECTED).colour)
    largest = style.line(x, sensitivity.max(axis=0), "Sets the noise", top, width=7, shape="hv")
    layout = style.layout(
        _MODELS_HEIGHT,
        daytime.over_the_day(scenario, titled("Sensitivity λ", scenario, "rate")),
        {"yaxis": {"range": [0, 1.2 * (sensitivity.max() or 1.0)]}},
    )
    words = "Sensitivity of each model over the day; the largest sets the noise."
    return Picture([*traces, largest | {"opacity": 0.35}], layout, words)
