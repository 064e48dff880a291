"""Charts that can be clicked, and every file that can be taken away."""

from collections.abc import Callable
from types import SimpleNamespace

import plotly.graph_objects as go
import pytest
import streamlit

from pages.ui import show
from pages.ui.show import Point
from rtp import Scenario, simulate
from rtp.attack.adversary import posterior
from rtp.core.tables import to_csv
from rtp.figures.style import Picture
from rtp.scenario.describe import origin
from rtp.scenario.export import to_file, to_notebook, to_script
from rtp.street.simulate import replay_houses
from tests.help.app import FOLDED, opened

Make = Callable[[], str]

ORIGIN = ",".join(origin(Scenario()))  # the columns that say where a table comes from


def test_a_clicked_point_is_handed_on_and_a_click_beside_it_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: dict[str, Callable[[], None]] = {}

    def draw(figure: go.Figure, key: str, on_select: Callable[[], None], **more: object) -> None:
        drawn[key] = on_select

    chosen: list[Point] = []
    monkeypatch.setattr(streamlit, "plotly_chart", draw)
    show.clickable(Picture([], {}, "words"), "chart", chosen.append)
    for points in ([], [{"x": 0.5, "customdata": [3]}, {"x": 1.0, "customdata": [4]}]):
        event = SimpleNamespace(selection=SimpleNamespace(points=points))
        monkeypatch.setattr(streamlit, "session_state", {"chart": event})
        drawn["chart"]()
    assert chosen == [{"x": 0.5, "customdata": [3]}]


class Offered(dict[str, tuple[str, str, Make]]):
    """By label: file name, type, and what makes the file."""

    def button(self, label: str, make: Make, name: str, mime: str, **more: object) -> None:
        assert more["on_click"] == "ignore", "taking a file away does not run the page again"
        self[label] = name, mime, make


@pytest.fixture
def offered(monkeypatch: pytest.MonkeyPatch) -> Offered:
    found = Offered()
    monkeypatch.setattr(streamlit, "download_button", found.button)
    return found


def test_the_day_the_scenario_the_script_the_notebook_and_the_report_are_files(offered: Offered) -> None:
    opened(epsilon="2", sections=FOLDED)
    scenario = Scenario(epsilon=2.0)
    assert {label: (name, mime) for label, (name, mime, _) in offered.items()} == {
        "Day as CSV": ("day.csv", "text/csv"),
        "Scenario as JSON": ("scenario.json", "application/json"),
        "Python script": ("run_day.py", "text/x-python"),
        "Jupyter notebook": ("run_day.ipynb", "application/x-ipynb+json"),
        "Report": ("report.html", "text/html"),
    }
    made = {label: make() for label, (_, _, make) in offered.items()}
    assert made["Day as CSV"] == to_csv(simulate(scenario).frame(), origin(scenario))
    assert made["Scenario as JSON"] == to_file(scenario)
    assert made["Python script"] == to_script(scenario, "paper")
    assert made["Jupyter notebook"] == to_notebook(scenario, "paper")
    assert "epsilon=2" in made["Report"], "the report holds the link"


def test_her_beliefs_are_a_file_with_a_row_for_every_house_and_step(offered: Offered) -> None:
    opened("Attacker", households="6")
    name, mime, make = offered["Beliefs as CSV"]
    assert (name, mime) == ("beliefs.csv", "text/csv")
    day = simulate(Scenario(households=6))
    truth = replay_houses(day.street_day.spec, day.street, range(6))[0]
    assert make() == to_csv(posterior(day, "blowfish").frame(truth), origin(day.scenario))
    assert len(make().splitlines()) == 1 + 6 * 96


def test_a_step_of_the_algorithm_and_the_papers_numbers_are_files(offered: Offered) -> None:
    opened("Algorithm", tab="Every state")
    name, _, make = offered["This step's table as CSV"]
    assert name == "step_01.csv"
    assert make().splitlines()[0] == f"state,possible,prior,Pr[r̂|state],posterior,{ORIGIN}"
    opened("Paper", tab="Numbers")
    name, _, make = offered["Table as CSV"]
    assert name == "published_and_ours.csv"
    assert make().splitlines()[0] == f"Quantity,Published,Ours,95 % of days,Verdict,Judged by,Why,{ORIGIN}"


@pytest.mark.parametrize(("server", "wanted"), [(100, (1, 20)), (5, (1, 5)), (1, (1, 1))])
def test_no_upload_may_be_larger_than_the_server_was_told(
    server: int, wanted: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streamlit, "get_option", {"server.maxUploadSize": server}.__getitem__)
    assert (show.upload_limit(1_000_000), show.upload_limit(20_000_000)) == wanted
