"""The price of privacy: error over budget, for every mechanism."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from rtp.arrays import Floats
from rtp.figures import style
from rtp.mechanisms import REGISTRY
from rtp.tradeoff import Curve, Line

HEIGHT = 460
NOW = "#7d8590"


def curve_figure(
    curve: Curve, epsilon: float, log: bool, target: float | None = None, right: Curve | None = None
) -> go.Figure:
    """RMSRE over ε with one-day bands; `right`, dotted: filter and forecast with the true model."""
    fig = go.Figure()
    for name, line in curve.lines.items():
        if np.all(line.low > 0) and np.all(np.isfinite(line.high)) and np.any(line.high > line.low):
            fig.add_scatter(
                x=np.concatenate([curve.epsilons, curve.epsilons[::-1]]),
                y=np.concatenate([line.high, line.low[::-1]]),
                fill="toself",
                fillcolor=style.rgba(style.mark(name).colour, 0.14),
                line={"width": 0},
                hoverinfo="skip",
                showlegend=False,
                legendgroup=name,
            )
    for name, line in (right.lines if right is not None else {}).items():
        if REGISTRY[name].publisher is not None:
            _line(fig, curve.epsilons, line, name, f"{style.label(name)}, true model", style.BASELINE_DASH)
    for name, line in curve.lines.items():
        _line(fig, curve.epsilons, line, name, style.label(name), style.mark(name).dash)
    drawn = np.concatenate([[*line.expected, *line.low] for line in curve.lines.values()])
    drawn = drawn[np.isfinite(drawn) & (drawn > 0)]
    if drawn.size:
        _level(fig, [epsilon, epsilon], [drawn.min(), drawn.max()], f"ε = {epsilon:g} now", "solid")
    if target is not None:
        _level(fig, curve.epsilons[[0, -1]], [target, target], f"accepted {target:.3g}", "dash")
    style.base(fig, HEIGHT)
    kind = "log" if log else "linear"
    fig.update_xaxes(title={"text": "ε — privacy budget per step"}, type=kind, dtick=1 if log else None)
    fig.update_yaxes(title={"text": "RMSRE"}, type=kind, exponentformat="power", dtick=1 if log else None)
    return fig


def _line(fig: go.Figure, x: Floats, line: Line, name: str, words: str, dash: str) -> None:
    fig.add_scatter(
        x=x,
        y=np.where(np.isfinite(line.expected), line.expected, np.nan),
        name=words,
        mode="lines+markers",
        line={"color": style.mark(name).colour, "dash": dash, "width": 2},
        marker={"size": 6},
        legendgroup=name,
        customdata=np.column_stack([line.low, line.high]),
        hovertemplate="%{y:.3e} (%{customdata[0]:.2e} to %{customdata[1]:.2e})",
    )


def _level(fig: go.Figure, x: Sequence[float] | Floats, y: Sequence[float], words: str, dash: str) -> None:
    line = {"color": NOW, "width": 1.5, "dash": dash}
    fig.add_scatter(x=x, y=y, mode="lines", name=words, line=line, hoverinfo="skip")


def curve_alt(curve: Curve, epsilon: float) -> str:
    at = int(np.argmin(np.abs(curve.epsilons - epsilon)))
    told = ", ".join(f"{style.label(n)} {line.expected[at]:.2e}" for n, line in curve.lines.items())
    return (
        f"Expected RMSRE over ε from {curve.epsilons[0]:g} to {curve.epsilons[-1]:g}, with the range of 95 % "
        f"of {curve.days} days. At ε = {curve.epsilons[at]:g}: {told}."
    )
