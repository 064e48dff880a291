"""Charts that can be clicked and saved, and every file that can be taken away."""

from collections.abc import Callable

import pytest
import streamlit

from pages.ui import show
from rtp import Scenario, simulate
from rtp.core.tables import to_csv
from rtp.scenario.describe import origin
from rtp.scenario.export import to_file, to_notebook, to_script
from tests.help.app import FOLDED, opened


def test_the_files_of_explore_are_of_the_scenario_in_use(monkeypatch: pytest.MonkeyPatch) -> None:
    made: dict[str, str] = {}

    def button(label: str, make: Callable[[], str], name: str, mime: str, **more: object) -> None:
        assert more["on_click"] == "ignore", "taking a file away does not run the page again"
        made[name] = make()

    monkeypatch.setattr(streamlit, "download_button", button)
    opened(epsilon="2", sections=FOLDED)
    scenario = Scenario(epsilon=2.0)
    assert "epsilon=2" in made.pop("report.html"), "the report holds the link"
    assert made == {
        "day.csv": to_csv(simulate(scenario).frame(), origin(scenario)),
        "scenario.json": to_file(scenario),
        "run_day.py": to_script(scenario, "paper"),
        "run_day.ipynb": to_notebook(scenario, "paper"),
    }


def test_no_upload_may_be_larger_than_the_server_was_told(monkeypatch: pytest.MonkeyPatch) -> None:
    most: list[object] = []
    monkeypatch.setattr(streamlit, "file_uploader", lambda *_, **more: most.append(more["max_upload_size"]))
    for server, wanted in ((100, [1, 20]), (5, [1, 5]), (1, [1, 1])):
        monkeypatch.setattr(streamlit, "get_option", {"server.maxUploadSize": server}.__getitem__)
        for size in (1_000_000, 20_000_000):
            show.upload("A file", "json", "upload", size, lambda name, content: None)
        assert most[-2:] == wanted
