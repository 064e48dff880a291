"""The clock axis, the shaded periods of the day, panels one above the other on one clock, and days over each
other."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rtp.core.language import noted
from rtp.core.time import weekday
from rtp.core.types import Bools, Floats
from rtp.figures import style
from rtp.figures.style import PANELS_ROOM, Spec, Trace
from rtp.scenario import Habits, Scenario

SHADES = ("rgba(110, 118, 140, 0.16)", "rgba(110, 118, 140, 0.05)")  # of the periods, in turn
CLOCK_START = np.datetime64("2001-01-01T00:00")  # the clock axis' first day; its day of the year is 1
AXIS_TITLE = "Time of day"
NIGHT_HOURS, NIGHTS = 6, noted("Shaded: midnight to 6 o'clock")
DIFFER = "Groups keep different hours"
MAX_DAY_MARKS = 10  # marks of midnights that an axis has room for
RANGE_OPACITY = 0.18  # of the band of several days
LETTER = 0.62  # hours of a day's chart that a letter of a name takes where it is narrow
_CLEAR = 5  # pixels from the edge, which half of a mark lies on


def times(hours: Floats) -> NDArray[np.datetime64]:
    """Hours since the first midnight as the clock axis wants them."""
    return CLOCK_START + np.round(hours * 60).astype("timedelta64[m]")


def dates(first: np.datetime64, steps: int, minutes: int) -> NDArray[np.datetime64]:
    """When each step of a record begins, from midnight of its first day."""
    return np.asarray(first.astype("datetime64[m]") + minutes * np.arange(steps))


def nights(x: NDArray[np.datetime64]) -> list[Spec]:
    """The hours of a record at which most people sleep, shaded."""
    days = np.unique(x.astype("datetime64[D]")).astype("datetime64[m]")
    ends, grey = days + np.timedelta64(NIGHT_HOURS, "h"), style.rgba(style.GREY, 0.14)
    return [style.shade(str(a), str(b), grey) for a, b in zip(days, ends, strict=True)]


def stretches(true: Bools) -> list[tuple[int, int]]:
    """The first step of every stretch, and the one after its last."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], true.astype(int), [0]])))
    return [(int(a), int(b)) for a, b in zip(edges[::2], edges[1::2], strict=True)]


def clock(days: int) -> Spec:
    """An x axis of hours and minutes; the day's number too where there are several."""
    return {
        "type": "date",
        "title": {"text": AXIS_TITLE},
        "tickformat": "%H:%M" if days == 1 else "%H:%M\nDay %-j",
        "hoverformat": "%H:%M" if days == 1 else "Day %-j, %H:%M",
        "range": [str(CLOCK_START), str(CLOCK_START + np.timedelta64(days * 24, "h"))],
        "nticks": 9,
    }


