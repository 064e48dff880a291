"""The pieces that all charts share: the line, the band, the layout, the clock, the periods and the panels."""

from itertools import combinations

import numpy as np
import plotly.graph_objects as go
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rtp import PRESETS
from rtp.figures import daytime, style
from rtp.figures.algorithm import HOUSE_COLOURS, SCALE, TRUE_STATE
from rtp.figures.daytime import Panel
from rtp.figures.style import GREY, Mark
from rtp.mechanisms import REGISTRY
from rtp.scenario.share import MAX_PINS
from tests.unit.figures.look import axis_titles, panel_titles

PAPER = PRESETS["paper"]


def test_a_line_has_its_mark_and_hovers_only_if_asked() -> None:
    spoken = style.line(
        [1.0, 2.0], [3.0, 4.0], "A", Mark("#123456", "dash"), hover="%{y:.2f}", width=3, shape="hv"
    )
    assert (spoken["x"], spoken["y"], spoken["name"]) == ([1.0, 2.0], [3.0, 4.0], "A")
    assert spoken["line"] == {"color": "#123456", "dash": "dash", "width": 3, "shape": "hv"}
    assert spoken["hovertemplate"] == "%{y:.2f}"
    assert "hoverinfo" not in spoken
    silent = style.line([1.0], [3.0], "A", Mark("#123456"))
    assert silent["hoverinfo"] == "skip"
    assert silent["line"] == {"color": "#123456", "dash": "solid", "width": 2, "shape": "linear"}


def test_a_band_goes_along_its_upper_edge_and_back_below() -> None:
    x, low, high = np.array([1.0, 2.0]), np.array([3.0, 4.0]), np.array([5.0, 6.0])
    band = style.band(x, low, high, "#102030", 0.5)
    assert band["x"].tolist() == [1, 2, 2, 1]
    assert band["y"].tolist() == [5, 6, 4, 3]
    assert band["fillcolor"] == "rgba(16, 32, 48, 0.5)"
    assert not band["showlegend"]
    assert style.band(x, low, high, "#102030", 0.5, "Days")["showlegend"]


def test_a_layout_completes_and_leaves_the_shared_one() -> None:
    before = repr(style.LAYOUT)
    own = style.layout(300, style.axes("Across", "Up"), {"legend": {"y": 2}, "yaxis": {"range": [0, 1]}})
    assert own["height"] == 300
    assert own["legend"] == style.LAYOUT["legend"] | {"y": 2}
    assert own["xaxis"] == {"automargin": True, "title": {"text": "Across"}}
    assert own["yaxis"] == {"automargin": True, "title": {"text": "Up", "standoff": 18}, "range": [0, 1]}
    assert repr(style.LAYOUT) == before
    assert style.merged({"a": {"b": 1}, "c": 2}, {"a": 3, "c": {"d": 4}}) == {"a": 3, "c": {"d": 4}}


def test_every_mechanism_has_a_label_and_its_own_mark() -> None:
    marks = [style.mark(name) for name in REGISTRY]
    assert len(set(marks)) == len(REGISTRY)
    assert style.PINNED_DASH not in {mark.dash for mark in marks}
    assert not set(style.PIN_COLOURS) & {mark.colour for mark in marks}
    assert len(set(style.PIN_COLOURS)) == MAX_PINS
    assert [style.label(name) for name in REGISTRY] == [m.label for m in REGISTRY.values()]


def test_the_clock_names_the_day_only_where_there_are_several() -> None:
    one, two = daytime.clock(1), daytime.clock(2)
    assert one["title"] == two["title"] == {"text": "Time of day"}
    assert one["range"] == ["2001-01-01T00:00", "2001-01-02T00:00"]
    assert two["range"] == ["2001-01-01T00:00", "2001-01-03T00:00"]
    assert one["tickformat"] == one["hoverformat"] == "%H:%M"
    assert (two["tickformat"], two["hoverformat"]) == ("%H:%M\nDay %-j", "Day %-j, %H:%M")
    quarter = daytime.times(np.array([0.0, 0.25, 24.5]))
    assert quarter.astype(str).tolist() == ["2001-01-01T00:00", "2001-01-01T00:15", "2001-01-02T00:30"]


def test_colours_are_written_as_a_browser_does() -> None:
    assert style.rgb("#102030") == "rgb(16, 32, 48)"
    assert style.rgba("#ff0a00", 0.5) == "rgba(255, 10, 0, 0.5)"


