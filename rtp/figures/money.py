"""What privacy does to bills: the picture a tariff analyst draws."""

import numpy as np

from rtp.core.types import Floats
from rtp.figures import style
from rtp.figures.picture import Picture
from rtp.money.summary import Summary
from rtp.scenario import Scenario
from rtp.scenario.units import amount, titled

HEIGHT = 380
BINS = 40


def change_figure(found: Summary, mechanism: str, span: str, scenario: Scenario) -> Picture:
    """Share of households by the change of their bill: one day's or span's bars, and others' as a line."""
    today, others = found.changes, found.other_changes
    edges = np.linspace(*_ends(today, others), BINS + 1)
    middles, colour = (edges[1:] + edges[:-1]) / 2, style.mark(mechanism).colour
    bars = {
        "type": "bar",
        "x": middles,
        "y": _share(today, edges),
        "width": np.diff(edges),
        "name": f"This day, all {len(today):,} households"
        if found.own
        else f"One of them, {len(today):,} households",
        "marker": {"color": style.rgba(colour, 0.55), "line": {"color": colour, "width": 1}},
        "hovertemplate": "%{y:.1%}",
    }
    name = f"{found.runs} independent {'days' if found.own else 'spans of days'}"
    line = style.line(middles, _share(others, edges), name, style.EXPECTED, hover="%{y:.1%}", shape="hvh")
    layout = style.layout(
        HEIGHT,
        style.axes(
            titled(f"Change of a household's bill over {span}", scenario, "money"), "Share of households"
        ),
        {
            "bargap": 0,
            "xaxis": {"hoverformat": ".3g"},
            "yaxis": {"tickformat": ".0%", "rangemode": "tozero"},
        },
    )
    return Picture([bars, line], layout, _words(today, span, scenario))


def _words(today: Floats, span: str, scenario: Scenario) -> str:
    median, p95 = np.quantile(today, (0.5, 0.95))
    told = [amount(float(value), scenario) for value in (today.mean(), median, p95, today.max())]
    return (
        f"Distribution of the change of {len(today):,} bills over {span}: mean {told[0]}, median {told[1]}, "
        f"95th percentile {told[2]}, worst {told[3]}."
    )


def _ends(today: Floats, others: Floats) -> tuple[float, float]:
    low, high = np.quantile(others, (0.002, 0.998))
    low, high = min(low, today.min()), max(high, today.max())
    margin = 0.5e-9 + 0.02 * (high - low)
    return float(low - margin), float(high + margin)


def _share(values: Floats, edges: Floats) -> Floats:
    return np.histogram(values, edges)[0] / values.size
