"""What every figure function returns: a chart in plotly's words, not yet in plotly's objects.

Plotly's objects check every part of a figure, which takes longer than simulating the day it shows. A screen
that many look at at once is therefore sent the parts as they are, and the tests check every figure instead
(`tests/unit/figures/test_picture.py`).
"""

from base64 import b64encode
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from operator import is_
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go

from rtp.figures.style import Spec, Trace

# The numbers that plotly reads as bytes, by the type of array they come from.
BINARY = {"float64": "f8", "float32": "f4", "int64": "i4", "int32": "i4", "int8": "i1", "uint8": "u1"}


@dataclass(frozen=True)
class Picture:
    """A figure, and what it shows, for those who cannot see it."""

    traces: Iterable[Trace]
    layout: Spec
    words: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "traces", list(self.traces))

    @property
    def figure(self) -> go.Figure:
        """As plotly's own object, every part checked."""
        return go.Figure(self.traces, self.layout)

    def __iter__(self) -> Iterator[go.Figure]:
        """The figure, then its words."""
        return iter((self.figure, self.words))

    @cached_property
    def plain(self) -> Spec:
        """As it is sent: what JSON knows, and tables of numbers as bytes. Not to be changed."""
        drawn = {name: part for name, part in self.layout.items() if name != "shapes" or part}
        return {"data": _plain(self.traces), "layout": _plain(drawn)}


class Diagram(NamedTuple):
    """A drawing, and what it shows, for those who cannot see it."""

    svg: str
    words: str


def _plain(part: object) -> object:
    """What is plain already stays the same object: pictures are kept by the hundred."""
    if isinstance(part, dict):
        by_key = {key: _plain(value) for key, value in part.items()}
        return by_key if any(by_key[key] is not part[key] for key in part) else part
    if isinstance(part, list | tuple):
        in_turn = [_plain(value) for value in part]
        return part if isinstance(part, list) and all(map(is_, in_turn, part)) else in_turn
    if isinstance(part, np.ndarray):
        return _array(part)
    return part.item() if isinstance(part, np.generic) else part


def _array(values: np.ndarray) -> object:
    if values.dtype.kind == "M":
        return _clock(values.dtype.str, values.tobytes())
    kind = BINARY.get(values.dtype.name)
    if kind is None or not values.size or (values.ndim == 1 and np.isfinite(values).all()):
        return values.tolist()
    packed: Spec = {"dtype": kind, "bdata": b64encode(values.astype(kind).tobytes()).decode()}
    return packed | ({"shape": ", ".join(map(str, values.shape))} if values.ndim > 1 else {})


@lru_cache(maxsize=16)
def _clock(dtype: str, values: bytes) -> list[str]:
    """Times as texts; all curves of all pictures over the same hours share one list."""
    texts: list[str] = np.frombuffer(values, dtype).astype(str).tolist()
    return texts
