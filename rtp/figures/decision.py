"""The bend of an answer: Explore's picture for the secret that was asked about, with what is published, what
counts as hidden and which error is accepted; the timetable or the noise that is handed over.

And maps of what if: lines with intervals over one field, or a heat map over two, whose points can be clicked.
What is accepted and what is hidden is outlined on either.
"""

from math import log10
from typing import NamedTuple

import numpy as np

from rtp.core.formatting import percent, plain
from rtp.core.stats import Range
from rtp.core.types import Bools
from rtp.decision import EPSILONS, Answer, FrontierLine
from rtp.decision.handover import plans
from rtp.exposure import HIDDEN
from rtp.exposure.result import COIN
from rtp.figures import style
from rtp.figures.bend import Bend, bend_figure
from rtp.figures.style import LEVEL_WIDTH, Mark, Picture, Spec, Trace
from rtp.mechanisms import FEATURED, REGISTRY, UNPROTECTED, YARDSTICK
from rtp.output.exposure import share
from rtp.scenario.units import titled
from rtp.sweep.measures import ERROR, EXPOSED, shown_unit
from rtp.sweep.whatif import LOG_FROM, Map

_HEIGHT = 300
_DASHES = ("solid", "dot", "dash")  # of a working day, and of the days that differ
_SPAN = 0.01, 100.0  # of ε, unless the answer's lies beyond
_SIDES = (45.0, 104.0)  # percent
_LEAST = 1e-4  # percent, left of which no axis begins
_GREY: Spec = {"size": 12, "color": style.GREY}  # what a straight line is, at its end


def answer_figure(answer: Answer, epsilon: float | None = None, hint: str = "") -> Picture:
    """How often each observer tells over how far a rate is off, at the interval of the answer; a star for
    what is published, dots where ε stands, which is at first the answer's."""
    epsilon = closest(answer) if epsilon is None else epsilon
    here = {line.rate: line for line in answer.lines if line.minutes == answer.chosen.minutes}
    own = [each.epsilon for each in (answer.choice, answer.chosen.hiding) if each]
    shown = (min(*own, _SPAN[0]) <= EPSILONS) & (max(*own, _SPAN[1]) >= EPSILONS)
    bends = [_bend(here[name], answer, epsilon, shown) for name in _compared(answer, here)]
    drawn = bend_figure(EPSILONS[shown], bends, epsilon, hint)
    low, high = (10.0**end for end in drawn.layout["xaxis"]["range"])
    traces, notes = list(drawn.traces), list(drawn.layout["annotations"])
    if answer.wish.secret is not None:
        words = f"hidden up to {percent(HIDDEN)}"
        traces.append(style.level([low, high], 100 * HIDDEN, words, Mark(style.GREY)))
        # At the right, where noise hides most.
        place = log10(high), 100 * HIDDEN, "right", "bottom"
        notes.append(style.note("hidden", *place, font=_GREY, xshift=-2))
    if (error := answer.wish.error) is not None:
        notes.append(style.note("accepted", log10(error), _SIDES[0], "right", font=_GREY))
        level = style.line([error] * 2, list(_SIDES), "accepted", Mark(style.GREY), width=LEVEL_WIDTH)
        traces.append(level | {"hovertemplate": f"accepted: {percent(error / 100)}<extra></extra>"})
    traces.append(_star(answer))
    return Picture(traces, drawn.layout | {"annotations": notes}, f"{drawn.words} {_words(answer)}")


def closest(answer: Answer) -> float:
    """The ε that is published or, where none is, that of the rate that comes closest."""
    chosen = answer.chosen
    found = chosen.choice or chosen.hiding or chosen.accurate
    return found.epsilon if found else answer.scenario.epsilon


def _compared(answer: Answer, here: dict[str, FrontierLine]) -> list[str]:
    """The naive and the private rate, and the one that the answer is about."""
    chosen = answer.chosen
    about = next((each.rate for each in (chosen.choice, chosen.hiding, chosen.accurate) if each), FEATURED)
    return [name for name in dict.fromkeys([YARDSTICK, FEATURED, about]) if name in here]


def _bend(line: FrontierLine, answer: Answer, epsilon: float, shown: Bools) -> Bend:
    """A line of the frontier, and where ε stands on it, in a straight line between the two budgets beside."""
    place, at = np.log(EPSILONS), np.log(epsilon)
    error = float(np.interp(at, place, line.errors))
    exact = {each.observer: each.exact for each in answer.seen}
    named = {
        who if exact.get(who, True) else f"{who}, at least": told for who, told in sorted(line.told.items())
    }
    now = {who: float(np.interp(at, place, told)) for who, told in named.items()}
    told = {who: each[shown] for who, each in named.items()}
    return Bend(line.rate, line.errors[shown], told, Range(error, error, error), now)


