"""The frontier: error against how often an observer is right, a line for each rate and price interval."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from rtp.core.formatting import percent, plain
from rtp.decision import EPSILONS, SECRETS, Answer, Choice, FrontierLine
from rtp.exposure import HIDDEN
from rtp.figures import style
from rtp.figures.style import LEVEL_WIDTH, Mark, Picture, Positions, Trace
from rtp.output.exposure import share

_HEIGHT = 380
_SYMBOLS = {15: "circle", 30: "diamond", 60: "square"}  # by the minutes between two prices
SYMBOL_WORDS = "● 15, ◆ 30, ■ 60 min."
_ROOM = 1.4  # of the largest error that matters, which the axis shows
_SIDES = (49.0, 101.0)  # percent
TIMETABLE = "Timetable"
_EVERY = 5  # budgets between two points of a line
_PALE = 0.25  # where a secret is not hidden for sure


def frontier_figure(answer: Answer) -> Picture:
    """Every rate and interval; a star for what is published, lines for what was asked for."""
    front, wish = answer.frontier, answer.wish
    top = _top(answer)
    first = min(line.minutes for line in front.lines)
    traces = [trace for line in front.lines for trace in _line(line, named=line.minutes == first)]
    traces += _ends(answer)
    if wish.error is not None:
        traces.append(style.accepted_error(list(_SIDES), wish.error))
    if wish.secret is not None:
        limit = f"hidden up to {percent(HIDDEN)}"
        traces.append(style.line([100 * HIDDEN] * 2, [0.0, top], limit, Mark(style.GREY), width=LEVEL_WIDTH))
    if answer.choice is not None:
        traces.append(_star(answer.choice))
    layout = style.layout(
        _HEIGHT,
        style.error_axes(_right_title(answer), log=False),
        {"xaxis": style.PERCENT_TICKS | {"range": list(_SIDES)}, "yaxis": {"range": [0.0, top]}},
        style.LAST_TICK,
    )
    return Picture(traces, layout, _words(answer))


def pale_words(answer: Answer) -> str:
    """What pale points are, where there are some."""
    if not any(line.unsure[::_EVERY].any() for line in answer.frontier.lines):
        return ""
    return " Pale: not hidden for sure."


def _right_title(answer: Answer) -> str:
    """Who is right about what, and where she is approximate that it is at least so often."""
    who = answer.wish.observer
    exact = all(each.exact for each in answer.seen if each.observer == who)
    words = f"{who.capitalize()} right about {SECRETS[answer.wish.shown]}"
    return words if exact else f"{words}, at least"


def _line(line: FrontierLine, *, named: bool) -> Iterator[Trace]:
    """A thin line, and points at some budgets, which can be clicked."""
    mark = style.mark(line.rate)
    some = slice(None, None, _EVERY)
    right, errors = 100 * line.right[0], 100 * line.errors
    name = f"{style.label(line.rate)}, {line.minutes} min"
    yield style.line(right, errors, style.label(line.rate), mark, width=1) | {
        "hoverinfo": "skip",
        "showlegend": named,
        "legendgroup": line.rate,
    }
    yield _points(
        right[some], errors[some], name, line.minutes, mark.colour, hover="ε = %{customdata[0]:.3g}<br>"
    ) | {
        "customdata": [[epsilon, line.minutes] for epsilon in EPSILONS[some].tolist()],
        "marker": _marker(line.minutes, mark.colour) | {"opacity": np.where(line.unsure[some], _PALE, 1.0)},
        "legendgroup": line.rate,
    }


def _ends(answer: Answer) -> Iterator[Trace]:
    """Habits alone, which the timetable shows, and the rates without noise."""
    ends = {
        TIMETABLE: {minutes: (0.5, error) for minutes, error in answer.frontier.timetable.items()},
        "Without noise": {m: (seen.value, 0.0) for m, seen in answer.frontier.without_noise.items()},
    }
    for name, points in ends.items():
        for at, (minutes, (right, error)) in enumerate(points.items()):
            each = _points(
                [100 * right],
                [100 * error],
                f"{name}, {minutes} min",
                minutes,
                style.GREY,
                open_=name == TIMETABLE,
            )
            yield each | {"name": name, "showlegend": not at, "legendgroup": name}


def _points(
    right: Positions,
    errors: Positions,
    name: str,
    minutes: int,
    colour: str,
    *,
    hover: str = "",
    open_: bool = False,
) -> Trace:
    return {
        "type": "scatter",
        "mode": "markers",
        "name": name,
        "x": right,
        "y": errors,
        "showlegend": False,
        "marker": _marker(minutes, colour, open_=open_),
        "hovertemplate": f"{name}<br>{hover}right %{{x:.0f}} %<br>RMSRE %{{y:.3g}} %<extra></extra>",
    }


def _marker(minutes: int, colour: str, *, open_: bool = False) -> dict[str, Any]:
    return {
        "color": colour,
        "symbol": _SYMBOLS[minutes] + "-open" * open_,
        "size": 10 if open_ else 7,
    }


def _star(choice: Choice) -> Trace:
    return {
        "type": "scatter",
        "mode": "markers",
        "name": "the answer",
        "x": [100 * choice.right.value],
        "y": [100 * choice.error],
        "marker": {"symbol": "star", "size": 16, "color": style.mark(choice.rate).colour},
        "error_x": {
            "type": "data",
            "symmetric": False,
            "array": [100 * (choice.right.high - choice.right.value)],
            "arrayminus": [100 * (choice.right.value - choice.right.low)],
        },
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
            f"{plain(choice.epsilon)}, RMSRE {percent(choice.error)}, right "
            f"{share(choice.right, choice.exact)}."
        )
    return " ".join(parts)
