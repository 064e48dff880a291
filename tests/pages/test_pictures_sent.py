"""Pictures go to the browser without plotly's checks: here they are checked, on every screen and tab."""

import json

import numpy as np
import plotly.graph_objects as go
import plotly.io
import pytest
from streamlit.testing.v1 import AppTest

from pages.ui.show import prepared
from rtp.figures.style import Picture
from rtp.figures.theme import large
from tests.help.app import figures
from tests.help.outline import SCREENS

WITHOUT = {name for name in SCREENS if "map" in name or "lesson" in name} | {
    "households, houses",  # tables
}


@pytest.mark.parametrize("name", SCREENS)
def test_plotly_finds_nothing_wrong_and_nothing_to_add_in_what_a_screen_is_sent(
    name: str, glanced: AppTest
) -> None:
    sent = figures(glanced)
    assert sent or name in WITHOUT
    for spec in sent:
        read = json.loads(go.Figure(spec).to_json())
        del read["layout"]["template"]  # plotly's own, because none is sent
        assert read == spec


@pytest.mark.parametrize("name", ["explore", "algorithm", "tradeoff"])
def test_plotly_finds_nothing_wrong_in_a_large_chart(name: str, glanced: AppTest) -> None:
    assert figures(glanced), name
    for spec in figures(glanced):
        go.Figure(large(spec))


def test_numbers_arrive_as_lists_times_as_text_and_gaps_as_null() -> None:
    """Only of lists does plotly believe that they are still the same, and draws them once."""
    clock = np.array(["2001-01-01T07:15"], "datetime64[m]")
    parts = {
        "type": "heatmap",
        "x": clock,
        "y": np.array([3, -1]),
        "z": np.array([[0.1, np.nan], [1 / 3, 2.0]]),
    }
    sent = json.loads(plotly.io.to_json(prepared(Picture([parts], {"width": np.float64(2)}, ""))))
    assert sent["data"] == [
        {"type": "heatmap", "x": ["2001-01-01T07:15"], "y": [3, -1], "z": [[0.1, None], [1 / 3, 2.0]]}
    ]
    assert sent["layout"]["width"] == 2.0
