"""Charts that can be clicked and saved, and every file that can be taken away."""

import csv
import io
from collections.abc import Callable

import pytest
import streamlit

from pages.ui import show
from rtp import PRESETS, Scenario
from rtp.scenario.describe import digest
from tests.help.app import FOLDED, glance, opened, scenario_of
from tests.help.few import few
from tests.help.outline import VIEWS, View


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
    """Or of the paper's, where the screen is about that."""
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
    assert taken.keys() == offered
    for name, make in taken.items():
        if name.endswith(".csv"):
            rows = list(csv.DictReader(io.StringIO(make())))
            assert {row["lab_scenario"] for row in rows} <= {digest(street) for street in streets}
            assert rows
        elif name == "scenario.json":
            assert Scenario.from_json(make()) in streets
