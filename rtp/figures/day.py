"""The day over time: rates and their error, occupancy, consumption, each on the clock.

Every rate is named where it ends; of those that coincide one is drawn inside the other. More than
a week drawn end to end would be a comb: its days lie over each other, every curve as its mean over the days
in the band of lowest to highest, noise at its widest.

**Axes stand still.** Rate and error keep the range that the street's noise needs at the paper's own ε, so
that less noise looks like less; what lies outside is marked at the edge. A much smaller ε widens them, in few
steps, which the titles say.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import ceil, log

import numpy as np

from rtp.core.formatting import percent, plain
from rtp.core.types import Floats
from rtp.figures import daytime, style
from rtp.figures.daytime import Panel
from rtp.figures.style import Mark, Picture, PinMark, Spec, Trace
from rtp.mechanisms import FEATURED, UNPROTECTED, YARDSTICK
from rtp.metrics import relative_error
from rtp.paper.published import figure2
from rtp.scenario import PRESETS, Habits
from rtp.scenario.units import Quantity, titled, unit
from rtp.simulation import Day, is_papers_street

_RATE, _ERROR = "Rate", "Error, % of the optimal rate"  # the panels whose axes stand still
ALIKE = 0.005  # of the range of all rates shown: curves that never differ by more look the same
USUAL_EPSILON = PRESETS["paper"].epsilon  # whose noise the axes have room for
_FAR = 5.0  # scales of noise that a day of it hardly exceeds
_WITHIN, _STEP = 3.0, 4  # scales that always have room, and how much wider the next axis is
NOISE_ROOM = (0.12, 1.5)  # of the optimal rates' range: the least and the most that noise is given beside it
NAMED = 0.12  # of what the rates take: above them, for the names of periods
OCCUPANCY, CONSUMPTION = "Mean occupancy", "Mean consumption"
_RATES = {_RATE: 150, _ERROR: 78}  # pixels of the panels, from top to bottom
_SMALL = 84
_SHARES, _BELOW_NAMES = (0.0, 1.05), (0.0, 1.28)  # from nobody to everybody, also beneath names of periods
_ROOM: Spec = {"l": 46, "r": 96, "t": 26, "b": 24}  # pixels around them all
_GAP = 26  # between two of them
_LEGEND = 24  # above the first title
NO_UNIT = " (arb. unit)"  # the paper says none
_DASHED, _PALE = " · dashed: expected", " · pale: before"
_TITLE_ROOM, _NAME_ROOM = 44, 16  # letters beside another panel on a beamer
_QUANTITIES: dict[str, Quantity] = {_RATE: "rate", CONSUMPTION: "power"}
EXPECTED_NAME, SIMULATED_NAME = "Expected", "Simulated"
_WEEK = 7  # days up to which they stand side by side
OUTER_WIDTH, OUTER_OPACITY = 7, 0.45  # of a curve that has another one inside
NOISE_OPACITY = 0.12  # of the band of the noise
_BEFORE, BEFORE, BEFORE_OPACITY = "before", Mark(style.GREY), 0.5  # what stood there before the last change

Axes = Mapping[str, str]  # by the panel's title


def rates_figure(
    day: Day, shown: Sequence[str], pins: Mapping[PinMark, Day] | None = None, before: Day | None = None
) -> Picture:
    """Rates above their error, each named where it ends; pale, what stood there before the last change."""
    axes, earlier = _axes(_RATES), _as_long(day, before)
    compared = {pin: other for pin, other in (pins or {}).items() if _as_long(day, other)}
    pale = _pale(_curves(earlier, [FEATURED], axes)) if earlier else ()
    curves = [*_pinned(compared, shown, axes), *pale, *_curves(day, shown, axes)]
    own = style.merged(_clock(day.scenario.days), _ends(day, shown, axes[_RATE], earlier))
    if compared or _is_folded(day):  # names without an end to stand at: above the title, and not on it
        above = {"legend": {"y": 1 + _LEGEND / _whole(_RATES)}, "margin": {"t": _ROOM["t"] + _LEGEND}}
        own = style.merged(own, above) | {"showlegend": True}
    dotted = f" Dotted: {', '.join(pin.name for pin in compared)}." if compared else ""
    picture = _picture(day, shown, _RATES, curves, own)
    return replace(picture, words=picture.words + dotted)


def group_figure(day: Day, model: int, group: int, shown: Sequence[str]) -> Picture:
    """When a group's houses are occupied and what a model expects, on the paper's street beside its Figure
    2a, above the rates and their error; the periods are the group's."""
    heights = {OCCUPANCY: _SMALL} | _RATES
    axes, houses, lived = _axes(heights), np.count_nonzero(day.street.group == group), day.street_day
    simulated = lived.occupied_by_group[group] / houses, SIMULATED_NAME, style.SIMULATED
    expected = lived.expected_occupied(model, group) / houses, EXPECTED_NAME, style.EXPECTED
    printed = [(figure2()[1], "Figure 2a", style.PUBLISHED)] if is_papers_street(day.scenario) else []
    occupied = [_line(day, *each, style.SHARE_HOVER) for each in (*printed, simulated, expected)]
    ends = [style.End(c["name"], c["line"]["color"], float(c["y"][-1])) for c in occupied]
    named, rates = style.end_labels(ends, _BELOW_NAMES, _SMALL), _ends(day, shown, axes[_RATE])
    own = _clock(day.scenario.days)
    own["yaxis"] = {"range": list(_BELOW_NAMES), "tickvals": [0, 0.5, 1]}
    if rates:
        for labels in sorted((named, rates), key=lambda each: each["margin"]["r"]):
            own = style.merged(own, labels)
        own["annotations"] = named["annotations"] + rates["annotations"]
    habits = day.scenario.models[model].habits[group]
    return _picture(day, shown, heights, [*occupied, *_curves(day, shown, axes)], own, habits=habits)


