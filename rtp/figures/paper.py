"""The paper's Figure 2 with ours in it, and what many days make of its two numbers."""

from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np

from rtp.core.stats import LEVEL_WORDS, middle, spread
from rtp.core.types import Floats
from rtp.figures import daytime, style
from rtp.figures.day import NO_UNIT
from rtp.figures.style import Mark, Picture, Spec, Trace
from rtp.mechanisms import FEATURED, UNPROTECTED, YARDSTICK
from rtp.paper import published
from rtp.paper.comparison import MECHANISMS, PaperDays, as_printed, printed_rmsre, range_text, rmse
from rtp.paper.readings import StateDependentNoise
from rtp.simulation import Day

_HEIGHT, _DISTRIBUTION_HEIGHT = 340, 380
_WIDTH = 1.8
_DASHES = ("solid", "dash", "longdash", "longdashdot")
VIEWS = ("Rates", "Error")  # of Figure 2c
PRINTED = {YARDSTICK: published.NAIVE, FEATURED: published.BLOWFISH}
# What the paper calls the rates of its Figure 2c; the thickest first, so that none hides another.
RATES = {
    UNPROTECTED: "Optimal rate",
    YARDSTICK: "Naive private rate",
    FEATURED: "Private rate (Blowfish)",
}


def mean_figure(day: Day, days: PaperDays, what: Literal["occupancy", "consumption"]) -> Picture:
    """Figure 2a or 2b: our run, the range of our days, and the published curve."""
    _, occupancy, consumption = published.figure2()
    theirs, unit = (occupancy, "") if what == "occupancy" else (consumption, NO_UNIT)
    ours, many, title = getattr(day, what), getattr(days, what), f"Mean {what}{unit}"
    low, high = middle(many)
    range_name = f"{LEVEL_WORDS} of {len(many):,} days"
    traces = [
        style.band(daytime.times(day.hours), low, high, style.SIMULATED.colour, 0.22, range_name),
        _line(day, ours, "Our run", style.SIMULATED),
        _line(day, theirs, "Published", style.PUBLISHED),
    ]
    words = (
        f"{title} over the day. Our run lies between {ours.min():.3f} and {ours.max():.3f}, the published "
        f"curve between {theirs.min():.3f} and {theirs.max():.3f}; their root mean square distance is "
        f"{rmse(ours, theirs):.4f}."
    )
    return Picture(traces, _layout(day, title, traces), words)


def published_rates_figure(day: Day, view: str) -> Picture:
    """Figure 2c: the three rates, or how far the private ones are from the optimal one."""
    traces = []
    for name, words in RATES.items():
        release, mark = day.release[name], style.mark(name)
        if view != "Error":
            traces.append(_line(day, release.rate, words, mark, ".1f"))
        elif name != UNPROTECTED:
            traces.append(_line(day, release.rate - release.optimal, words, mark, "+.2f"))
    title = f"{'Published − optimal rate' if view == 'Error' else 'Rate'}{NO_UNIT}"
    optimal = day.release[UNPROTECTED].rate
    printed = {name: printed_rmsre(day.release[name].error, day.scenario.steps) for name in PRINTED}
    errors = [f"{RATES[name]} RMSRE {as_printed(error, '.3e')}" for name, error in printed.items()]
    words = (
        f"{view} over the day. The optimal rate runs from {optimal.min():.0f} to {optimal.max():.0f}. "
        f"{', '.join(errors)}."
    )
    return Picture(traces, _layout(day, title, traces), words)


def alternatives_figure(curves: Mapping[str, Floats], theirs: Floats, day: Day) -> Picture:
    """Expected occupancy by every answer to an open question, with the published curve."""
    marks = [Mark(colour, dash) for colour, dash in zip(style.MODEL_COLOURS, _DASHES, strict=False)]
    traces = [
        _line(day, curve, name, mark) for (name, curve), mark in zip(curves.items(), marks, strict=False)
    ]
    traces.append(_line(day, theirs, "Published", style.PUBLISHED))
    parts = [f"{name} {rmse(curve, theirs):.4f}" for name, curve in curves.items()]
    words = f"Expected mean occupancy over the day. Distance to the published curve: {', '.join(parts)}."
    return Picture(traces, _layout(day, "Expected mean occupancy", traces), words)


