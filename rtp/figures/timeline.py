"""The day over time: rates or their error, the noise, occupancy and consumption on one clock.

Noise scale and protected houses fold away while both are flat. Several days are drawn over each other, so
that a month reads like a day. Rates that coincide are drawn one inside the other, and named.
"""

from collections.abc import Iterator, Mapping, Sequence
from math import floor, log10
from types import MappingProxyType

from rtp.arrays import Floats
from rtp.figures import daytime, style
from rtp.figures.alike import coinciding, coinciding_words, flat
from rtp.figures.daytime import Panel
from rtp.figures.folding import folded
from rtp.figures.picture import Picture
from rtp.figures.style import Mark, PinMark, Spec, Trace
from rtp.mechanisms import FEATURED, REGISTRY, UNPROTECTED
from rtp.notation import percent, plain
from rtp.simulation import Day
from rtp.units import Quantity, titled

VIEWS = ("Rates", "Error")
# the panels from top to bottom, each with its height in pixels
RATE, NOISE, PROTECTED = "Rate", "Noise scale", "Protected houses"
OCCUPANCY, CONSUMPTION = "Mean occupancy", "Mean consumption"
PANELS = {RATE: 250, NOISE: 120, PROTECTED: 100, OCCUPANCY: 115, CONSUMPTION: 115}
GAP, MARGIN = 36, 80  # pixels between two panels, and around them all
ERROR_TITLE = "Published − optimal rate, ± the noise scale"
QUANTITIES: dict[str, Quantity] = {RATE: "rate", ERROR_TITLE: "rate", NOISE: "rate", CONSUMPTION: "power"}
WEEK = 7  # days up to which they stand side by side
BAND_OPACITY = 0.12
EXPECTED, SIMULATED = "Expected", "Simulated"
OUTER_WIDTH, OUTER_OPACITY = 7, 0.45  # of a curve that has another one inside

NO_PINS: Mapping[PinMark, Day] = MappingProxyType({})
Axes = Mapping[str, str]  # by the panel's title


def day_figure(
    day: Day, shown: Sequence[str], view: str = "Rates", pins: Mapping[PinMark, Day] = NO_PINS
) -> Picture:
    """All panels, one above the other, with one hover line through them; pinned days of the same length
    dotted, in the colours of their pins."""
    compared = {pin: other for pin, other in pins.items() if other.scenario.steps == day.scenario.steps}
    titles = [t for t in PANELS if compared or t not in (NOISE, PROTECTED) or not flat(day, shown)]
    axes = {title: "y" if number == 1 else f"y{number}" for number, title in enumerate(titles, 1)}
    bands = list(_bands(day, shown)) if view == "Error" else []
    traces: list[Trace] = []
    for pin, other in compared.items():
        traces += _pinned(pin, other, shown, view, axes)
    traces += _curves(day, shown, view, axes)
    traces = [*bands, *folded(traces, day.scenario.days if is_folded(day) else 1)]
    return Picture(traces, _layout(day, shown, view, titles), _words(day, shown, view, list(compared)))


def _words(day: Day, shown: Sequence[str], view: str, pins: Sequence[PinMark]) -> str:
    errors = ", ".join(
        f"{style.label(name)} {percent(day.release[name].error)}" for name in shown if name != UNPROTECTED
    )
    featured, days = day.release[FEATURED], day.scenario.days
    over = "the day" if days == 1 else f"{days} days"
    over += ", drawn over each other" if is_folded(day) else ""
    alike = coinciding_words(day, shown)
    return (
        f"Charts over {over}. {view} of {', '.join(style.label(n) for n in shown)}. "
        + (f"{alike}. " if alike else "")
        + f"Error in a typical step: {errors or 'none'}. "
        f"{style.label(FEATURED)} noise scale between {plain(featured.scale.min())} and "
        f"{plain(featured.scale.max())}, "
        f"protecting {featured.protected.min()} to {featured.protected.max()} houses. "
        f"Mean occupancy between {day.occupancy.min():.2f} and {day.occupancy.max():.2f}; "
        f"mean consumption between {day.consumption.min():.3f} and {day.consumption.max():.3f}."
        + (f" Dotted: {', '.join(pin.name for pin in pins)}." if pins else "")
    )


def _curves(day: Day, shown: Sequence[str], view: str, axes: Axes) -> Iterator[Trace]:
    yield from _rates(day, shown, view)
    if NOISE in axes:
        yield from _noise(day, shown, axes)
    yield from _means(day, axes)
    if day.scenario.elasticity:
        yield from _own_demand(day, shown, axes)


def _pinned(pin: PinMark, day: Day, shown: Sequence[str], view: str, axes: Axes) -> Iterator[Trace]:
    """The protected rates of a pinned day, its noise and its simulated means."""
    yield style.pin_legend(pin)
    names = [name for name in shown if name != UNPROTECTED] or shown
    for trace in _curves(day, names, view, axes):
        if trace["name"] != EXPECTED:
            yield style.pinned(trace, pin)


