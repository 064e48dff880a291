"""The look of a chart on a screen, written into the chart itself.

Streamlit would give a chart the look of its theme. For that it hands each chart to plotly twice, the second
time with a template that plotly takes for another one: every chart is then drawn twice. Here the same look is
part of the layout from the start, in the colours of the light theme, and charts are sent without a theme.
`DARK` says which colour takes the place of each in the dark theme: a style sheet does that in the browser, so
that a change of theme draws nothing again.

`datarevision` tells plotly that lists in the same place hold the same numbers: another day is another chart.
"""

import re

from rtp.figures.style import Spec, merged

INK, STRONG, LINE, PAPER, EDGE = "#808495", "#262730", "#e6eaf1", "#fbfcfd", "#cdd7e1"
DARK = {INK: "#e6eaf1", STRONG: "#fafafa", LINE: "#31333f", PAPER: "#0e151c", EDGE: "#2d3b48"}
FAMILY = '"Source Sans", sans-serif'
SMALL, TITLE = 11.25, 13.125  # pixels: 0.75 and 0.875 of the page's type

_SMALL: Spec = {"color": INK, "size": SMALL}
_AXIS: Spec = {
    "automargin": True,
    "gridcolor": LINE,
    "zerolinecolor": LINE,
    "tickfont": _SMALL,
}
_TITLE: Spec = {"color": INK, "size": TITLE}
_X: Spec = _AXIS | {"showgrid": False, "zeroline": False, "title": {"font": _TITLE, "standoff": 18.75}}
_Y: Spec = _AXIS | {
    "ticklabeloverflow": "allow",  # they have room: nothing to measure
    "title": {"font": _TITLE, "standoff": 22.5},
}
_ALL: Spec = {
    "datarevision": "same",
    "font": _SMALL | {"family": FAMILY, "weight": 400},
    "margin": {"pad": 7.5},
    "paper_bgcolor": PAPER,
    "plot_bgcolor": PAPER,
    "legend": {"valign": "top", "borderwidth": 0, "font": {"color": STRONG, "size": SMALL}},
    "hoverlabel": {"bgcolor": PAPER, "bordercolor": EDGE, "font": _SMALL | {"family": FAMILY}},
}
_NAMES = re.compile(r"([xy])axis\d*$")


def looking(layout: Spec) -> Spec:
    """The layout, with the look of the lab where it does not say otherwise."""
    axes = {name: _X if found[1] == "x" else _Y for name in layout if (found := _NAMES.match(name))}
    return merged(_ALL | {"xaxis": _X, "yaxis": _Y} | axes, layout)