@pytest.mark.parametrize(("days", "every"), [(2, 1), (10, 1), (11, 2), (20, 2), (21, 3)])
def test_several_days_have_a_mark_at_every_midnight_that_has_room(days: int, every: int) -> None:
    axis = daytime.calendar(PAPER.replace(days=days))
    marked = range(0, days, every)
    assert axis == daytime.clock(days) | {
        "tickmode": "array",
        "tickvals": [f"2001-01-{day + 1:02}T00:00" for day in marked],
        "ticktext": [f"Day {day + 1}" for day in marked],
        "ticklabelposition": "outside right",
        "title": {"text": ""},
    }
    assert daytime.calendar(PAPER) == daytime.clock(1)


def test_weekdays_are_named_where_the_weekend_differs() -> None:
    habits = PAPER.models[0].habits[0]
    free = PAPER.models[0].replace(habits=(habits.replace(weekend=habits.periods),))
    week = PAPER.replace(days=3, first_weekday="Friday", models=(free,))
    assert daytime.calendar(week)["ticktext"] == ["Fri", "Sat", "Sun"]


@pytest.mark.parametrize(("end", "named"), [(7.5, False), (7.75, True)])
def test_half_an_hour_has_no_room_for_a_name(end: float, named: bool) -> None:
    habits = PAPER.models[0].habits[0]
    parts = [part.replace(start=end) if part.name == "Noon" else part for part in habits.periods]
    _, names = daytime.periods(PAPER, ["y"], habits.replace(periods=parts))
    assert ("Morning" in [note["text"] for note in names]) == named


def test_periods_cover_the_day_behind_every_panel_named_once() -> None:
    shapes, names = daytime.periods(PAPER, ["y", "y3"])
    assert {shape["yref"] for shape in shapes} == {"y domain", "y3 domain"}
    first = [shape for shape in shapes if shape["yref"] == "y domain"]
    clock = [(shape["x0"][11:], shape["x1"][11:]) for shape in first]
    assert clock == [
        ("00:00", "07:00"), ("07:00", "08:00"), ("08:00", "16:00"), ("16:00", "23:00"), ("23:00", "00:00"),
    ]  # fmt: skip
    dark, light = daytime.SHADES
    assert [shape["fillcolor"] for shape in first] == [light, dark, light, dark, light]
    assert [note["text"] for note in names] == ["Night", "Morning", "Noon", "Evening"]
    assert {note["yshift"] for note in names} == {0}
    assert {note["yref"] for note in names} == {"y domain"}
    assert names[0]["x"] == "2001-01-01T03:30"
    shapes, names = daytime.periods(PAPER.replace(days=3), ["y"])
    assert (len(shapes), names) == (15, [])


def test_the_weekend_has_its_own_periods() -> None:
    habits = PAPER.models[0].habits[0].replace(weekend=PAPER.models[0].habits[0].periods[2:])
    days = PAPER.replace(days=3, first_weekday="Friday")
    shapes, _ = daytime.periods(days, ["y"], habits)
    weekday, free = ["00:00", "07:00", "08:00", "16:00", "23:00"], ["00:00", "16:00", "23:00"]
    assert [shape["x0"] for shape in shapes] == [
        *(f"2001-01-01T{clock}" for clock in weekday),
        *(f"2001-01-02T{clock}" for clock in free),
        *(f"2001-01-03T{clock}" for clock in free),
    ]


@pytest.mark.parametrize(("first", "starts"), [(0.0, ["00:00", "08:00"]), (0.5, ["00:00", "00:30", "08:00"])])
def test_a_day_that_begins_within_a_period_begins_with_the_last(first: float, starts: list[str]) -> None:
    habits = PAPER.models[0].habits[0]
    morning, noon, *_ = habits.periods
    shapes, names = daytime.periods(
        PAPER, ["y"], habits.replace(periods=(morning.replace(start=first), noon))
    )
    assert [shape["x0"][11:] for shape in shapes] == starts
    assert [note["text"] for note in names] == ["Morning", "Noon"]


