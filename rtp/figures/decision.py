"""The bend of an answer: Explore's picture for the secret that was asked about, with what is published, what
counts as hidden and which error is accepted; and the timetable or the noise that is handed over."""

from math import log10

import numpy as np

from rtp.core.formatting import percent, plain
from rtp.core.stats import Range
from rtp.core.types import Bools
from rtp.decision import EPSILONS, Answer, FrontierLine
from rtp.decision.handover import plans
from rtp.exposure import HIDDEN
from rtp.figures import style
from rtp.figures.bend import Bend, bend_figure
from rtp.figures.style import LEVEL_WIDTH, Mark, Picture, Spec, Trace
from rtp.mechanisms import FEATURED, UNPROTECTED, YARDSTICK
from rtp.output.exposure import share
from rtp.scenario.units import titled

_HEIGHT = 300
_DASHES = ("solid", "dot", "dash")  # of a working day, and of the days that differ
_SPAN = 0.01, 100.0  # of ε, unless the answer's lies beyond
_SIDES = (45.0, 104.0)  # percent
_NAMED = 0.07  # shares above a line that its name takes
_LEAST = 1e-4  # percent, left of which no axis begins


def answer_figure(answer: Answer, epsilon: float | None = None, hint: str = "") -> Picture:
    """How often each observer tells over how far a rate is off, at the interval of the answer; a star for
    what is published, dots where ε stands, which is at first the answer's."""
    epsilon = closest(answer) if epsilon is None else epsilon
    here = {line.rate: line for line in answer.frontier.lines if line.minutes == answer.chosen.minutes}
    own = [each.epsilon for each in (answer.choice, answer.chosen.hiding) if each]
    shown = (min(*own, _SPAN[0]) <= EPSILONS) & (max(*own, _SPAN[1]) >= EPSILONS)
    bends = [_bend(here[name], answer, epsilon, shown) for name in _compared(answer, here)]
    drawn = bend_figure(EPSILONS[shown], bends, epsilon, hint)
    low, high = (10.0**end for end in drawn.layout["xaxis"]["range"])
    traces, notes = list(drawn.traces), list(drawn.layout["annotations"])
    if answer.wish.secret is not None:
        words = f"hidden up to {percent(HIDDEN)}"
        traces.append(style.level([low, high], 100 * HIDDEN, words, Mark(style.GREY)))
        # At the left, where curves are level: on that side of the line where none begins.
        begins = [told[np.argmin(bend.error)] for bend in bends for told in bend.told.values()]
        crowded = any(HIDDEN <= each < HIDDEN + _NAMED for each in begins)
        place = "top" if crowded else "bottom"
        notes.append(_note("hidden", log10(low), 100 * HIDDEN, "left", place) | {"xshift": 2})
    if (error := answer.wish.error) is not None:
        notes.append(_note("accepted", log10(error), _SIDES[0], "right", "bottom"))
        level = style.line([error] * 2, list(_SIDES), "accepted", Mark(style.GREY), width=LEVEL_WIDTH)
        traces.append(level | {"hovertemplate": f"accepted: {percent(error / 100)}<extra></extra>"})
    traces.append(_star(answer))
    return Picture(traces, drawn.layout | {"annotations": notes}, f"{drawn.words} {_words(answer)}")


def _note(text: str, x: float, y: float, across: str, up: str) -> Spec:
    """What a straight line is, at its end; x is a logarithm, as on the axis."""
    font = {"size": 12, "color": style.GREY}
    return {"text": text, "x": x, "y": y, "xanchor": across, "yanchor": up, "showarrow": False, "font": font}


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
    right = 0.5 if choice is None else choice.right.value
    name = "timetable" if choice is None else "the answer"
    hover = f"{name}<br>off by {percent(error)}"
    colour = style.GREY if choice is None else style.mark(choice.rate).colour
    marker: Spec = {
        "symbol": "star",
        "size": 17,
        "color": colour,
        "line": {"width": 1.5, "color": style.WHITE},
    }
    star = style.points([max(100 * error, _LEAST)], [100 * right], name, marker, hover=hover)
    if choice is None:
        return star
    ends = [100 * (choice.right.high - right), 100 * (right - choice.right.low)]
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
        f"The answer: {style.label(choice.rate)}, every {choice.minutes} minutes, ε = "
        f"{plain(choice.epsilon)}, off by {percent(choice.error)}, right {share(choice.right, choice.exact)}."
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
                f"{style.label(name)}, {plan.kind}": (rate, style.mark(name)._replace(dash=dash))
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
