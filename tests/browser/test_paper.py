"""The Paper screen in a real browser, and the menu that leads away from it and back."""

import pytest
from playwright.sync_api import Page, expect

from rtp.paper import published
from tests.browser.lab import LONGEST, Lab, button, field

LONG = 5000  # days: more than this walk waits for
UNWATCHED = 1250  # milliseconds: a page that watches asks twice


@pytest.mark.long
def test_the_table_and_days_that_run_beside_the_page(long_walk: Lab) -> None:
    """How it opens, on a beamer: `test_present.py`."""
    lab, page = long_walk, long_walk.open("/Paper", "epsilon=0.3")
    lab.tab(page, "paper:tab", 2)
    lab.check(page)
    expect(page.locator(f"a[href='{published.ADDRESS}']").first).to_be_visible()
    lab.take(page, "published_and_ours.csv")
    days_run_beside_the_page_and_elsewhere_nobody_watches_them(lab, page)


def days_run_beside_the_page_and_elsewhere_nobody_watches_them(lab: Lab, page: Page) -> None:
    """What nobody watches ends: `tests/pages/test_paper.py`. The menu takes the scenario along."""
    lab.fill(page, "paper:days", str(LONG))
    button(page, "start:paper").click()
    expect(page.get_by_test_id("stProgress")).to_be_visible(timeout=1000 * LONGEST)
    lab.go(page, "Explore")
    expect(field(page, "epsilon")).to_have_value("0.3")
    asked = page.evaluate("asked")
    page.wait_for_timeout(UNWATCHED)
    assert page.evaluate("asked") == asked
    lab.go(page, "Class")
    lab.check(page)
