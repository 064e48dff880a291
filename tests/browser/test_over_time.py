"""The tab Over time in a real browser: from Explore's card to a moment, and the other tabs."""

import pytest
from playwright.sync_api import Page, expect

from pages.ui.attack.over_time import DAY
from tests.browser.lab import LONGEST, Lab, button, drawn, part, sees


@pytest.mark.long
def test_a_holiday_the_crowd_and_a_street_that_shows_it(long_walk: Lab) -> None:
    lab, page = long_walk, long_walk.open("/Over_time", "households=30")
    a_holiday_is_watched(lab, page)
    lab.check(page)
    lab.tab(page, "overtime:tab", 2)
    lab.check(page)
    lab.take(page, "crowd.csv")
    a_street_that_shows_it(lab, page)


def a_holiday_is_watched(lab: Lab, page: Page) -> None:
    lab.tab(page, "overtime:tab", 1)
    lab.fill(page, "overtime:lives", "40")
    lab.choose(page, "overtime:days", "3")
    button(page, "start:stretch").click()
    sees(page, lambda: drawn(page, "Forecast", "overtime-detection", "x"), [1, 2, 3])
    expect(part(page, "stop:stretch")).to_have_count(0, timeout=1000 * LONGEST)
    lab.settle(page)
    sees(page, lambda: drawn(page, "Forecast", "overtime-detection"), [0.5] * 3)
    lab.take(page, "detection.csv")


def a_street_that_shows_it(lab: Lab, page: Page) -> None:
    lab.tab(page, "overtime:tab", 3)
    lab.press(page, f"overtime:example:{DAY}")
    sees(page, lambda: "preset=steady+houses" in page.url)
    expect(part(page, "overtime:tab").get_by_role("tab").nth(3)).to_have_attribute("aria-selected", "true")
    lab.take(page, "ways.csv")
