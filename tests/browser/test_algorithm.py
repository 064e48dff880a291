"""The Algorithm screen in a real browser: the stage by keyboard alone, on every size of screen."""

import pytest
from playwright.sync_api import Page, expect

from rtp.teaching.stage import LAST
from tests.browser.lab import BEAMER, CROWDED, Lab, sees, slider

PARTS = (
    ".st-key-stage-bar",
    ".st-key-stage-listing",
    ".st-key-states-0 .js-plotly-plot",
)


def stands(page: Page, step: int, line: int) -> None:
    """The address, the listing and its scroller."""
    active = page.locator(".st-key-stage-listing .stMarkdownBadge")
    expect(active).to_have_text(str(line))
    expect(active).to_be_in_viewport()
    expect(slider(page, "stage")).to_have_value(str(step))


def press(lab: Lab, page: Page, *keys: str) -> None:
    """Each is answered before the next: presses that arrive together count as one."""
    for key in keys:
        page.keyboard.press(key)
        lab.settle(page)


@pytest.mark.long
def test_the_stage_by_keyboard_and_another_model(long_walk: Lab) -> None:
    lab = long_walk
    page = lab.open("/Paper", "preset=unsure+curator", theme="dark")
    assert page.evaluate(CROWDED) == []
    lab.show(page, "dark", BEAMER)
    by_keyboard_alone(lab, page)
    page.get_by_test_id("stMain").evaluate("(main) => { main.scrollTop = 700; }")
    expect(page.locator(".st-key-stage-bar")).to_be_in_viewport(ratio=0.99)
    page.keyboard.press("End")
    lab.check(page)
    lab.tab(page, "algorithm:tab", 2)
    lab.tab(page, "algorithm:theta", 1)
    expect(page.locator(".st-key-states-1 .js-plotly-plot")).to_be_visible()
    lab.save(page, "step_03.csv")


def by_keyboard_alone(lab: Lab, page: Page) -> None:
    """From the whole first step to the first line of the third."""
    stands(page, 0, LAST)
    for each in PARTS:
        expect(page.locator(each)).to_be_in_viewport(ratio=0.99)
    press(lab, page, "Home", *["ArrowDown"] * 3)
    stands(page, 0, 4)
    press(lab, page, "ArrowUp", "End", "ArrowRight", "ArrowRight", "ArrowLeft")
    stands(page, 1, LAST)
    sees(page, lambda: "step=1" in page.url)
    press(lab, page, "ArrowDown")
    stands(page, 2, 1)
