"""The Your street screen in a real browser: upload, report, learn, replay, the street, the link."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.lab import LONGEST, Lab, metrics, sees
from tests.unit.meters.files import csv, table
from tests.unit.meters.streets import known_street

HOUSES, DAYS = 40, 28
NEW = ("Explore", "Households", "Attacker")  # screens with something to draw that only such a street has


def readings(tmp_path: Path) -> Path:
    """Over a megabyte of half-hours, so that a server that writes uploads to disk would write this one."""
    street = known_street(HOUSES, DAYS, 30, 4, empty_share=(0.05, 0.2))
    path = tmp_path / "feeder.csv"
    path.write_bytes(csv(table(30, houses=HOUSES, days=DAYS).assign(kWh=street.readings.power.ravel() / 2)))
    assert path.stat().st_size > 2**20
    return path


def finish(lab: Lab, page: Page, name: str, sentence: str) -> None:
    """Start a piece of work and wait for its result."""
    page.get_by_role("button", name=name, exact=True).click()
    expect(page.get_by_text(sentence)).to_be_visible(timeout=120_000)
    expect(page.get_by_role("button", name="Stop", exact=True)).to_have_count(0, timeout=120_000)
    lab.settle(page)


def test_from_the_sample_and_a_file_to_habits(walk: Lab, tmp_path: Path) -> None:
    lab, page = walk, walk.open("/Your_street", "sample=true")
    the_sample_by_its_link(page)
    a_file_is_learned(lab, page, tmp_path)
    lab.check(page)
    lab.press(page, "Use this street")
    sees(page, lambda: page.get_by_role("button", name="Undo", exact=True).is_enabled())


@pytest.mark.long
def test_from_a_file_to_rates_and_the_whole_lab(long_walk: Lab, tmp_path: Path) -> None:
    lab, page = long_walk, long_walk.open("/Your_street")
    a_file_is_learned(lab, page, tmp_path)
    lab.press(page, "Use this street")
    lab.tab(page, "The answer")
    finish(lab, page, "Replay", "readings are missing")
    lab.take(page, "sample.csv", "replay.csv", "bills.csv", "street.html")
    for title in (*NEW, "Your street"):
        lab.go(page, title)
        expect(page).to_have_title(f"{title} · RTP Privacy Lab", timeout=1000 * LONGEST)
        lab.settle(page)
    assert "feeder" not in page.url
    expect(page.get_by_text("by the model alone").first).to_be_visible(timeout=30_000)
    expect(page.get_by_text("The most exposed moment of any house")).to_be_visible(timeout=30_000)
    lab.check(page)


def the_sample_by_its_link(page: Page) -> None:
    expect(page.get_by_text("drawn from a scenario, no real houses")).to_be_visible(timeout=30_000)
    sees(page, lambda: metrics(page)[1].startswith("28"))


def a_file_is_learned(lab: Lab, page: Page, tmp_path: Path) -> None:
    page.locator("input[type=file]").set_input_files(readings(tmp_path))
    expect(page.get_by_text("From feeder.csv")).to_be_visible(timeout=30_000)
    lab.settle(page)
    sees(page, lambda: metrics(page)[0].startswith(str(HOUSES)))

    lab.tab(page, "What is learned")
    finish(lab, page, "Learn habits", f"{HOUSES} of {HOUSES} houses show two states")
