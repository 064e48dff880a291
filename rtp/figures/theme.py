"""The look of a chart on a screen, in front of a class, and on paper.

*On a screen.* Streamlit would give a chart the look of its theme by handing it to plotly twice, and it would
be drawn twice. Here the same look is part of the layout from the start, in the colours of the light theme,
and charts are sent without a theme. `DARK` says which colour takes the place of each in the dark theme: a
style sheet does that in the browser, so that a change of theme draws nothing again.

*In front of a class.* Every kind of type has a size of its own in a layout, so each one that is too small to
be read from the back row is raised.

*On paper.* A browser prints a page at once, before a chart could be drawn again. So how much each chart has
to shrink to fit the sheet is measured beforehand, and the printed page reads it from `PRINT_SCALE`.
"""

import re

from rtp.figures.style import Spec, merged

INK, STRONG, GRID_LINE, BACKGROUND, BORDER = "#5f6472", "#262730", "#e6eaf1", "#fbfcfd", "#cdd7e1"
DARK = {INK: "#e6eaf1", STRONG: "#fafafa", GRID_LINE: "#31333f", BACKGROUND: "#0e151c", BORDER: "#2d3b48"}
FAMILY = '"Source Sans", sans-serif'
SMALL, TITLE_SIZE = 12, 13.125  # pixels

_SMALL: Spec = {"color": INK, "size": SMALL}
_AXIS: Spec = {
    "automargin": True,
    "gridcolor": GRID_LINE,
    "zerolinecolor": GRID_LINE,
    "tickfont": _SMALL,
}
_TITLE: Spec = {"color": INK, "size": TITLE_SIZE}
_X: Spec = _AXIS | {"showgrid": False, "zeroline": False, "title": {"font": _TITLE, "standoff": 18.75}}
_Y: Spec = _AXIS | {
    "ticklabeloverflow": "allow",  # they have room: nothing to measure
    "title": {"font": _TITLE, "standoff": 22.5},
}
_ALL: Spec = {
    "font": _SMALL | {"family": FAMILY, "weight": 400},
    "margin": {"pad": 7.5},
    "paper_bgcolor": BACKGROUND,
    "plot_bgcolor": BACKGROUND,
    "legend": {"valign": "top", "borderwidth": 0, "font": {"color": STRONG, "size": SMALL}},
    "hoverlabel": {"bgcolor": BACKGROUND, "bordercolor": BORDER, "font": _SMALL | {"family": FAMILY}},
}
_AXIS_NAME = re.compile(r"[xy]axis\d*$")


def themed(layout: Spec) -> Spec:
    """The layout, with the look of the lab where it does not say otherwise."""
    axes = {name: _X if name.startswith("x") else _Y for name in _axis_names(layout)}
    return merged(_ALL | axes, layout)


def _axis_names(layout: Spec) -> list[str]:
    return ["xaxis", "yaxis", *filter(_AXIS_NAME.match, layout)]


LARGE_TYPE = 18  # pixels, at least
TALLER = 1.25  # so that the larger type does not take its room from the curves
# Beside the curves: a chart that must make room for its type is drawn twice, the second time badly.
WIDER = 1.5
LARGE_SIZE: Spec = {"size": LARGE_TYPE}
LARGE_AXIS: Spec = {"tickfont": LARGE_SIZE, "title": {"font": LARGE_SIZE}}
_EVERYWHERE: Spec = {
    "font": LARGE_SIZE,
    "legend": {"font": LARGE_SIZE},
    "hoverlabel": {"font": LARGE_SIZE},
}
ABOVE: Spec = {"y": 1.0, "yanchor": "bottom"}


def large(spec: Spec) -> Spec:
    """The same figure, its data and layout as they are sent, in large type."""
    layout = spec["layout"]
    whole = merged(_EVERYWHERE | dict.fromkeys(_axis_names(layout), LARGE_AXIS), layout)
    if whole["legend"]["y"] < 0:  # beneath the chart, where the larger title of the axis now is
        whole["legend"] |= ABOVE
    whole["height"] = round(TALLER * whole["height"])
    margin = whole["margin"]
    whole["margin"] = margin | {side: round(WIDER * margin[side]) for side in ("l", "r", "t", "b")}
    return spec | {"data": _raised([_with_room(trace) for trace in spec["data"]]), "layout": _raised(whole)}


def _with_room(trace: Spec) -> Spec:
    """Markers that carry words inside grow with them."""
    inside = "markers+text" in trace.get("mode", "") and trace.get("textposition") in (None, "middle center")
    size = trace.get("textfont", {}).get("size", LARGE_TYPE)
    if not inside or size >= LARGE_TYPE:
        return trace
    marker, grown = trace["marker"], LARGE_TYPE / size
    if isinstance(marker["size"], int | float):
        return trace | {"marker": marker | {"size": grown * marker["size"]}}
    return trace | {"marker": marker | {"sizeref": 1 / grown}}


def _raised(part: object) -> object:
    """Every size of type that is too small, raised."""
    if isinstance(part, list):
        return [_raised(value) for value in part]
    if not isinstance(part, dict):
        return part
    return {
        key: value | {"size": max(value.get("size", LARGE_TYPE), LARGE_TYPE)}
        if key.endswith("font")
        else _raised(value)
        for key, value in part.items()
    }


PRINT_PAGE = "@page { size: A4; margin: 12mm; }"
PRINT_WIDTH, PRINT_HEIGHT = 670, 960  # pixels within the margins that a chart in its card may take
PRINT_SCALE = "--on-paper"  # of the element that holds a chart
PRINT_FITS = (
    f"(chart) => Math.min(1, {PRINT_WIDTH} / chart.offsetWidth, "
    f"{PRINT_HEIGHT} / chart.offsetHeight).toFixed(3)"
)
