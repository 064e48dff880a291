"""The Lesson in a real browser: predict, reveal, share; the links into the lab open a tab of their own."""

import pytest
from playwright.sync_api import Page, expect

from rtp.teaching.exercises import EXERCISES, WHO_IS_PROTECTED
from tests.browser.lab import Lab, sees


@pytest.mark.long
def test_a_student_predicts_and_reveals_and_the_teacher_opens_a_stop(long_walk: Lab) -> None:
    lab, page = long_walk, long_walk.open("/Lesson", query="exercise=3&seed=5")
    page.get_by_test_id("stRadio").get_by_text(WHO_IS_PROTECTED.options[1], exact=True).click()
    lab.settle(page)
    sees(page, lambda: "said=3b" in page.url)
    expect(page.get_by_test_id("stLinkButton").get_by_role("link")).to_have_attribute("target", "_blank")
    lab.press(page, "lesson:reveal")
    sees(page, lambda: "said=3B" in page.url)
    lab.tab(page, "class:tab", 1)
    lab.check(page)
    a_stop_opens(lab, page)
    sees(page, lambda: "seed=5" in page.url)


def a_stop_opens(lab: Lab, page: Page) -> None:
    with page.context.expect_page() as opened:
        page.locator("a[href*='exercise=8']").click()
    lab.settle(opened.value)
    expect(opened.value.get_by_role("heading", name=EXERCISES[7].title)).to_be_visible()
    opened.value.close()
