"""Beside the joint states: what each house is believed to do, and the noise that was drawn."""

import numpy as np

from rtp.algorithm1 import ModelStep
from rtp.core.types import Floats
from rtp.figures import style
from rtp.figures.picture import Picture
from rtp.figures.states import GREY, house_colour
from rtp.figures.style import Mark, Trace
from rtp.mechanisms import UNPROTECTED
from rtp.teaching.lines import (
    NOISE,
    NOISY,
    OPTIMAL,
    POSTERIOR,
    PRIOR,
    PROTECTED,
    occupied_probabilities,
    rate_text,
)
from rtp.teaching.stage import MECHANISM, Stage

HEIGHT = 300
WIDTHS = 6  # how many scales to each side the density is drawn


def beliefs_figure(lesson: Stage, own: ModelStep, line: int) -> Picture:
    """Pr[occupied] of every house before and after the rate; houses out of κ in grey."""
    before, after = occupied_probabilities(own.prior), occupied_probabilities(own.posterior)
    certain = [line >= PROTECTED and h not in own.protected for h in range(lesson.houses)]
    names = [
        f"{h} · {bound:.3g}" + (" · sure" if certain[h] else "")
        for h, bound in enumerate(lesson.street.bound)
    ]
    colours = [GREY if sure else house_colour(h) for h, sure in enumerate(certain)]
    traces = [
        _dots(before if line >= PRIOR else None, names, colours, "Prior", "circle-open"),
        _dots(after if line >= POSTERIOR else None, names, colours, "Posterior", "circle"),
    ]
    if line >= POSTERIOR:
        ends = np.column_stack([before, after, np.full_like(before, np.nan)])
        moves = style.line(ends.ravel(), np.repeat(names, 3).tolist(), "", Mark(GREY))
        traces = [moves | {"showlegend": False}, *traces]
    layout = style.layout(
        HEIGHT,
        style.axes("Pr[occupied]", "House · bound"),
        {
            "hovermode": "closest",
            "xaxis": {"range": [-0.07, 1.07], "nticks": 6},
            "yaxis": {"type": "category", "autorange": "reversed"},
        },
    )
    return Picture(traces, layout, _beliefs_words(before, after, line))


def _dots(law: Floats | None, names: list[str], colours: list[str], title: str, symbol: str) -> Trace:
    """A dot for each house; without a law only the legend's."""
    return {
        "type": "scatter",
        "x": [None] * len(names) if law is None else law,
        "y": names,
        "mode": "markers",
        "name": title,
        "marker": {"symbol": symbol, "size": 12, "color": colours, "line": {"width": 2.5, "color": colours}},
        "hovertemplate": f"{title.lower()} %{{x:.4f}}<extra>house %{{y}}</extra>",
    }


def _beliefs_words(before: Floats, after: Floats, line: int) -> str:
    if line < PRIOR:
        return "What each house is believed to do: not known yet."
    houses = [
        f"house {h} {b:.2f}" + (f" to {a:.2f}" if line >= POSTERIOR else "")
        for h, (b, a) in enumerate(zip(before, after, strict=True))
    ]
    return f"Pr[occupied] before and after the rate: {', '.join(houses)}."


def noise_figure(lesson: Stage, t: int, line: int) -> Picture:
    """The density the noisy rate is drawn from, with the optimal and the published rate."""
    step, optimal = lesson.at(t), float(lesson.release.optimal[t])
    traces: list[Trace] = []
    height = 1.0
    if line >= NOISE and step.scale > 0:
        height = 1 / (2 * step.scale)
        traces.append(_density(optimal, step.scale))
    if line >= OPTIMAL:
        mark = Mark(style.mark(UNPROTECTED).colour, "dash")
        traces.append(_level(optimal, height, "Optimal", mark, "square"))
    if line >= NOISY:
        mark = Mark(style.mark(MECHANISM).colour)
        traces.append(_level(step.published, height, "Published", mark, "circle"))
    far = max(WIDTHS * step.scale or 1.0, 1.1 * abs(step.published - optimal))
    layout = style.layout(
        HEIGHT,
        style.axes("Rate", "Density"),
        {
            "hovermode": "closest",
            "xaxis": {"range": [optimal - far, optimal + far], "nticks": 7},
            "yaxis": {"range": [0, 1.08 * height], "showticklabels": step.scale > 0},
        },
    )
    return Picture(traces, layout, _noise_words(lesson, t, line))


def _density(optimal: float, scale: float) -> Trace:
    reach = WIDTHS * scale
    x = np.sort(np.append(np.linspace(optimal - reach, optimal + reach, 240), optimal))
    y = 1 / (2 * scale) * np.exp(-np.abs(x - optimal) / scale)
    hover = "density %{y:.4g}<extra></extra>"
    curve = style.line(x, y, f"Lap({scale:.4g})", Mark(GREY), hover=hover, width=1.5)
    return curve | {"fill": "tozeroy", "fillcolor": style.rgba(GREY, 0.18)}


def _level(at: float, height: float, name: str, mark: Mark, symbol: str) -> Trace:
    """A rate as a pole with its symbol on top."""
    hover = f"{name.lower()} {rate_text(at)}<extra></extra>"
    pole = style.line([at, at], [0, height], f"{name} {rate_text(at)}", mark, hover=hover, width=3)
    return pole | {"mode": "lines+markers", "marker": {"size": [0, 10], "symbol": symbol}}


def _noise_words(lesson: Stage, t: int, line: int) -> str:
    step = lesson.at(t)
    if line < OPTIMAL:
        return "The noise: not drawn yet."
    text = f"Optimal rate {rate_text(float(lesson.release.optimal[t]))}"
    if line >= NOISE:
        text += f", Laplace density of scale {step.scale:.4g} around it"
    return text + (f", published rate {rate_text(step.published)}." if line >= NOISY else ".")
