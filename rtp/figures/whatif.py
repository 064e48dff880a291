"""What-if maps: lines with intervals over one field, a heat map over two. Their points can be clicked."""

import numpy as np
import plotly.graph_objects as go

from rtp.figures import style
from rtp.mechanisms import REGISTRY, UNPROTECTED
from rtp.sweep.measures import MEASURES
from rtp.sweep.whatif import LOG_FROM, Map

HEIGHT = 460
TICKS = 8
COLOURS = "Viridis"


def lines_figure(found: Map, measure: str) -> go.Figure:
    """One field against one measure, for every mechanism."""
    ((address, words),) = found.words().items()
    axis = np.array(found.plan.grid[address], dtype=float).tolist()
    points, k, halves = sorted(found.parts), list(MEASURES).index(measure), found.half_widths()
    fig = go.Figure()
    for m, name in enumerate(REGISTRY):
        mean = np.array([found.parts[p].mean[m, k] for p in points])
        if name == UNPROTECTED and not mean.any():  # it has no error, no noise and costs nothing
            continue
        mark = style.mark(name)
        fig.add_scatter(
            x=[axis[p] for p in points],
            y=np.where(np.isfinite(mean), mean, np.nan),
            error_y={"array": [halves[p][m, k] for p in points], "thickness": 1.2, "width": 3},
            name=style.label(name),
            mode="lines+markers",
            line={"color": mark.colour, "dash": mark.dash, "width": 2},
            customdata=[[p, halves[p][m, k]] for p in points],
            hovertemplate="%{y:.4g} ± %{customdata[1]:.2g}",
        )
    style.base(fig, HEIGHT)
    far = axis[0] > 0 and axis[-1] / axis[0] >= LOG_FROM
    ticks = axis[:: -(-len(axis) // TICKS)]
    fig.update_xaxes(title={"text": words}, type="log" if far else "linear", tickvals=ticks)
    fig.update_xaxes(ticktext=[f"{value:.3g}" for value in ticks], hoverformat=".4g")
    fig.update_yaxes(title={"text": MEASURES[measure]})
    return fig


def heat_figure(found: Map, measure: str, mechanism: str) -> go.Figure:
    """Two fields against one measure of one mechanism; the dots are there to be clicked."""
    (columns, across), (rows, up) = found.words().items()
    m, k, halves = list(REGISTRY).index(mechanism), list(MEASURES).index(measure), found.half_widths()
    names = [[f"{value:.4g}" for value in found.plan.grid[address]] for address in (columns, rows)]
    table = np.full((len(names[0]), len(names[1])), np.nan)
    at = {point: np.unravel_index(point, table.shape) for point in sorted(found.parts)}
    for point, place in at.items():
        table[place] = found.parts[point].mean[m, k]
    known = found.parts
    fig = go.Figure()
    fig.add_heatmap(
        x=names[0],
        y=names[1],
        z=np.where(np.isfinite(table), table, np.nan).T,
        colorscale=COLOURS,
        hoverinfo="skip",
        colorbar={"title": {"text": MEASURES[measure], "side": "right"}, "thickness": 14},
    )
    fig.add_scatter(
        x=[names[0][i] for i, _ in at.values()],
        y=[names[1][j] for _, j in at.values()],
        mode="markers",
        marker={"size": 11, "color": "#ffffff", "line": {"color": "#0e151c", "width": 1.5}},
        customdata=[[p, known[p].mean[m, k], halves[p][m, k], known[p].days] for p in at],
        hovertemplate="%{customdata[1]:.4g} ± %{customdata[2]:.2g}, %{customdata[3]} days<extra></extra>",
        showlegend=False,
    )
    style.base(fig, HEIGHT)
    fig.update_layout(hovermode="closest", margin=style.LAYOUT["margin"] | {"t": 16})
    fig.update_xaxes(title={"text": across}, type="category", showgrid=False)
    fig.update_yaxes(title={"text": up}, type="category", showgrid=False)
    return fig
