"""The frontier: error against what an observer gets right, a line for each rate and price interval."""

from collections.abc import Iterator

import numpy as np

from rtp.core.formatting import percent, plain
from rtp.decision import EPSILONS, SECRETS, Answer, Choice, Line
from rtp.figures import style
from rtp.figures.style import LEVEL_WIDTH, Mark, Picture, Trace
from rtp.leakage.overview import HIDDEN

_HEIGHT = 400
_SYMBOLS = {15: "circle", 30: "diamond", 60: "square"}  # by the minutes between two prices
_ROOM = 1.4  # of the largest error that matters, which the axis shows
_SIDES = (49.0, 101.0)  # percent
_EVERY = 5  # budgets between two points of a line
_LIMIT = "hidden"


def frontier_figure(answer: Answer) -> Picture:
    """Every rate and interval; a star for what is published, lines for what was asked for."""
    front, wish = answer.frontier, answer.wish
    top = _top(answer)
    traces = [trace for line in front.lines for trace in _line(line)]
    traces += _ends(answer)
    if wish.error is not None:
        traces.append(style.accepted_error(list(_SIDES), wish.error))
    if wish.secret is not None:
        traces.append(style.line([100 * HIDDEN] * 2, [0.0, top], _LIMIT, Mark(style.GREY), width=LEVEL_WIDTH))
    if answer.choice is not None:
        traces.append(_star(answer.choice))
    layout = style.layout(
        _HEIGHT,
        {
            "xaxis": {"title": {"text": f"Right about {SECRETS[wish.shown]}, {wish.observer} (%)"}},
            "yaxis": {"title": {"text": "RMSRE (%)"}, "range": [0.0, top]},
        },
        {"xaxis": {"range": list(_SIDES)}},
    )
    return Picture(traces, layout, _words(answer))


def _line(line: Line) -> Iterator[Trace]:
    """A thin line, and a point at every budget that can be clicked."""
    mark = style.mark(line.rate)
    some = slice(None, None, _EVERY)
    right, errors = 100 * line.right[0], 100 * line.errors
    name = f"{style.label(line.rate)}, {line.minutes} min"
    yield style.line(right, errors, name, mark, width=1) | {"hoverinfo": "skip", "showlegend": False}
    yield {
        "type": "scatter",
        "mode": "markers",
        "name": name,
        "x": right[some],
        "y": errors[some],
        "customdata": np.column_stack([EPSILONS[some], np.full(len(EPSILONS[some]), line.minutes)]),
        "marker": {"color": mark.colour, "symbol": _SYMBOLS[line.minutes], "size": 7},
        "hovertemplate": f"{name}<br>ε = %{{customdata[0]:.3g}}<br>right %{{x:.3g}} %<br>RMSRE %{{y:.3g}} %"
        "<extra></extra>",
    }


def _ends(answer: Answer) -> Iterator[Trace]:
    """Habits alone, which the timetable shows, and the rates without noise."""
    for minutes, error in answer.frontier.timetable.items():
        yield _end("Timetable", minutes, 50.0, 100 * error)
    for minutes, seen in answer.frontier.without_noise.items():
        yield _end("Without noise", minutes, 100 * seen.value, 0.0)


def _end(name: str, minutes: int, right: float, error: float) -> Trace:
    return {
        "type": "scatter",
        "mode": "markers",
        "name": f"{name}, {minutes} min",
        "x": [right],
        "y": [error],
        "marker": {"color": style.GREY, "symbol": f"{_SYMBOLS[minutes]}-open", "size": 9},
        "hovertemplate": f"{name}, {minutes} min<br>right %{{x:.3g}} %<br>RMSRE %{{y:.3g}} %<extra></extra>",
    }


def _star(choice: Choice) -> Trace:
    return {
        "type": "scatter",
        "mode": "markers",
        "name": "the answer",
        "x": [100 * choice.right.value],
        "y": [100 * choice.error],
        "marker": {"symbol": "star", "size": 16, "color": style.mark(choice.rate).colour},
        "error_x": style.interval(choice.right) if hasattr(style, "interval") else {},
        "hovertemplate": f"ε = {plain(choice.epsilon)}<extra>the answer</extra>",
    }


def _top(answer: Answer) -> float:
    """The largest error that matters: accepted, chosen, or that of the timetable."""
    wish, chosen = answer.wish, answer.chosen
    of = [
        wish.error or 0.0,
        100 * chosen.timetable_error,
        100 * (answer.choice.error if answer.choice else 0.0),
    ]
    return _ROOM * max(of)


def _words(answer: Answer) -> str:
    """For those who cannot see it."""
    choice, wish = answer.choice, answer.wish
    parts = [
        f"RMSRE against how often an {wish.observer} is right about {SECRETS[wish.shown]}, a line for each "
        "rate and interval."
    ]
    if choice is not None:
        parts.append(
            f"The answer: {style.label(choice.rate)}, every {choice.minutes} minutes, ε = "
            f"{plain(choice.epsilon)}, RMSRE {percent(choice.error)}, right {percent(choice.right.value)}."
        )
    return " ".join(parts)
