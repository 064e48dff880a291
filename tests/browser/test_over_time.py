"""The Over time screen in a real browser: from Explore's card to a moment, and the other tabs."""

import pytest
from playwright.sync_api import Page, expect

from rtp import PRESETS, Scenario, simulate
from rtp.core.formatting import plain
from rtp.leakage.composition import compositions
from rtp.leakage.moment import moment_leakage
from tests.browser.lab import Lab, drawn, sees
from tests.browser.test_tradeoff import click_point


def from_explores_card_to_a_moment(lab: Lab, page: Page, street: Scenario) -> None:
    page.get_by_role("link", name="What a whole day reveals").click()
    lab.settle(page)
    expect(page.get_by_role("heading", name="Over time", exact=True)).to_be_visible()
    sees(page, lambda: f"households={street.households}" in page.url)
    lab.check(page)
    a_moment_and_what_gives_it_away(lab, page, street)


@pytest.mark.long
def test_a_holiday_the_crowd_and_a_street_that_shows_it(long_walk: Lab) -> None:
    lab, page = long_walk, long_walk.open("/Over_time", "households=30")
    a_holiday_is_watched(lab, page)
    lab.check(page)
    lab.tab(page, "The crowd")
    lab.check(page)
    lab.take(page, "crowd.csv")
    a_street_that_shows_it(lab, page)


def a_moment_and_what_gives_it_away(lab: Lab, page: Page, street: Scenario) -> None:
    found = moment_leakage(simulate(street), "blowfish")
    sees(page, lambda: drawn(page, "By the whole record"), found.whole.tolist())
    sees(page, lambda: drawn(page, "By the rates so far"), found.so_far.tolist())
    click_point(lab, page, 0, "By the whole record", 50)
    sees(page, lambda: "step=50" in page.url)
    sees(page, lambda: len(drawn(page, "What each rate adds to 12:30")), street.steps)
    lab.take(page, "moments.csv")


def a_holiday_is_watched(lab: Lab, page: Page) -> None:
    lab.tab(page, "A holiday")
    lab.fill(page, "Simulated houses", "40")
    lab.choose(page, "Days", "3")
    lab.press(page, "Watch for 3 days, every rate")
    chart = page.get_by_role("figure", name="who knows what everyone else used, after 3 days")
    expect(chart).to_be_visible(timeout=60_000)
    lab.settle(page)
    sees(page, lambda: drawn(page, "Forecast", axis="x"), [1, 2, 3])
    sees(page, lambda: drawn(page, "Forecast"), [0.5] * 3)
    lab.take(page, "detection.csv")


def a_street_that_shows_it(lab: Lab, page: Page) -> None:
    lab.press(page, "A whole day: Steady houses")
    steady = PRESETS["steady houses"]
    sees(page, lambda: "preset=steady+houses" in page.url)
    sees(page, lambda: "tab=A+whole+day" in page.url)
    page.get_by_text("For experts").click()
    for way in compositions(steady, steady.epsilon * steady.steps):
        expect(page.get_by_role("row").filter(has_text=way.hides)).to_contain_text(plain(way.noise))
    lab.take(page, "ways.csv")