def _star(answer: Answer) -> Trace:
    """What is published, or would be: the timetable shows nothing of today."""
    choice, chosen = answer.choice, answer.chosen
    error = chosen.timetable_error if choice is None else choice.error
    first = COIN if choice is None else choice.first[choice.judge]
    name = "timetable" if choice is None else "the answer"
    hover = f"{name}<br>off by {percent(error)}"
    colour = style.GREY if choice is None else style.mark(choice.rate).colour
    marker: Spec = {
        "symbol": "star",
        "size": 17,
        "color": colour,
        "line": {"width": 1.5, "color": style.WHITE},
    }
    star = style.points([max(100 * error, _LEAST)], [100 * first.value], name, marker, hover=hover)
    if choice is None:
        return star
    ends = [100 * (first.high - first.value), 100 * (first.value - first.low)]
    return star | {
        "customdata": [[choice.epsilon]],
        "error_y": {"type": "data", "symmetric": False, "array": ends[:1], "arrayminus": ends[1:]},
    }


def _words(answer: Answer) -> str:
    """What is published, for those who cannot see it."""
    choice = answer.choice
    if choice is None:
        return f"The timetable is off by {percent(answer.chosen.timetable_error)}."
    return (
        f"The answer: {style.title(choice.rate)}, every {choice.minutes} minutes, ε = "
        f"{plain(choice.epsilon)}, off by {percent(choice.error)}, "
        f"right {share(choice.first[choice.judge], choice.exact)}."
    )


def prices_figure(answer: Answer) -> Picture:
    """The timetable of each kind of day; or a sample day with the optimal rate under it."""
    traces, scenario = [], answer.scenario
    hours = [step * scenario.step_minutes / 60 for step in range(scenario.steps_per_day)]
    for plan, dash in zip(plans(answer), _DASHES, strict=False):
        if plan.sample is None or plan.optimal is None:
            mark = style.mark(answer.rate)
            lines = {plan.kind: (plan.expected, mark._replace(dash=dash))}
        else:
            of = {UNPROTECTED: plan.optimal, answer.rate: plan.sample}
            lines = {
                f"{style.title(name)}, {plan.kind}": (rate, style.mark(name)._replace(dash=dash))
                for name, rate in of.items()
            }
        for name, (rate, mark) in lines.items():
            line = style.line(hours, rate, name, mark, hover="%{y:.4~g}")
            traces.append(line | {"line": line["line"] | {"shape": "hv"}})
    layout = style.layout(_HEIGHT, style.axes("hour of the day", titled("rate (price)", scenario, "rate")))
    made = "The timetable" if answer.choice is None else "A sample day"
    every = np.concatenate([trace["y"] for trace in traces])
    low, high = plain(float(every.min())), plain(float(every.max()))
    return Picture(traces, layout, f"{made}: prices from {low} to {high}.")


_MAP_HEIGHT = 400
TICKS = 8  # of a map's axis at most
_COLOURS, _DOT_EDGE = "Viridis", "#0e151c"


class Limits(NamedTuple):
    """What is outlined, in percent: the error that is accepted, if one is, and up to where a secret is
    hidden."""

    accepted: float | None = None
    hidden: float = 100 * HIDDEN

    def of(self, measure: str) -> float | None:
        """The one that a measure has."""
        return self.accepted if measure == ERROR else self.hidden if measure in EXPOSED else None


HIDES_ONLY = Limits()


