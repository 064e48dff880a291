"""Pictures go to the browser without plotly's checks: here they are checked, on every screen and tab."""

import json
from base64 import b64decode

import numpy as np
import plotly.graph_objects as go
import pytest
from numpy.typing import NDArray
from streamlit.testing.v1 import AppTest

from rtp.figures.picture import Picture
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


@pytest.mark.parametrize("values", [np.array([0.1, -2.5, 1 / 3]), np.array([3, -1])])
def test_a_row_of_numbers_arrives_as_a_list(values: NDArray[np.generic]) -> None:
    """Only of lists does plotly believe that they are still the same, and draws them once."""
    sent = Picture([{"type": "scatter", "y": values}], {}, "").plain["data"][0]["y"]
    assert json.loads(json.dumps(sent)) == values.tolist()


@pytest.mark.parametrize("values", [np.array([0.1, -2.5, np.inf]), np.arange(6).reshape(2, 3) - 4])
def test_tables_and_what_json_cannot_say_arrive_as_bytes(values: NDArray[np.generic]) -> None:
    packed = Picture([{"type": "heatmap", "z": values}], {}, "").plain["data"][0]["z"]
    shape = [int(n) for n in packed.get("shape", str(len(values))).split(",")]
    read = np.frombuffer(b64decode(packed["bdata"]), packed["dtype"]).reshape(shape)
    np.testing.assert_array_equal(read, values)
    assert packed["dtype"] in ("f8", "i4")


def test_times_and_words_arrive_as_text() -> None:
    clock = np.array(["2001-01-01T07:15"], "datetime64[m]")
    parts = {"x": clock, "text": np.array(["a"]), "visible": np.array([True]), "y": np.array([])}
    plain = Picture([parts], {"width": np.float64(2)}, "").plain
    assert plain["data"] == [{"x": ["2001-01-01T07:15"], "text": ["a"], "visible": [True], "y": []}]
    assert json.dumps(plain["layout"]) == '{"width": 2.0}'
