"""The observer at work: her belief about one house against the truth, and about every house of the street."""

from typing import Any

import numpy as np
import plotly.graph_objects as go

from rtp.arrays import Bools, Ints
from rtp.attacker.observer import Posterior
from rtp.clock import STEPS_PER_HOUR, when
from rtp.figures import style
from rtp.mechanisms import REGISTRY
from rtp.simulation import Day

HEIGHT, STREET_HEIGHT = 560, 640
FIRST = 40  # houses whose names can be read beside the map
TRUTH, LIMIT = "#7d8590", "#c0504d"
DOUBT, NEUTRAL, SURE, INK = "#d98f5c", "#f3f0e6", "#2a8fb8", "#111111"  # the ink can be read on all three


def belief_figure(day: Day, seen: Posterior, column: int, occupied: Bools, step: int) -> go.Figure:
    """Above: what she believes up to a step, beside the model alone and the truth. Below: each step's
    evidence in the band that the promise draws; what is infinite ends at the edge."""
    x, now, colour = style.times(day.hours), step + 1, style.mark(seen.mechanism).colour
    told, promised = seen.log_evidence[:, column], REGISTRY[seen.mechanism].promised(day.scenario.epsilon)
    limit = promised if np.isfinite(promised) else day.scenario.epsilon
    reach = 1.2 * max(limit, float(np.abs(told[np.isfinite(told)]).max(initial=1e-3)))
    fig = go.Figure()
    for y, name, line, more in (
        (
            occupied.astype(float),
            "Truth: occupied",
            {"color": TRUTH, "width": 1, "shape": "hv"},
            {"fill": "tozeroy", "fillcolor": style.rgba(TRUTH, 0.25)},
        ),
        (
            seen.model_only[:, column],
            "The model alone",
            {"color": style.EXPECTED.colour, "dash": style.EXPECTED.dash},
            {},
        ),
        (seen.belief[:now, column], "Her belief", {"color": colour, "width": 3}, {}),
    ):
        fig.add_scatter(
            x=x[: len(y)], y=y, name=name, mode="lines", line=line, hovertemplate="%{y:.1%}", **more
        )
    fig.add_bar(
        x=x[:now],
        y=np.clip(told, -reach, reach)[:now],
        customdata=[f"{value:+.3f}" for value in told[:now]],
        name="Evidence of the step",
        marker={"color": colour, "line": {"width": 0}},
        hovertemplate="%{customdata}",
        yaxis="y2",
        showlegend=False,
    )
    kept = "no promise" if np.isinf(promised) else "promised"
    style.base(fig, HEIGHT)
    style.clock_axis(fig, day.scenario.days)
    fig.update_layout(
        annotations=[
            style.panel_title("Chance that the house is occupied", 1.0),
            style.panel_title(f"Evidence per step; limit ±{limit:g} ({kept})", 0.38),
        ],
        legend={"y": 1.06},
        hoversubplots="axis",
        bargap=0.1,
        xaxis={"anchor": "y2", "title": {"text": "Time of day"}},
        yaxis={"domain": [0.47, 1], "range": [-0.02, 1.15], "tickformat": ".0%", "tickvals": [0, 0.5, 1]},
        yaxis2={"domain": [0, 0.37], "range": [-reach, reach], "title": {"text": "ln of the odds"}},
    )
    style.shade_periods(fig, day.scenario, (("x", "y"), ("x", "y2")))
    for edge in (-limit, limit):
        fig.add_shape(x0=0, x1=1, xref="paper", y0=edge, y1=edge, yref="y2", **_line(LIMIT))
    if now < day.scenario.steps:
        fig.add_shape(x0=str(x[step]), x1=str(x[step]), y0=0, y1=1, yref="paper", **_line(TRUTH))
    return fig


def _line(colour: str) -> dict[str, Any]:
    return {"type": "line", "line": {"color": colour, "width": 2}}


def belief_alt(day: Day, seen: Posterior, column: int, occupied: Bools, step: int) -> str:
    return (
        f"House {seen.houses[column]} over the day up to {when(step, day.scenario.days)}: truth "
        f"{'occupied' if occupied[step] else 'empty'}, the model alone says "
        f"{seen.model_only[step, column]:.0%}, her belief is {seen.belief[step, column]:.0%}. The largest "
        f"evidence of one step so far is {np.abs(seen.log_evidence[: step + 1, column]).max():.3f}."
    )


def street_figure(
    day: Day, seen: Posterior, columns: Ints, occupied: Bools | None, gain: bool = False
) -> go.Figure:
    """Houses in this order by time: her belief, or what the rates added to the model's. Where the truth is
    given, a line while a house is occupied."""
    rows, few = np.arange(len(columns)), len(columns) <= FIRST
    edges = style.times(np.append(day.hours, day.hours[-1] + 1 / STEPS_PER_HOUR))
    z = (seen.belief - seen.model_only if gain else seen.belief)[:, columns].T.astype(np.float32)
    reach = float(np.abs(z).max()) or 1.0 if gain else 1.0
    fig = go.Figure(
        go.Heatmap(
            x=edges,
            y=rows,
            z=z,
            colorscale=[[0, DOUBT], [0.5, NEUTRAL], [1, SURE]] if gain else [[0, NEUTRAL], [1, SURE]],
            zmin=-reach if gain else 0.0,
            zmax=reach,
            colorbar={"tickformat": ".1%" if reach < 0.1 else ".0%", "thickness": 12},
            hovertemplate="House %{y}, %{x|%H:%M}: %{z:.1%}<extra></extra>",
        )
    )
    if occupied is not None:
        comes_or_goes = np.diff(np.pad(occupied[:, columns].T.astype(int), ((0, 0), (1, 1))), axis=1)
        row, start = np.nonzero(comes_or_goes > 0)
        end = np.nonzero(comes_or_goes < 0)[1]
        fig.add_scatter(
            x=edges[np.column_stack([start, end, end]).ravel()],
            y=np.column_stack([row, row, np.full(len(row), np.nan)]).ravel(),
            mode="lines",
            line={"color": INK, "width": 2 if few else 1},
            opacity=1.0 if few else 0.4,
            name="Truth: occupied",
            showlegend=True,
            hoverinfo="skip",
        )
    style.base(fig, STREET_HEIGHT)
    style.clock_axis(fig, day.scenario.days)
    fig.update_layout(hovermode="closest")
    fig.update_xaxes(title={"text": "Time of day"}, showgrid=False)
    fig.update_yaxes(
        range=[len(columns) - 0.5, -0.5],
        showgrid=False,
        title={"text": "House"},
        tickvals=rows,
        ticktext=seen.houses[columns].astype(str),
        showticklabels=few,
    )
    return fig


def street_alt(seen: Posterior, columns: Ints) -> str:
    first = int(columns[0])
    return (
        f"Heat map of {len(columns)} houses by time of day. First is house {seen.houses[first]}, of which "
        f"the rates move her belief by {seen.exposure[first]:.1%} on average."
    )
