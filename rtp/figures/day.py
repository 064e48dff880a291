"""The day over time: rates, their error, the noise, occupancy and consumption on one clock.

`day_figure` is all of it, one panel above the other; Explore and Street show it in parts. Noise scale and
protected houses fold away while both are flat. Rates that coincide are drawn one inside the other, and named
where they end, or else in the title. More than a week drawn end to end would be a comb: its days lie over
each other, every curve as its mean over the days in the band of lowest to highest, noise at its widest.

**Axes stand still.** Rate and error keep the range that the street's noise needs at the paper's own ε, so
that less noise looks like less; what lies outside is marked at the edge.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np

from rtp.core.formatting import percent, plain
from rtp.core.types import Floats
from rtp.figures import daytime, style
from rtp.figures.daytime import Panel
from rtp.figures.rates import ERROR, RATE, coinciding, is_flat, still_range
from rtp.figures.style import Mark, Picture, PinMark, Spec, Trace
from rtp.mechanisms import FEATURED, REGISTRY, UNPROTECTED
from rtp.metrics import relative_error
from rtp.paper.published import figure2
from rtp.scenario import Habits
from rtp.scenario.units import Quantity, titled
from rtp.simulation import Day, is_papers_street

VIEWS = ("Rates", "Error")
NOISE, PROTECTED = "Noise scale", "Protected houses"
OCCUPANCY, CONSUMPTION = "Mean occupancy", "Mean consumption"
# the panels from top to bottom, each with its height in pixels
_PANELS = {RATE: 250, ERROR: 250, NOISE: 120, PROTECTED: 100, OCCUPANCY: 115, CONSUMPTION: 115}
_EXPLORED = {RATE: 150, ERROR: 78}  # of Explore, which has one window for all
_SMALL = 84
_SHARES, _BELOW_NAMES = (0.0, 1.05), (0.0, 1.28)  # from nobody to everybody, also beneath names of periods
_LEFT_OUT = {"Rates": ERROR, "Error": RATE}
_GAP, _MARGIN = 36, 80  # pixels between two panels, and around them all
_TIGHT: Spec = {"l": 46, "r": 96, "t": 26, "b": 24}  # around those of Explore
_TIGHT_GAP = 26
_RATES_HEIGHT = sum(_EXPLORED.values()) + _TIGHT_GAP
_DASHED, _TITLE_ROOM, _NAME_ROOM = " · dashed: expected", 44, 16  # letters beside another panel on a beamer
_QUANTITIES: dict[str, Quantity] = {RATE: "rate", NOISE: "rate", CONSUMPTION: "power"}
EXPECTED_NAME, SIMULATED_NAME = "Expected", "Simulated"
_WEEK = 7  # days up to which they stand side by side
OUTER_WIDTH, OUTER_OPACITY = 7, 0.45  # of a curve that has another one inside
NOISE_OPACITY = 0.12  # of the band of the noise
BEFORE, BEFORE_OPACITY = Mark(style.GREY), 0.5  # what stood there before the last change

Axes = Mapping[str, str]  # by the panel's title


def day_figure(
    day: Day, shown: Sequence[str], view: str = "Rates", pins: Mapping[PinMark, Day] | None = None
) -> Picture:
    """All panels, one above the other, with one hover line through them; pinned days of the same length
    dotted, in the colours of their pins."""
    compared = _comparable(day, pins)
    flat = not compared and is_flat(day, shown)
    left_out = {_LEFT_OUT[view], *((NOISE, PROTECTED) if flat else ())}
    heights = {title: height for title, height in _PANELS.items() if title not in left_out}
    axes = _axes(heights)
    curves = [*_pinned(compared, shown, axes), *_curves(day, shown, axes)]
    height = sum(heights.values()) + _GAP * (len(heights) - 1)
    own: Spec = {"legend": {"y": 1 + 26 / height}}
    return _picture(day, shown, heights, curves, style.merged(own, {"height": height + _MARGIN}), compared)


def rates_figure(
    day: Day, shown: Sequence[str], pins: Mapping[PinMark, Day] | None = None, before: Day | None = None
) -> Picture:
    """Rates above their error, each named where it ends; pale, what stood there before the last change."""
    compared, axes = _comparable(day, pins), _axes(_EXPLORED)
    earlier = _as_long(day, before)
    pale = _pale(_curves(earlier, [FEATURED], axes)) if earlier else ()
    curves = [*_pinned(compared, shown, axes), *pale, *_curves(day, shown, axes)]
    own = _tight(_RATES_HEIGHT, day.scenario.days)
    own = style.merged(own, _ends(day, shown, axes[RATE])) | {"showlegend": bool(compared)}
    return _picture(day, shown, _EXPLORED, curves, own, compared, gap=_TIGHT_GAP)


def group_figure(day: Day, model: int, group: int, shown: Sequence[str]) -> Picture:
    """When a group's houses are occupied and what a model expects, on the paper's street beside its Figure
    2a, above the rates and their error; the periods are the group's."""
    heights = {OCCUPANCY: _SMALL} | _EXPLORED
    axes, houses = _axes(heights), np.count_nonzero(day.street.group == group)
    occupied = [
        _line(day, y / houses, name, mark, style.SHARE_HOVER)
        for y, name, mark in (
            (day.street_day.occupied_by_group[group], SIMULATED_NAME, style.SIMULATED),
            (day.street_day.expected_occupied(model, group), EXPECTED_NAME, style.EXPECTED),
        )
    ]
    if is_papers_street(day.scenario):
        occupied.insert(0, _line(day, figure2()[1], "Figure 2a", style.PUBLISHED, style.SHARE_HOVER))
    ends = [style.End(c["name"], c["line"]["color"], float(c["y"][-1])) for c in occupied]
    named, rates = style.end_labels(ends, _BELOW_NAMES, _SMALL), _ends(day, shown, axes[RATE])
    own = _tight(sum(heights.values()) + 2 * _TIGHT_GAP, day.scenario.days)
    own["yaxis"] = {"range": list(_BELOW_NAMES), "tickvals": [0, 0.5, 1]}
    if rates:
        for labels in sorted((named, rates), key=lambda each: each["margin"]["r"]):
            own = style.merged(own, labels)
        own["annotations"] = named["annotations"] + rates["annotations"]
    habits = day.scenario.models[model].habits[group]
    curves = [*occupied, *_curves(day, shown, {title: axes[title] for title in _EXPLORED})]
    return _picture(day, shown, heights, curves, own, {}, gap=_TIGHT_GAP, habits=habits)


