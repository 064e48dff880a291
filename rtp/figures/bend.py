"""The bend: what privacy costs and what it hides, in one picture, which is also ε's second handle.

Across, on a logarithmic axis, how far a rate is off; up, how often an observer tells a secret apart, from a
coin to always. Each mechanism is a curve over ε: the more private, the further right and the lower. At first
a larger error buys much; past the bend it buys nothing, and that stretch is shaded. A large dot shows where ε
stands. Every point says its ε to who clicks it. Observers are named where the private rate's curves begin.

The axes stand still while ε moves: half powers of ten around all curves.
"""

from collections.abc import Mapping, Sequence
from math import ceil, floor, log10
from typing import NamedTuple

import numpy as np

from rtp.core.formatting import percent
from rtp.core.language import figure, say
from rtp.core.stats import Range
from rtp.core.types import Floats
from rtp.figures import style
from rtp.figures.style import GREY, Mark, Picture, Spec, Trace
from rtp.figures.theme import BACKGROUND
from rtp.mechanisms import FEATURED
from rtp.metrics import ERROR_DIGITS

HEIGHT, ROWS, ROW = 304, 4, 17  # pixels: as high as the rates beside it, with so many rows above it; of one
COIN = 0.5
SAME = 0.01  # shares that differ by less are the same to anyone who acts on them
LEAST = 1e-6  # of an error: a logarithmic axis has no place for none
SHADED = "rgba(110, 118, 140, 0.14)"
_WAYS = (("solid", 1.0), ("dot", 0.6))  # dash and opacity, by observer: who tells more comes first
_BOTTOM, _TOP = 45, 109  # percent, so that there is room for a name above always
_NEAR = 0.12  # shares from one to the other observer that leave no room for two names
_WIDE, _TALL = 170, 190  # pixels of what the curves have on a beamer, where room is least
_LETTER, _LINE, _OFF = 7, 16, (8, 6)  # pixels of words, and from a dot to its name
_CLEAR = 4  # from words to what is drawn: a curve has a width, and a dot
_TICKS = 4  # of the error, at most, that stand upright beside each other on a beamer
_ROOM: Spec = {"l": 50, "r": 26, "t": 8, "b": 44}  # besides what stands above


class Bend(NamedTuple):
    """A mechanism over ε, and at the ε in use; `told` is how often each observer tells, by her name."""

    mechanism: str
    error: Floats  # (E,) how far the rate is off, a share
    told: Mapping[str, Floats]  # (E,) each; nobody's where that is not known yet
    error_now: Range  # with the range of 95 % of days, where that is known
    told_now: Mapping[str, float]


def nothing_more(error: Floats, told: Sequence[Floats]) -> float | None:
    """Return the error from which on a larger one hides nothing more from any of the observers; None where
    that is not reached before the largest."""
    order = np.argsort(error)
    most = np.max([np.maximum.accumulate(each[order][::-1])[::-1] - each.min() for each in told], axis=0)
    done = np.flatnonzero(most <= SAME)
    return float(error[order][done[0]]) if done.size and done[0] < len(error) - 1 else None


def bend_figure(epsilons: Floats, bends: Sequence[Bend], epsilon: float, hint: str = "") -> Picture:
    """How often each observer tells over how far the rate is off, and where ε stands; a hint in its title."""
    every = np.concatenate([np.append(bend.error, bend.error_now.value) for bend in bends])
    edges = (floor, np.min), (ceil, np.max)
    low, high = (end(2 * log10(100 * max(edge(every), LEAST))) / 2 for end, edge in edges)
    high = max(high, low + 1)
    traces = [style.level([10.0**low, 10.0**high], 100 * COIN, say("a coin"), Mark(GREY, "dash"))]
    # The private rate is drawn last, on top; what coincides with it shows as its rim.
    ordered = sorted(bends, key=lambda bend: bend.mechanism == FEATURED)
    for number, bend in enumerate(ordered):
        width = 6.0 if number < len(bends) - 1 and _coincides(bend, bends) else 2.5
        traces += [_curve(epsilons, bend, observer, width) for observer in bend.told]
    traces += [_dot(bend, observer, epsilon) for bend in ordered for observer in bend.told]
    featured, head = ordered[-1], _head(bends, hint)
    place = {"xref": "paper", "yref": "paper", "align": "left", "xshift": 8 - _ROOM["l"], "yshift": 2}
    above = style.note("<br>".join(head), 0, 1) | place
    notes = [above, style.note(say("a coin"), low, 100 * COIN, "left", "top") | {"xshift": 2}]
    bent = None
    if featured.told:
        bent = nothing_more(featured.error, list(featured.told.values()))
        names = _who(featured)
        if bent is not None:
            hides = say("hides<br>nothing more").replace(" ", "<br>")  # as narrow as can be
            at_error, (edge, _) = high, _pixels(np.array([bent]), np.array([1.0]), (low, high))[:, 0]
            if _WIDE - edge < _LETTER * max(map(len, hides.split("<br>"))):  # no room within: before it
                at_error, hides = log10(100 * max(bent, LEAST)), f"{hides} →"
            at = style.note(hides, at_error, _TOP - 1, "right", "top")
            names.append(at | {"align": "right", "xshift": -4})
        notes += [_here(ordered, epsilon, (low, high), names), *names]
    layout = style.layout(
        HEIGHT + ROW * max(len(head) - ROWS, 0),
        {
            "margin": _ROOM | {"t": _ROOM["t"] + ROW * len(head)},
            "showlegend": False,
            "hovermode": "closest",
            "xaxis": _across(low, high),
            "yaxis": {
                "range": [_BOTTOM, _TOP],
                "tickvals": [50, 75, 100],
                "ticktext": ["50 %", "75 %", "100 %"],
            },
            "shapes": [] if bent is None else [style.shade(100 * bent, 10.0**high, SHADED, yref="y domain")],
            "annotations": notes,
        },
    )
    return Picture(traces, layout, _words(bends, epsilon, bent))


