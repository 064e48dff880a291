"""What a drawn figure says: its traces by name, the titles of its axes and of its panels."""

import numpy as np
import plotly.graph_objects as go

from rtp.figures.daytime import CLOCK_START


def traces(figure: go.Figure, name: str) -> list[go.Scatter]:
    return [trace for trace in figure.data if trace.name == name]


def trace(figure: go.Figure, name: str) -> go.Scatter:
    """The only one of that name."""
    (found,) = traces(figure, name)
    return found


def axis_titles(figure: go.Figure) -> dict[str, str]:
    """By axis, of those that have one."""
    layout = figure.layout.to_plotly_json()
    found = {
        key: axis["title"].get("text") for key, axis in layout.items() if "axis" in key and "title" in axis
    }
    return {key: text for key, text in found.items() if text}


def panel_titles(figure: go.Figure) -> list[str]:
    """From top to bottom."""
    bold = [note for note in figure.layout.annotations if note.text.startswith("<b>")]
    return [note.text.removeprefix("<b>").removesuffix("</b>") for note in sorted(bold, key=_height)]


def _height(note: go.layout.Annotation) -> float:
    return -float(note.y)


def hours(figure: go.Figure, name: str) -> list[float]:
    """A trace's clock positions in hours since the first midnight."""
    elapsed = (trace(figure, name).x - CLOCK_START) / np.timedelta64(1, "h")
    return [float(hour) for hour in elapsed]


def hovers(figure: go.Figure) -> set[str]:
    """What traces say when pointed at, as plotly's templates; those that are silent left out."""
    return {t.hovertemplate for t in figure.data if t.hoverinfo != "skip" and t.hovertemplate}
