"""The Your street screen in a real browser: upload, report, learn, replay, the street, the link."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.lab import LONGEST, Lab, button, part, sees
from tests.unit.meters.files import csv, table
from tests.unit.meters.streets import known_street

HOUSES, DAYS = 40, 28
NEW = ("Explore", "Attack", "Street")  # screens with something to draw that only such a street has


def readings(tmp_path: Path) -> Path:
    """Over a megabyte of half-hours, so that a server that writes uploads to disk would write this one."""
    street = known_street(HOUSES, DAYS, 30, 4, empty_share=(0.05, 0.2))
    path = tmp_path / "feeder.csv"
    path.write_bytes(csv(table(30, houses=HOUSES, days=DAYS).assign(kWh=street.readings.power.ravel() / 2)))
    assert path.stat().st_size > 2**20
    return path


def read(page: Page) -> list[str]:
    """How many houses and days the verdict says were read."""
    return re.findall(r"\d+", part(page, "meters:verdict").inner_text()) or ["", ""]


@pytest.mark.long
def test_from_the_sample_and_a_file_to_rates_and_the_whole_lab(long_walk: Lab, tmp_path: Path) -> None:
    lab, page = long_walk, long_walk.open("/Street", "tab=From+readings&sample=true")
    sees(page, lambda: read(page)[1], "28")
    a_file_is_learned(lab, page, tmp_path)
    lab.check(page)
    lab.press(page, "meters:use street")
    sees(page, lambda: button(page, "action:undo").is_enabled())
    lab.tab(page, "meters:tab", 2)
    lab.finish(page, "replay", "meters:rates")
    lab.take(page, "sample.csv", "replay.csv", "bills.csv", "street.html")
    for title in NEW:
        lab.go(page, title)
        expect(page).to_have_title(re.compile(title), timeout=1000 * LONGEST)
        lab.settle(page)
    assert "feeder" not in page.url
    expect(part(page, "meters:rates")).to_be_visible(timeout=1000 * LONGEST)
    lab.check(page)


def a_file_is_learned(lab: Lab, page: Page, tmp_path: Path) -> None:
    part(page, "upload:readings").locator("input[type=file]").set_input_files(readings(tmp_path))
    sees(page, lambda: read(page)[0], str(HOUSES))
    lab.settle(page)
    lab.tab(page, "meters:tab", 1)
    lab.finish(page, "learn", "meters:profile")