def state_dependent_figure(found: StateDependentNoise, epsilon: float) -> Picture:
    """What one rate tells about a house, by noise that follows its state and by Algorithm 1's."""
    x = np.array(found.offset)
    readings = {
        "Noise follows the states": (np.array(found.log_odds), Mark(style.LIMIT, "solid")),
        "Algorithm 1": (np.array(found.common_log_odds), style.mark(FEATURED)),
    }
    promised = np.full(len(x), epsilon)
    traces = [style.band(x, -promised, promised, style.GREY, 0.25, "Promised")]
    traces += [
        style.line(x, ratio, name, mark, hover="%{y:.2f}", width=_WIDTH)
        for name, (ratio, mark) in readings.items()
    ]
    dependent, common = (float(np.abs(ratio).max()) for ratio, _ in readings.values())
    titles = style.axes("Rate less what the others' use explains", "What it reveals (log-odds)")
    words = (
        f"What one rate reveals about house {found.house + 1}: up to {common:.2f} by "
        f"Algorithm 1, within the promised {epsilon:g}; by noise that follows the states up to "
        f"{dependent:.1f} within {x.max():g} of the rate, and ever more."
    )
    return Picture(traces, style.layout(_HEIGHT, titles), words)


def _line(day: Day, y: Floats, name: str, mark: Mark, form: str = ".3f") -> Trace:
    return style.line(daytime.times(day.hours), y, name, mark, hover=f"%{{y:{form}}}", width=_WIDTH)


def _layout(day: Day, title: str, traces: Sequence[Trace]) -> Spec:
    """With a line for each entry of the legend: a row of them would cover the curves of a narrow chart. Above
    the curves there is room for the periods' names."""
    every = np.concatenate([trace["y"] for trace in traces])
    low, high = float(np.nanmin(every)), float(np.nanmax(every))
    room = [low - 0.05 * (high - low), high + 0.17 * (high - low)]
    narrow: Spec = {"xaxis": {"nticks": 5}, "yaxis": {"range": room}, "legend": {"orientation": "v"}}
    return style.layout(_HEIGHT, daytime.over_the_day(day.scenario, title), narrow)


def distribution_figure(days: PaperDays) -> Picture:
    """How one day's RMSRE is spread over the days, with the two published numbers."""
    bins = round(4 * len(days) ** (1 / 3))  # Rice's rule, twice: two separate humps share the axis
    edges = np.linspace(days.rmsre.min(), days.rmsre.max(), bins + 1)
    shares = {name: 100 * np.histogram(days.errors(name), edges)[0] / len(days) for name in MECHANISMS}
    tallest = max(float(share.max()) for share in shares.values())
    traces = [_outline(edges, share, name) for name, share in shares.items()]
    for k, (name, number) in enumerate(PRINTED.items()):
        traces.append(_published_line(name, number, tallest * (1.1 + 0.13 * k)))
    layout = style.layout(
        _DISTRIBUTION_HEIGHT,
        style.axes("One day's RMSRE", "Share of days"),
        {
            "xaxis": {"tickformat": ".2e", "hoverformat": ".3e", "nticks": 6},
            "yaxis": style.PERCENT_TICKS | {"range": [0, tallest * 1.35]},
        },
    )
    ranges = [f"{style.label(name)} {range_text(spread(days.errors(name)), '.3e')}" for name in MECHANISMS]
    words = (
        f"Histogram of one day's RMSRE over {len(days):,} days. {LEVEL_WORDS} of days: {', '.join(ranges)}."
    )
    return Picture(traces, layout, words)


def _outline(edges: Floats, share: Floats, name: str) -> Trace:
    """A histogram drawn as one line around its bars."""
    x, y = np.repeat(edges, 2), np.concatenate([[0.0], np.repeat(share, 2), [0.0]])
    line = style.line(x, y, style.label(name), style.mark(name), hover="%{y:.1f} % of days")
    return style.filled(line, 0.14)


def _published_line(name: str, number: published.Printed, height: float) -> Trace:
    mark = Mark(style.mark(name).colour, "dot")
    line = style.line([number.value] * 2, [0.0, height], f"{style.label(name)}, published", mark)
    return line | {
        "mode": "lines+text",
        "text": ["", f"\u00a0{style.label(name)} {number.text}"],
        "textposition": "middle right",
        "showlegend": False,
    }
