"""The price of privacy over time: error over what all rates together tell about one moment.

What rates tell over time: a moment's leak, a secret's detection, a crowd's noise, a day's ways.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from rtp.attack.observer import Knowledge
from rtp.core.formatting import PLAIN, percent, plain
from rtp.core.types import Floats
from rtp.figures import daytime, style
from rtp.figures.picture import Picture
from rtp.figures.style import LEVEL_WIDTH, Mark, Positions, Spec, Trace
from rtp.leakage.budget import MomentLine, MomentPrice
from rtp.leakage.composition import Composition
from rtp.leakage.crowd import NoiseBySize
from rtp.leakage.detection import Detections
from rtp.leakage.hypothesis import HYPOTHESES
from rtp.leakage.moment import MomentLeakage
from rtp.leakage.words import WHO
from rtp.metrics import ERROR_AXIS, typical_error, typical_over_printed
from rtp.simulation import Day

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
        HEIGHT + 60, style.axes(AXIS, ERROR_AXIS), {"xaxis": kind, "yaxis": kind | style.PERCENT_TICKS}
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


HEIGHT = 400
FROM_ZERO: Spec = {"yaxis": {"rangemode": "tozero"}}
BAND_OPACITY = 0.14
UNSEEN: Spec = {"size": 12, "color": "rgba(0,0,0,0)"}


def moment_figure(day: Day, found: MomentLeakage, step: int, gives: Floats) -> Picture:
    """The leak of every moment, and by how much one of them would leak less without each rate."""
    x, mark = daytime.times(day.hours), style.mark(found.mechanism)
    whole, so_far = (np.where(np.isfinite(values), values, np.nan) for values in (found.whole, found.so_far))
    traces = [
        style.line(x, whole, "By the whole record", mark, hover="%{y:.3f}"),
        style.line(x, so_far, "By the rates so far", Mark(style.EXPECTED.colour, "dash"), hover="%{y:.3f}"),
        _level(x, day.scenario.epsilon, "ε, one rate's promise"),
        {
            "type": "bar",
            "x": x,
            "y": np.where(np.isfinite(gives), gives, np.nan),
            "name": f"What each rate adds to {day.scenario.when(step)}",
            "marker": {"color": style.rgba(mark.colour, 0.45)},
            "hovertemplate": "%{y:.3f}",
        },
    ]
    for trace in traces:
        trace["customdata"] = [[each] for each in range(len(x))]  # an array would not come back as a list
    for trace in traces[:3]:  # a line can be clicked where it has points, seen or not
        one = UNSEEN | {"maxdisplayed": 1}  # to be drawn; all can be clicked
        trace |= {"mode": "lines+markers", "marker": one, "selected": {"marker": UNSEEN}}
    title = daytime.over_the_day(day.scenario, "Largest shift of the log-odds")
    words = (
        f"Leak of every moment from the {style.label(found.mechanism)} rates. Whole record: at most "
        f"{plain(found.worst)}, at {day.scenario.when(found.step)}; rates so far: at most "
        f"{plain(float(found.so_far.max()))}."
    )
    return Picture(traces, style.layout(HEIGHT, title, FROM_ZERO), words)


def _level(x: Positions, value: float, name: str) -> Trace:
    return style.line(x, np.full(len(x), value), name, Mark(style.LIMIT, "dot"), hover="%{y:.3f}", width=1.5)


def detection_figure(found: Detections, knows: Knowledge) -> Picture:
    """The area under one observer's curve over the days she has watched, for every rate."""
    traces: list[Trace] = []
    said = []
    for (name, who), seen in found.found.items():
        if who != knows or not seen.days:
            continue
        days, mark = np.array(seen.days, dtype=float), style.mark(name)
        traces.append(style.band(days, seen.area.low, seen.area.high, mark.colour, BAND_OPACITY))
        line = style.line(days, seen.area.value, style.label(name), mark, hover="%{y:.1%}")
        traces.append(line | {"mode": "lines+markers"})
        said.append(f"{style.label(name)} {percent(float(seen.area.value[-1]), 2)}")
    title = style.axes("Days watched", "How often she is right, shown one of each")
    axis = {
        "xaxis": {
            "type": "log",
            "tickvals": [1, 2, 3, 7, 14, 30],
            "ticktext": ["1", "2", "3", "7", "14", "30"],
        }
    }
    share = {"yaxis": {"range": [0.45, 1.02], "tickformat": ".0%"}, "xaxis": {"range": [-0.05, 1.53]}}
    words = (
        f"{HYPOTHESES[found.secret].label}, seen by {WHO[knows]}, after {found.done} days: "
        f"{', '.join(said)}. A half is guessing."
    )
    return Picture(traces, style.layout(HEIGHT, title, axis, share), words)


