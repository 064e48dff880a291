"""The day over time: rates or their error, the noise, occupancy and consumption on one clock.

Noise scale and protected houses fold away while both are flat. Several days are drawn over each other, so
that a month reads like a day. Rates that coincide are drawn one inside the other, and named.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import numpy as np

from rtp.core.formatting import percent, plain
from rtp.figures import daytime, style
from rtp.figures.alike import coinciding_words, flat
from rtp.figures.curves import CONSUMPTION, NOISE, OCCUPANCY, PROTECTED, bands, curves, is_folded, pinned
from rtp.figures.daytime import Panel
from rtp.figures.folding import folded
from rtp.figures.picture import Picture
from rtp.figures.style import PinMark, Spec, Trace
from rtp.mechanisms import FEATURED, UNPROTECTED
from rtp.scenario.units import Quantity, titled
from rtp.simulation import Day

VIEWS = ("Rates", "Error")
# the panels from top to bottom, each with its height in pixels
RATE = "Rate"
PANELS = {RATE: 250, NOISE: 120, PROTECTED: 100, OCCUPANCY: 115, CONSUMPTION: 115}
GAP, MARGIN = 36, 80  # pixels between two panels, and around them all
NAMES = 22  # pixels at the top of the first panel for the names of the periods
ERROR_TITLE = "Published − optimal rate, ± the noise scale"
QUANTITIES: dict[str, Quantity] = {RATE: "rate", ERROR_TITLE: "rate", NOISE: "rate", CONSUMPTION: "power"}

NO_PINS: Mapping[PinMark, Day] = MappingProxyType({})


def day_figure(
    day: Day, shown: Sequence[str], view: str = "Rates", pins: Mapping[PinMark, Day] = NO_PINS
) -> Picture:
    """All panels, one above the other, with one hover line through them; pinned days of the same length
    dotted, in the colours of their pins."""
    compared = {pin: other for pin, other in pins.items() if other.scenario.steps == day.scenario.steps}
    titles = [t for t in PANELS if compared or t not in (NOISE, PROTECTED) or not flat(day, shown)]
    axes = {title: "y" if number == 1 else f"y{number}" for number, title in enumerate(titles, 1)}
    around = list(bands(day, shown)) if view == "Error" else []
    traces: list[Trace] = []
    for pin, other in compared.items():
        traces += pinned(pin, other, shown, view, axes)
    traces += curves(day, shown, view, axes)
    traces = [*around, *folded(traces, day.scenario.days if is_folded(day) else 1)]
    layout = _layout(day, shown, view, titles)
    layout["yaxis"] |= _room_for_names(traces, layout["annotations"])
    return Picture(traces, layout, _words(day, shown, view, list(compared)))


def _room_for_names(traces: Sequence[Trace], notes: Sequence[Spec]) -> Spec:
    """The first panel reaches far enough up for the names of the periods to stand above its curves."""
    here = [np.array(trace["y"], dtype=np.float64) for trace in traces if trace.get("yaxis", "y") == "y"]
    if not here:
        return {}
    low, high = (float(end(np.concatenate(here))) for end in (np.nanmin, np.nanmax))  # days have gaps between
    rows = NAMES - min(note.get("yshift", 0) for note in notes)
    return {"autorangeoptions": {"include": high + rows / (PANELS[RATE] - rows) * (high - low)}}


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
