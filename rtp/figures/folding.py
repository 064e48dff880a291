"""Several days over each other: every curve becomes its mean over the days, in the band of lowest to highest.

A month drawn end to end is a comb; over each other its days read like one day, and how far they differ is
the width of the band.
"""

from collections.abc import Iterable, Iterator

import numpy as np

from rtp.figures import style
from rtp.figures.style import Trace

OPACITY = 0.18


def folded(traces: Iterable[Trace], days: int) -> Iterator[Trace]:
    """The same curves, each of so many days end to end, over each other; as they are where it is one day."""
    for trace in traces:
        if days == 1 or len(trace["y"]) == 1:  # an entry of the legend draws nothing
            yield trace
        else:
            yield from _over_each_other(trace, days)


def _over_each_other(trace: Trace, days: int) -> Iterator[Trace]:
    by_day = np.asarray(trace["y"]).reshape(days, -1)
    low, high, x = by_day.min(axis=0), by_day.max(axis=0), trace["x"][: by_day.shape[1]]
    number = trace["hovertemplate"]
    ends = [number.replace("y", f"customdata[{i}]") for i in (0, 1)]
    if trace["line"]["dash"] != style.PINNED_DASH:
        where = {name: trace[name] for name in ("yaxis", "legendgroup") if name in trace}
        yield style.band(x, low, high, trace["line"]["color"], OPACITY) | where
    yield trace | {
        "x": x,
        "y": by_day.mean(axis=0),
        "customdata": np.column_stack([low, high]),
        "hovertemplate": f"{number} ({ends[0]} to {ends[1]})",
    }
