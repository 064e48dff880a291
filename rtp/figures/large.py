"""A chart for the back row of a class: the same picture in type that can be read from there.

The look of a chart sets the size of each kind of type of its own, so that one size for the whole chart would
change nothing: every kind is told, and what a figure asks for itself is raised where it is smaller.
"""

import re

from rtp.figures.style import Spec, merged

TYPE = 18  # pixels, at least
TALLER = 1.25  # so that the larger type does not take its room from the curves
SIZE: Spec = {"size": TYPE}
AXIS: Spec = {"tickfont": SIZE, "title": {"font": SIZE}}
EVERYWHERE: Spec = {
    "font": SIZE,
    "legend": {"font": SIZE, "title": {"font": SIZE}},
    "hoverlabel": {"font": SIZE},
    "coloraxis": {"colorbar": AXIS},
}
ABOVE: Spec = {"y": 1.0, "yanchor": "bottom"}
_AXIS = re.compile(r"[xy]axis\d*$")


def large(spec: Spec) -> Spec:
    """The same figure, its data and layout as they are sent, in large type."""
    layout = spec["layout"]
    axes = dict.fromkeys(("xaxis", "yaxis", *filter(_AXIS.match, layout)), AXIS)
    whole = merged(EVERYWHERE | axes, layout)
    if whole["legend"].get("y", 0) < 0:  # beneath the chart, where the larger title of the axis now is
        whole["legend"] |= ABOVE
    if "height" in whole:
        whole["height"] = round(TALLER * whole["height"])
    return {"data": _raised([_room(trace) for trace in spec["data"]]), "layout": _raised(whole)}


def _room(trace: Spec) -> Spec:
    """Markers that carry words inside grow with them."""
    inside = "markers+text" in trace.get("mode", "") and trace.get("textposition") in (None, "middle center")
    size = trace.get("textfont", {}).get("size", TYPE)
    if not inside or isinstance(size, list) or size >= TYPE:
        return trace
    marker, grown = trace["marker"], TYPE / size
    if isinstance(marker["size"], int | float):
        return trace | {"marker": marker | {"size": grown * marker["size"]}}
    return trace | {"marker": marker | {"sizeref": marker.get("sizeref", 1.0) / grown}}


def _raised(part: object) -> object:
    """Every size of type that is too small, raised."""
    if isinstance(part, list):
        return [_raised(value) for value in part]
    if isinstance(part, dict):
        return {key: _font(value) if key.endswith("font") else _raised(value) for key, value in part.items()}
    return part


def _font(font: Spec) -> Spec:
    size = font.get("size", TYPE)
    sizes = [max(each, TYPE) for each in size] if isinstance(size, list) else max(size, TYPE)
    return font | {"size": sizes}