def mean_figure(day: Day, panel: str, group: int, before: Day | None = None) -> Picture:
    """Occupancy or consumption of a group: as simulated, and dashed as expected."""
    groups, earlier = day.scenario.groups, _as_long(day, before)
    pale: list[Trace] = []
    if earlier and group < len(earlier.scenario.groups):
        pale = list(_pale(_means(earlier, panel, group)))
    curves = [*pale, *_means(day, panel, group)]
    if panel == CONSUMPTION and day.scenario.elasticity and len(groups) == 1:  # what is used after the rate
        used = (day.release[FEATURED].demand - day.scenario.inelastic_demand) / day.scenario.households
        own_demand = _line(day, used, style.title(FEATURED), style.mark(FEATURED), "%{y:.3f}")
        curves.append(own_demand | {"legendgroup": FEATURED, "showlegend": False, "yaxis": "y"})
    name = groups[group].name if len(groups) > 1 else ""
    whose = name if len(name) <= _NAME_ROOM else f"{name[:_NAME_ROOM]}…"
    own = _clock(day.scenario.days) | {"margin": {"r": 20}}
    return _picture(day, (), {panel: _SMALL}, curves, own, whose, pale=bool(pale))


def _clock(days: int) -> Spec:
    """The clock without a title, as its ticks say what they are, and without the room for one."""
    six_hours = {"dtick": 6 * 3_600_000, "tick0": str(daytime.CLOCK_START)} if days == 1 else {}
    return {"showlegend": False, "xaxis": {"title": {"text": ""}, "automargin": False} | six_hours}


def _whole(heights: Mapping[str, int]) -> int:
    """Pixels from the top of the first panel to the bottom of the last."""
    return sum(heights.values()) + _GAP * (len(heights) - 1)


def _axes(heights: Mapping[str, int]) -> Axes:
    return {title: "y" if number == 1 else f"y{number}" for number, title in enumerate(heights, 1)}