def _coincides(bend: Bend, bends: Sequence[Bend]) -> bool:
    """Whether the private rate has the same curve."""
    return any(
        other.mechanism == FEATURED != bend.mechanism and np.allclose(other.error, bend.error, rtol=0.02)
        for other in bends
    )


def _curve(epsilons: Floats, bend: Bend, observer: str, width: float) -> Trace:
    dash, opacity = _WAYS[list(bend.told).index(observer)]
    name, colour = style.short(bend.mechanism), style.mark(bend.mechanism).colour
    x, y = 100 * np.maximum(bend.error, LEAST), 100 * bend.told[observer]
    who = say(observer)
    off, told = say("off by {off}", off="%{x:.3~g} %"), say("{who} tells {told}", who=who, told="%{y:.0f} %")
    hover = f"{name}, ε = %{{customdata[0]:~g}}<br>{off}, {told}"
    curve = style.line(x, y, f"{name}, {who}", Mark(colour, dash), hover=hover, width=width)
    pale = opacity * (0.4 if width > 5 else 1.0)
    return curve | {"opacity": pale, "customdata": [[each] for each in epsilons.tolist()]}


def _dot(bend: Bend, observer: str, epsilon: float) -> Trace:
    """Where ε stands: large of the private rate, with the range of 95 % of days."""
    featured, main = bend.mechanism == FEATURED, observer == next(iter(bend.told))
    value, low, high = (100 * max(each, LEAST) for each in bend.error_now)
    colour = style.mark(bend.mechanism).colour
    size = (16 if main else 11) if featured else (10 if main else 7)
    marker: Spec = {"size": size, "color": colour, "line": {"width": 1.5, "color": style.WHITE}}
    name, told, who = style.short(bend.mechanism), bend.told_now[observer], say(observer)
    off = say("off by {off}", off=percent(value / 100, ERROR_DIGITS))
    tells = say("{who} tells {told}", who=who, told=percent(told, 2))
    hover = f"{name}, ε = {figure(f'{epsilon:g}')}<br>{off}, {tells}"
    dot = style.points(
        [value], [100 * told], say("{rate} now, {who}", rate=name, who=who), marker, hover=hover
    )
    spread: Spec = {"type": "data", "symmetric": False, "array": [high - value], "arrayminus": [value - low]}
    range_ = {"error_x": spread | {"color": colour, "thickness": 2, "width": 5}} if main else {}
    return dot | {"customdata": [[epsilon]]} | range_


def _across(low: float, high: float) -> Spec:
    powers = range(ceil(low), floor(high) + 1)
    ticks = [10.0**power for power in powers[:: ceil(len(powers) / _TICKS)]]
    return {
        "type": "log",
        "range": [low, high],
        "tickvals": ticks,
        "ticktext": [percent(tick / 100) for tick in ticks],
        "tickangle": 0,
        "title": {"text": say("how far the rate is off (RMSRE)"), "standoff": 6},
    }


def _head(bends: Sequence[Bend], hint: str) -> list[str]:
    """What stands above the curves: the title, and how far off each mechanism is at this ε, with the range of
    95 % of days; those whose curve is the private rate's stand in its line."""
    lines = [f"<b>{say('How often an observer tells')}</b>{hint}"]
    alike = [bend.mechanism for bend in bends if _coincides(bend, bends)]
    for bend in bends:
        if bend.mechanism in alike:
            continue
        value, low, high = (percent(each, ERROR_DIGITS) for each in bend.error_now)
        days = "" if low == high else f" ({low.rstrip('%').rstrip()}–{high.rstrip('%').rstrip()})"
        names = [*(alike if bend.mechanism == FEATURED else ()), bend.mechanism]
        bullets = "".join(
            f'<span style="color:{style.rgb(style.mark(name).colour)}">●</span>' for name in names
        )
        lines.append(f"{bullets} {' = '.join(map(style.short, names))} {value}{days}")
    return lines


