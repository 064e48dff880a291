"""What rates tell over time: a moment's leak and its price, a hypothesis tested, a crowd's noise, a total."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from rtp.core.formatting import percent, plain
from rtp.core.stats import LEVEL_WORDS
from rtp.core.types import Floats
from rtp.exposure import Exposure, Observer, Secret
from rtp.figures import daytime, style
from rtp.figures.style import LEVEL_WIDTH, Mark, Picture, Spec, Trace
from rtp.figures.theme import STRONG
from rtp.leakage.composition import Composition
from rtp.leakage.moment import MomentLeakage
from rtp.metrics import ERROR_AXIS
from rtp.output.exposure import COIN, SECRETS, interval, may_be_more, share, where
from rtp.scenario import Scenario
from rtp.simulation import Day

_HEIGHT, _VERDICT_HEIGHT = 400, 420
_SIDES: tuple[Observer, ...] = ("outsider", "insider")
Found = Mapping[tuple[Secret, Observer], Exposure]
_FROM_ZERO: Spec = {"yaxis": {"rangemode": "tozero"}}


def moment_figure(day: Day, leakage: MomentLeakage, step: int, gives: Floats) -> Picture:
    """The leak of every moment, and by how much one of them would leak less without each rate."""
    x, mark = daytime.times(day.hours), style.mark(leakage.mechanism)
    promised, limit = np.full(len(x), day.scenario.epsilon), Mark(style.LIMIT, "dot")
    so_far = Mark(style.EXPECTED.colour, "dash")
    name, colour = f"What each rate adds to {day.scenario.when(step)}", style.rgba(mark.colour, 0.45)
    bars = style.bars(x, style.finite(gives), name, colour, hover="%{y:.3f}")
    lines = [
        style.line(x, style.finite(leakage.whole), "By the whole record", mark, hover="%{y:.3f}"),
        style.line(x, style.finite(leakage.so_far), "By the rates so far", so_far, hover="%{y:.3f}"),
        style.line(x, promised, "ε, one rate's promise", limit, hover="%{y:.3f}", width=LEVEL_WIDTH),
    ]
    # What is clicked is a point of a curve that cannot be seen. Each says its step: an array would not come
    # back from a click as a list.
    clicked = style.points(x, style.finite(leakage.whole), "", {"size": 12, "opacity": 0})
    clicked |= {"customdata": [[step] for step in range(len(x))], "hoverinfo": "none", "showlegend": False}
    traces = [*lines, bars, clicked]
    title = daytime.over_the_day(day.scenario, "Largest shift of the log-odds")
    words = (
        f"Leak of every moment from the {style.short(leakage.mechanism)} rates. Whole record: at most "
        f"{plain(leakage.worst)}, at {day.scenario.when(leakage.step)}; rates so far: at most "
        f"{plain(float(leakage.so_far.max()))}."
    )
    return Picture(traces, style.layout(_HEIGHT, title, _FROM_ZERO), words)


def verdict_figure(found: Found, rates: Sequence[str], scenario: Scenario) -> Picture:
    """How often either observer tells each secret, a bar for each rate, from a coin to always: first the
    outsider, beneath her the insider. Without a finding it is an empty frame of the same size."""
    traces, said = [], []
    width = 0.8 / max(len(rates), 1)
    for side, who in enumerate(_SIDES):
        known = {row: found[secret, who] for row, secret in enumerate(SECRETS) if (secret, who) in found}
        for number, name in enumerate(rates):
            rows = [side * len(SECRETS) + row - 0.4 + width * (number + 0.5) for row in known]
            bars, numbers = _verdict_bars(rows, [*known.values()], name, 0.9 * width, scenario)
            group = {"legendgroup": name}
            traces += [bars | group | {"showlegend": side == 0}, numbers | group]
            each = ", ".join(
                f"{SECRETS[one.secret]} {share(one.at(name, scenario.epsilon), one.exact)}"
                for one in known.values()
            )
            said.append(f"{who}, {style.title(name)}: {each}")
    labels = [f"{who.capitalize()}, {words.lower()}" for who in _SIDES for words in SECRETS.values()]
    own: Spec = {
        "xaxis": {
            "range": [0.5, 1.12],
            "tickvals": [0.5, 1],
            "ticktext": ["50 %, a coin", "100 %"],
            "title": {"text": "Tells, of two days, the right one"},
        },
        "yaxis": {
            "range": [len(labels) - 0.5, -0.5],
            "tickvals": np.arange(len(labels)),
            "ticktext": labels,
            "showgrid": False,
            "zeroline": False,
        },
        "barmode": "overlay",
        "hovermode": "closest",
        "margin": {"l": 150, "t": 40},
    }
    words = f"How often either observer names the right one of two; {COIN}. {'; '.join(said)}."
    return Picture(traces, style.layout(_VERDICT_HEIGHT, own), words)


def _verdict_bars(
    rows: Sequence[float], found: Sequence[Exposure], name: str, width: float, scenario: Scenario
) -> tuple[Trace, Trace]:
    """Bars with their intervals, and behind those their numbers."""
    areas = [one.at(name, scenario.epsilon) for one in found]
    value, low, high = np.array(areas).reshape(-1, 3).T
    bars: Trace = {
        "type": "bar",
        "orientation": "h",
        "x": value - 0.5,
        "base": 0.5,
        "y": rows,
        "width": width,
        "name": style.title(name),
        "marker": {"color": style.mark(name).colour},
        "error_x": {
            "symmetric": False,
            "thickness": 1.5,
            "color": STRONG,
            "array": high - value,
            "arrayminus": value - low,
        },
        "hoverinfo": "skip",
    }
    least = [
        "≥\u202f" if may_be_more(area, one.exact) else "" for one, area in zip(found, areas, strict=True)
    ]
    # Clear of the whiskers.
    texts = [f"\u00a0{sign}{share(area)}" for sign, area in zip(least, areas, strict=True)]
    hovers = [
        f"{style.title(name)}: {share(area, one.exact)}, {LEVEL_WORDS} interval {interval(area)}<br>"
        f"{where(one.worst(name, scenario.epsilon), scenario, one.secret)}"
        for one, area in zip(found, areas, strict=True)
    ]
    numbers = style.labels(high, rows, texts, hovers, {"size": 1, "opacity": 0})
    beside = {"textposition": "middle right", "textfont": {"size": 13}, "cliponaxis": False}
    return bars, numbers | beside | {"showlegend": False}


def dimmed(picture: Picture) -> Picture:
    """The same as an answer that no longer holds, until there is another."""
    return replace(picture, traces=[trace | {"opacity": 0.35} for trace in picture.traces])


def composition_figure(compositions: Sequence[Composition], total: float) -> Picture:
    """The error of every way to promise the record at one total: points, because its axis is logarithmic and
    has no zero for a bar to begin at."""
    names = [way.name for way in compositions]
    errors = [way.rmsre for way in compositions]
    colours = [style.GREY if way.noise == 0 else style.SIMULATED.colour for way in compositions]
    texts = [percent(error) for error in errors]
    marker = {"size": 12, "color": colours}
    drawn = style.labels([100 * error for error in errors], names, texts, texts, marker)
    drawn |= {"textposition": "top center", "showlegend": False, "cliponaxis": False}
    axis: Spec = {
        "xaxis": {"title": {"text": ERROR_AXIS}, "type": "log", "dtick": 1, **style.PERCENT_TICKS},
        "yaxis": {"autorange": "reversed"},
        "hovermode": "closest",
    }
    each = ", ".join(f"{name} {error}" for name, error in zip(names, texts, strict=True))
    words = f"Error of each way to promise {plain(total)}: {each}."
    return Picture([drawn], style.layout(_HEIGHT, axis), words)
