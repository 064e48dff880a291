"""The households of the street: individuals, habits, bounds, and the models that set the noise."""

import numpy as np

from rtp.core.time import days_words
from rtp.core.types import Bools, Floats, Ints
from rtp.figures import daytime, style
from rtp.figures.daytime import Panel
from rtp.figures.style import Mark, Picture, Spec, Trace
from rtp.mechanisms import FEATURED, UNPROTECTED
from rtp.mechanisms.blowfish import sensitivity_by_model
from rtp.scenario.units import titled
from rtp.simulation import Day
from rtp.simulation.day import loudest_house
from rtp.street.draw import evenly
from rtp.street.simulate import replay_houses

_SINGLE_HEIGHT, _HALF_HEIGHT, _MODELS_HEIGHT = 560, 340, 320
_STRIPES = 30  # houses that are drawn one by one
_STRIPE, _NO_STRIPE = style.SIMULATED.colour, "rgba(125, 133, 144, 0.18)"
_DASHES = ("solid", "dash", "dashdot")  # of the models, in turn
_BINS = 30


def single_houses_figure(day: Day, model: int, group: int) -> Picture:
    """A stripe for each of some houses of a group, and how many houses of the street stay protected under a
    model, on one clock, with the periods of the group's habits shaded."""
    houses = np.flatnonzero(day.street.group == group)
    houses = houses[evenly(len(houses), _STRIPES)]
    states, _ = replay_houses(day.street_day.spec, day.street, houses.tolist())
    protected = day.street_day.support_classes.protected_under(model)
    own = Mark(style.mark(FEATURED).colour)
    count = style.line(
        daytime.times(day.hours), protected, "Protected houses", own, hover="%{y:,d}", shape="hv"
    )
    bare = {"showticklabels": False, "autorange": "reversed", "showgrid": False}
    stack = [
        Panel(f"{len(houses)} single houses (filled: occupied)", 0.32, 0.95, bare, shaded=False),
        Panel("Protected houses under this model", 0.0, 0.22, {"rangemode": "tozero"}),
    ]
    clock = daytime.panels(day.scenario, stack, 0.01, day.scenario.models[model].habits[group])
    layout = style.layout(_SINGLE_HEIGHT, clock, {"margin": {"t": 24, "b": 68}})
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


def habits_figure(day: Day, model: int, group: int) -> Picture:
    """How the chances per step of a group's houses scatter around those that a model states."""
    spec = day.street_day.spec
    block = next(block for block in spec.blocks if block.group == group)
    leave, arrive = spec.transition_probabilities(day.street, model, block)  # (P, n)
    schedule, habits = spec.schedules[model][group], day.scenario.models[model].habits[group]
    names = [
        part.name if field == "periods" else f"{part.name}, {days_words(habits.days_of(field))}"
        for field, parts in habits.day_kinds().items()
        for part in parts
    ]
    count = len(names)  # the street may have room for more periods
    traces = [
        *_habits(names, "Arrive", arrive[:count], schedule.arrive[:count], style.ARRIVE),
        *_habits(names, "Leave", leave[:count], schedule.leave[:count], style.LEAVE),
    ]
    own = {"boxmode": "group", "hovermode": "closest", "yaxis": {"rangemode": "tozero"}}
    layout = style.layout(_HALF_HEIGHT, style.axes("Period", "Each house's chance per step"), own)
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


def bounds_figure(day: Day) -> Picture:
    """The drawn bounds by group, with the house that sets the private rate's noise marked."""
    traces = [_histogram(day, group) for group in range(len(day.scenario.groups))]
    own = {"barmode": "overlay", "hovermode": "closest", "bargap": 0}
    titles = style.axes(titled("A house's bound, the larger of its two", day.scenario, "power"), "Houses")
    marked: Spec = {}
    if (setter := loudest_house(day.release[FEATURED])) >= 0:
        house, bound = day.scenario.house(setter), float(day.street.bound[setter])
        dashed = {"color": style.mark(FEATURED).colour, "dash": "dash"}
        words = style.note(f"{house} sets the noise", bound, 1, "right", "top", yref="paper", xshift=-6)
        marked = {"shapes": [style.upright(bound, dashed)], "annotations": [words]}
    layout = style.layout(_HALF_HEIGHT, titles, own, marked)
    return Picture(traces, layout, "Histogram of the houses' bounds by group.")


def _histogram(day: Day, index: int) -> Trace:
    group = day.scenario.groups[index]
    bounds = day.street.bound[day.street.group == index]
    counts, edges = np.histogram(bounds, _BINS, range=(0, max(group.occupied_max, group.empty_max)))
    middles, hover = (edges[:-1] + edges[1:]) / 2, "%{y} houses near %{x:.3f}"
    drawn = style.bars(middles, counts, group.name, style.MODEL_COLOURS[index], hover=hover)
    return drawn | {"width": np.diff(edges), "opacity": 0.8}


def models_figure(day: Day) -> Picture:
    """λ of every model over the day; the largest sets the noise."""
    scenario, x = day.scenario, daytime.times(day.hours)
    sensitivity = sensitivity_by_model(day.market.public)
    traces = []
    for m, model in enumerate(scenario.models):
        mark = Mark(style.MODEL_COLOURS[m], _DASHES[m % len(_DASHES)])
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
