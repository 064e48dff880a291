"""A chart and its words: what every figure function returns.

A chart is kept as plain dictionaries in plotly's terms, its numbers as numpy arrays. `Picture.figure` makes
plotly's own object of them, which checks every part: that takes 25 ms for a day, where the dictionaries are
written as JSON in a few. Notebooks, reports and unit tests use the object. A screen sends the dictionaries,
because a whole class may look at it at once; `tests/pages/test_pictures_sent.py` checks what each one sends.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import plotly.graph_objects as go

from rtp.figures.style import Spec, Trace


@dataclass(frozen=True)
class Picture:
    """A chart, and what it shows, for those who cannot see it."""

    traces: Iterable[Trace]
    layout: Spec
    words: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "traces", list(self.traces))

    @property
    def figure(self) -> go.Figure:
        """The chart as plotly's own object, every part checked."""
        return go.Figure(self.traces, self.layout)

    @property
    def spec(self) -> Spec:
        """The chart as plotly's JSON has it, unchecked."""
        layout = {name: part for name, part in self.layout.items() if name != "shapes" or part}
        return {"data": self.traces, "layout": layout}

    def __iter__(self) -> Iterator[go.Figure]:
        """Give the figure, then its words."""
        return iter((self.figure, self.words))


class Diagram(NamedTuple):
    """A drawing as SVG, and what it shows, for those who cannot see it."""

    svg: str
    words: str