def _line(day: Day, y: Floats, name: str, mark: Mark, hover: str, shape: str = "linear") -> Trace:
    return style.line(daytime.times(day.hours), y, name, mark, hover=hover, shape=shape)


def _bands(day: Day, shown: Sequence[str]) -> Iterator[Trace]:
    """± the Laplace scale around zero, for each mechanism that adds noise; of several days the widest."""
    for name in shown:
        scale = day.release[name].scale
        if scale.any():
            widest = scale.reshape(day.scenario.days if is_folded(day) else 1, -1).max(axis=0)
            x = daytime.times(day.hours[: len(widest)])
            colour = style.mark(name).colour
            yield style.band(x, -widest, widest, colour, BAND_OPACITY) | {"legendgroup": name}


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
    more = 1 - floor(log10(largest)) if 0 < largest < 1 else 0
    return f"%{{y:{sign}.{decimals + more}f}}"


def _noise(day: Day, shown: Sequence[str], axes: Axes) -> Iterator[Trace]:
    sets: set[str] = set()  # one line for each set of protected houses
    for name in shown:
        if not REGISTRY[name].adds_noise:
            continue
        release, words, mark = day.release[name], style.label(name), style.mark(name)
        group = {"legendgroup": name, "showlegend": False}
        yield _line(day, release.scale, words, mark, _digits(day, 3), "hv") | group | {"yaxis": axes[NOISE]}
        if REGISTRY[name].protects not in sets:
            sets.add(REGISTRY[name].protects)
            houses = release.protected.astype(float)
            yield _line(day, houses, words, mark, "%{y:,d}", "hv") | group | {"yaxis": axes[PROTECTED]}


def _means(day: Day, axes: Axes) -> Iterator[Trace]:
    """What the model expects, and what was drawn; consumption before any response to prices."""
    demand = day.life.truth.expected_demand / day.scenario.households
    above, below = axes[OCCUPANCY], axes[CONSUMPTION]
    for y, name, mark, axis in (
        (day.expected_occupancy, EXPECTED, style.EXPECTED, above),
        (day.occupancy, SIMULATED, style.SIMULATED, above),
        (day.consumption, SIMULATED, style.SIMULATED, below),
        (demand, EXPECTED, style.EXPECTED, below),
    ):
        curve = _line(day, y, name, mark, "%{y:.3f}") | {"legendgroup": name.lower(), "yaxis": axis}
        yield curve if axis == above else curve | {"showlegend": False}


def _own_demand(day: Day, shown: Sequence[str], axes: Axes) -> Iterator[Trace]:
    """Where households respond to prices, what they use under each rate, in its colour."""
    for name in shown:
        used = (day.release[name].demand - day.scenario.inelastic_demand) / day.scenario.households
        curve = _line(day, used, style.label(name), style.mark(name), "%{y:.3f}")
        yield curve | {"legendgroup": name, "showlegend": False, "yaxis": axes[CONSUMPTION]}


def _layout(day: Day, shown: Sequence[str], view: str, titles: Sequence[str]) -> Spec:
    """The panels stacked on one clock, each with its name."""
    height = sum(PANELS[title] for title in titles) + GAP * (len(titles) - 1)
    shaded = not (
        is_folded(day) and day.scenario.has_weekends
    )  # over each other they have no hours in common
    stack: list[Panel] = []
    top = height
    for title in titles:
        bottom = top - PANELS[title]
        axis = {"rangemode": "tozero" if stack else "normal"}
        words = _title(day, shown, view, title)
        stack.append(Panel(words, max(bottom / height, 0.0), top / height, axis, shaded))
        top = bottom - GAP
    own: Spec = {"legend": {"y": 1 + 26 / height}}
    clock = day.scenario.replace(days=1) if is_folded(day) else day.scenario
    return style.layout(height + MARGIN, daytime.panels(clock, stack), own)


def is_folded(day: Day) -> bool:
    """Whether its days lie over each other: more than a week would be a comb."""
    return day.scenario.days > WEEK


def _title(day: Day, shown: Sequence[str], view: str, panel: str) -> str:
    """With its unit, how many days it shows, and which rates coincide."""
    words = ERROR_TITLE if panel == RATE and view == "Error" else panel
    words = titled(words, day.scenario, QUANTITIES[words]) if words in QUANTITIES else words
    if panel == CONSUMPTION and day.scenario.elasticity:
        return f"{words}: as if prices did not matter, and under each rate"
    if panel != RATE:
        return words
    if is_folded(day):
        words += f", {day.scenario.days} days over each other: mean, lowest, highest"
    alike = coinciding_words(day, shown)
    return f"{words} · {alike}" if alike else words
