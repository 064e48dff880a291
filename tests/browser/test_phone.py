"""Every screen on a phone, in a real browser: nothing scrolls sideways, and ε stands above the picture."""

from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page

from pages.ui.params import EPSILON_GRID
from pages.ui.screens import SCREENS
from rtp.figures.windows import PHONE as PER_LINE
from rtp.output.decision import TABLES
from rtp.scenario import edit
from rtp.scenario.share import to_link
from rtp.scenario.validation import NAME_LENGTH
from tests.browser.lab import PHONE, WIDER_THAN_THE_WINDOW, Lab, addressed, part, sees, slider
from tests.browser.test_explore import HOURLY

WITHOUT = {"Class"}  # whose exercises have streets of their own
PICTURES = """() => [...document.querySelectorAll('.lab-chart')].filter((each) => each.checkVisibility())
    .map((each) => each.getBoundingClientRect()).map(({top, width}) => [top, width])"""
IN_A_LINE = """() => document.querySelector('.st-key-windows .js-plotly-plot')
    ._fullData.find((trace) => trace.type === 'heatmap').z[0].length"""
CUT = """() => [...document.querySelectorAll('.js-plotly-plot')].filter((each) => each.checkVisibility())
    .filter((each) => each.clientHeight < each.querySelector('.main-svg').getAttribute('height'))
    .map((each) => each.ariaLabel)"""
WHOLE = 0.8  # of the window's width that a picture takes at least


def test_every_screen_is_used_with_a_thumb(lab: Lab) -> None:
    page = lab.open(query=urlencode(to_link(HOURLY)))
    lab.show(page, "light", PHONE)
    for screen in SCREENS:
        go(lab, page, screen.title)
        assert not page.evaluate(WIDER_THAN_THE_WINDOW), screen.title
        pictures = page.evaluate(PICTURES)
        assert all(width >= WHOLE * PHONE["width"] for _, width in pictures), screen.title
        if screen.title not in WITHOUT:
            epsilon_moves_above_the_picture(page, [top for top, _ in pictures])
        if screen.title == "Attack":
            windows_keep_their_lines_and_clock_in_another_theme(lab, page)


def go(lab: Lab, page: Page, title: str) -> None:
    """By the menu, which is in its drawer."""
    page.locator(".st-key-menu a", has_text=title).evaluate("(each) => each.click()")
    lab.settle(page)


def epsilon_moves_above_the_picture(page: Page, tops: list[float]) -> None:
    box = part(page, "thumb").bounding_box()
    assert box is not None
    assert all(box["y"] + box["height"] <= top for top in tops)
    before = EPSILON_GRID.index(addressed(page).epsilon)
    slider(page, "thumb").press("ArrowLeft")
    sees(page, lambda: addressed(page).epsilon, EPSILON_GRID[before - 1])


def windows_keep_their_lines_and_clock_in_another_theme(lab: Lab, page: Page) -> None:
    """They come fewer to a line, so the chart is higher than it was sent."""
    assert page.evaluate(IN_A_LINE) == PER_LINE
    lab.show(page, "dark", PHONE)
    assert page.evaluate(CUT) == []


@pytest.mark.long
def test_a_table_wider_than_a_phone_is_reached_and_moved_by_key(lab: Lab) -> None:
    long_name = edit.set_group_field(HOURLY, 0, "name", "g" * NAME_LENGTH)
    page = lab.open("/Decide", urlencode(to_link(long_name) | {"hide": "moment"}))
    lab.show(page, "light", PHONE)
    page.wait_for_selector(f"text={next(iter(TABLES))}")
    lab.settle(page)
    assert lab.axe(page) == []
    wide = page.locator(".stTable [tabindex='0']").first
    wide.focus()
    page.keyboard.press("ArrowRight")
    sees(page, lambda: wide.evaluate("(each) => each.scrollLeft > 0"), True)
