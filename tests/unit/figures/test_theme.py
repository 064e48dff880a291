"""The look of charts: on a screen in both themes, and in large type for a class."""

import json
import tomllib

import numpy as np
import plotly.graph_objects as go
import pytest

from rtp.figures import style, theme
from rtp.figures.style import Picture, Spec
from rtp.figures.theme import LARGE_TYPE, TALLER, WIDER, large, themed
from rtp.mechanisms import REGISTRY
from scripts.serve import ROOT


@pytest.mark.parametrize("ground", ["light", "dark"])
def test_a_chart_has_its_pages_background_border_and_type(ground: str) -> None:
    configured = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text())["theme"]
    paper, edge = theme.BACKGROUND, theme.BORDER
    if ground == "dark":
        paper, edge = theme.DARK[paper], theme.DARK[edge]
    assert (paper, edge) == (configured[ground]["backgroundColor"], configured[ground]["borderColor"])
    assert 0.75 * configured["baseFontSize"] == theme.SMALL
    assert 0.875 * configured["baseFontSize"] == theme.TITLE_SIZE


def test_no_curve_has_a_colour_that_the_dark_theme_replaces() -> None:
    marks = {style.mark(name).colour for name in REGISTRY}
    named = {style.GREY, style.LIMIT, style.WHITE, style.ARRIVE, style.LEAVE}
    assert not theme.DARK.keys() & {*marks, *named, *style.MODEL_COLOURS, *style.PIN_COLOURS}


def test_every_axis_is_themed_and_its_own_words_stand() -> None:
    own = {"yaxis3": {"showgrid": False, "title": {"text": "Up"}}, "xaxis2": {"tickfont": {"size": 20}}}
    whole = themed(own)
    assert whole["yaxis3"]["title"] == {
        "text": "Up",
        "font": {"color": theme.INK, "size": theme.TITLE_SIZE},
    } | {"standoff": 22.5}
    assert (whole["yaxis3"]["showgrid"], whole["yaxis3"]["gridcolor"]) == (False, theme.GRID_LINE)
    assert whole["xaxis2"]["tickfont"] == {"size": 20, "color": theme.INK}
    assert whole["xaxis"]["showgrid"] is False
    assert "ticks" not in whole["yaxis"], "marks at the labels would be drawn if they had a colour"
    go.Figure(layout=whole)


SMALL_AXIS = {"tickfont": {"size": 10}, "title": {"text": "Rate", "font": {"size": 9}}}
LABELS = {"type": "scatter", "x": [1], "y": [2], "textfont": {"size": 11, "color": "#123456"}}


def _large(traces: list[Spec], layout: Spec) -> Spec:
    return large(Picture(traces, style.layout(400, layout), "").spec)


def test_small_type_is_raised_and_large_type_stays() -> None:
    layout = {
        "xaxis": {"range": [0, 1]},
        "yaxis2": SMALL_AXIS,
        "annotations": [{"text": "a", "font": {"size": 11}}, {"text": "b", "font": {"size": 24}}],
    }
    whole = _large([LABELS], layout)
    assert whole["data"][0]["textfont"] == {"size": LARGE_TYPE, "color": "#123456"}
    assert [note["font"]["size"] for note in whole["layout"]["annotations"]] == [LARGE_TYPE, 24]
    assert whole["layout"]["xaxis"]["range"] == [0, 1]
    assert whole["layout"]["yaxis2"]["title"] == {"text": "Rate", "font": {"size": LARGE_TYPE}}
    for axis in ("xaxis", "yaxis", "yaxis2"):
        assert whole["layout"][axis]["tickfont"]["size"] == LARGE_TYPE
    assert whole["layout"]["height"] == 400 * TALLER


@pytest.mark.parametrize(("given", "found"), [(-0.25, 1.0), (0.0, 0.0), (0.5, 0.5), (1.06, 1.06)])
def test_a_legend_beneath_a_chart_goes_above_it(given: float, found: float) -> None:
    legend = {"y": given, "yanchor": "top", "x": 0.5}
    whole = _large([], {"legend": legend})
    assert (whole["layout"]["legend"]["y"], whole["layout"]["legend"]["x"]) == (found, 0.5)


def test_a_marker_grows_with_the_words_inside_it() -> None:
    words = {"mode": "lines+markers+text", "textfont": {"size": 12}}
    one = words | {"marker": {"size": 20}}
    many = words | {"marker": {"size": np.array([20.0, 30.0])}, "textposition": "middle center"}
    beside = one | {"textposition": "bottom center"}
    data = _large([one, many, beside], {})["data"]
    assert data[0]["marker"]["size"] == 30
    assert data[1]["marker"]["sizeref"] == pytest.approx(12 / LARGE_TYPE)
    assert data[2]["marker"] == {"size": 20}


def test_the_picture_itself_is_not_changed() -> None:
    layout = style.layout(400, {"xaxis": {"tickfont": {"size": 10}}, "legend": {"y": -1}})
    picture = Picture([LABELS], layout, "")
    before = json.dumps(picture.spec)
    large(picture.spec)
    assert json.dumps(picture.spec) == before


def test_margins_grow_with_the_type_beside_the_curves() -> None:
    """Or a chart makes room for it by drawing itself again, and cuts its curves at the old edge."""
    whole = _large([], {"margin": {"l": 66, "r": 8, "t": 48, "b": 60}})
    assert whole["layout"]["margin"] == {"l": 66 * WIDER, "r": 8, "t": 48 * WIDER, "b": 60 * WIDER}
    assert WIDER * 48 >= 2 * LARGE_TYPE, "a line of the legend, and room beneath"
