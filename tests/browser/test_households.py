"""The Street screen in a real browser: habits, groups, models."""

from urllib.parse import parse_qsl, urlencode, urlsplit

from playwright.sync_api import Page, expect

from pages.ui.street.habits import PERIOD
from rtp import Scenario, simulate
from rtp.scenario import edit
from rtp.scenario.share import read_link, to_link
from tests.browser.lab import Lab, drawn, option_of, part, sees

HEIGHT = 900
TWO_GROUPS = edit.add_group(Scenario(households=40), 0)


def test_the_street_from_its_address_to_groups_and_models(walk: Lab) -> None:
    lab, page = walk, walk.open("/Households", urlencode(to_link(TWO_GROUPS) | {"group": "1"}))
    the_picture_follows(page, 1)
    a_click_on_the_question_mark_of_a_toggle_leaves_it(lab, page)
    habits_of_a_group(lab, page)
    groups_and_a_draft(lab, page)
    a_model(lab, page)
    lab.press(page, "action:reset")
    lab.tab(page, "street:tab", 0)
    the_picture_follows(page, 0)
    lab.tab(page, "street:tab", 1)
    expect(part(page, "text:group:0").locator("input")).to_have_count(1)
    expect(part(page, "text:group:1").locator("input")).to_have_count(0)
    lab.check(page)


def addressed(page: Page) -> Scenario:
    return read_link(dict(parse_qsl(urlsplit(page.url).query))).scenario


def the_picture_follows(page: Page, group: int) -> None:
    """What is drawn is the group that is edited, on the day of the scenario that stands in the address."""
    day = simulate(addressed(page))
    houses = (day.street.group == group).sum()
    expected = 100 * day.street_day.true_moments.occupied[group] / houses
    sees(page, lambda: drawn(page, "Expected", "occupancy"), expected.tolist())


def a_click_on_the_question_mark_of_a_toggle_leaves_it(lab: Lab, page: Page) -> None:
    before = page.url
    part(page, "weekend:0:1").locator("xpath=following::*[@data-testid='stTooltipIcon'][1]").click()
    lab.settle(page)
    expect(part(page, "shown day")).to_have_count(0)
    assert page.url == before


def habits_of_a_group(lab: Lab, page: Page) -> None:
    """A cell of the night, the start of the evening, the first step; then a start of noon that cannot be. A
    cell that is refused moves nothing beside it; one that is taken moves the group's curve and the RMSRE, all
    within the window."""
    lab.show(page, "light", {"width": 1440, "height": HEIGHT})
    matrices, before = part(page, "matrices"), claim(page)
    box = matrices.bounding_box()
    lab.breath(page, ("number:cell:0:1:1:1:0", "7"))
    expect(part(page, "number:cell:0:1:1:1:0").get_by_role("alert")).to_be_visible()
    assert matrices.bounding_box() == box
    lab.breath(page, ("number:cell:0:1:1:1:0", "0,5"), ("number:cell:0:1:3:1:0", "100 %"))
    sees(page, lambda: claim(page) != before)
    for key in ("matrices", "occupancy", "street rates"):
        place = part(page, key).bounding_box()
        assert place is not None
        assert place["y"] + place["height"] <= HEIGHT
    lab.unfold(page, PERIOD)
    lab.breath(
        page,
        ("number:start:0:1:2", "9"),
        ("number:page initial_occupied:0:1", "1"),
        ("number:page habit_spread", "0"),
        ("number:start:0:1:1", "7.12"),
    )
    now = addressed(page).models[0].habits[1]
    assert (now.periods[1].leave, now.periods[3].leave, now.periods[2].start) == (0.5, 1, 9)
    assert now.initial_occupied == 1
    assert addressed(page).habit_spread == 0
    expect(option_of(page, "known state:0:1", 1)).to_be_checked()
    expect(part(page, "number:start:0:1:1").get_by_role("alert")).to_be_visible()
    the_picture_follows(page, 1)


def claim(page: Page) -> str:
    return page.get_by_test_id("stMain").get_by_role("heading", level=3).first.inner_text()


def groups_and_a_draft(lab: Lab, page: Page) -> None:
    """Houses that do not add up, until they do."""
    lab.tab(page, "street:tab", 1)
    lab.breath(page, ("number:count:1", "10"))
    expect(part(page, "counts do not add up")).to_be_visible()
    lab.breath(
        page, ("number:count:0", "30"), ("text:group:1", "Night shift"), ("number:occupied_max:1", "3")
    )
    lab.breath(page, ("text:group:0", "<script>alert(1)</script>"))
    expect(part(page, "counts do not add up")).to_have_count(0)
    now = addressed(page)
    assert [group.name for group in now.groups] == [TWO_GROUPS.groups[0].name, "Night shift"]
    assert [round(group.share * now.households) for group in now.groups] == [30, 10]


def a_model(lab: Lab, page: Page) -> None:
    lab.tab(page, "street:tab", 3)
    lab.breath(page, ("add model", None), ("text:model:1", "Doubt"), ("generate:1", None))
    assert addressed(page).models[0].name == "Doubt"  # the first generates the day
