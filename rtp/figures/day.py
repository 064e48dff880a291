"""The day over time: rates or their error, the noise, occupancy and consumption on one clock.

Noise scale and protected houses fold away while both are flat. Rates that coincide are drawn one inside the
other, and named. More than a week drawn end to end would be a comb: its days lie over each other, every curve
as its mean over the days in the band of lowest to highest, and the noise at its widest.
"""

from collections.abc import Iterator, Mapping, Sequence
from math import floor, log10

import numpy as np

from rtp.core.formatting import percent, plain
from rtp.core.types import Floats
from rtp.figures import daytime, style
from rtp.figures.daytime import Panel
from rtp.figures.style import Mark, Picture, PinMark, Spec, Trace
from rtp.mechanisms import FEATURED, REGISTRY, UNPROTECTED
from rtp.scenario.units import Quantity, titled
from rtp.simulation import Day

VIEWS = ("Rates", "Error")
_RATE, _NOISE, _PROTECTED = "Rate", "Noise scale", "Protected houses"
_OCCUPANCY, _CONSUMPTION = "Mean occupancy", "Mean consumption"
# the panels from top to bottom, each with its height in pixels
_PANELS = {_RATE: 250, _NOISE: 120, _PROTECTED: 100, _OCCUPANCY: 115, _CONSUMPTION: 115}
_GAP, _MARGIN = 36, 80  # pixels between two panels, and around them all
_NAMES = 22  # pixels at the top of the first panel for the names of the periods
ERROR_TITLE = "Published − optimal rate, ± the noise scale"
_QUANTITIES: dict[str, Quantity] = {_RATE: "rate", ERROR_TITLE: "rate", _NOISE: "rate", _CONSUMPTION: "power"}
EXPECTED_NAME, SIMULATED_NAME = "Expected", "Simulated"
_WEEK = 7  # days up to which they stand side by side
ALIKE = 0.005  # of the range of all rates shown: curves that never differ by more look the same
OUTER_WIDTH, OUTER_OPACITY = 7, 0.45  # of a curve that has another one inside
NOISE_OPACITY, RANGE_OPACITY = 0.12, 0.18  # of the bands of the noise and of several days

Axes = Mapping[str, str]  # by the panel's title


def day_figure(
    day: Day, shown: Sequence[str], view: str = "Rates", pins: Mapping[PinMark, Day] | None = None
) -> Picture:
    """All panels, one above the other, with one hover line through them; pinned days of the same length
    dotted, in the colours of their pins."""
    compared = _comparable(day, pins)
    titles = _titles(day, shown, compared)
    axes = {title: f"y{number}" for number, title in enumerate(titles, 1)}  # curves of the first name none
    curves = [trace for pin, other in compared.items() for trace in _pinned(pin, other, shown, view, axes)]
    curves += _curves(day, shown, view, axes)
    if _is_folded(day):
        curves = [part for trace in curves for part in _folded(trace, day.scenario.days)]
    traces = [*(_noise_bands(day, shown) if view == "Error" else ()), *curves]
    alike = "; ".join(f"{' and '.join(map(style.label, group))} coincide" for group in coinciding(day, shown))
    layout = _layout(day, view, titles, alike)
    layout["yaxis"] |= _room_for_names(traces, layout["annotations"])
    errors = ", ".join(
        f"{style.label(name)} {percent(day.release[name].error)}" for name in shown if name != UNPROTECTED
    )
    featured, days = day.release[FEATURED], day.scenario.days
    over = "the day" if days == 1 else f"{days} days"
    over += ", drawn over each other" if _is_folded(day) else ""
    words = (
        f"Charts over {over}. {view} of {', '.join(style.label(n) for n in shown)}. "
        + (f"{alike}. " if alike else "")
        + f"Error in a typical step: {errors or 'none'}. "
        f"{style.label(FEATURED)} noise scale between {plain(featured.scale.min())} and "
        f"{plain(featured.scale.max())}, "
        f"protecting {featured.protected.min()} to {featured.protected.max()} houses. "
        f"Mean occupancy between {day.occupancy.min():.2f} and {day.occupancy.max():.2f}; "
        f"mean consumption between {day.consumption.min():.3f} and {day.consumption.max():.3f}."
        + (f" Dotted: {', '.join(pin.name for pin in compared)}." if compared else "")
    )
    return Picture(traces, layout, words)


def coinciding(day: Day, shown: Sequence[str]) -> list[list[str]]:
    """Groups of rates that look the same in one picture, each in the order shown."""
    rates = [day.release[name].rate for name in shown]
    if not rates:
        return []
    width = ALIKE * float(np.ptp(np.concatenate(rates)))
    groups: list[list[str]] = []
    for name in shown:
        rate = day.release[name].rate
        for group in groups:
            if float(np.abs(rate - day.release[group[0]].rate).max()) <= width:
                group.append(name)
                break
        else:
            groups.append([name])
    return [group for group in groups if len(group) > 1]