def noise_figure(day: Day, shown: Sequence[str], pins: Mapping[PinMark, Day] | None = None) -> Picture:
    """The scale of the noise, and how many houses it protects."""
    compared, heights = _comparable(day, pins), {title: _PANELS[title] for title in (NOISE, PROTECTED)}
    axes = _axes(heights)
    curves = [*_pinned(compared, shown, axes), *_curves(day, shown, axes)]
    return _picture(day, shown, heights, curves, {"height": sum(heights.values()) + _GAP + _MARGIN}, compared)


def mean_figure(day: Day, panel: str, group: int, before: Day | None = None) -> Picture:
    """Occupancy or consumption of a group: as simulated, and dashed as expected."""
    axes = {panel: "y"}
    earlier = _as_long(day, before)
    known = earlier is not None and group < len(earlier.scenario.groups)
    curves = [*(_pale(_means(earlier, axes, group)) if earlier and known else ()), *_means(day, axes, group)]
    if panel == CONSUMPTION and day.scenario.elasticity and len(day.scenario.groups) == 1:
        curves += _own_demand(day, [FEATURED], axes)
    own = _tight(_SMALL, day.scenario.days) | {"margin": _TIGHT | {"r": 20}}
    name = day.scenario.groups[group].name
    whose = (
        "" if len(day.scenario.groups) == 1 else name if len(name) <= _NAME_ROOM else f"{name[:_NAME_ROOM]}…"
    )
    return _picture(day, (), {panel: _SMALL}, curves, own, {}, whose)


