"""The first screen and the guided tour in a real browser: its stops, one after the other."""

import re
from urllib.parse import parse_qs, urlparse

from playwright.sync_api import Page, ViewportSize, expect

from rtp.story.tour import STOPS
from tests.browser.lab import DESKTOP, Lab, sees

BEAMER: ViewportSize = {"width": 1024, "height": 768}
BOTTOM = "(box) => box.getBoundingClientRect().bottom"


def test_the_first_screen_tells_the_story_without_a_scroll(lab: Lab) -> None:
    page = lab.open()
    lab.show(page, "light", BEAMER)
    for seen in (
        page.get_by_text("Is house 1 occupied?"),
        page.get_by_text("Unprotected, she is right"),
        page.get_by_role("button", name="Tell me the story"),
        page.locator(".st-key-threat .js-plotly-plot"),
        page.get_by_role("img", name="of 100 dots"),
        page.get_by_text("would make an observer believe house 1"),
    ):
        expect(seen.first).to_be_visible()
        assert seen.first.evaluate(BOTTOM) <= BEAMER["height"]
    lab.check(page)
    page.locator(".st-key-threat .nsewdrag").first.click(position={"x": 80, "y": 30})
    lab.settle(page)
    sees(page, lambda: "at=" in page.url)  # a click chooses the moment
    lab.travel(page, "back")
    words = page.get_by_text("would make an observer believe house 1").inner_text()
    lab.fill(page, "ε, typed", "3")
    expect(page.get_by_text("would make an observer believe house 1")).not_to_have_text(words)
    lab.press(page, "Tell me the story")
    there_and_back(lab, page)


def there_and_back(lab: Lab, page: Page) -> None:
    """Next, the browser's own Back, and the end, with what the visitor had."""
    page.get_by_role("link", name="Next").click()
    lab.settle(page)
    at(page, 2)
    lab.travel(page, "back")
    at(page, 1)
    lab.press(page, "End the story")
    expect(page.get_by_label("ε, typed", exact=True)).to_have_value("3")
    sees(page, lambda: parse_qs(urlparse(page.url).query), {"epsilon": ["3.0"]})


def test_from_a_link_to_the_end_on_a_server_that_nobody_has_visited(fresh_lab: Lab) -> None:
    page = fresh_lab.open(query="story=3&epsilon=0.3")
    for number in range(3, len(STOPS) + 1):
        at(page, number)
        expect(page).to_have_url(re.compile(rf"\?epsilon=0.3&story={number}$"))
        if number < len(STOPS):
            page.get_by_role("link", name="Next").click()
            fresh_lab.settle(page)
    fresh_lab.show(page, "dark", DESKTOP)
    fresh_lab.check(page)
    fresh_lab.press(page, "The end: back to my own scenario")
    expect(page.get_by_label("ε, typed", exact=True)).to_have_value("0.3")


def at(page: Page, number: int) -> None:
    stop = STOPS[number - 1]
    expect(page.get_by_role("heading", name=stop.screen, exact=True)).to_be_visible()
    expect(page.get_by_text(f"{number} of {len(STOPS)} · {stop.title}")).to_be_visible()