def flat_words(day: Day, shown: Sequence[str], pins: Mapping[PinMark, Day] | None = None) -> str:
    """What never changes and has no panel, in numbers; empty where every panel is drawn."""
    noisy = [name for name in shown if REGISTRY[name].adds_noise]
    if not noisy or _PROTECTED in _titles(day, shown, _comparable(day, pins)):
        return ""
    scales = ", ".join(f"{style.label(name)} {plain(day.release[name].scale[0], 4)}" for name in noisy)
    houses = sorted({int(day.release[name].protected[0]) for name in noisy})
    return (
        f"Noise scale and protected houses never change here: {scales}; "
        f"{' or '.join(f'{n:,}' for n in houses)} of {day.scenario.households:,} houses protected."
    )


def _comparable(day: Day, pins: Mapping[PinMark, Day] | None) -> dict[PinMark, Day]:
    """The pinned days that are as long as this one."""
    steps = day.scenario.steps
    return {pin: other for pin, other in (pins or {}).items() if other.scenario.steps == steps}


def _titles(day: Day, shown: Sequence[str], compared: Mapping[PinMark, Day]) -> list[str]:
    """Of the panels: what never changes has one only beside a pinned day."""
    return [t for t in _PANELS if compared or t not in (_NOISE, _PROTECTED) or not _flat(day, shown)]


def _flat(day: Day, shown: Sequence[str]) -> bool:
    """Whether no noise scale and no number of protected houses changes over the day."""
    noisy = [day.release[name] for name in shown if REGISTRY[name].adds_noise]
    return all(np.ptp(each.scale) == 0 and np.ptp(each.protected) == 0 for each in noisy)


def _is_folded(day: Day) -> bool:
    return day.scenario.days > _WEEK


def _room_for_names(traces: Sequence[Trace], notes: Sequence[Spec]) -> Spec:
    """The first panel reaches far enough up for the names of the periods to stand above its curves."""
    here = [np.array(trace["y"], dtype=np.float64) for trace in traces if trace.get("yaxis", "y") == "y"]
    if not here:
        return {}
    low, high = (float(end(np.concatenate(here))) for end in (np.nanmin, np.nanmax))  # days have gaps between
    rows = _NAMES - min(note.get("yshift", 0) for note in notes)
    return {"autorangeoptions": {"include": high + rows / (_PANELS[_RATE] - rows) * (high - low)}}


def _layout(day: Day, view: str, titles: Sequence[str], alike: str) -> Spec:
    """The panels stacked on one clock, each with its name."""
    height = sum(_PANELS[title] for title in titles) + _GAP * (len(titles) - 1)
    # weekdays and weekends over each other have no hours in common
    shaded = not (_is_folded(day) and day.scenario.has_weekends)
    stack: list[Panel] = []
    top = height
    for title in titles:
        bottom = top - _PANELS[title]
        axis = {"rangemode": "tozero" if stack else "normal"}
        words = _title(day, view, title, alike)
        stack.append(Panel(words, bottom / height, top / height, axis, shaded))
        top = bottom - _GAP
    own: Spec = {"legend": {"y": 1 + 26 / height}}
    clock = day.scenario.replace(days=1) if _is_folded(day) else day.scenario
    return style.layout(height + _MARGIN, daytime.panels(clock, stack), own)


def _title(day: Day, view: str, panel: str, alike: str) -> str:
    """With its unit, how many days it shows, and which rates coincide."""
    words = ERROR_TITLE if panel == _RATE and view == "Error" else panel
    words = titled(words, day.scenario, _QUANTITIES[words]) if words in _QUANTITIES else words
    if panel == _CONSUMPTION and day.scenario.elasticity:
        return f"{words}: as if prices did not matter, and under each rate"
    if panel != _RATE:
        return words
    if _is_folded(day):
        words += f", {day.scenario.days} days over each other: mean, lowest, highest"
    return f"{words} · {alike}" if alike else words


def _curves(day: Day, shown: Sequence[str], view: str, axes: Axes) -> Iterator[Trace]:
    yield from _rates(day, shown, view)
    if _NOISE in axes:
        yield from _noise(day, shown, axes)
    yield from _means(day, axes)
    if day.scenario.elasticity:
        yield from _own_demand(day, shown, axes)


def _pinned(pin: PinMark, day: Day, shown: Sequence[str], view: str, axes: Axes) -> Iterator[Trace]:
    """The protected rates of a pinned day, its noise and its simulated means."""
    yield style.pin_legend(pin)
    names = [name for name in shown if name != UNPROTECTED] or shown
    for trace in _curves(day, names, view, axes):
        if trace["name"] != EXPECTED_NAME:
            yield style.pinned(trace, pin)


