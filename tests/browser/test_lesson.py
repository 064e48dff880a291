"""The Lesson in a real browser: predict, try it in a tab of its own, reveal; the teacher's links."""

from playwright.sync_api import Page, expect

from rtp.lesson import EXERCISES
from rtp.lesson.secrets import NIGHT
from tests.browser.lab import DESKTOP, PHONE, Lab, sees


def test_a_student_predicts_tries_and_reveals_and_the_teacher_opens_a_stop(lab: Lab) -> None:
    page = lab.open("/Lesson", query="exercise=3&seed=5")
    page.get_by_test_id("stRadio").get_by_text("Some", exact=True).click()
    lab.settle(page)
    sees(page, lambda: "said=3b" in page.url)
    it_is_tried_in_a_tab_of_its_own(lab, page)
    lab.press(page, "Reveal the answer")
    expect(page.get_by_text(NIGHT.answer(NIGHT.scenario, None).words)).to_be_visible()
    expect(page.get_by_text("You predicted: Some.")).to_be_visible()
    sees(page, lambda: "said=3B" in page.url)
    lab.show(page, "dark", PHONE)
    lab.check(page)
    lab.tab(page, "For the teacher")
    lab.check(page)
    lab.show(page, "light", DESKTOP)
    a_stop_opens(lab, page)
    sees(page, lambda: "seed=5" in page.url)


def it_is_tried_in_a_tab_of_its_own(lab: Lab, page: Page) -> None:
    with page.context.expect_page() as opened:
        page.get_by_role("link", name=f"Try it: {NIGHT.screen}").click()
    lab.settle(opened.value)
    expect(opened.value.get_by_role("heading", name=NIGHT.screen, exact=True)).to_be_visible()
    sees(opened.value, lambda: "preset=quiet+night" in opened.value.url)
    opened.value.close()


def a_stop_opens(lab: Lab, page: Page) -> None:
    with page.context.expect_page() as opened:
        page.get_by_role("link", name="Open: Exercise 8").click()
    lab.settle(opened.value)
    expect(opened.value.get_by_role("heading", name=f"8. {EXERCISES[7].title}")).to_be_visible()
    opened.value.close()
