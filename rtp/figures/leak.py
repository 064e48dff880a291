"""The price of privacy over time: error over what all rates together tell about one moment."""

from collections.abc import Iterator

import numpy as np

from rtp.core.formatting import PLAIN, percent, plain
from rtp.core.types import Floats
from rtp.figures import style
from rtp.figures.picture import Picture
from rtp.figures.style import Mark, Trace
from rtp.figures.tradeoff import HEIGHT, LEVEL_WIDTH
from rtp.leakage.price import MomentLine, MomentPrice
from rtp.metrics import ERROR_AXIS, typical_over_printed

AXIS = "Leak of the worst moment: shift of its log-odds by the whole record"


def leak_figure(
    price: MomentPrice, steps: int, epsilon: float, log: bool, target: float | None = None
) -> Picture:
    """One point per budget, to be clicked; a large one where the scenario's own stands. What tells nothing is
    a level across, and so is `target`, a percentage."""
    factor = 100 * typical_over_printed(steps)
    leaks = np.concatenate([line.leak for line in price.lines.values()])
    leaks = leaks[np.isfinite(leaks) & (leaks > 0)]
    ends = [float(leaks.min()), float(leaks.max())] if leaks.size else [0.1, 1.0]
    traces: list[Trace] = []
    for name, line in price.lines.items():
        traces += _line(name, line, price.epsilons, factor, epsilon, ends)
    if target is not None:
        accepted, mark = f"accepted {percent(target / 100)}", Mark(style.GREY, "dash")
        traces.append(style.line(ends, [target, target], accepted, mark, width=LEVEL_WIDTH))
    kind = {"type": "log", "dtick": 1} if log else {"type": "linear"}
    layout = style.layout(
        HEIGHT, style.axes(AXIS, ERROR_AXIS), {"xaxis": kind, "yaxis": kind | style.PERCENT_TICKS}
    )
    return Picture(traces, layout, _words(price, factor, epsilon))


def _line(
    name: str, line: MomentLine, epsilons: Floats, factor: float, epsilon: float, ends: list[float]
) -> Iterator[Trace]:
    error = factor * line.rmsre
    drawn = np.isfinite(line.leak) & (line.leak > 0) & np.isfinite(error)
    budgets = epsilons[drawn]
    if not line.leak.any():  # it tells nothing, so that no point of the axis is its own
        level = [float(error[0])] * 2
        yield style.line(ends, level, f"{style.label(name)}, no leak", style.mark(name), width=LEVEL_WIDTH)
    elif drawn.any():
        hover = f"{style.percent_hover('y')} at ε = %{{customdata[0]:{PLAIN}}}"
        own = budgets == epsilon
        yield style.line(line.leak[drawn], error[drawn], style.label(name), style.mark(name), hover=hover) | {
            "mode": "lines+markers",
            "marker": {
                "size": np.where(own, 12, 6),
                "symbol": np.where(own, "diamond", "circle"),
            },
            "customdata": budgets[:, None].tolist(),  # of packed numbers a click would tell nothing
        }


def _words(price: MomentPrice, factor: float, epsilon: float) -> str:
    at = int(np.argmin(np.abs(price.epsilons - epsilon)))
    told = ", ".join(
        f"{style.label(name)} {percent(factor * line.rmsre[at] / 100)} at a leak of {plain(line.leak[at])}"
        for name, line in price.lines.items()
    )
    return f"Expected error over the leak of the worst moment. At ε = {plain(price.epsilons[at])}: {told}."