def _picture(
    day: Day,
    shown: Sequence[str],
    heights: Mapping[str, int],
    curves: list[Trace],
    own: Spec,
    whose: str = "",
    habits: Habits | None = None,
    *,
    pale: bool = False,
) -> Picture:
    """The panels with their curves, stacked on one clock, each with its name; and what they show in words."""
    if _is_folded(day):
        curves = [part for trace in curves for part in daytime.folded(trace, day.scenario.days)]
    axes = _axes(heights)
    bands = _noise_band(day, shown, axes[_ERROR]) if _ERROR in heights else ()
    marks = [mark for title, axis in axes.items() for mark in _outliers(day, shown, title, axis)]
    alike = "; ".join(f"{' and '.join(map(style.title, group))} coincide" for group in coinciding(day, shown))
    named = "" if "annotations" in own else alike  # else where they end
    # weekdays and weekends over each other have no hours in common
    shaded = not (_is_folded(day) and day.scenario.has_weekends)
    stack: list[Panel] = []
    top = whole = _whole(heights)
    for title, height in heights.items():
        axis: Spec = {"rangemode": "tozero"}
        if title in (_RATE, _ERROR):
            axis = {"range": list(still_range(day, title)), "autorange": False}
        elif title == OCCUPANCY:
            axis = {"range": list(_SHARES), "autorange": False, **style.HALVES}
        words = _title(day, title, named, whose) + (_PALE if pale else "")
        stack.append(Panel(words, (top - height) / whole, top / whole, axis, shaded))
        top -= height + _GAP
    clock = day.scenario.replace(days=1) if _is_folded(day) else day.scenario
    layout = style.layout(whole, daytime.panels(clock, stack, whose=habits), {"margin": _ROOM})
    notes = layout["annotations"][: None if shown else len(heights)]  # names of periods are last
    layout = style.merged(layout, own | {"annotations": [*notes, *own.get("annotations", ())]})
    layout["height"] = whole + layout["margin"]["t"] + layout["margin"]["b"]
    return Picture([*bands, *curves, *marks], layout, _words(day, shown, list(heights), alike, whose))


def _words(day: Day, shown: Sequence[str], titles: Sequence[str], alike: str, whose: str) -> str:
    days, featured = day.scenario.days, day.release[FEATURED]
    over = "the day" if days == 1 else f"{days} days"
    over += ", drawn over each other" if _is_folded(day) else ""
    told = f"{', '.join(titles)}{f' of {whose}' if whose else ''} over {over}."
    if not shown:
        return told
    errors = [f"{style.title(n)} {percent(day.release[n].error)}" for n in shown if n != UNPROTECTED]
    return (
        f"{told} Of {', '.join(style.title(n) for n in shown)}.{f' {alike}.' if alike else ''} Error in a "
        f"typical step: {', '.join(errors) or 'none'}. {style.title(FEATURED)} noise scale between "
        f"{plain(featured.scale.min())} and {plain(featured.scale.max())}, protecting "
        f"{featured.protected.min()} to {featured.protected.max()} houses."
    )


def _is_folded(day: Day) -> bool:
    return day.scenario.days > _WEEK


def _title(day: Day, panel: str, alike: str, whose: str) -> str:
    """With its unit, how many days it shows, how wide its axis is, else which rates coincide."""
    words = titled(panel, day.scenario, _QUANTITIES[panel]) if panel in _QUANTITIES else panel
    if panel in _QUANTITIES and not unit(day.scenario, _QUANTITIES[panel]):
        words += NO_UNIT
    if panel == OCCUPANCY:
        words = day.scenario.occupied_means
    words = words.removeprefix("Mean ")
    words = f"{whose}: {words}" if whose else words[0].upper() + words[1:]
    if panel == CONSUMPTION and day.scenario.elasticity and not whose:
        return f"{words} · blue: after the rate"
    if panel in (OCCUPANCY, CONSUMPTION):
        return words if whose and len(words + _DASHED) > _TITLE_ROOM else words + _DASHED
    if panel == _RATE and _is_folded(day):
        words += f", mean and range of {day.scenario.days} days"
    if (times := widened(day.scenario.epsilon)) > 1:
        return f"{words} · axis {times} times as wide"
    return f"{words} · {alike}" if alike and panel == _RATE else words


