"""The households of the street: occupancy, individuals, habits, bounds, and a period's two states."""

import numpy as np

from rtp.core.types import Bools, Floats, Ints
from rtp.figures import daytime, style
from rtp.figures.daytime import Panel
from rtp.figures.style import Diagram, Mark, Picture, Spec, Trace
from rtp.mechanisms import FEATURED, UNPROTECTED
from rtp.scenario import Habits, Matrix, Scenario
from rtp.scenario.units import titled
from rtp.simulation import Day
from rtp.street.schedule import Schedule

_OCCUPANCY_HEIGHT, _HALF_HEIGHT, _MODELS_HEIGHT = 760, 340, 320
_STRIPE, _NO_STRIPE = style.SIMULATED.colour, "rgba(125, 133, 144, 0.18)"
_DASHES = ("solid", "dash", "dashdot")  # of the models, in turn
_BINS = 30
_INK, _OCCUPIED, _EMPTY = style.GREY, style.MODEL_COLOURS[0], style.MODEL_COLOURS[4]  # of the diagram
_WIDEST = 9.0  # arrow of the diagram, in pixels


def occupancy_figure(
    day: Day,
    houses: Ints,
    states: Bools,
    protected: Ints,
    published: tuple[Floats, Floats] | None,
    whose: Habits | None = None,
) -> Picture:
    """Mean occupancy, a stripe for each sampled house, and how many houses stay protected, on one clock.

    `published` is a curve to hold the mean occupancy against: the paper's Figure 2a, (hours, occupancy).
    `whose` periods are shaded: those of the habits at hand.
    """
    x = daytime.times(day.hours)
    own = Mark(style.mark(FEATURED).colour)
    count = style.line(x, protected, "Protected houses", own, hover="%{y:,d}", shape="hv")
    traces = [
        *_mean_occupancy(day, published),
        _stripes(day, houses, states),
        count | {"yaxis": "y3", "showlegend": False},
    ]
    bare = {"showticklabels": False, "autorange": "reversed", "showgrid": False}
    single = f"{len(houses)} single households (filled: occupied)"
    stack = [
        Panel("Mean occupancy", 0.7, 1.0, {"range": [0, 1.12]}),
        Panel(single, 0.22, 0.61, bare, shaded=False),
        Panel("Protected houses under this model", 0.0, 0.15, {"rangemode": "tozero"}),
    ]
    frame = {"legend": {"y": 1.04}, "margin": {"b": 68}}
    layout = style.layout(_OCCUPANCY_HEIGHT, daytime.panels(day.scenario, stack, 0.01, whose), frame)
    words = (
        f"Mean occupancy over the day, {len(houses)} single households, and the number of protected houses, "
        f"between {protected.min()} and {protected.max()}."
    )
    return Picture(traces, layout, words)


def _mean_occupancy(day: Day, published: tuple[Floats, Floats] | None) -> list[Trace]:
    x, traces = daytime.times(day.hours), []
    if published is not None:
        hours, curve = published
        name = "Published, Figure 2a"
        traces.append(style.line(daytime.times(hours), curve, name, style.PUBLISHED, hover="%{y:.3f}"))
    return [
        *traces,
        style.line(x, day.expected_occupancy, "Expected", style.EXPECTED, hover="%{y:.3f}"),
        style.line(x, day.occupancy, "Simulated", style.SIMULATED, hover="%{y:.3f}"),
    ]


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
        "yaxis": "y2",
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
    drawn = style.bars(middles, counts, group.name, style.MODEL_COLOURS[index], hover=hover)
    return drawn | {"width": np.diff(edges), "opacity": 0.7}


def models_figure(scenario: Scenario, hours: Floats, sensitivity: Floats) -> Picture:
    """λ of every model over the day; the largest sets the noise."""
    x = daytime.times(hours)
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


def state_diagram(matrix: Matrix) -> Diagram:
    """Empty on the left, occupied on the right; an arrow is as wide as it is likely, dashed where
    it is impossible."""
    (stay_away, arrive), (leave, stay) = matrix
    parts = [
        _arrow("M 96 44 C 130 24 170 24 200 40", arrive, _EMPTY, (148, 20)),
        _arrow("M 204 86 C 170 106 130 106 100 90", leave, _OCCUPIED, (150, 120)),
        _arrow("M 42 52 C 8 34 8 96 42 78", stay_away, _EMPTY, (30, 30)),
        _arrow("M 258 52 C 292 34 292 96 258 78", stay, _OCCUPIED, (270, 30)),
        _node(70, "empty", _EMPTY),
        _node(230, "occupied", _OCCUPIED),
    ]
    svg = style.svg(300, 130, parts, anchor="middle")
    return Diagram(svg, f"State diagram: chance to arrive {arrive:.3g}, to leave {leave:.3g}.")


def _arrow(path: str, probability: float, colour: str, number_at: tuple[int, int]) -> str:
    """A line with a dot at its end, and how likely it is."""
    ink, dashes = (colour, "") if probability else (_INK, 'stroke-dasharray="3 4" ')
    width, radius = 1 + (_WIDEST - 1) * probability, 2 + _WIDEST / 2 * probability
    (x, y), (left, top) = path.split()[-2:], number_at
    return (
        f'<path d="{path}" stroke="{ink}" stroke-width="{width:.2f}" {dashes}fill="none" opacity="0.75"/>'
        f'<circle cx="{x}" cy="{y}" r="{radius:.2f}" fill="{ink}"/>'
        f'<text x="{left}" y="{top}" fill="{_INK}">{probability:.3g}</text>'
    )


def _node(x: int, name: str, colour: str) -> str:
    return (
        f'<circle cx="{x}" cy="65" r="31" fill="{colour}"/>'
        f'<text x="{x}" y="69" fill="{style.WHITE}" font-size="12">{name}</text>'
    )
