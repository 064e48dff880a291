"""Beside the joint states: what each house is believed to do, and the noise that was drawn."""

from typing import Any

import numpy as np
import plotly.graph_objects as go

from rtp.classroom.lesson import MECHANISM, Lesson
from rtp.classroom.lines import NOISE, NOISY, OPTIMAL, POSTERIOR, PRIOR, PROTECTED, occupied, rate
from rtp.figures import style
from rtp.figures.states import GREY, house_colour
from rtp.joint import ModelStep
from rtp.mechanisms import UNPROTECTED

HEIGHT = 300
WIDTHS = 6  # how many scales to each side the density is drawn


def beliefs_figure(lesson: Lesson, own: ModelStep, line: int) -> go.Figure:
    """Pr[occupied] of every house before and after the rate; houses out of κ in grey."""
    before, after = occupied(own.prior), occupied(own.posterior)
    certain = [line >= PROTECTED and h not in own.protected for h in range(lesson.houses)]
    names = [
        f"{h} · {bound:.3g}" + (" · sure" if certain[h] else "")
        for h, bound in enumerate(lesson.street.bound)
    ]
    colours = [GREY if sure else house_colour(h) for h, sure in enumerate(certain)]
    traces: list[dict[str, Any]] = []
    if line >= POSTERIOR:
        ends = np.column_stack([before, after, np.full_like(before, np.nan)])
        traces.append(
            {
                "x": ends.ravel(),
                "y": np.repeat(names, 3),
                "mode": "lines",
                "line": {"color": GREY, "width": 2},
                "hoverinfo": "skip",
                "showlegend": False,
            }
        )
    for known, law, title, symbol in (
        (line >= PRIOR, before, "Prior", "circle-open"),
        (line >= POSTERIOR, after, "Posterior", "circle"),
    ):
        traces.append(
            {
                "x": law if known else [None] * len(names),
                "y": names,
                "mode": "markers",
                "name": title,
                "marker": {
                    "symbol": symbol,
                    "size": 12,
                    "color": colours,
                    "line": {"width": 2.5, "color": colours},
                },
                "hovertemplate": f"{title.lower()} %{{x:.4f}}<extra>house %{{y}}</extra>",
            }
        )
    fig = style.base(go.Figure(traces), HEIGHT)
    fig.update_layout(
        hovermode="closest",
        xaxis={"range": [-0.07, 1.07], "title": {"text": "Pr[occupied]"}, "nticks": 6},
        yaxis={"type": "category", "autorange": "reversed", "title": {"text": "House · bound"}},
    )
    return fig


def beliefs_alt(own: ModelStep, line: int) -> str:
    if line < PRIOR:
        return "What each house is believed to do: not known yet."
    before, after = occupied(own.prior), occupied(own.posterior)
    told = [
        f"house {h} {b:.2f}" + (f" to {a:.2f}" if line >= POSTERIOR else "")
        for h, (b, a) in enumerate(zip(before, after, strict=True))
    ]
    return f"Pr[occupied] before and after the rate: {', '.join(told)}."


def noise_figure(lesson: Lesson, t: int, line: int) -> go.Figure:
    """The density the noisy rate is drawn from, with the optimal and the published rate."""
    step, optimal = lesson.at(t), float(lesson.release.optimal[t])
    reach = WIDTHS * step.scale or 1.0
    drawn = line >= NOISE and step.scale > 0
    height = 1 / (2 * step.scale) if drawn else 1.0
    traces: list[dict[str, Any]] = []
    if drawn:
        x = np.sort(np.append(np.linspace(optimal - reach, optimal + reach, 240), optimal))
        traces.append(
            {
                "x": x,
                "y": height * np.exp(-np.abs(x - optimal) / step.scale),
                "mode": "lines",
                "fill": "tozeroy",
                "line": {"color": GREY, "width": 1.5},
                "fillcolor": style.rgba(GREY, 0.18),
                "name": f"Lap({step.scale:.4g})",
                "hovertemplate": "density %{y:.4g}<extra></extra>",
            }
        )
    for known, at, key, name in (
        (line >= OPTIMAL, optimal, UNPROTECTED, "Optimal"),
        (line >= NOISY, step.published, MECHANISM, "Published"),
    ):
        if known:
            exact = key == UNPROTECTED
            traces.append(
                {
                    "x": [at, at],
                    "y": [0, height],
                    "mode": "lines+markers",
                    "line": {
                        "color": style.mark(key).colour,
                        "width": 3,
                        "dash": "dash" if exact else "solid",
                    },
                    "marker": {"size": [0, 10], "symbol": "square" if exact else "circle"},
                    "name": f"{name} {rate(at)}",
                    "hovertemplate": f"{name.lower()} {rate(at)}<extra></extra>",
                }
            )
    far = max(reach, 1.1 * abs(step.published - optimal))
    fig = style.base(go.Figure(traces), HEIGHT)
    fig.update_layout(
        hovermode="closest",
        xaxis={"title": {"text": "Rate"}, "range": [optimal - far, optimal + far], "nticks": 7},
        yaxis={
            "title": {"text": "Density"},
            "range": [0, 1.08 * height],
            "showticklabels": step.scale > 0,
        },
    )
    return fig


def noise_alt(lesson: Lesson, t: int, line: int) -> str:
    step = lesson.at(t)
    if line < OPTIMAL:
        return "The noise: not drawn yet."
    text = f"Optimal rate {rate(float(lesson.release.optimal[t]))}"
    if line >= NOISE:
        text += f", Laplace density of scale {step.scale:.4g} around it"
    return text + (f", published rate {rate(step.published)}." if line >= NOISY else ".")