def _curves(day: Day, shown: Sequence[str], axes: Axes) -> Iterator[Trace]:
    """The rates, and their errors."""
    outer = {name for group in coinciding(day, shown) for name in group[:-1]}
    for panel, hover in ((_RATE, "%{y:.4~g}"), (_ERROR, "%{y:+.2f} %")):
        axis = axes[panel]
        for name in shown:
            if panel == _ERROR and name == UNPROTECTED:
                continue
            values = style.finite(_of(day, name, panel))
            curve = _line(day, values, style.title(name), style.mark(name), hover)
            if name in outer:
                wide = {"width": OUTER_WIDTH, "dash": "solid"}
                curve |= {"line": curve["line"] | wide, "opacity": OUTER_OPACITY}
            yield curve | {"legendgroup": name, "yaxis": axis, "showlegend": axis == "y" and _is_folded(day)}


def _pinned(compared: Mapping[PinMark, Day], shown: Sequence[str], axes: Axes) -> Iterator[Trace]:
    """The protected rates of pinned days."""
    names = [name for name in shown if name != UNPROTECTED] or shown
    for pin, day in compared.items():
        yield style.pin_legend(pin)
        for trace in _curves(day, names, axes):
            yield style.pinned(trace, pin)


def _as_long(day: Day, other: Day | None) -> Day | None:
    """Another day, where it can be drawn in the same place."""
    return other if other is not None and other.scenario.steps == day.scenario.steps else None


def _pale(traces: Iterable[Trace]) -> Iterator[Trace]:
    """Curves of the day that stood there before."""
    line = {"color": BEFORE.colour, "dash": BEFORE.dash, "width": 1.5}
    silent = {"opacity": BEFORE_OPACITY, "hoverinfo": "skip", "showlegend": False}
    for trace in traces:
        if trace["name"] != EXPECTED_NAME:
            kept = {name: part for name, part in trace.items() if name != "hovertemplate"}
            yield kept | {"name": f"{trace['name']} {_BEFORE}", "line": trace["line"] | line} | silent


def _noise_band(day: Day, shown: Sequence[str], axis: str) -> Iterator[Trace]:
    """± the scale of the private rate's noise around zero, or of the first that has some; of folded days the
    widest."""
    noisy = sorted((name for name in shown if day.release[name].scale.any()), key=FEATURED.__ne__)
    if not noisy:
        return
    rate = np.abs(day.release[UNPROTECTED].rate)
    share = 100 * day.release[noisy[0]].scale / np.where(rate > 0, rate, np.inf)
    widest = share.reshape(day.scenario.days if _is_folded(day) else 1, -1).max(axis=0)
    x, colour = daytime.times(day.hours[: len(widest)]), style.mark(noisy[0]).colour
    yield style.band(x, -widest, widest, colour, NOISE_OPACITY) | {"yaxis": axis}


def _line(day: Day, y: Floats, name: str, mark: Mark, hover: str) -> Trace:
    return style.line(daytime.times(day.hours), y, name, mark, hover=hover)


def _of(day: Day, name: str, panel: str) -> Floats:
    """The rate of a mechanism, or its error in percent of the optimal one."""
    release = day.release[name]
    return release.rate if panel == _RATE else 100 * relative_error(release.rate, release.optimal)


