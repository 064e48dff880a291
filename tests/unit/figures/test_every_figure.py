"""What holds of every figure on every street: it shows what it was given, once, in the lab's own colours."""

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

from rtp.figures import (
    algorithm,
    attack,
    bend,
    daytime,
    decision,
    households,
    leakage,
    meters,
    story,
    style,
    windows,
)
from rtp.figures.day import rates_figure
from rtp.figures.style import Picture
from rtp.figures.theme import BACKGROUND, DARK, INK, LARGE_TYPE, SMALL, large, themed
from rtp.mechanisms import REGISTRY
from tests.help.colours import contrast
from tests.help.few import few
from tests.help.streets import STREETS
from tests.unit.figures.cases import OTHERS, PIN, Case, Given, day_of, of_a_day, of_meters, of_the_paper

HEX = re.compile(r"#[0-9a-fA-F]{6}")
ROOMS = (algorithm, attack, bend, daytime, decision, households, leakage, meters, story, style, windows)


def check(picture: Picture, given: Given) -> None:
    shows_what_it_was_given(picture, given)
    draws_nothing_twice(picture)
    names_what_it_draws_once(picture)
    is_accepted_by_plotly(picture)
    is_read_from_the_back_row(picture)
    is_read_on_a_screen(picture)
    is_seen_in_both_themes(picture)
    assert colours(picture.spec) <= PALETTE
    assert picture.words.endswith(".")
    assert "nan" not in picture.words.lower().split()


def shows_what_it_was_given(picture: Picture, given: Given) -> None:
    for (name, axis), y in given.items():
        (drawn,) = [t for t in picture.traces if (t.get("name"), t.get("yaxis", "y")) == (name, axis)]
        np.testing.assert_allclose(drawn["y"], style.finite(np.asarray(y, dtype=float)), rtol=1e-9)


def draws_nothing_twice(picture: Picture) -> None:
    """But of a pinned day, whose curves all have the colour of their pin."""
    parts = ("type", "x", "y", "z", "yaxis", "line", "marker", "fillcolor")
    own = [trace for trace in picture.traces if not str(trace.get("legendgroup")).startswith("pin ")]
    seen = [json.dumps([t.get(part) for part in parts]) for t in json.loads(go.Figure(own).to_json())["data"]]
    assert len(set(seen)) == len(seen)


def names_what_it_draws_once(picture: Picture) -> None:
    named = [t["name"] for t in picture.traces if t.get("name") and t.get("showlegend", True)]
    assert len(set(named)) == len(named)
    assert all(t["colorbar"]["title"]["text"] for t in picture.traces if "colorbar" in t)


def is_accepted_by_plotly(picture: Picture) -> None:
    go.Figure(picture.traces, themed(picture.layout))
    assert all(len(t["x"]) == len(t["y"]) for t in picture.traces if t["type"] == "scatter")


def is_read_from_the_back_row(picture: Picture) -> None:
    before = repr(picture.layout)
    whole = large(picture.spec | {"layout": themed(picture.layout)})
    go.Figure(whole["data"], whole["layout"])
    assert min(font["size"] for font in fonts(whole)) >= LARGE_TYPE
    assert repr(picture.layout) == before


def is_read_on_a_screen(picture: Picture) -> None:
    """Type of at least 12 pixels, in ink of at least 4.5 : 1 on either ground, or white on a marker."""
    for font in fonts({"data": picture.traces, "layout": themed(picture.layout)}):
        assert font.get("size", SMALL) >= 12
        ink = font.get("color", INK)
        if ink != style.WHITE:
            assert contrast(ink, BACKGROUND) >= 4.5
            assert contrast(DARK.get(ink, ink), DARK[BACKGROUND]) >= 4.5