def lines_figure(sweep: Map, measure: str, limits: Limits = HIDES_ONLY) -> Picture:
    """One field against one measure, for every mechanism."""
    ((address, words),) = sweep.words().items()
    axis = sweep.axis(address)
    points, shown = sorted(sweep.parts), sweep.shown(measure)
    traces: list[Trace] = []
    for m, name in enumerate(REGISTRY):
        mean = np.array([shown[p][0][m] for p in points])
        if name == UNPROTECTED and not mean.any():  # it has no error, no noise and costs nothing
            continue
        half = [shown[p][1][m] for p in points]
        hover = _estimate("y", "customdata[1]", measure)
        x, mark = [axis[p] for p in points], style.mark(name)
        line = style.line(x, style.finite(mean), style.title(name), mark, hover=hover)
        line |= {"mode": "lines+markers", "error_y": {"array": half, "thickness": 1.2, "width": 3}}
        traces.append(line | {"customdata": [list(pair) for pair in zip(points, half, strict=True)]})
    if (limit := limits.of(measure)) is not None:
        traces.append(style.level([axis[0], axis[-1]], limit, _outlined(measure), Mark(style.GREY, "dash")))
    ticks, far = axis[:: -(-len(axis) // TICKS)], axis[0] > 0 and axis[-1] / axis[0] >= LOG_FROM
    shown_axis: Spec = {
        "type": "log" if far else "linear",
        "tickvals": ticks,
        "ticktext": [plain(value) for value in ticks],
        "hoverformat": ",.4~r",
    }
    own = {"xaxis": shown_axis, "yaxis": _unit_ticks(measure)}
    layout = style.layout(_MAP_HEIGHT, style.axes(words, sweep.measures()[measure]), own)
    return Picture(traces, layout, _map_words(sweep, measure))


def _outlined(measure: str) -> str:
    return "accepted" if measure == ERROR else "hidden"


def _estimate(mean: str, half: str, measure: str) -> str:
    """A mean and its interval, as plotly's template."""
    return f"%{{{mean}:,.4~r}} ± %{{{half}:,.2~r}}{shown_unit(measure)}"


def _unit_ticks(measure: str) -> Spec:
    return style.PERCENT_TICKS if shown_unit(measure) else {}


def _map_words(sweep: Map, measure: str) -> str:
    return f"{sweep.measures()[measure]} over {' and '.join(sweep.words().values())}."


def heat_figure(sweep: Map, measure: str, mechanism: str, limits: Limits = HIDES_ONLY) -> Picture:
    """Two fields against one measure of one mechanism; the dots are there to be clicked. Outlined is where an
    error is accepted and where a secret is hidden, whichever of them is shown."""
    (columns, across), (rows, up) = sweep.words().items()
    names = [[plain(value, 4) for value in sweep.axis(address)] for address in (columns, rows)]
    bar = {"title": {"text": sweep.measures()[measure], "side": "right"}, "thickness": 14}
    cells: Trace = {
        "type": "heatmap",
        "colorscale": _COLOURS,
        "hoverinfo": "skip",
        "colorbar": bar | _unit_ticks(measure),
    }
    traces = [_grid(sweep, measure, mechanism, names) | cells]
    traces += [
        _grid(sweep, each, mechanism, names) | _outline(each, limit)
        for each in sweep.measures()
        if (limit := limits.of(each)) is not None
    ]
    traces.append(_dots(sweep, measure, mechanism, names))
    category = {"type": "category", "showgrid": False}
    layout = style.layout(
        _MAP_HEIGHT,
        style.axes(across, up),
        {"hovermode": "closest", "margin": {"t": 16}, "xaxis": category, "yaxis": category},
    )
    return Picture(traces, layout, _map_words(sweep, measure))


def _grid(sweep: Map, measure: str, mechanism: str, names: list[list[str]]) -> Trace:
    """Both fields, and the means at all points, (rows, columns); not a number where one is still to come."""
    m = list(REGISTRY).index(mechanism)
    table = np.full((len(names[0]), len(names[1])), np.nan)
    for point, (mean, _) in sweep.shown(measure).items():
        table[np.unravel_index(point, table.shape)] = mean[m]
    return {"x": names[0], "y": names[1], "z": style.finite(table).T}


def _outline(measure: str, limit: float) -> Trace:
    """A line along a limit: solid around what is accepted, dashed around what is hidden."""
    return {
        "type": "contour",
        "contours": {"start": limit, "end": limit, "size": 1, "coloring": "none"},
        "line": {"color": style.WHITE, "width": 3, "dash": "solid" if measure == ERROR else "dash"},
        "showscale": False,
        "showlegend": False,
        "hoverinfo": "skip",
        "name": _outlined(measure),
    }


def _dots(sweep: Map, measure: str, mechanism: str, names: list[list[str]]) -> Trace:
    """A dot in each cell that knows its point: heat map cells cannot be clicked."""
    m, shown = list(REGISTRY).index(mechanism), sweep.shown(measure)
    points = sorted(sweep.parts)
    column, row = np.unravel_index(points, (len(names[0]), len(names[1])))
    x, y = [names[0][i] for i in column], [names[1][j] for j in row]
    dot = {"size": 11, "color": style.WHITE, "line": {"color": _DOT_EDGE, "width": 1.5}}
    hover = _estimate("customdata[1]", "customdata[2]", measure) + ", %{customdata[3]} days<extra></extra>"
    return style.points(x, y, "", dot, hover=hover) | {
        "customdata": [[p, shown[p][0][m], shown[p][1][m], sweep.parts[p].days] for p in points],
        "showlegend": False,
    }
