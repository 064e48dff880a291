"""The Households screen in a real browser."""

from urllib.parse import parse_qsl, urlencode, urlsplit

from pages.ui.street.households import MODELS
from playwright.sync_api import Page, expect

from pages.ui.street.habits import PERIOD
from rtp import Scenario, simulate
from rtp.scenario import edit
from rtp.scenario.share import read_link, to_link
from tests.browser.lab import Lab, drawn, option_of, part, sees

TWO_GROUPS = edit.add_group(Scenario(households=40), 0)


def test_the_street_from_its_address_to_groups_and_models(walk: Lab) -> None:
    lab, page = walk, walk.open("/Households", urlencode(to_link(TWO_GROUPS) | {"group": "1"}))
    the_picture_follows(page)
    a_click_on_the_question_mark_of_a_toggle_leaves_it(lab, page)
    habits_and_a_draft(lab, page)
    a_group_and_a_model(lab, page)
    lab.press(page, "action:reset")
    sees(page, lambda: drawn(page, "Expected", "occupancy"), simulate(Scenario()).expected_occupancy.tolist())
    expect(part(page, "text:group:0").locator("input")).to_have_count(1)
    expect(part(page, "text:group:1").locator("input")).to_have_count(0)
    lab.check(page)


def addressed(page: Page) -> Scenario:
    return read_link(dict(parse_qsl(urlsplit(page.url).query))).scenario


def the_picture_follows(page: Page) -> None:
    """What is drawn is the day of the scenario that stands in the address."""
    sees(
        page,
        lambda: drawn(page, "Expected", "occupancy"),
        simulate(addressed(page)).expected_occupancy.tolist(),
    )


def a_click_on_the_question_mark_of_a_toggle_leaves_it(lab: Lab, page: Page) -> None:
    before = page.url
    part(page, "weekend:0:1").locator("xpath=following::*[@data-testid='stTooltipIcon'][1]").click()
    lab.settle(page)
    expect(part(page, "shown day")).to_have_count(0)
    assert page.url == before


def habits_and_a_draft(lab: Lab, page: Page) -> None:
    """Of the group shown: a cell of the night, the start of the evening, the first step; its houses, which
    do not add up; then a start of noon that cannot be."""
    for period in (1, 2):
        lab.unfold(page, f"{PERIOD} 0:1:{period}")
    lab.breath(
        page,
        ("number:cell:0:1:3:1:0", "1"),
        ("number:start:0:1:2", "9"),
        ("number:page initial_occupied:0:1", "1"),
        ("number:page habit_spread", "0"),
        ("number:count:1", "10"),
        ("number:start:0:1:1", "7.12"),
    )
    now = addressed(page).models[0].habits[1]
    assert now.periods[3].leave == 1
    assert now.periods[2].start == 9
    assert now.initial_occupied == 1
    assert addressed(page).habit_spread == 0
    expect(option_of(page, "known state:0:1", 1)).to_be_checked()
    expect(part(page, "counts do not add up")).to_be_visible()
    expect(part(page, "number:start:0:1:1").get_by_role("alert")).to_be_visible()
    the_picture_follows(page)


def a_group_and_a_model(lab: Lab, page: Page) -> None:
    lab.unfold(page, MODELS)
    lab.breath(
        page,
        ("number:count:0", "30"),
        ("text:group:1", "Night shift"),
        ("number:occupied_max:1", "3"),
        ("add model", None),
        ("text:model:1", "Doubt"),
        ("generate:1", None),
    )
    lab.breath(page, ("text:group:0", "<script>alert(1)</script>"))
    expect(part(page, "counts do not add up")).to_have_count(0)
    now = addressed(page)
    assert [group.name for group in now.groups] == [TWO_GROUPS.groups[0].name, "Night shift"]
    assert [round(group.share * now.households) for group in now.groups] == [30, 10]
    assert now.models[0].name == "Doubt"  # the first generates the day
    the_picture_follows(page)