def _outliers(day: Day, shown: Sequence[str], panel: str, axis: str) -> Iterator[Trace]:
    """A mark at the edge for every step that lies beyond it."""
    if panel not in (_RATE, _ERROR) or _is_folded(day):
        return
    low, high = still_range(day, panel)
    at_edge = {"yaxis": axis, "cliponaxis": False, "showlegend": False}
    for name in shown:
        y, ink = _of(day, name, panel), style.mark(name).colour
        for beyond, edge, symbol in ((y > high, high, "triangle-up"), (y < low, low, "triangle-down")):
            if beyond.any():
                at, marker = daytime.times(day.hours[beyond]), {"symbol": symbol, "size": 7, "color": ink}
                drawn = style.points(at, np.full(len(at), edge), f"{style.title(name)} beyond", marker)
                yield drawn | at_edge | {"legendgroup": name}


def _ends(day: Day, shown: Sequence[str], axis: str, before: Day | None = None) -> Spec:
    """The name of each rate where it ends, and of what stood there before."""
    if _is_folded(day):
        return {}
    named = [
        style.End(style.short(name), style.mark(name).colour, float(day.release[name].rate[-1]))
        for name in shown
    ]
    if before:
        named.append(style.End(_BEFORE, BEFORE.colour, float(before.release[FEATURED].rate[-1])))
    labels = style.end_labels(named, still_range(day, _RATE), _RATES[_RATE])
    return labels | {"annotations": [note | {"yref": axis} for note in labels["annotations"]]}


def _means(day: Day, panel: str, group: int) -> list[Trace]:
    """What was drawn of a group, and what the model expects; consumption before any response to prices."""
    if len(day.scenario.groups) == 1:
        demand = day.street_day.true_moments.expected_demand / day.scenario.households
        means = (day.occupancy, day.expected_occupancy, day.consumption, demand)
    else:
        means = day.means_of(group)
    drawn, expected = means[:2] if panel == OCCUPANCY else means[2:]
    curves = (drawn, SIMULATED_NAME, style.SIMULATED), (expected, EXPECTED_NAME, style.EXPECTED)
    return [_line(day, *each, "%{y:.3f}") | {"yaxis": "y"} for each in curves]


def coinciding(day: Day, shown: Sequence[str]) -> list[list[str]]:
    """Groups of rates that look the same in one picture, each in the order shown."""
    if not shown:
        return []
    rates = {name: day.release[name].rate for name in shown}
    width, groups = ALIKE * float(np.ptp(np.concatenate(list(rates.values())))), dict[str, list[str]]()
    for name, rate in rates.items():
        like = [first for first in groups if float(np.abs(rate - rates[first]).max()) <= width]
        groups.setdefault(like[0] if like else name, []).append(name)
    return [group for group in groups.values() if len(group) > 1]


def still_range(day: Day, panel: str) -> tuple[float, float]:
    """From where to where a panel reaches, whenever people are at home and for every ε of one step: all rates
    of houses that are away or at home, and the noise at the usual ε, times the step."""
    optimal = day.release[UNPROTECTED].rate
    usual = float(day.release[YARDSTICK].scale.max()) * day.scenario.epsilon / USUAL_EPSILON
    if panel == _ERROR:
        middle = float(np.median(np.abs(optimal)))
        most = 100 * _FAR * usual / middle if usual and middle else 1.0
        most *= widened(day.scenario.epsilon)
        return -most, most
    whole = day.market.tariff.optimal(day.street.moments()[0].sum(axis=-1))  # while all are away, or at home
    low, high = (float(end(np.append(whole, optimal))) for end in (np.min, np.max))
    least, most = (share * (high - low) for share in NOISE_ROOM)
    room = (min(max(_FAR * usual, least), most) if high > low else 0.0) or _FAR * usual or 1.0
    room *= widened(day.scenario.epsilon)
    return low - room, high + room + NAMED * (high - low + 2 * room)


def widened(epsilon: float) -> int:
    """How many times the usual room noise is given: four times as much whenever ε falls by as much, so that
    at most one in twenty draws lies beyond it."""
    return int(_STEP ** max(ceil(log(_WITHIN * USUAL_EPSILON / _FAR / epsilon, _STEP)), 0))
