"""Charts for the back row: every kind of type is large, and nothing else is another."""

import json

import plotly.graph_objects as go
import pytest

from rtp.figures.large import TALLER, TYPE, large
from rtp.figures.picture import Picture
from tests.help.app import figures, glance
from tests.help.outline import SCREENS

SMALL = {"tickfont": {"size": 10}, "title": {"text": "Rate", "font": {"size": 9}}}
LABELS = {"type": "scatter", "x": [1], "y": [2], "textfont": {"size": [11, 30], "color": "#123456"}}


def test_small_type_is_raised_and_large_type_stays() -> None:
    layout = {
        "height": 400,
        "xaxis": {"range": [0, 1]},
        "yaxis2": SMALL,
        "annotations": [{"text": "a", "font": {"size": 11}}, {"text": "b", "font": {"size": 24}}],
    }
    whole = large(Picture([LABELS], layout, "").plain)
    assert whole["data"][0]["textfont"] == {"size": [TYPE, 30], "color": "#123456"}
    assert [note["font"]["size"] for note in whole["layout"]["annotations"]] == [TYPE, 24]
    assert whole["layout"]["xaxis"]["range"] == [0, 1]
    assert whole["layout"]["yaxis2"]["title"] == {"text": "Rate", "font": {"size": TYPE}}
    for axis in ("xaxis", "yaxis", "yaxis2"):
        assert whole["layout"][axis]["tickfont"]["size"] == TYPE
    assert whole["layout"]["height"] == 400 * TALLER


def test_the_picture_itself_is_not_changed() -> None:
    picture = Picture([LABELS], {"xaxis": {"tickfont": {"size": 10}}}, "")
    before = json.dumps(picture.plain)
    large(picture.plain)
    assert json.dumps(picture.plain) == before


@pytest.mark.parametrize("name", ["explore", "algorithm", "tradeoff"])
def test_plotly_finds_nothing_wrong_in_a_large_chart(name: str) -> None:
    for spec in figures(glance(*SCREENS[name])):
        go.Figure(large(spec))
