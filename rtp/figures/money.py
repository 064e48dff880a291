"""What privacy does to bills: the picture a tariff analyst draws."""

import numpy as np
import plotly.graph_objects as go

from rtp.arrays import Floats
from rtp.figures import style

HEIGHT = 380
BINS = 40


def change_figure(today: Floats, others: Floats, mechanism: str, span: str, days: int) -> go.Figure:
    """Share of households by the change of their bill: today's bars, and other noise's as a line."""
    edges = np.linspace(*_ends(today, others), BINS + 1)
    middles, colour = (edges[1:] + edges[:-1]) / 2, style.mark(mechanism).colour
    fig = go.Figure()
    fig.add_bar(
        x=middles,
        y=_share(today, edges),
        width=np.diff(edges),
        name=f"This day, all {len(today):,} households",
        marker={"color": style.rgba(colour, 0.55), "line": {"color": colour, "width": 1}},
        hovertemplate="%{y:.1%}",
    )
    fig.add_scatter(
        x=middles,
        y=_share(others, edges),
        name=f"{days} days of other noise",
        mode="lines",
        line={"color": style.EXPECTED.colour, "width": 2, "dash": style.EXPECTED.dash, "shape": "hvh"},
        hovertemplate="%{y:.1%}",
    )
    style.base(fig, HEIGHT)
    fig.update_layout(bargap=0)
    fig.update_xaxes(title={"text": f"Change of a household's bill over {span}"}, hoverformat=".3g")
    fig.update_yaxes(title={"text": "Share of households"}, tickformat=".0%", rangemode="tozero")
    return fig


def _ends(today: Floats, others: Floats) -> tuple[float, float]:
    low, high = np.quantile(others, (0.002, 0.998))
    low, high = min(low, today.min()), max(high, today.max())
    room = 0.5e-9 + 0.02 * (high - low)
    return float(low - room), float(high + room)


def _share(values: Floats, edges: Floats) -> Floats:
    return np.histogram(values, edges)[0] / values.size
