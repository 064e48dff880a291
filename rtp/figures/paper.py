"""The paper's Figure 2 with ours in it, and what many days make of its two numbers."""

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from rtp.arrays import Floats
from rtp.figures import style
from rtp.mechanisms import FEATURED, UNPROTECTED, YARDSTICK
from rtp.paper import published
from rtp.paper.reproduction import MECHANISMS, Days, rmse, say
from rtp.simulation import Day
from rtp.statistics import Range, middle

HEIGHT = 340
DASHES = ("solid", "dash", "longdash", "longdashdot")
VIEWS = ("Rates", "Error")
PRINTED = {YARDSTICK: published.NAIVE, FEATURED: published.BLOWFISH}
# What the paper calls the rates of its Figure 2c; the thickest first, so that none hides another.
RATES = {
    UNPROTECTED: "Optimal rate",
    YARDSTICK: "Naive private rate",
    FEATURED: "Private rate (Blowfish)",
}


def mean_occupancy(day: Day, days: Days) -> go.Figure:
    """Figure 2a: our run, the range of our days, and the published curve."""
    _, theirs, _ = published.figure2()
    return _curve(day, day.occupancy, days.occupancy, theirs, "Mean occupancy")


def mean_consumption(day: Day, days: Days) -> go.Figure:
    """Figure 2b, likewise."""
    _, _, theirs = published.figure2()
    return _curve(day, day.consumption, days.consumption, theirs, "Mean consumption")


def _curve(day: Day, ours: Floats, many: Floats, theirs: Floats, title: str) -> go.Figure:
    x = style.times(day.hours)
    low, high = middle(many)
    fig = go.Figure()
    fig.add_scatter(
        x=np.concatenate([x, x[::-1]]),
        y=np.concatenate([high, low[::-1]]),
        fill="toself",
        fillcolor=style.rgba(style.SIMULATED.colour, 0.22),
        line={"width": 0},
        hoverinfo="skip",
        name=f"95 % of {len(many):,} days",
    )
    _line(fig, x, ours, "Our run", style.SIMULATED, "%{y:.3f}")
    _line(fig, x, theirs, "Published", style.PUBLISHED, "%{y:.3f}")
    return _timed(fig, day, title)


def calculated_rates(day: Day, view: str) -> go.Figure:
    """Figure 2c: the three rates, or how far the private ones are from the optimal one."""
    fig = go.Figure()
    for name, words in RATES.items():
        release = day.release[name]
        if view == "Error" and name == UNPROTECTED:
            continue
        y = release.rate - release.optimal if view == "Error" else release.rate
        form = "%{y:+.2f}" if view == "Error" else "%{y:.1f}"
        _line(fig, style.times(day.hours), y, words, style.mark(name), form)
    return _timed(fig, day, "Published − optimal rate" if view == "Error" else "Rate")


def rivals(curves: Mapping[str, Floats], theirs: Floats, day: Day) -> go.Figure:
    """Expected occupancy by every answer to an open question, with the published curve."""
    x = style.times(day.hours)
    fig = go.Figure()
    for (name, curve), colour, dash in zip(curves.items(), style.MODEL_COLOURS, DASHES, strict=False):
        _line(fig, x, curve, name, style.Mark(colour, dash), "%{y:.3f}")
    _line(fig, x, theirs, "Published", style.PUBLISHED, "%{y:.3f}")
    return _timed(fig, day, "Expected mean occupancy")


def rivals_alt(curves: Mapping[str, Floats], theirs: Floats) -> str:
    parts = [f"{name} {rmse(curve, theirs):.4f}" for name, curve in curves.items()]
    return f"Expected mean occupancy over the day. Distance to the published curve: {', '.join(parts)}."


def _line(fig: go.Figure, x: object, y: Floats, name: str, mark: style.Mark, form: str) -> None:
    fig.add_scatter(
        x=x,
        y=y,
        name=name,
        mode="lines",
        line={"color": mark.colour, "dash": mark.dash, "width": 1.8},
        hovertemplate=form,
    )


def _timed(fig: go.Figure, day: Day, title: str) -> go.Figure:
    style.base(fig, HEIGHT)
    style.clock_axis(fig)
    style.shade_periods(fig, day.scenario)
    fig.update_layout(xaxis={"title": {"text": "Time of day"}, "nticks": 5}, yaxis={"title": {"text": title}})
    return fig


def distribution(days: Days) -> go.Figure:
    """How one day's RMSRE is spread over the days, with the two published numbers."""
    bins = round(4 * len(days) ** (1 / 3))  # Rice's rule, twice: two separate humps share the axis
    edges = np.linspace(days.rmsre.min(), days.rmsre.max(), bins + 1)
    fig = go.Figure()
    tallest = 0.0
    for name in MECHANISMS:
        share = np.histogram(days.errors(name), edges)[0] / len(days)
        mark = style.mark(name)
        tallest = max(tallest, float(share.max()))
        fig.add_scatter(
            x=np.repeat(edges, 2),
            y=np.concatenate([[0.0], np.repeat(share, 2), [0.0]]),
            name=style.label(name),
            mode="lines",
            line={"color": mark.colour, "dash": mark.dash, "width": 2},
            fill="tozeroy",
            fillcolor=style.rgba(mark.colour, 0.14),
            hovertemplate="%{y:.1%} of days",
        )
    for height, (name, number) in enumerate(PRINTED.items()):
        _published_line(fig, name, number, tallest * (1.1 + 0.13 * height))
    style.base(fig, 380)
    fig.update_xaxes(title="One day's RMSRE", tickformat=".2e", hoverformat=".3e", nticks=6)
    fig.update_yaxes(title="Share of days", tickformat=".0%", range=[0, tallest * 1.35])
    return fig


def _published_line(fig: go.Figure, name: str, number: published.Printed, height: float) -> None:
    fig.add_scatter(
        x=[number.value, number.value],
        y=[0.0, height],
        name=f"{style.label(name)}, published",
        mode="lines+text",
        text=["", f"{style.label(name)} {number.text}"],
        textposition="middle right",
        line={"color": style.mark(name).colour, "dash": "dot", "width": 2},
        hoverinfo="skip",
        showlegend=False,
    )


def curve_alt(title: str, ours: Floats, theirs: Floats, distance: float) -> str:
    return (
        f"{title} over the day. Our run lies between {ours.min():.3f} and {ours.max():.3f}, the published "
        f"curve between {theirs.min():.3f} and {theirs.max():.3f}; their root mean square distance is "
        f"{distance:.4f}."
    )


def rates_alt(day: Day, view: str) -> str:
    parts = [f"{words} RMSRE {say(day.release[name].rmsre, '.3e')}" for name, words in RATES.items()][1:]
    optimal = day.release[UNPROTECTED].rate
    return (
        f"{view} over the day. The optimal rate runs from {optimal.min():.0f} to {optimal.max():.0f}. "
        f"{', '.join(parts)}."
    )


def distribution_alt(days: Days, ranges: Sequence[Range]) -> str:
    parts = [
        f"{style.label(name)} {say(r.low, '.3e')} to {say(r.high, '.3e')}"
        for name, r in zip(MECHANISMS, ranges, strict=True)
    ]
    return f"Histogram of one day's RMSRE over {len(days):,} days. 95 % of days: {', '.join(parts)}."