def _who(bend: Bend) -> list[Spec]:
    """Who each curve is of, above its beginning, or below it where another is close above; both in one where
    the two begin together."""
    start = int(np.argmin(bend.error))
    x = log10(100 * max(bend.error[start], LEAST))
    begins = {name: float(told[start]) for name, told in bend.told.items()}
    highest, lowest = max(begins.values()), min(begins.values())
    if highest - lowest < SAME:
        begins = {" = ".join(begins): highest}
    notes = []
    for name, share in begins.items():
        under = share < highest < share + _NEAR
        words = " = ".join(map(say, name.split(" = "))).replace(
            ", ", ",<br>"
        )  # as narrow as can be: a curve falls beside it
        at = style.note(words, x, 100 * share, "left", "top" if under else "bottom")
        notes.append(at | {"align": "left", "yshift": -3 if under else 3})
    return notes


def _here(ordered: Sequence[Bend], epsilon: float, span: tuple[float, float], names: Sequence[Spec]) -> Spec:
    """The budget beside the private rate's dot, on that side of it where the least is drawn."""
    now, text = ordered[-1].error_now.value, f"ε = {figure(f'{epsilon:g}')}"
    told = next(iter(ordered[-1].told_now.values()))
    x, y = log10(100 * max(now, LEAST)), 100 * told
    (at,) = _pixels(np.array([now]), np.array([told]), span).T
    drawn, size = _drawn(ordered, span, names), np.array([_LETTER * len(text), _LINE])

    def covered(side: tuple[int, int]) -> int:
        near = at + np.array(side) * _OFF
        box = np.sort([near, near + np.array(side) * size], axis=0)
        outside = (box[0] < 0).any() or (box[1] > (_WIDE, _TALL)).any()
        met = ((box[0] - _CLEAR < drawn) & (drawn < box[1] + _CLEAR)).all(axis=1)
        return int(met.sum()) + 1000 * bool(outside)

    right, up = min([(1, 1), (-1, -1), (1, -1), (-1, 1)], key=covered)
    anchors = "left" if right > 0 else "right", "bottom" if up > 0 else "top"
    shifted = {"xshift": right * _OFF[0], "yshift": up * _OFF[1]}
    return (
        style.note(text, x, y, *anchors) | shifted | {"bgcolor": style.rgba(BACKGROUND, 0.8), "borderpad": 0}
    )


def _drawn(bends: Sequence[Bend], span: tuple[float, float], names: Sequence[Spec]) -> Floats:
    """(n, 2): places of what a name would lie on, in pixels: curves, the other mechanisms' dots, and other
    names."""
    places = []
    for each in names:
        lines = each["text"].split("<br>")
        (at,) = _pixels(np.array([10.0 ** (each["x"] - 2)]), np.array([each["y"] / 100]), span).T
        size = np.array([_LETTER * max(map(len, lines)), _LINE * len(lines)])
        corner = at - size * [each["xanchor"] == "right", each["yanchor"] == "top"]
        # So dense that a name lies on a curve rather than on a name.
        grid = np.meshgrid(*(np.arange(0, end, 1.5) for end in size))
        places.append(corner + np.stack(grid, axis=-1).reshape(-1, 2))
    for bend in bends:
        if bend is not bends[-1]:
            now = np.array(list(bend.told_now.values()))
            places.append(_pixels(np.full(len(now), bend.error_now.value), now, span).T)
        for told in bend.told.values():
            x, y = _pixels(bend.error, told, span)
            steps = np.linspace(0, len(x) - 1, 8 * len(x))
            places.append(np.stack([np.interp(steps, np.arange(len(x)), each) for each in (x, y)], axis=-1))
    return np.concatenate(places)


def _pixels(error: Floats, told: Floats, span: tuple[float, float]) -> Floats:
    """(2, n): how far right and up, on a beamer."""
    across = (np.log10(100 * np.maximum(error, LEAST)) - span[0]) / (span[1] - span[0])
    return np.array([_WIDE * across, _TALL * (100 * told - _BOTTOM) / (_TOP - _BOTTOM)])


def _words(bends: Sequence[Bend], epsilon: float, bent: float | None) -> str:
    said = []
    for bend in bends:
        told = ", ".join(f"{say(observer)} {percent(share, 2)}" for observer, share in bend.told_now.items())
        value, low, high = (percent(each, ERROR_DIGITS) for each in bend.error_now)
        to = say("to")
        days = "" if low == high else f" ({low} {to} {high})"
        rate = style.short(bend.mechanism)
        said.append(
            say(
                "{rate} is off by {off}{days}, told apart: {told}", rate=rate, off=value, days=days, told=told
            )
        )
    past = ""
    if bent is not None:
        error = percent(bent, ERROR_DIGITS)
        past = f" {say('An error over {error} hides nothing more.', error=error)}"
    words = say(
        "How often an observer tells over how far the rate is off (RMSRE); a coin 50 %. At ε = {epsilon}: "
        "{rates}.",
        epsilon=float(epsilon),
        rates="; ".join(said),
    )
    return f"{words}{past}"