def _tight(height: int, days: int) -> Spec:
    """Without a title of the clock, whose ticks say what they are, and without the room for one."""
    size = {"height": height + _TIGHT["t"] + _TIGHT["b"], "margin": _TIGHT}
    six_hours = {"dtick": 6 * 3_600_000, "tick0": str(daytime.CLOCK_START)} if days == 1 else {}
    return size | {"showlegend": False, "xaxis": {"title": {"text": ""}, "automargin": False} | six_hours}


def _axes(heights: Mapping[str, int]) -> Axes:
    return {title: "y" if number == 1 else f"y{number}" for number, title in enumerate(heights, 1)}


def _picture(
    day: Day,
    shown: Sequence[str],
    heights: Mapping[str, int],
    curves: list[Trace],
    own: Spec,
    compared: Mapping[PinMark, Day],
    whose: str = "",
    gap: int = _GAP,
    habits: Habits | None = None,
) -> Picture:
    """The panels with their curves, and what they show in words."""
    if _is_folded(day):
        curves = [part for trace in curves for part in daytime.folded(trace, day.scenario.days)]
    bands = _noise_band(day, shown, _axes(heights)[ERROR]) if ERROR in heights else ()
    marks = [mark for title, axis in _axes(heights).items() for mark in _outliers(day, shown, title, axis)]
    alike = "; ".join(f"{' and '.join(map(style.label, group))} coincide" for group in coinciding(day, shown))
    named_where_they_end = "annotations" in own
    layout = _layout(day, heights, "" if named_where_they_end else alike, whose, gap, habits)
    notes = (
        layout["annotations"] if shown else layout["annotations"][: len(heights)]
    )  # names of periods are last
    own = own | {"annotations": [*notes, *own.get("annotations", ())]}
    words = _words(day, shown, list(heights), alike, compared, whose)
    return Picture([*bands, *curves, *marks], style.merged(layout, own), words)


def _words(
    day: Day,
    shown: Sequence[str],
    titles: Sequence[str],
    alike: str,
    compared: Mapping[PinMark, Day],
    whose: str,
) -> str:
    days = day.scenario.days
    over = "the day" if days == 1 else f"{days} days"
    over += ", drawn over each other" if _is_folded(day) else ""
    parts = [f"{', '.join(titles)}{f' of {whose}' if whose else ''} over {over}."]
    if shown:
        parts.append(f"Of {', '.join(style.label(n) for n in shown)}.")
        if alike:
            parts.append(f"{alike}.")
        errors = [f"{style.label(n)} {percent(day.release[n].error)}" for n in shown if n != UNPROTECTED]
        parts.append(f"Error in a typical step: {', '.join(errors) or 'none'}.")
        featured = day.release[FEATURED]
        parts.append(
            f"{style.label(FEATURED)} noise scale between {plain(featured.scale.min())} and "
            f"{plain(featured.scale.max())}, protecting {featured.protected.min()} to "
            f"{featured.protected.max()} houses."
        )
    if compared:
        parts.append(f"Dotted: {', '.join(pin.name for pin in compared)}.")
    return " ".join(parts)


def _comparable(day: Day, pins: Mapping[PinMark, Day] | None) -> dict[PinMark, Day]:
    """The pinned days that are as long as this one."""
    steps = day.scenario.steps
    return {pin: other for pin, other in (pins or {}).items() if other.scenario.steps == steps}


def _is_folded(day: Day) -> bool:
    return day.scenario.days > _WEEK


def _layout(
    day: Day, heights: Mapping[str, int], alike: str, whose: str, gap: int, habits: Habits | None
) -> Spec:
    """The panels stacked on one clock, each with its name."""
    whole = sum(heights.values()) + gap * (len(heights) - 1)
    # weekdays and weekends over each other have no hours in common
    shaded = not (_is_folded(day) and day.scenario.has_weekends)
    stack: list[Panel] = []
    top = whole
    for title, height in heights.items():
        axis: Spec = {"rangemode": "tozero"}
        if title in (RATE, ERROR):
            axis = {"range": list(still_range(day, title)), "autorange": False}
        elif title == OCCUPANCY:
            axis = {"range": list(_SHARES), "autorange": False, **style.HALVES}
        words = _title(day, title, alike, whose)
        stack.append(Panel(words, (top - height) / whole, top / whole, axis, shaded))
        top -= height + gap
    clock = day.scenario.replace(days=1) if _is_folded(day) else day.scenario
    return style.layout(whole + _MARGIN, daytime.panels(clock, stack, whose=habits))


