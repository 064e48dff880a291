"""The Households screen in a real browser."""

from urllib.parse import parse_qsl, urlencode, urlsplit

from playwright.sync_api import Page, expect

from pages.ui.households import MODELS
from pages.ui.periods import PERIOD
from rtp import Scenario, simulate
from rtp.scenario import edit
from rtp.scenario.share import read_link, to_link
from tests.browser.breath import breath
from tests.browser.lab import Lab, drawn, sees

TWO_GROUPS = edit.add_group(Scenario(households=40), 0)


def test_the_street_from_its_address_to_groups_and_models(walk: Lab) -> None:
    lab, page = walk, walk.open("/Households", urlencode(to_link(TWO_GROUPS) | {"group": "1"}))
    the_picture_follows(page)
    a_click_on_the_question_mark_of_a_toggle_leaves_it(lab, page)
    habits_and_a_draft(lab, page)
    a_group_and_a_model(lab, page)
    lab.press(page, "Reset")
    sees(page, lambda: page.get_by_text("Published, Figure 2a").count() > 0)
    sees(page, lambda: drawn(page, "Expected"), simulate(Scenario()).expected_occupancy.tolist())
    expect(page.get_by_label("Group", exact=True)).to_have_count(1)
    lab.check(page)


def the_picture_follows(page: Page) -> None:
    """What is drawn is the day of the scenario that stands in the address."""
    scenario = read_link(dict(parse_qsl(urlsplit(page.url).query))).scenario
    sees(page, lambda: drawn(page, "Expected"), simulate(scenario).expected_occupancy.tolist())


def a_click_on_the_question_mark_of_a_toggle_leaves_it(lab: Lab, page: Page) -> None:
    before = page.url
    weekend = page.get_by_text("Other habits at the weekend", exact=True)
    weekend.locator("xpath=following::*[@data-testid='stTooltipIcon'][1]").click()
    lab.settle(page)
    expect(page.get_by_text("Cards show")).to_have_count(0)
    assert page.url == before


def habits_and_a_draft(lab: Lab, page: Page) -> None:
    """Of the group shown: a cell of the night, the start of the evening, the first step; its houses, which
    do not add up; then a start of noon that cannot be."""
    for period in (1, 2):
        unfold(lab, page, PERIOD, period)
    breath(
        lab,
        page,
        ("number-cell-0-1-3-1-0", "1"),
        ("number-start-0-1-2", "9"),
        ("number-page-initial_occupied-0-1", "1"),
        ("number-page-habit_spread", "0"),
        ("number-count-1", "10"),
        ("number-start-0-1-1", "7.12"),
    )
    expect(page.get_by_label("Leave · certain", exact=True)).to_have_value("1")
    expect(page.get_by_text("Otherwise: stay empty 0.99, stay occupied 0")).to_be_visible()
    expect(page.get_by_text("Evening · 09:00–23:00 · 56 steps")).to_be_visible()
    expect(page.get_by_role("radio", name="occupied", exact=True)).to_be_checked()
    expect(page.get_by_text("The groups add up to 30 houses, and the street has 40")).to_be_visible()
    expect(page.get_by_text("it must be a whole multiple of 5 minutes")).to_be_visible()
    assert "habit_spread=0" in page.url
    the_picture_follows(page)


def unfold(lab: Lab, page: Page, section: str, number: int = 0) -> None:
    page.get_by_text(section, exact=True).nth(number).click()
    lab.settle(page)


def a_group_and_a_model(lab: Lab, page: Page) -> None:
    unfold(lab, page, MODELS)
    breath(
        lab,
        page,
        ("number-count-0", "30"),
        ("text-group-1", "Night shift"),
        ("number-occupied_max-1", "3"),
        ("Add a model", None),
        ("text-model-1", "Doubt"),
        ("generate-1", None),
    )
    breath(lab, page, ("text-group-0", "<script>alert(1)</script>"))
    expect(page.get_by_text("The groups add up to")).to_have_count(0)
    expect(page.get_by_text(": Night shift, 10 houses")).to_be_visible()
    expect(page.get_by_text("it must start with a letter or digit")).to_be_visible()
    expect(page.get_by_label("The model by which people live", exact=True)).to_have_value("Doubt")
    expect(page.get_by_text("Sets the noise", exact=True)).to_be_attached()
    the_picture_follows(page)
