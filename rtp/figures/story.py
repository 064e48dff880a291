"""The story in pictures, one for each claim, so low that a beamer shows them with their words; and what one
sealed mechanism publishes, on axes that all five share."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rtp.core.formatting import whole_percent
from rtp.core.language import figure, noted, say
from rtp.core.time import day_text
from rtp.core.types import Bools, Floats
from rtp.figures import daytime, style
from rtp.figures.attack import TRUTH, truth_area
from rtp.figures.daytime import clock, times
from rtp.figures.style import GREY, Mark, Picture, Positions, Spec, Trace
from rtp.figures.theme import STRONG
from rtp.mechanisms import UNPROTECTED
from rtp.teaching.exercise import AnswerPicture
from rtp.teaching.home import DAYS, Home, Span
from rtp.teaching.sealed import SHOWN_DAYS, Prices

_HEIGHT = 335  # pixels, before it is made larger for a class
_SOMEBODY, HABITS, _BELIEVED = noted("Somebody in"), noted("Habits"), noted("Believed")
_PROBABILITY: Spec = {"range": [-0.04, 1.08], "showgrid": False, **style.HALVES}
_GAP = 0.13  # of the height, between panels
_TOP = 0.93
_TRUTH = style.rgba(TRUTH.colour, 0.38)
_MARKED, _SAID = style.rgba(GREY, 0.5), style.rgba(GREY, 0.75)
_STRIPS, _METER = (0.0, 0.36), (0.46, _TOP)  # bottom and top of who said what, and of the meter above it


class Believed(NamedTuple):
    """What an observer believes, and where from."""

    name: str
    belief: Floats  # (T,) Pr[somebody is in]
    colour: str


def meter_figure(home: Home, nobody: Sequence[Span]) -> Picture:
    """The meter, with the times at which one says that nobody was in; a stretch of it can be marked."""
    x = _times(home)
    marks = [style.shade(str(x[start]), str(x[stop]), _MARKED) for start, stop in nobody]
    shades = [shade | {"yref": "y domain"} for shade in (*daytime.nights(x[:-1]), *marks)]
    own: Spec = {
        "dragmode": "select",
        "selectdirection": "h",
        "selections": [],
        "selectionrevision": str(nobody),  # what was drawn by hand gives way to its mark
        "newselection": {"line": {"color": STRONG}},
        "shapes": shades,
        "annotations": [daytime.panel_title(say(daytime.NIGHTS), _TOP + 0.005)],
        "yaxis": {"domain": [0.0, _TOP], "rangemode": "tozero", "title": {"text": say("Power used, kW")}},
        "xaxis": _days(home),
        "showlegend": False,
        "margin": {"t": 12, "b": 34},
    }
    marked = say("{n} stretches are marked as empty.", n=len(nobody))
    words = f"{_meter_words(home)} {marked}"
    return Picture([_meter(home)], style.layout(_HEIGHT, own), words)


def answered_figure(home: Home, said_in: Mapping[str, Bools]) -> Picture:
    """The same over amber bands while somebody was in; beneath, a strip for everyone who says when nobody
    was: right where it fills the gaps between the bands and leaves them clear."""
    x, names = _times(home), [f"{name} {whole_percent(home.right(said))}" for name, said in said_in.items()]
    truth = [
        style.shade(str(x[start]), str(x[stop]), _TRUTH)
        for start, stop in daytime.stretches(home.occupied == 1)
    ]
    strips = [
        style.shade(str(x[start]), str(x[stop]), _SAID, y0=row - 0.3, y1=row + 0.3, yref="y2")
        for row, said in enumerate(said_in.values())
        for start, stop in daytime.stretches(~said)
    ]
    own: Spec = {
        "shapes": truth + strips,
        "yaxis": {"domain": _METER, "rangemode": "tozero", "title": {"text": "kW"}},
        "yaxis2": {
            "domain": _STRIPS,
            "range": [len(names) - 0.5, -0.5],
            "tickvals": list(range(len(names))),
            "ticktext": names,
            "showgrid": False,
            "zeroline": False,
            "automargin": True,
        },
        "xaxis": _days(home) | {"anchor": "y2"},
        "annotations": [
            daytime.panel_title(say("Amber: somebody was in"), _TOP + 0.005),
            daytime.panel_title(say("Grey: says that nobody was in"), _STRIPS[1] + 0.005),
        ],
        "showlegend": False,
        "margin": {"t": 12, "b": 34},
    }
    row = style.line(x[[0, -1]], [-1.0, -1.0], "", Mark(GREY), width=0)  # out of sight: the strips' axis
    right = say("Right at these moments: {names}.", names=", ".join(names))
    words = f"{_meter_words(home)} {right}"
    return Picture([_meter(home), row | {"yaxis": "y2"}], style.layout(_HEIGHT, own), words)


def _meter(home: Home) -> Trace:
    hover = "%{y:.2f} kW"
    return style.line(_times(home)[:-1], home.power, say("Used"), style.SIMULATED, hover=hover, shape="hv")


def _meter_words(home: Home) -> str:
    return say(
        "A home's power over {days} days from {first}: {low} to {high} kW.",
        days=DAYS,
        first=str(home.first_date),
        low=figure(f"{home.power.min():.2f}"),
        high=figure(f"{home.power.max():.2f}"),
    )


def _times(home: Home) -> NDArray[np.datetime64]:
    """When each step begins, and the last one ends."""
    return daytime.dates(home.first_date, len(home.power) + 1, home.minutes)


def _days(home: Home) -> Spec:
    """A clock of whole days, each with its date."""
    x = _times(home)
    midnights = np.arange(DAYS) + home.first_date.astype("datetime64[D]")
    return {
        "type": "date",
        "range": [str(x[0]), str(x[-1])],
        "tickvals": [str(day) for day in midnights],
        "ticktext": [day_text(day.item()) for day in midnights],
        "ticklabelposition": "outside right",
        "hoverformat": "%a %-d %b, %H:%M",
        "showgrid": True,
        "automargin": False,
    }


def beliefs_figure(home: Home, habits: Floats, believed: Sequence[Believed], rate: Floats | None) -> Picture:
    """What an observer believes about the home over amber bands while somebody was in, each in a panel of its
    own; above them the rate where one is given."""
    shares = [whole_percent(home.believed_right(each.belief)) for each in believed]
    titles = [] if rate is None else [say("The optimal rate")]
    titles += [
        say("{name}: right {share} of these days", name=each.name, share=share)
        for each, share in zip(believed, shares, strict=True)
    ]
    x, price = _times(home)[:-1], rate is not None
    traces = []
    if rate is not None:
        mark = style.mark(UNPROTECTED)
        traces.append(style.line(x, rate, say("Optimal rate"), mark, hover="%{y:.2f}", shape="hv"))
    for number, each in enumerate(believed):
        axis = "y" if number + price == 0 else f"y{number + price + 1}"
        traces += _panel(x, home, habits, each, {"yaxis": axis, "showlegend": number == 0})
    words = say(
        "{days} days of a home from {first}; somebody is in at {share} of all moments. {titles}.",
        days=DAYS,
        first=str(home.first_date),
        share=whole_percent((home.occupied == 1).mean()),
        titles="; ".join(titles),
    )
    axes: list[Spec] = [{}] * price + [_PROBABILITY] * len(believed)
    return Picture(traces, _panels(home, titles, axes), words)


def _panel(x: Positions, home: Home, habits: Floats, believed: Believed, place: Spec) -> list[Trace]:
    """The truth, what habits alone say, and last her belief; what all panels have is named in one."""
    guess = style.line(x, habits, say(HABITS), style.EXPECTED, hover=style.SHARE_HOVER, width=1.5)
    line = style.line(
        x, believed.belief, say(_BELIEVED), Mark(believed.colour), hover=style.SHARE_HOVER, width=2.5
    )
    return [
        truth_area(x, home.occupied == 1, say(_SOMEBODY)) | place | {"legendgroup": "truth"},
        guess | place | {"legendgroup": "guess"},
        line | place | {"legendgroup": "belief"},
    ]


def _panels(home: Home, titles: Sequence[str], axes: Sequence[Spec]) -> Spec:
    """Panels of equal height, one above the other, on one clock."""
    count = len(titles)
    height = (_TOP - _GAP * (count - 1)) / count
    tops = [_TOP - number * (height + _GAP) for number in range(count)]
    layout: Spec = {
        "hoversubplots": "axis",
        "xaxis": _days(home) | {"anchor": "y" if count == 1 else f"y{count}"},
        "annotations": [
            daytime.panel_title(title, top + 0.005) for title, top in zip(titles, tops, strict=True)
        ],
        "margin": {"l": 46, "t": 40, "b": 34},
        "legend": {"y": 1.02},
    }
    for number, (axis, top) in enumerate(zip(axes, tops, strict=True), 1):
        domain = [max(top - height, 0.0), top]
        place: Spec = {"domain": domain, "anchor": "x", "automargin": True}
        layout[f"yaxis{number if number > 1 else ''}"] = place | axis
    return style.layout(_HEIGHT, layout)


_RATE, _ERROR = VIEWS = ("Rate", "Error")  # the rate beside the optimal one, or how far it is off
COLOUR = style.MODEL_COLOURS[0]  # no mechanism's: none is to be guessed by it
_SEALED, _MARGIN = 128, 0.03  # pixels; of the range, above and below


def sealed_figure(prices: Prices, letter: str, view: str) -> Picture:
    """A sealed mechanism's rates beside the optimal one, or their distance to it."""
    x, apart = times(prices.hours), view == _ERROR
    taken = prices.optimal if apart else 0 * prices.optimal
    least, published = prices.optimal - taken, prices.rate[letter] - taken
    every = np.concatenate([least, *(rate - taken for rate in prices.rate.values())])  # the common axis
    margin = _MARGIN * float(np.ptp(every))
    marker = {"color": COLOUR, "size": 3.5}
    rate = style.line(x, published, f"Mechanism {letter}", Mark(COLOUR), hover="%{y:.2f}", width=1)
    optimal = Mark(style.mark(UNPROTECTED).colour)
    midnights = times(24 * np.arange(float(SHOWN_DAYS)))
    frame: Spec = {
        "xaxis": clock(SHOWN_DAYS)
        | {
            "title": {"text": ""},
            "tickvals": [str(at) for at in midnights],
            "ticktext": [say("Day {n}", n=day + 1) for day in range(SHOWN_DAYS)],
            "ticklabelposition": "outside right",
            "automargin": False,
        },
        "yaxis": {
            "range": [float(every.min()) - margin, float(every.max()) + margin],
            "nticks": 4,
            "title": {"text": say("Off by") if apart else say("Rate")},
            "automargin": True,
        },
        "showlegend": False,
        "margin": {"l": 30, "t": 4, "b": 28},
    }
    far = float(np.abs(prices.rate[letter] - prices.optimal).max())
    words = f"Mechanism {letter}: its rates over {SHOWN_DAYS} days are up to {far:.1f} off the optimal rate."
    traces = [
        style.line(x, least, "Optimal rate", optimal, width=1.5),
        rate | {"mode": "lines+markers", "marker": marker},
    ]
    return Picture(traces, style.layout(_SEALED, frame), words)


_ROW, _FRAME = 34, 56  # pixels of a bar, and of what is around all


def answer_figure(answer: AnswerPicture) -> Picture:
    """A bar for every number, the first on top, each with what it says at its name."""
    names = [f"{name} · {text}" for name, text in zip(answer.values, answer.texts, strict=True)]
    colour = style.SIMULATED.colour
    trace = style.bars(list(answer.values.values()), names, answer.title, colour, hover="%{y}<extra></extra>")
    own: Spec = {
        "xaxis": {"range": [0.0, 1.02 * answer.most], "showticklabels": False, "showgrid": False},
        "yaxis": {"autorange": "reversed", "automargin": True},
        "margin": {"t": 4},
        "showlegend": False,
    }
    layout = style.layout(_FRAME + _ROW * len(names), style.axes(answer.title, ""), own)
    return Picture([trace | {"orientation": "h"}], layout, f"{answer.title}: {', '.join(names)}.")
