"""The day over time: rates or their error, the noise, occupancy and consumption on one clock."""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from rtp.arrays import Floats
from rtp.figures import daytime, style
from rtp.figures.daytime import Panel
from rtp.figures.picture import Picture
from rtp.figures.style import Mark, PinMark, Spec, Trace
from rtp.mechanisms import FEATURED, REGISTRY, UNPROTECTED
from rtp.notation import percent, plain
from rtp.simulation import Day
from rtp.units import Quantity, titled

VIEWS = ("Rates", "Error")
HEIGHT = 1040
# title, share of the height; top to bottom
PANELS = (
    ("Rate", 0.34),
    ("Noise scale", 0.15),
    ("Protected houses", 0.12),
    ("Mean occupancy", 0.17),
    ("Mean consumption", 0.17),
)
GAP = 0.045
ERROR_TITLE = "Published − optimal rate, with ± the noise scale"
QUANTITIES: dict[str, Quantity] = {
    "Rate": "rate",
    ERROR_TITLE: "rate",
    "Noise scale": "rate",
    "Mean consumption": "power",
}
BAND_OPACITY = 0.12
EXPECTED = "Expected"


NO_PINS: Mapping[PinMark, Day] = MappingProxyType({})


def day_figure(
    day: Day, shown: Sequence[str], view: str = "Rates", pins: Mapping[PinMark, Day] = NO_PINS
) -> Picture:
    """All panels, one above the other, with one hover line through them; pinned days of the same length
    dotted, in the colours of their pins."""
    traces: list[Trace] = list(_bands(day, shown)) if view == "Error" else []
    compared = {pin: other for pin, other in pins.items() if other.scenario.steps == day.scenario.steps}
    for pin, other in compared.items():
        traces += _pinned(pin, other, shown, view)
    traces += _curves(day, shown, view)
    return Picture(traces, _layout(day, view), _words(day, shown, view, list(compared)))


def _words(day: Day, shown: Sequence[str], view: str, pins: Sequence[PinMark]) -> str:
    errors = ", ".join(
        f"{style.label(name)} {percent(day.release[name].error)}" for name in shown if name != UNPROTECTED
    )
    featured = day.release[FEATURED]
    return (
        f"Five charts over the day. {view} of {', '.join(style.label(n) for n in shown)}. "
        f"Error in a typical step: {errors or 'none'}. "
        f"{style.label(FEATURED)} noise scale between {plain(featured.scale.min())} and "
        f"{plain(featured.scale.max())}, "
        f"protecting {featured.protected.min()} to {featured.protected.max()} houses. "
        f"Mean occupancy between {day.occupancy.min():.2f} and {day.occupancy.max():.2f}; "
        f"mean consumption between {day.consumption.min():.3f} and {day.consumption.max():.3f}."
        + (f" Dotted: {', '.join(pin.name for pin in pins)}." if pins else "")
    )


def _curves(day: Day, shown: Sequence[str], view: str) -> Iterator[Trace]:
    yield from _rates(day, shown, view)
    yield from _noise(day, shown)
    yield from _means(day)


def _pinned(pin: PinMark, day: Day, shown: Sequence[str], view: str) -> Iterator[Trace]:
    """The protected rates of a pinned day, its noise and its simulated means."""
    yield style.pin_legend(pin)
    names = [name for name in shown if name != UNPROTECTED] or shown
    for trace in _curves(day, names, view):
        if trace["name"] != EXPECTED:
            yield style.pinned(trace, pin)


def _bands(day: Day, shown: Sequence[str]) -> Iterator[Trace]:
    """± the Laplace scale around zero, for each mechanism that adds noise."""
    x = daytime.times(day.hours)
    for name in shown:
        scale = day.release[name].scale
        if scale.any():
            colour = style.mark(name).colour
            yield style.band(x, -scale, scale, colour, BAND_OPACITY) | {"legendgroup": name}


def _rates(day: Day, shown: Sequence[str], view: str) -> Iterator[Trace]:
    x = daytime.times(day.hours)
    for name in shown:
        release, words, mark = day.release[name], style.label(name), style.mark(name)
        if view == "Rates":
            yield style.line(x, release.rate, words, mark, hover="%{y:.2f}") | {"legendgroup": name}
        elif name != UNPROTECTED:
            error = release.rate - release.optimal
            yield style.line(x, error, words, mark, hover="%{y:+.3f}") | {"legendgroup": name}


def _noise(day: Day, shown: Sequence[str]) -> Iterator[Trace]:
    x = daytime.times(day.hours)
    sets: set[str] = set()  # one line for each set of protected houses
    for name in shown:
        if not REGISTRY[name].adds_noise:
            continue
        release, words, mark = day.release[name], style.label(name), style.mark(name)
        group = {"legendgroup": name, "showlegend": False}
        yield (
            style.line(x, release.scale, words, mark, hover="%{y:.3f}", shape="hv") | group | {"yaxis": "y2"}
        )
        if REGISTRY[name].protects not in sets:
            sets.add(REGISTRY[name].protects)
            houses = release.protected.astype(float)
            yield style.line(x, houses, words, mark, hover="%{y:,d}", shape="hv") | group | {"yaxis": "y3"}


def _means(day: Day) -> Iterator[Trace]:
    demand = day.life.truth.expected_demand / day.scenario.households
    yield _mean(day, day.expected_occupancy, EXPECTED, style.EXPECTED, "y4")
    yield _mean(day, day.occupancy, "Simulated", style.SIMULATED, "y4")
    yield _mean(day, day.consumption, "Simulated", style.SIMULATED, "y5") | {"showlegend": False}
    yield _mean(day, demand, EXPECTED, style.EXPECTED, "y5") | {"showlegend": False}


def _mean(day: Day, y: Floats, name: str, mark: Mark, axis: str) -> Trace:
    curve = style.line(daytime.times(day.hours), y, name, mark, hover="%{y:.3f}")
    return curve | {"legendgroup": name.lower(), "yaxis": axis}


def _layout(day: Day, view: str) -> Spec:
    """The panels stacked on one clock, each with its name."""
    first, *others = PANELS
    named = [(ERROR_TITLE, first[1]), *others] if view == "Error" else PANELS
    scale = (1 - GAP * (len(PANELS) - 1)) / sum(share for _, share in PANELS)
    stack: list[Panel] = []
    top = 1.0
    for title, share in named:
        bottom = max(top - share * scale, 0.0)
        words = titled(title, day.scenario, QUANTITIES[title]) if title in QUANTITIES else title
        stack.append(Panel(words, bottom, top, {"rangemode": "tozero" if stack else "normal"}))
        top = bottom - GAP
    own = {"margin": {"t": 40}, "legend": {"y": 1.03}}
    return style.layout(HEIGHT, daytime.panels(day.scenario, stack), own)
