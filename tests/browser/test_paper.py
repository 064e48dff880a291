"""The Paper screen in a real browser, and the menu that leads away from it and back."""

import pytest
from playwright.sync_api import Page, expect

from rtp import simulate
from rtp.paper import published
from rtp.paper.reproduction import PAPER, as_printed, rmse
from tests.browser.lab import LONGEST, Lab, button, drawn, field, metrics, part, sees

LONG = 5000  # days: more than this walk waits for
UNWATCHED = 1250  # milliseconds: a page that watches asks twice
STOP = "document.querySelector('.st-key-stop-paper button')?.click()"


@pytest.mark.long
def test_the_table_and_days_that_run_beside_the_page(long_walk: Lab) -> None:
    """How it opens, on a beamer: `test_present.py`."""
    lab, page = long_walk, long_walk.open("/Paper", "epsilon=0.3")
    lab.tab(page, "paper:tab", 2)
    lab.check(page)
    expect(page.locator(f"a[href='{published.ADDRESS}']").first).to_be_visible()
    lab.take(page, "published_and_ours.csv")
    before = len(drawn(page, "Blowfish", "distribution"))
    days_run_beside_the_page_and_elsewhere_nobody_watches_them(lab, page)
    they_are_stopped_and_kept(lab, page, before)


def the_engines_numbers(lab: Lab, page: Page) -> None:
    """Of the first run; then of another one in the other view."""
    lab.tab(page, "paper:tab", 1)
    rate = simulate(PAPER).release["blowfish"].rate
    sees(page, lambda: drawn(page, "Private rate (Blowfish)", "2c"), rate.tolist())
    lab.pick(page, "paper:view", 1)
    lab.fill(page, "paper:run", "3")
    sees(page, lambda: "run=3" in page.url and "view=" in page.url)
    day, (_, occupancy, _) = simulate(PAPER.replace(seed=3)), published.figure2()
    naive = day.release["naive"]
    distance, error = f"{rmse(day.occupancy, occupancy):.4f}", as_printed(naive.rmsre, ".3e")
    sees(page, lambda: {distance, error} <= {*metrics(page)})
    sees(page, lambda: drawn(page, "Our run", "2a"), day.occupancy.tolist())
    sees(page, lambda: drawn(page, "Published", "2a"), occupancy.tolist())
    sees(page, lambda: drawn(page, "Naive private rate", "2c"), (naive.rate - naive.optimal).tolist())


def days_run_beside_the_page_and_elsewhere_nobody_watches_them(lab: Lab, page: Page) -> None:
    """What nobody watches ends: `tests/pages/test_paper.py`. The menu takes the scenario along."""
    lab.fill(page, "paper:days", str(LONG))
    button(page, "start:paper").click()
    expect(page.get_by_test_id("stProgress")).to_be_visible(timeout=1000 * LONGEST)
    lab.go(page, "Class")
    expect(field(page, "epsilon")).to_have_value("0.3")
    asked = page.evaluate("asked")
    page.wait_for_timeout(UNWATCHED)
    assert page.evaluate("asked") == asked


def they_are_stopped_and_kept(lab: Lab, page: Page, before: int) -> None:
    page.get_by_test_id("stSidebar").get_by_role("link", name="Paper").click()
    expect(part(page, "stop:paper").or_(part(page, "start:paper")).first).to_be_visible()

    def ended() -> bool:
        page.evaluate(STOP)  # unless it has ended by itself, where the way back took long
        return button(page, "start:paper").is_enabled()

    sees(page, ended)
    lab.settle(page)
    expect(field(page, "epsilon")).to_have_value("0.3")
    expect(page.get_by_test_id("stProgress")).to_have_count(0)
    assert len(drawn(page, "Blowfish", "distribution")) > before, "more days, drawn in more bins"