@pytest.mark.parametrize(("evening", "row"), [(12.5, 0), (12.25, 1)])
def test_a_name_goes_down_where_another_is_in_its_way(evening: float, row: int) -> None:
    """ "Morning" at 7:30 and "Noon" at 10:15 or a little before: half an hour a letter."""
    habits = PAPER.models[0].habits[0]
    starts = [(part.name, part.start) for part in habits.periods]
    assert starts == [("Morning", 7), ("Noon", 8), ("Evening", 16), ("Night", 23)]
    parts = [part.replace(start=evening) if part.name == "Evening" else part for part in habits.periods]
    _, names = daytime.periods(PAPER, ["y"], habits.replace(periods=parts))
    below = {note["text"]: note["yshift"] for note in names}
    assert below == {"Night": 0, "Morning": 0, "Noon": -daytime.ROW * row, "Evening": 0}


@given(st.dictionaries(st.integers(0, 95), st.integers(1, 20), min_size=1, max_size=8))
def test_names_in_a_row_never_meet(lengths_by_start: dict[int, int]) -> None:
    starts, lengths = zip(*sorted(lengths_by_start.items()), strict=True)
    named = {
        f"{number}".ljust(length, "x"): (start / 4, end / 4)
        for number, (start, end, length) in enumerate(zip(starts, [*starts[1:], 96], lengths, strict=True))
    }
    rows = daytime.rows_of_names(named)
    assert [*rows] == [*named]
    assert {*rows.values()} == {*range(len({*rows.values()}))}
    for one, other in combinations(named, 2):
        apart = (sum(named[other]) - sum(named[one])) / 2
        assert rows[one] != rows[other] or apart >= 0.5 * (len(one) + len(other)) / 2


def test_a_name_takes_the_first_row_that_is_free_where_it_begins() -> None:
    named = {
        "A name that is long ": (0.0, 1.0),  # until 5:30
        "b": (1.0, 2.0),
        "c": (2.0, 3.0),  # from 2:15 until 2:45
        "Not long": (3.0, 4.0),  # from 1:30 until 5:30
        "e": (4.0, 5.0),
        "ff": (5.0, 5.5),  # from 4:45, where the last one ends
        "g": (5.0, 5.5),
    }
    rows = dict(zip(named, (0, 1, 1, 2, 1, 1, 3), strict=True))
    assert daytime.rows_of_names(named) == rows


def test_panels_stand_on_one_clock_with_their_titles_above_them() -> None:
    stack = [
        Panel("Upper", 0.5, 1.0, {"range": [0, 2]}),
        Panel("Lower", 0.0, 0.4, {"rangemode": "tozero"}, shaded=False),
    ]
    figure = go.Figure([], style.layout(100, daytime.panels(PAPER, stack, gap=0.02)))
    assert panel_titles(figure) == ["Upper", "Lower"]
    assert [note.y for note in figure.layout.annotations[:2]] == pytest.approx([1.0, 0.42])
    assert axis_titles(figure) == {"xaxis": "Time of day"}
    assert figure.layout.xaxis.anchor == "y2"
    assert figure.layout.hoversubplots == "axis"
    assert (figure.layout.yaxis.domain, figure.layout.yaxis.range) == ((0.5, 1.0), (0, 2))
    assert (figure.layout.yaxis2.domain, figure.layout.yaxis2.rangemode) == ((0.0, 0.4), "tozero")
    assert {shape.yref for shape in figure.layout.shapes} == {"y domain"}


@pytest.mark.parametrize("background", ["#fbfcfd", "#0e151c"])
def test_colours_stand_out_on_both_backgrounds(background: str) -> None:
    middle = _mixed(SCALE[0][1], SCALE[1][1])
    colours = [GREY, TRUE_STATE, SCALE[0][1], SCALE[1][1], middle, *HOUSE_COLOURS]
    assert GREY not in colours[1:], "of states and houses; among rates it is only another colour"
    marks = [style.EXPECTED, style.SIMULATED, *(style.mark(name) for name in REGISTRY)]
    colours += [style.LIMIT, style.ARRIVE, style.LEAVE, *(mark.colour for mark in marks), *style.PIN_COLOURS]
    for colour in colours:
        lights = sorted([_luminance(colour), _luminance(background)])
        assert (lights[1] + 0.05) / (lights[0] + 0.05) >= 3, colour


def _channels(colour: str) -> list[float]:
    return [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]


def _mixed(one: str, other: str) -> str:
    pairs = zip(_channels(one), _channels(other), strict=True)
    return "#" + "".join(f"{round((a + b) / 2 * 255):02x}" for a, b in pairs)


def _luminance(colour: str) -> float:
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in _channels(colour)]
    return float(np.dot([0.2126, 0.7152, 0.0722], linear))
