"""The day over time: rates or their error, the noise, occupancy and consumption on one clock."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from rtp.arrays import Floats
from rtp.figures import style
from rtp.figures.style import Mark
from rtp.mechanisms import FEATURED, REGISTRY, UNPROTECTED
from rtp.simulation import Day

Trace = dict[str, Any]  # plain dicts: plotly validates them once, its own objects twice

VIEWS = ("Rates", "Error")
HEIGHT = 1040
# title, share of the height; top to bottom
PANELS = (
    ("Rate", 0.34),
    ("Noise scale", 0.15),
    ("Protected houses", 0.12),
    ("Mean occupancy", 0.17),
    ("Mean consumption", 0.17),
)
GAP = 0.045
ERROR_TITLE = "Published − optimal rate, with ± the noise scale"


def day_figure(day: Day, shown: Sequence[str], view: str = "Rates", baseline: Day | None = None) -> go.Figure:
    """All panels, one above the other, with one hover line through them; the baseline dotted."""
    before = baseline if baseline is not None and baseline.scenario.steps == day.scenario.steps else None
    traces: list[Trace] = []
    for other, run in ((True, before), (False, day)):
        if run is not None:
            traces += _rates(run, shown, view, other)
            traces += _noise(run, shown, other)
            traces += _means(run, other)
    if view == "Error":
        traces = [*_bands(day, shown), *traces]
    return go.Figure(traces, _layout(day, view))


def alt_text(day: Day, shown: Sequence[str], view: str) -> str:
    """What the figure shows, for those who cannot see it."""
    errors = ", ".join(
        f"{style.label(name)} {day.release[name].rmsre:.2e}" for name in shown if name != UNPROTECTED
    )
    featured = day.release[FEATURED]
    return (
        f"Five charts over the day. {view} of {', '.join(style.label(n) for n in shown)}. "
        f"RMSRE: {errors or 'none'}. "
        f"{style.label(FEATURED)} noise scale between {featured.scale.min():.3g} and "
        f"{featured.scale.max():.3g}, "
        f"protecting {featured.protected.min()} to {featured.protected.max()} houses. "
        f"Mean occupancy between {day.occupancy.min():.2f} and {day.occupancy.max():.2f}; "
        f"mean consumption between {day.consumption.min():.3f} and {day.consumption.max():.3f}."
    )


def _line(day: Day, panel: int, y: Floats, name: str, mark: Mark, other: bool, **more: Any) -> Trace:
    """One curve; the baseline's is dotted and kept out of the legend."""
    line = {
        "color": mark.colour,
        "dash": style.BASELINE_DASH if other else mark.dash,
        "width": 1.3 if other else 2,
    }
    return {
        "type": "scatter",
        "x": style.times(day.hours),
        "y": y,
        "name": f"{name}, pinned" if other else name,
        "mode": "lines",
        "line": line | more.pop("line", {}),
        "opacity": 0.75 if other else 1.0,
        "xaxis": "x",
        "yaxis": "y" if panel == 1 else f"y{panel}",
        "showlegend": not other,
    } | more


def _rates(day: Day, shown: Sequence[str], view: str, other: bool) -> Iterator[Trace]:
    for name in shown:
        release = day.release[name]
        y = release.rate if view == "Rates" else release.rate - release.optimal
        if not (view == "Error" and name == UNPROTECTED):
            form = ".2f" if view == "Rates" else "+.3f"
            yield _line(
                day,
                1,
                y,
                style.label(name),
                style.mark(name),
                other,
                legendgroup=name,
                hovertemplate=f"%{{y:{form}}}",
            )


def _bands(day: Day, shown: Sequence[str]) -> Iterator[Trace]:
    """± the Laplace scale around zero, for each mechanism that adds noise."""
    x = style.times(day.hours)
    for name in shown:
        scale = day.release[name].scale
        if scale.any():
            yield {
                "type": "scatter",
                "x": np.concatenate([x, x[::-1]]),
                "y": np.concatenate([scale, -scale[::-1]]),
                "fill": "toself",
                "fillcolor": style.rgba(style.mark(name).colour, 0.12),
                "line": {"width": 0},
                "hoverinfo": "skip",
                "showlegend": False,
                "legendgroup": name,
                "yaxis": "y",
            }


def _noise(day: Day, shown: Sequence[str], other: bool) -> Iterator[Trace]:
    step = {"shape": "hv"}
    sets: set[str] = set()  # one line for each set of protected houses
    for name in shown:
        if not REGISTRY[name].adds_noise:
            continue
        release, mark = day.release[name], style.mark(name)
        more = {"legendgroup": name, "showlegend": False, "line": step}
        yield _line(day, 2, release.scale, style.label(name), mark, other, hovertemplate="%{y:.3f}", **more)
        if REGISTRY[name].protects not in sets:
            sets.add(REGISTRY[name].protects)
            yield _line(
                day,
                3,
                release.protected.astype(float),
                style.label(name),
                mark,
                other,
                hovertemplate="%{y:,d}",
                **more,
            )


def _means(day: Day, other: bool) -> Iterator[Trace]:
    own = {"hovertemplate": "%{y:.3f}"}
    yield _line(
        day, 4, day.expected_occupancy, "Expected", style.EXPECTED, other, legendgroup="expected", **own
    )
    yield _line(day, 4, day.occupancy, "Simulated", style.SIMULATED, other, legendgroup="simulated", **own)
    yield _line(
        day, 5, day.consumption, "Simulated", style.SIMULATED, other, legendgroup="simulated",
        **own | {"showlegend": False},
    )  # fmt: skip
    expected = day.life.truth.expected_demand / day.scenario.households
    yield _line(
        day,
        5,
        expected,
        "Expected",
        style.EXPECTED,
        other,
        legendgroup="expected",
        **own | {"showlegend": False},
    )


def _layout(day: Day, view: str) -> dict[str, Any]:
    """The panels stacked on one clock, each with its name; one plain dict, because updates are slow."""
    layout: dict[str, Any] = {}
    top, axes, titles = 1.0, [], []
    scale = (1 - GAP * (len(PANELS) - 1)) / sum(share for _, share in PANELS)
    for panel, (title, share) in enumerate(PANELS):
        axis = "y" if panel == 0 else f"y{panel + 1}"
        bottom = max(top - share * scale, 0.0)
        layout[axis.replace("y", "yaxis")] = {
            "domain": [bottom, top],
            "anchor": "x",
            "rangemode": "normal" if panel == 0 else "tozero",
            "automargin": True,
        }
        titles.append(style.panel_title(ERROR_TITLE if panel == 0 and view == "Error" else title, top))
        axes.append(("x", axis))
        top = bottom - GAP
    shapes, names = style.periods(day.scenario, axes)
    return (
        style.LAYOUT
        | layout
        | {
            "height": HEIGHT,
            "hoversubplots": "axis",
            "margin": style.LAYOUT["margin"] | {"t": 40},
            "legend": style.LAYOUT["legend"] | {"y": 1.03},
            "xaxis": style.clock(day.scenario.days)
            | {"anchor": axes[-1][1], "title": {"text": "Time of day"}, "automargin": True},
            "shapes": shapes,
            "annotations": [*titles, *names],
        }
    )