def _title(day: Day, panel: str, alike: str, whose: str) -> str:
    """With its unit, how many days it shows, and which rates coincide."""
    words = titled(panel, day.scenario, _QUANTITIES[panel]) if panel in _QUANTITIES else panel
    if panel == OCCUPANCY:
        words = day.scenario.occupied_means
    words = f"{whose}: {words.removeprefix('Mean ')}" if whose else words[0].upper() + words[1:]
    if panel == CONSUMPTION and day.scenario.elasticity:
        return f"{words}: as if rates did not matter, and under each rate"
    if panel in (OCCUPANCY, CONSUMPTION):
        return words if whose and len(words + _DASHED) > _TITLE_ROOM else words + _DASHED
    if panel != RATE:
        return words
    if _is_folded(day):
        words += f", {day.scenario.days} days over each other: mean, lowest, highest"
    return f"{words} · {alike}" if alike else words


def _curves(day: Day, shown: Sequence[str], axes: Axes) -> Iterator[Trace]:
    for panel in (RATE, ERROR):
        if panel in axes:
            yield from _rates(day, shown, panel, axes[panel])
    if NOISE in axes:
        yield from _noise(day, shown, axes)
    yield from _means(day, axes)
    if CONSUMPTION in axes and day.scenario.elasticity:
        yield from _own_demand(day, shown, axes)


def _pinned(compared: Mapping[PinMark, Day], shown: Sequence[str], axes: Axes) -> Iterator[Trace]:
    """The protected rates of pinned days, their noise and their simulated means."""
    names = [name for name in shown if name != UNPROTECTED] or shown
    for pin, day in compared.items():
        yield style.pin_legend(pin)
        for trace in _curves(day, names, axes):
            if trace["name"] != EXPECTED_NAME:
                yield style.pinned(trace, pin)


def _as_long(day: Day, before: Day | None) -> Day | None:
    """What stood there before, where it can be drawn in the same place."""
    return before if before is not None and before.scenario.steps == day.scenario.steps else None


def _pale(traces: Iterable[Trace]) -> Iterator[Trace]:
    """Curves of the day that stood there before."""
    line = {"color": BEFORE.colour, "dash": BEFORE.dash, "width": 1.5}
    for trace in traces:
        if trace["name"] != EXPECTED_NAME:
            kept = {name: part for name, part in trace.items() if name != "hovertemplate"}
            yield kept | {
                "name": f"{trace['name']} before",
                "line": trace["line"] | line,
                "opacity": BEFORE_OPACITY,
                "hoverinfo": "skip",
                "showlegend": False,
            }


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


def _line(day: Day, y: Floats, name: str, mark: Mark, hover: str, shape: str = "linear") -> Trace:
    return style.line(daytime.times(day.hours), y, name, mark, hover=hover, shape=shape)


def _of(day: Day, name: str, panel: str) -> Floats:
    """The rate of a mechanism, or its error in percent of the optimal one."""
    release = day.release[name]
    return release.rate if panel == RATE else 100 * relative_error(release.rate, release.optimal)


def _rates(day: Day, shown: Sequence[str], panel: str, axis: str) -> Iterator[Trace]:
    outer = {name for group in coinciding(day, shown) for name in group[:-1]}
    for name in shown:
        if panel == ERROR and name == UNPROTECTED:
            continue
        hover = "%{y:.4~g}" if panel == RATE else "%{y:+.2f} %"
        curve = _line(day, style.finite(_of(day, name, panel)), style.label(name), style.mark(name), hover)
        if name in outer:
            wide = {"width": OUTER_WIDTH, "dash": "solid"}
            curve |= {"line": curve["line"] | wide, "opacity": OUTER_OPACITY}
        yield curve | {"legendgroup": name, "yaxis": axis, "showlegend": axis == "y"}


