"""Every link that a version of the changelog wrote opens as before: `old_links.json`."""

import json
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import pytest

from pages.ui.lab import Lab
from pages.ui.screens import MOVED, meant
from tests.help.root import ROOT

LINKS = json.loads((Path(__file__).parent / "old_links.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("link", LINKS, ids=[f"{link['version']} {link['query']}" for link in LINKS])
def test_an_old_link_shows_what_it_showed(link: dict[str, Any]) -> None:
    came_by, shows = link["screen"], link["shows"]
    address = meant(came_by, dict(parse_qsl(link["query"])))
    lab = Lab()
    lab.arrive(MOVED[came_by].screen if came_by in MOVED else came_by, address, by_history=False)
    assert meant(came_by, lab.link()) == lab.link(), "a reload shows the same"
    damaged, unknown = lab.notes()
    assert not damaged
    assert all(name in unknown for name in shows.get("ignored", []))
    assert bool(unknown) == ("ignored" in shows)
    assert lab.address_to_send(address) is None, "the address stays as it is"
    assert lab.preset == shows.get("preset", lab.preset)
    assert [pin.name for pin in lab.pins.values()] == shows.get("pins", [])
    assert (lab.tour.number if lab.tour else None) == shows.get("stop")
    for name, value in shows.get("scenario", {}).items():
        assert getattr(lab.scenario, name) == value
    for name, value in shows.get("view", {}).items():
        assert lab.chosen(name) == value


def test_every_version_of_the_changelog_has_its_links() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    versions = {line[4:].partition("]")[0] for line in changelog.splitlines() if line.startswith("## [")}
    assert {link["version"] for link in LINKS} == versions
