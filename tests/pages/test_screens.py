"""What holds on every screen and tab: its words are those that are kept, no number is a power of ten, and
plotly finds nothing wrong in its pictures, which go to the browser without plotly's own checks."""

import csv
import io
import json
import re
from collections.abc import Callable

import plotly.graph_objects as go
import pytest
import streamlit
from streamlit.testing.v1 import AppTest

from pages.ui import show
from rtp import PRESETS, Scenario
from rtp.figures.theme import large
from rtp.scenario.describe import digest
from tests.help.app import FOLDED, figures, glance, known_answer, opened, scenario_of
from tests.help.few import few
from tests.help.outline import KEPT, SCREENS, VIEWS, View, outline_of
from tests.help.reading import readable
from tests.help.record import RENEW

POWER = re.compile(r"\d(?:\.\d+)?e[-+−\u2011]?\d")  # 1.457e-03, however its minus is written
POWER_FORMAT = re.compile(r"(?<!i)[.\d~]e\b|^(?:e|E|power)$")  # of d3 and of plotly's axes
LARGE = ("Explore", "Paper", "Decide")


@pytest.fixture(scope="module", params=VIEWS, ids=lambda view: f"{view.page} {view.tab}")
def view(request: pytest.FixtureRequest) -> View:
    """A tab of a screen: the tests that look at one follow one another."""
    shown: View = request.param
    return shown


@pytest.fixture(scope="module")
def app(view: View) -> AppTest:
    return glance(*view)


@pytest.mark.parametrize("name", SCREENS)
def test_words_of_a_screen_are_those_that_were_recorded(name: str) -> None:
    kept = (KEPT / f"{name}.txt").read_text(encoding="utf-8")
    assert outline_of(name).splitlines() == kept.splitlines(), RENEW


def test_no_screen_writes_powers_of_ten(view: View, app: AppTest) -> None:
    """But Paper, whose RMSRE was printed so."""
    assert view.page == "Paper" or powers(readable(app)) == []


def test_plotly_finds_nothing_wrong_and_nothing_to_add(view: View, app: AppTest) -> None:
    for spec in figures(app):
        spec.pop("frames", None)  # parts of data, which plotly would take for whole ones
        read = json.loads(go.Figure(spec).to_json())
        del read["layout"]["template"]  # its own, which no screen is sent
        assert read == spec
        if view.page in LARGE:
            go.Figure(large(spec))


@pytest.mark.parametrize(
    "extreme", [{"alpha": "0.000001"}, {"epsilon": "0.0001", "alpha": "1000", "beta": "0"}]
)
def test_not_even_where_errors_are_tiny_or_huge(extreme: dict[str, str]) -> None:
    assert powers(readable(opened("Explore", households="10", **extreme))) == []


def powers(lines: list[str]) -> list[str]:
    return [line for line in lines if POWER.search(line) or any(map(POWER_FORMAT.search, line.split(" | ")))]


# Charts that can be clicked and saved, and every file that can be taken away


def test_no_upload_may_be_larger_than_the_server_was_told(monkeypatch: pytest.MonkeyPatch) -> None:
    most: list[object] = []
    monkeypatch.setattr(streamlit, "file_uploader", lambda *_, **more: most.append(more["max_upload_size"]))
    for server, wanted in ((100, [1, 20]), (5, [1, 5]), (1, [1, 1])):
        monkeypatch.setattr(streamlit, "get_option", {"server.maxUploadSize": server}.__getitem__)
        for size in (1_000_000, 20_000_000):
            show.upload("A file", "json", "upload", size, lambda name, content: None)
        assert most[-2:] == wanted


@pytest.mark.slow
@pytest.mark.parametrize(
    "view", few(VIEWS, View("Explore"), *(view for view in VIEWS if view.page == "Attack"))
)
def test_every_file_that_is_offered_opens_and_is_of_the_street_on_screen(
    view: View, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Or of the paper's, or the answer's, where the screen is about that."""
    offered = {str(file.key).partition(":")[2] for file in glance(*view).get("download_button")}
    taken: dict[str, Callable[[], str]] = {}
    monkeypatch.setattr(
        streamlit, "download_button", lambda _, make, name, *__, **___: taken.update({name: make})
    )
    link = {"preset": view.preset, "households": view.households, **dict(view.more)}
    app = opened(
        view.page, tab=view.tab, sections=FOLDED, **{name: text for name, text in link.items() if text}
    )
    streets = [scenario_of(app), PRESETS["paper"]][: 1 + (view.page == "Paper")]
    if view.page == "Decide":  # at the interval and ε of the answer
        streets.append(known_answer().stated_for(streets[0]).stated)
    assert taken.keys() == offered
    for name, make in taken.items():
        if name.endswith(".csv"):
            rows = list(csv.DictReader(io.StringIO(make())))
            assert {row["lab_scenario"] for row in rows} <= {digest(street) for street in streets}
            assert rows
        elif name == "scenario.json":
            assert Scenario.from_json(make()) in streets
