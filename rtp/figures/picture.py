"""What every figure function returns."""

from typing import NamedTuple

import plotly.graph_objects as go


class Picture(NamedTuple):
    """A figure, and what it shows, for those who cannot see it."""

    figure: go.Figure
    words: str