def calendar(scenario: Scenario) -> Spec:
    """The clock axis of a scenario: several days have a mark at every midnight, and their weekdays' names
    where these matter."""
    if scenario.days == 1:
        return clock(1)
    every = -(-scenario.days // MAX_DAY_MARKS)
    days = range(0, scenario.days, every)
    names = [
        weekday(day, scenario.first_weekday)[:3] if scenario.has_weekends else f"Day {day + 1}"
        for day in days
    ]
    midnights = times(24.0 * np.array(days))
    return clock(scenario.days) | {
        "tickmode": "array",
        "tickvals": [str(at) for at in midnights],
        "ticktext": names,
        "ticklabelposition": "outside right",
        "title": {"text": ""},
    }


def over_the_day(scenario: Scenario, title: str) -> Spec:
    """One chart on the clock, with the periods behind it that all groups share."""
    shapes, names = periods(scenario, ["y"])
    return {
        "xaxis": calendar(scenario),
        "yaxis": {"title": {"text": title}},
        "shapes": shapes,
        "annotations": names,
    }


class Panel(NamedTuple):
    """One of several charts above each other."""

    title: str
    bottom: float
    top: float
    axis: Spec  # more about its y axis
    shaded: bool = True  # whether the periods of the day are shown behind it


def panels(scenario: Scenario, stack: Sequence[Panel], gap: float = 0.0, whose: Habits | None = None) -> Spec:
    """Panels from top to bottom on one clock, with one hover line through them; titles a gap above each.
    `whose` periods are shaded: those of the habits at hand, else those that all groups share."""
    axes = ["y" if number == 1 else f"y{number}" for number in range(1, len(stack) + 1)]
    shaded = [axis for axis, panel in zip(axes, stack, strict=True) if panel.shaded]
    shapes, names = periods(scenario, shaded, whose)
    return {
        "hoversubplots": "axis",
        "margin": PANELS_ROOM,
        "xaxis": calendar(scenario) | {"anchor": axes[-1]},
        "shapes": shapes,
        "annotations": [*(panel_title(p.title, min(p.top + gap, 1.0)) for p in stack), *names],
    } | {
        axis.replace("y", "yaxis"): {"domain": [p.bottom, p.top], "anchor": "x", "automargin": True} | p.axis
        for axis, p in zip(axes, stack, strict=True)
    }


def panel_title(words: str, top: float) -> Spec:
    """A panel's name at its top left; what is said of it behind a dot is not as strong."""
    name, dot, more = words.partition(" · ")
    return style.note(f"<b>{name}</b>{dot}{more}", 0, top, xref="paper", yref="paper", font={"size": 13})


def periods(
    scenario: Scenario, y_axes: Sequence[str], whose: Habits | None = None
) -> tuple[list[Spec], list[Spec]]:
    """Shapes and names of the periods of these habits, or of all groups where they keep the same hours:
    behind every panel, named in the first. Where groups differ nothing is shaded, and a note says so."""
    if not y_axes:
        return [], []
    habits = whose or scenario.models[0].common_habits
    if habits is None:
        right = {
            "x": 1,
            "xref": "paper",
            "xanchor": "right",
            "yanchor": "bottom",
            "yshift": 0,
        }  # above the first panel
        return [], [_name(DIFFER, 0.0, y_axes[0]) | right]
    shapes: list[Spec] = []
    named: dict[str, tuple[float, float]] = {}
    for start, end, i, name in _spans(habits, scenario):
        left, right = times(np.array([start, end]))
        start_end = str(left), str(right)
        shapes += [style.shade(*start_end, SHADES[i % 2], yref=f"{y} domain") for y in y_axes]
        if scenario.days == 1 and end - start > 0.5:
            named.setdefault(name, (start, end))
    return shapes, [
        _name(words, hour, y_axes[0]) | {"hovertext": name}
        for name, (words, hour) in names_with_room(named).items()
    ]


def names_with_room(named: Mapping[str, tuple[float, float]]) -> dict[str, tuple[str, float]]:
    """What is written of each name and around which hour, all in one row: as much of it, the whole or its
    first letter, as keeps clear of the others on a phone, and nothing where no letter does. It stands in the
    middle of its stretch or as near to it as the others let it. The longest stretches come first."""
    placed: list[tuple[float, float]] = []
    written = {}
    for name, (start, end) in sorted(named.items(), key=lambda each: each[1][0] - each[1][1]):
        middle = (start + end) / 2
        for words in (name, name[:1]):
            half = LETTER * len(words) / 2
            beside = [hour for left, right in placed for hour in (left - half, right + half)]
            hours = [
                hour
                for hour in (middle, *beside)
                if start <= hour <= end
                and all(hour + half <= left or right <= hour - half for left, right in placed)
            ]
            if hours:
                hour = min(hours, key=lambda each: abs(each - middle))
                placed.append((hour - half, hour + half))
                written[name] = (words, hour)
                break
    return written


def _name(words: str, hour: float, y_axis: str) -> Spec:
    """A period's name at the top of its stretch, clear of marks at the edge."""
    at, place = str(times(np.array(hour))), f"{y_axis} domain"
    return style.note(words, at, 1, "auto", "top", yref=place, yshift=-_CLEAR, font={"size": 12}, opacity=0.8)


def _spans(habits: Habits, scenario: Scenario) -> list[tuple[float, float, int, str]]:
    """(start hour, end hour, index, name) of every stretch of a period, over all days."""
    spans = []
    for day in range(scenario.days):
        parts = habits.on(weekday(day, scenario.first_weekday))
        edges = [(p.start, i) for i, p in enumerate(parts)]
        if parts[0].start > 0:
            edges = [(0.0, len(parts) - 1), *edges]
        ends = [start for start, _ in edges[1:]] + [24.0]
        spans += [
            (24 * day + start, 24 * day + end, i, parts[i].name)
            for (start, i), end in zip(edges, ends, strict=True)
        ]
    return spans


def folded(trace: Trace, days: int) -> Iterator[Trace]:
    """A curve of so many days end to end as their mean, in the band from lowest to highest."""
    if len(trace["y"]) == 1:  # an entry of the legend draws nothing
        yield trace
        return
    by_day = np.asarray(trace["y"]).reshape(days, -1)
    low, high, x = by_day.min(axis=0), by_day.max(axis=0), trace["x"][: by_day.shape[1]]
    number = trace.get("hovertemplate", "")  # what stood there before says nothing
    ends = [number.replace("y", f"customdata[{i}]") for i in (0, 1)]
    if number and trace["line"]["dash"] != style.PINNED_DASH:
        where = {name: trace[name] for name in ("yaxis", "legendgroup") if name in trace}
        yield style.band(x, low, high, trace["line"]["color"], RANGE_OPACITY) | where
    said = {"customdata": np.column_stack([low, high]), "hovertemplate": f"{number} ({ends[0]} to {ends[1]})"}
    yield trace | {"x": x, "y": by_day.mean(axis=0)} | (said if number else {})