def _outliers(day: Day, shown: Sequence[str], panel: str, axis: str) -> Iterator[Trace]:
    """A mark at the edge for every step that lies beyond it."""
    if panel not in (RATE, ERROR) or _is_folded(day):
        return
    low, high = still_range(day, panel)
    for name in shown:
        values = _of(day, name, panel)
        for beyond, edge, symbol in (
            (values > high, high, "triangle-up"),
            (values < low, low, "triangle-down"),
        ):
            if beyond.any():
                at = daytime.times(day.hours[beyond])
                marker: Spec = {"symbol": symbol, "size": 7, "color": style.mark(name).colour}
                drawn = style.points(at, np.full(len(at), edge), f"{style.label(name)} beyond", marker)
                yield drawn | {"yaxis": axis, "cliponaxis": False, "showlegend": False, "legendgroup": name}


def _ends(day: Day, shown: Sequence[str], axis: str) -> Spec:
    """The name of each rate where it ends, those of rates that coincide in one line."""
    if _is_folded(day):
        return {}
    alike = {name: group for group in coinciding(day, shown) for name in group}
    ends = {
        " = ".join(map(style.short, alike.get(name, [name]))): (name, float(day.release[name].rate[-1]))
        for name in shown
    }
    named = [style.End(words, style.mark(name).colour, y) for words, (name, y) in ends.items()]
    labels = style.end_labels(named, still_range(day, RATE), _EXPLORED[RATE])
    return labels | {"annotations": [note | {"yref": axis} for note in labels["annotations"]]}


def _noise(day: Day, shown: Sequence[str], axes: Axes) -> Iterator[Trace]:
    sets: set[str] = set()  # one line for each set of protected houses
    for name in shown:
        if not REGISTRY[name].adds_noise:
            continue
        release, words, mark = day.release[name], style.label(name), style.mark(name)
        group = {"legendgroup": name, "showlegend": axes[NOISE] == "y"}
        yield _line(day, release.scale, words, mark, "%{y:.3~g}", "hv") | group | {"yaxis": axes[NOISE]}
        if REGISTRY[name].protects not in sets:
            sets.add(REGISTRY[name].protects)
            houses = release.protected.astype(float)
            below = {"legendgroup": name, "showlegend": False, "yaxis": axes[PROTECTED]}
            yield _line(day, houses, words, mark, "%{y:,d}", "hv") | below


def _means(day: Day, axes: Axes, group: int | None = None) -> Iterator[Trace]:
    """What the model expects, and what was drawn, of all or of a group; consumption before any response to
    prices."""
    if group is None or len(day.scenario.groups) == 1:
        demand = day.street_day.true_moments.expected_demand / day.scenario.households
        means = (day.occupancy, day.expected_occupancy, day.consumption, demand)
    else:
        means = day.means_of(group)
    simulated, expected = (SIMULATED_NAME, style.SIMULATED), (EXPECTED_NAME, style.EXPECTED)
    panels = (OCCUPANCY, OCCUPANCY, CONSUMPTION, CONSUMPTION)
    for panel, y, (name, mark) in zip(panels, means, (simulated, expected) * 2, strict=True):
        if panel in axes:
            curve = _line(day, y, name, mark, "%{y:.3f}")
            yield curve | {
                "legendgroup": name.lower(), "yaxis": axes[panel], "showlegend": panel == OCCUPANCY
            }  # fmt: skip


def _own_demand(day: Day, shown: Sequence[str], axes: Axes) -> Iterator[Trace]:
    """Where households respond to prices, what they use under each rate, in its colour."""
    for name in shown:
        used = (day.release[name].demand - day.scenario.inelastic_demand) / day.scenario.households
        curve = _line(day, used, style.label(name), style.mark(name), "%{y:.3f}")
        yield curve | {"legendgroup": name, "showlegend": False, "yaxis": axes[CONSUMPTION]}
