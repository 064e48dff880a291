"""The curves of a day: rates or their error, the noise, what was expected and what was drawn.

Rates that coincide are drawn one inside the other. Of days that lie over each other the noise is shown at its
widest.
"""

from collections.abc import Iterator, Mapping, Sequence
from math import floor, log10

from rtp.core.types import Floats
from rtp.figures import daytime, style
from rtp.figures.alike import coinciding
from rtp.figures.style import Mark, PinMark, Trace
from rtp.mechanisms import REGISTRY, UNPROTECTED
from rtp.simulation import Day

NOISE, PROTECTED = "Noise scale", "Protected houses"  # panels
OCCUPANCY, CONSUMPTION = "Mean occupancy", "Mean consumption"
WEEK = 7  # days up to which they stand side by side
BAND_OPACITY = 0.12
EXPECTED, SIMULATED = "Expected", "Simulated"
OUTER_WIDTH, OUTER_OPACITY = 7, 0.45  # of a curve that has another one inside

Axes = Mapping[str, str]  # by the panel's title


def curves(day: Day, shown: Sequence[str], view: str, axes: Axes) -> Iterator[Trace]:
    yield from _rates(day, shown, view)
    if NOISE in axes:
        yield from _noise(day, shown, axes)
    yield from _means(day, axes)
    if day.scenario.elasticity:
        yield from _own_demand(day, shown, axes)


def pinned(pin: PinMark, day: Day, shown: Sequence[str], view: str, axes: Axes) -> Iterator[Trace]:
    """The protected rates of a pinned day, its noise and its simulated means."""
    yield style.pin_legend(pin)
    names = [name for name in shown if name != UNPROTECTED] or shown
    for trace in curves(day, names, view, axes):
        if trace["name"] != EXPECTED:
            yield style.pinned(trace, pin)


def _line(day: Day, y: Floats, name: str, mark: Mark, hover: str, shape: str = "linear") -> Trace:
    return style.line(daytime.times(day.hours), y, name, mark, hover=hover, shape=shape)


def bands(day: Day, shown: Sequence[str]) -> Iterator[Trace]:
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


def is_folded(day: Day) -> bool:
    """Whether its days lie over each other: more than a week would be a comb."""
    return day.scenario.days > WEEK
