"""The Street screen in a real browser: its address, the habits of a group, the way back; quick hands, the
frame."""

from urllib.parse import urlencode

from playwright.sync_api import Page, expect

from rtp import Scenario, simulate
from rtp.scenario import edit
from rtp.scenario.share import to_link
from tests.browser.frame import the_frame_holds_still_and_can_be_reached
from tests.browser.lab import BEAMER, DESKTOP, Lab, addressed, drawn, part, sees
from tests.browser.test_quick_hands import SLOW, hands

PICTURE = "habits-and-rates"
TWO_GROUPS = edit.add_group(Scenario(households=40), 0)


def test_the_street_from_its_address_to_the_habits_of_a_group(lab: Lab) -> None:
    """Then quick hands on it, and what frames it."""
    page = lab.open("/Street", urlencode(to_link(TWO_GROUPS) | {"group": "1"}))
    the_picture_follows(page, 1)
    a_click_on_the_question_mark_of_a_toggle_leaves_it(lab, page)
    habits_of_a_group(lab, page)
    lab.press_in_menu(page, "action:reset")
    lab.tab(page, "street:tab", 0)
    the_picture_follows(page, 0)
    lab.tab(page, "street:tab", 1)
    expect(part(page, "text:group:0").locator("input")).to_have_count(1)
    expect(part(page, "text:group:1").locator("input")).to_have_count(0)
    lab.check(page)
    lab.tab(page, "street:tab", 0)
    hands(lab, page, Scenario(), SLOW)
    the_frame_holds_still_and_can_be_reached(lab, page)


def the_picture_follows(page: Page, group: int) -> None:
    """What is drawn is the group that is edited, on the day of the scenario that stands in the address."""
    day = simulate(addressed(page))
    houses = (day.street.group == group).sum()
    expected = day.street_day.true_moments.occupied[group] / houses
    sees(page, lambda: drawn(page, "Expected", PICTURE), expected.tolist())


def a_click_on_the_question_mark_of_a_toggle_leaves_it(lab: Lab, page: Page) -> None:
    before = page.url
    part(page, "weekend:0:1").locator("xpath=following::*[@data-testid='stTooltipIcon'][1]").click()
    lab.settle(page)
    expect(part(page, "shown day")).to_have_count(0)
    assert page.url == before


def habits_of_a_group(lab: Lab, page: Page) -> None:
    """A cell that is refused moves nothing beside it; one that is taken moves the group's curve. Matrices,
    curve and rates are all within the window, at a desk and on a beamer."""
    lab.show(page, "light", DESKTOP)
    matrices, before = part(page, "matrices"), claim(page)
    box = matrices.bounding_box()
    lab.breath(page, ("number:cell:0:1:1:1:0", "7"))
    expect(part(page, "matrix:0:1:1").get_by_role("alert")).to_be_visible()
    assert matrices.bounding_box() == box
    lab.breath(page, ("number:cell:0:1:1:1:0", "0,5"), ("number:cell:0:1:3:1:0", "100 %"))
    sees(page, lambda: claim(page) != before)
    for window in (BEAMER, DESKTOP):
        lab.show(page, "light", window)
        for key in ("matrices", PICTURE):
            place = part(page, key).bounding_box()
            assert place is not None
            assert place["y"] + place["height"] <= window["height"]
    periods = addressed(page).models[0].habits[1].periods
    assert (periods[1].leave, periods[3].leave) == (0.5, 1)
    the_picture_follows(page, 1)


def claim(page: Page) -> str:
    return page.get_by_test_id("stMain").get_by_role("heading", level=2).first.inner_text()