def _folded(trace: Trace, days: int) -> Iterator[Trace]:
    """A curve of so many days end to end as their mean, in the band from lowest to highest."""
    if len(trace["y"]) == 1:  # an entry of the legend draws nothing
        yield trace
        return
    by_day = np.asarray(trace["y"]).reshape(days, -1)
    low, high, x = by_day.min(axis=0), by_day.max(axis=0), trace["x"][: by_day.shape[1]]
    number = trace["hovertemplate"]
    ends = [number.replace("y", f"customdata[{i}]") for i in (0, 1)]
    if trace["line"]["dash"] != style.PINNED_DASH:
        where = {name: trace[name] for name in ("yaxis", "legendgroup") if name in trace}
        yield style.band(x, low, high, trace["line"]["color"], RANGE_OPACITY) | where
    yield trace | {
        "x": x,
        "y": by_day.mean(axis=0),
        "customdata": np.column_stack([low, high]),
        "hovertemplate": f"{number} ({ends[0]} to {ends[1]})",
    }


def _noise_bands(day: Day, shown: Sequence[str]) -> Iterator[Trace]:
    """± the Laplace scale around zero, for each mechanism that adds noise; of folded days the widest."""
    for name in shown:
        scale = day.release[name].scale
        if scale.any():
            widest = scale.reshape(day.scenario.days if _is_folded(day) else 1, -1).max(axis=0)
            x = daytime.times(day.hours[: len(widest)])
            colour = style.mark(name).colour
            yield style.band(x, -widest, widest, colour, NOISE_OPACITY) | {"legendgroup": name}


def _line(day: Day, y: Floats, name: str, mark: Mark, hover: str, shape: str = "linear") -> Trace:
    return style.line(daytime.times(day.hours), y, name, mark, hover=hover, shape=shape)


def _rates(day: Day, shown: Sequence[str], view: str) -> Iterator[Trace]:
    outer = {name for group in coinciding(day, shown) for name in group[:-1]}
    for name in shown:
        release, words, mark = day.release[name], style.label(name), style.mark(name)
        if view == "Rates":
            curve = _line(day, release.rate, words, mark, _digits(day, 2))
        elif name != UNPROTECTED:
            curve = _line(day, release.rate - release.optimal, words, mark, _digits(day, 3, "+"))
        else:
            continue
        if name in outer:
            wide = {"width": OUTER_WIDTH, "dash": "solid"}
            curve |= {"line": curve["line"] | wide, "opacity": OUTER_OPACITY}
        yield curve | {"legendgroup": name}


def _digits(day: Day, decimals: int, sign: str = "") -> str:
    """How a rate is written when pointed at: small ones, such as euros per kWh, with more decimals."""
    largest = float(abs(day.release[UNPROTECTED].rate).max())
    extra = 1 - floor(log10(largest)) if 0 < largest < 1 else 0
    return f"%{{y:{sign}.{decimals + extra}f}}"


def _noise(day: Day, shown: Sequence[str], axes: Axes) -> Iterator[Trace]:
    sets: set[str] = set()  # one line for each set of protected houses
    for name in shown:
        if not REGISTRY[name].adds_noise:
            continue
        release, words, mark = day.release[name], style.label(name), style.mark(name)
        group = {"legendgroup": name, "showlegend": False}
        yield _line(day, release.scale, words, mark, _digits(day, 3), "hv") | group | {"yaxis": axes[_NOISE]}
        if REGISTRY[name].protects not in sets:
            sets.add(REGISTRY[name].protects)
            houses = release.protected.astype(float)
            yield _line(day, houses, words, mark, "%{y:,d}", "hv") | group | {"yaxis": axes[_PROTECTED]}


def _means(day: Day, axes: Axes) -> Iterator[Trace]:
    """What the model expects, and what was drawn; consumption before any response to prices."""
    demand = day.street_day.true_moments.expected_demand / day.scenario.households
    above, below = axes[_OCCUPANCY], axes[_CONSUMPTION]
    for y, name, mark, axis in (
        (day.expected_occupancy, EXPECTED_NAME, style.EXPECTED, above),
        (day.occupancy, SIMULATED_NAME, style.SIMULATED, above),
        (day.consumption, SIMULATED_NAME, style.SIMULATED, below),
        (demand, EXPECTED_NAME, style.EXPECTED, below),
    ):
        curve = _line(day, y, name, mark, "%{y:.3f}") | {"legendgroup": name.lower(), "yaxis": axis}
        yield curve if axis == above else curve | {"showlegend": False}


def _own_demand(day: Day, shown: Sequence[str], axes: Axes) -> Iterator[Trace]:
    """Where households respond to prices, what they use under each rate, in its colour."""
    for name in shown:
        used = (day.release[name].demand - day.scenario.inelastic_demand) / day.scenario.households
        curve = _line(day, used, style.label(name), style.mark(name), "%{y:.3f}")
        yield curve | {"legendgroup": name, "showlegend": False, "yaxis": axes[_CONSUMPTION]}
