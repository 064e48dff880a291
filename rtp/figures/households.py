"""Who lives on the street: occupancy, individuals, habits and bounds."""

import numpy as np
import plotly.graph_objects as go

from rtp.arrays import Bools, Floats, Ints
from rtp.figures import style
from rtp.mechanisms import FEATURED, UNPROTECTED
from rtp.paper.published import figure2
from rtp.scenario import Scenario
from rtp.simulation import Day
from rtp.street.occupancy import Schedule

OCCUPIED, EMPTY = style.SIMULATED.colour, "rgba(125, 133, 144, 0.18)"


def occupancy_figure(day: Day, houses: Ints, states: Bools, protected: Ints, published: bool) -> go.Figure:
    """Mean occupancy, a stripe for each sampled house, and how many houses stay protected, on one clock."""
    x = style.times(day.hours)
    fig = go.Figure()
    lines = [
        ("Expected", day.expected_occupancy, style.EXPECTED),
        ("Simulated", day.occupancy, style.SIMULATED),
    ]
    if published:
        hours, curve, _ = figure2()
        fig.add_scatter(
            x=style.times(hours),
            y=curve,
            name="Published, Figure 2a",
            mode="lines",
            line={"color": style.PUBLISHED.colour, "dash": style.PUBLISHED.dash},
            hovertemplate="%{y:.3f}",
        )
    for name, y, mark in lines:
        fig.add_scatter(
            x=x,
            y=y,
            name=name,
            mode="lines",
            line={"color": mark.colour, "dash": mark.dash},
            hovertemplate="%{y:.3f}",
        )
    fig.add_heatmap(
        x=x,
        y=[f"House {h}" for h in houses],
        z=states.T.astype(int),
        zmin=0,
        zmax=1,
        colorscale=[[0, EMPTY], [1, OCCUPIED]],
        showscale=False,
        ygap=1,
        yaxis="y2",
        hovertemplate="%{y}: %{z:d}<extra></extra>",
    )
    fig.add_scatter(
        x=x,
        y=protected,
        name="Protected houses",
        mode="lines",
        showlegend=False,
        line={"color": style.mark(FEATURED).colour, "shape": "hv"},
        yaxis="y3",
        hovertemplate="%{y:,d}",
    )
    style.base(fig, 760)
    titles = (
        (1.0, "Mean occupancy"),
        (0.62, f"{len(houses)} single households (filled: occupied)"),
        (0.16, "Protected houses under this model"),
    )
    fig.update_layout(
        hoversubplots="axis",
        legend={"y": 1.04},
        margin={"t": 40},
        xaxis={"anchor": "y3", "title": {"text": "Time of day"}},
        yaxis={"domain": [0.7, 1.0], "range": [0, 1.02]},
        yaxis2={"domain": [0.22, 0.61], "showticklabels": False, "autorange": "reversed", "showgrid": False},
        yaxis3={"domain": [0.0, 0.15], "rangemode": "tozero"},
        annotations=[
            {
                "text": f"<b>{words}</b>",
                "x": 0,
                "y": y,
                "xref": "paper",
                "yref": "paper",
                "xanchor": "left",
                "yanchor": "bottom",
                "showarrow": False,
            }
            for y, words in titles
        ],
    )
    style.clock_axis(fig, day.scenario.days)
    style.shade_periods(fig, day.scenario, [("x", "y"), ("x", "y3")])
    return fig


def habits_figure(plan: Schedule, names: list[str], leave: Floats, arrive: Floats) -> go.Figure:
    """How the personal chances per step scatter around the stated ones; leave and arrive are (4, n)."""
    fig = go.Figure()
    for words, drawn, stated, colour in (
        ("Arrive", arrive, plan.arrive, style.ARRIVE),
        ("Leave", leave, plan.leave, style.LEAVE),
    ):
        fig.add_box(
            x=np.repeat(names, drawn.shape[1]),
            y=drawn.ravel(),
            name=words,
            marker={"color": colour, "size": 3},
            boxpoints="outliers",
            hoverinfo="y",
        )
        fig.add_scatter(
            x=names,
            y=stated,
            name=f"{words}, as stated",
            mode="markers",
            marker={"color": colour, "symbol": "diamond-open", "size": 10},
            hovertemplate="%{y:.4f}",
        )
    style.base(fig, 340)
    fig.update_layout(boxmode="group", hovermode="closest")
    fig.update_yaxes(title_text="Chance per step", rangemode="tozero")
    fig.update_xaxes(title_text="Period")
    return fig


def bounds_figure(day: Day, setter: int) -> go.Figure:
    """The drawn bounds by group, with the house that sets the noise marked."""
    street = day.street
    fig = go.Figure()
    for g, group in enumerate(day.scenario.groups):
        members = np.flatnonzero(street.group == g)
        top = max(group.occupied_max, group.empty_max)
        counts, edges = np.histogram(street.bound[members], bins=30, range=(0, top))
        fig.add_bar(
            x=(edges[:-1] + edges[1:]) / 2,
            y=counts,
            width=np.diff(edges),
            name=group.name,
            marker={"color": style.MODEL_COLOURS[g], "opacity": 0.7},
            hovertemplate="%{y} houses near %{x:.3f}",
        )
    style.base(fig, 340)
    fig.update_layout(barmode="overlay", hovermode="closest", bargap=0)
    fig.update_xaxes(title_text="A house's bound, the larger of its two")
    fig.update_yaxes(title_text="Houses")
    if setter >= 0:
        fig.add_vline(
            x=float(street.bound[setter]),
            line={"color": style.mark(FEATURED).colour, "dash": "dash"},
            annotation={"text": f"house {setter} sets the noise", "xanchor": "right"},
        )
    return fig


def models_figure(scenario: Scenario, hours: Floats, sensitivity: Floats) -> go.Figure:
    """λ of every model over the day; the largest sets the noise."""
    fig = go.Figure()
    for m, model in enumerate(scenario.models):
        fig.add_scatter(
            x=style.times(hours),
            y=sensitivity[m],
            name=model.name,
            mode="lines",
            line={
                "color": style.MODEL_COLOURS[m],
                "shape": "hv",
                "dash": ("solid", "dash", "dashdot")[m % 3],
            },
            hovertemplate="%{y:.3f}",
        )
    fig.add_scatter(
        x=style.times(hours),
        y=sensitivity.max(axis=0),
        name="Sets the noise",
        mode="lines",
        line={"color": style.mark(UNPROTECTED).colour, "width": 7, "shape": "hv"},
        opacity=0.35,
        hoverinfo="skip",
    )
    style.base(fig, 320)
    fig.update_yaxes(title_text="Sensitivity λ", range=[0, 1.2 * (sensitivity.max() or 1.0)])
    fig.update_xaxes(title_text="Time of day")
    style.clock_axis(fig, scenario.days)
    style.shade_periods(fig, scenario)
    return fig