def is_seen_in_both_themes(picture: Picture) -> None:
    """Lines of a legend and the whiskers of bars, which stand on the page's ground, are not of its colour;
    whiskers of points are in their point's colour."""
    legend = picture.traces if picture.layout.get("showlegend", True) else []
    inks = [t["line"]["color"] for t in legend if "lines" in t.get("mode", "") and _is_listed(t)]
    for trace in picture.traces:
        whiskers = [trace[name] for name in ("error_x", "error_y") if name in trace]
        inks += [each["color"] for each in whiskers if trace["type"] == "bar"]
    for ink in set(inks):
        assert contrast(ink, BACKGROUND) >= 2
        assert contrast(DARK.get(ink, ink), DARK[BACKGROUND]) >= 2


def _is_listed(trace: Mapping[str, Any]) -> bool:
    return bool(trace.get("name") and trace.get("showlegend", True) and "fill" not in trace)


def fonts(part: object) -> list[dict[str, Any]]:
    if isinstance(part, list):
        return [font for each in part for font in fonts(each)]
    if not isinstance(part, dict):
        return []
    return [value for key, value in part.items() if key.endswith("font")] + fonts([*part.values()])


def colours(part: object) -> set[str]:
    """Every colour that is named anywhere in a figure, without its opacity."""
    if isinstance(part, str):
        mixed = re.findall(r"rgba\((\d+), (\d+), (\d+)", part)
        return {f"#{int(r):02x}{int(g):02x}{int(b):02x}" for r, g, b in mixed} | set(HEX.findall(part))
    if isinstance(part, dict):
        return set().union(*(colours(each) for each in part.values()))
    return set().union(*(colours(each) for each in part)) if isinstance(part, list | tuple) else set()


def _palette() -> set[str]:
    """What the modules of figures name as constants, and the mechanisms' own."""
    found = {mechanism.colour for mechanism in REGISTRY.values()}
    for room in ROOMS:
        found |= colours([value for name, value in vars(room).items() if name.strip("_").isupper()])
    return found


PALETTE = _palette()


def check_all(cases: Mapping[str, Case]) -> None:
    for name, case in cases.items():
        try:
            check(*case)
        except AssertionError as error:
            raise AssertionError(name) from error


@pytest.mark.parametrize("street", few(STREETS, "paper", "listed"))
def test_every_figure_of_a_day_shows_its_street(street: str) -> None:
    check_all(of_a_day(day_of(street)))


@pytest.mark.slow
@pytest.mark.parametrize("name", OTHERS)
def test_every_figure_of_a_computation_shows_its_numbers(name: str) -> None:
    check_all({name: OTHERS[name]()})


def test_every_figure_of_the_paper_shows_its_numbers() -> None:
    check_all(of_the_paper())


@pytest.mark.slow
def test_every_figure_of_meters_shows_its_readings() -> None:
    check_all(of_meters())


def test_names_of_pins_lie_above_the_title_of_the_rates() -> None:
    day = day_of("tiny street")
    pinned = rates_figure(day, ["naive"], {PIN: day}).layout
    title = pinned["annotations"][0]["font"]["size"]
    assert title < (pinned["legend"]["y"] - 1) * _inner(pinned) < pinned["margin"]["t"] - SMALL


def _inner(layout: dict[str, Any]) -> float:
    """Pixels between the lowest and the highest of its axes."""
    return float(layout["height"] - layout["margin"]["t"] - layout["margin"]["b"])


def test_a_planted_fault_is_found() -> None:
    picture, given = of_a_day(day_of("tiny street"))["occupancy"]
    first, *rest = sorted(picture.traces, key=lambda trace: trace["name"] != "Expected")
    faults = [
        [first | {"y": np.asarray(first["y"]) + 0.01}, *rest],
        [first, *picture.traces],
        [first | {"line": first["line"] | {"color": "#abcdef"}}, *rest],
        [first | {"width": "broad"}, *rest],
    ]
    for traces in faults:
        with pytest.raises((AssertionError, ValueError)):
            check(replace(picture, traces=traces), given)
