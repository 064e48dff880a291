"""What holds on every screen and tab: its words are those that are kept, no number is a power of ten, and
plotly finds nothing wrong in its pictures, which go to the browser without plotly's own checks."""

import json
import re

import numpy as np
import plotly.graph_objects as go
import plotly.io
import pytest
from streamlit.testing.v1 import AppTest

from pages.ui.show import prepared
from rtp import PRESETS, Day, simulate
from rtp.figures.style import Picture
from rtp.figures.theme import large
from tests.help.app import beneath, figures, glance, opened, shown
from tests.help.outline import KEPT, RENEW, SCREENS, outline
from tests.help.reading import readable

POWER = re.compile(r"\d(?:\.\d+)?e[-+−\u2011]?\d")  # 1.457e-03, however its minus is written
POWER_FORMAT = re.compile(r"(?<!i)[.\d~]e\b|^(?:e|E|power)$")  # of d3 and of plotly's axes
WITHOUT_PICTURES = (
    "households, houses",
    "paper, theorems",
    "tradeoff, map",
    "lesson",
    "lesson, teacher",
    "play",
)
LARGE = ("explore", "algorithm", "tradeoff")


@pytest.fixture(scope="module", params=SCREENS)
def name(request: pytest.FixtureRequest) -> str:
    """Of a screen: the tests that look at one follow one another."""
    return str(request.param)


@pytest.fixture(scope="module")
def app(name: str) -> AppTest:
    return glance(*SCREENS[name])


def test_a_screen_says_what_it_is_known_to_say(name: str, app: AppTest) -> None:
    kept = (KEPT / f"{name}.txt").read_text(encoding="utf-8")
    assert outline(app.main) == kept.splitlines(), RENEW


def test_no_screen_writes_powers_of_ten(name: str, app: AppTest) -> None:
    """But Paper, for the RMSRE that was printed so."""
    assert [
        line for line in powers(readable(app)) if not name.startswith("paper") or "RMSRE" not in line
    ] == []


def test_plotly_finds_nothing_wrong_and_nothing_to_add(name: str, app: AppTest) -> None:
    sent = figures(app)
    assert bool(sent) != (name in WITHOUT_PICTURES)
    for spec in sent:
        read = json.loads(go.Figure(spec).to_json())
        del read["layout"]["template"]  # plotly's own, because none is sent
        assert read == spec
        if name in LARGE:
            go.Figure(large(spec))


@pytest.mark.parametrize(
    ("page", "tab", "extreme"),
    [
        ("Explore", "", {"alpha": "0.000001"}),
        ("Explore", "", {"epsilon": "0.0001", "alpha": "1000", "beta": "0"}),
        ("Trade-off", "What if the model is wrong?", {"alpha": "0.000001"}),
    ],
)
def test_not_even_where_errors_are_tiny_or_huge(page: str, tab: str, extreme: dict[str, str]) -> None:
    assert powers(readable(opened(page, tab=tab, households="10", **extreme))) == []


def test_the_paper_page_writes_them_only_for_rmsre_and_says_the_percentage_second() -> None:
    app = glance("Paper")
    assert powers(readable(app))
    day = simulate(PRESETS["paper"].replace(independent_noise=True))
    for name in ("naive", "blowfish"):
        assert POWER.search(shown(app)[f"{name.capitalize()} RMSRE"])
        assert beneath(app)[f"{name.capitalize()} RMSRE"] == f"error {error_of(day, name)}"


def powers(lines: list[str]) -> list[str]:
    return [line for line in lines if POWER.search(line) or any(map(POWER_FORMAT.search, line.split(" | ")))]


def test_powers_of_ten_are_found_where_they_are_planted() -> None:
    planted = ["Naive 1.457e-03", "9.6e\u20114", "2e+06 kWh", "%{y:.3e}", "power", ".2e"]
    assert powers(planted) == planted
    assert (
        powers(
            ["1.43 %", "the price", "e^(εT)", "%{y:,.3~r} %", "house 3 else 5", "the rates, i.e. the price"]
        )
        == []
    )


def error_of(day: Day, name: str) -> str:
    """The root of the mean squared relative error, in three digits."""
    release = day.release[name]
    return f"{100 * np.sqrt(np.mean((release.rate / release.optimal - 1) ** 2)):.3g} %"


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
        {"type": "heatmap", "x": ["2001-01-01T07:15:00"], "y": [3, -1], "z": [[0.1, None], [1 / 3, 2.0]]}
    ]
    assert sent["layout"]["width"] == 2.0