def crowd_figure(found: NoiseBySize, households: int) -> Picture:
    """The noise still needed against the size of the street; this street is marked."""
    sizes = found.sizes.astype(float)
    insider = np.full(len(sizes), found.insider)
    top = float(max(found.insider, found.scale.max()))
    traces = [
        style.line(sizes, found.scale, "Against an outsider", style.SIMULATED, hover="%{y:.4f}")
        | {"mode": "lines+markers"},
        style.line(sizes, insider, "Against an insider", Mark(style.LIMIT, "dash"), hover="%{y:.4f}"),
        style.line([households, households], [0.0, top], "This street", Mark(style.GREY), width=1.5),
    ]
    title = style.axes("Houses on the street", "Laplace scale still needed")
    needs = ", ".join(
        f"{size:,} houses {plain(scale)}"
        for size, scale in zip(found.sizes.tolist(), found.scale.tolist(), strict=True)
    )
    words = f"Noise needed for ε = {plain(found.epsilon)} and δ = {plain(found.delta)} in one rate: {needs}."
    axis = {"xaxis": {"type": "log", "dtick": 1, "tickformat": ",~r"}}
    return Picture(traces, style.layout(HEIGHT, title, FROM_ZERO, axis), words)


def composition_figure(found: Sequence[Composition], total: float, steps: int) -> Picture:
    """The error of every way to promise the record at one total."""
    names = [way.name for way in found]
    errors = [100 * typical_error(way.rmsre, steps) for way in found]
    bars: Trace = {
        "type": "bar",
        "orientation": "h",
        "y": names,
        "x": errors,
        "marker": {"color": [style.GREY if way.noise == 0 else style.SIMULATED.colour for way in found]},
        "text": [percent(error / 100) for error in errors],
        "hovertemplate": "%{text}",
        "showlegend": False,
    }
    axis: Spec = {
        "xaxis": {"title": {"text": ERROR_AXIS}, "type": "log", "dtick": 1, **style.PERCENT_TICKS},
        "yaxis": {"autorange": "reversed"},
        "hovermode": "closest",
    }
    said = ", ".join(f"{name} {percent(e / 100)}" for name, e in zip(names, errors, strict=True))
    return Picture(
        [bars], style.layout(HEIGHT, axis), f"Error of each way to promise {plain(total)}: {said}."
    )


def moment_price_figure(found: MomentPrice, steps: int) -> Picture:
    """The error over the leak of the worst moment, for every mechanism that leaks anything."""
    traces, said = [], []
    for name, line in found.lines.items():
        drawn = np.isfinite(line.leak) & (line.leak > 0)
        if not drawn.any():
            continue
        error = 100 * np.array([typical_error(rmsre, steps) for rmsre in line.rmsre[drawn].tolist()])
        trace = style.line(
            line.leak[drawn], error, style.label(name), style.mark(name), hover=style.percent_hover("y")
        )
        traces.append(trace | {"mode": "lines+markers"})
        within_one = np.interp(0.0, np.log(line.leak[drawn]), np.log(error))
        said.append(f"{style.label(name)} {percent(float(np.exp(within_one)) / 100)}")
    title = style.axes("Leak of the worst moment, whole record", ERROR_AXIS)
    kind = {"type": "log", "dtick": 1}
    layout = style.layout(HEIGHT, title, {"xaxis": kind, "yaxis": kind | style.PERCENT_TICKS})
    return Picture(traces, layout, f"Error against the leak of a moment. At a leak of 1: {', '.join(said)}.")
