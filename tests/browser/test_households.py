"""The Households screen in a real browser."""

from playwright.sync_api import Page, expect

from rtp import PRESETS, Scenario, simulate
from rtp.scenario import edits
from tests.browser.lab import DESKTOP, PHONE, Lab, drawn, sees


def enter(lab: Lab, page: Page, label: str, value: str, nth: int = 0) -> None:
    box = page.get_by_test_id("stMain").get_by_label(label, exact=True).nth(nth)
    box.fill(value)
    box.press("Enter")
    lab.settle(page)


def test_the_street_from_its_address_to_groups_and_models(lab: Lab) -> None:
    page = lab.open("/Households")
    lab.check(page)
    lab.show(page, "dark", PHONE)
    lab.check(page)
    lab.show(page, "light", DESKTOP)
    an_edited_cell_sets_its_complement_and_both_pages_follow(lab, page)
    lab.press(page, "Reset")
    groups_and_models_come_and_go(lab, page)


def an_edited_cell_sets_its_complement_and_both_pages_follow(lab: Lab, page: Page) -> None:
    sees(page, lambda: drawn(page, "Expected"), simulate(Scenario()).expected_occupancy.tolist())
    sees(page, lambda: page.get_by_text("Published, Figure 2a").count() > 0)

    enter(lab, page, "Arrive", "0.5", nth=1)  # noon
    changed = edits.put_period(
        Scenario(), 0, 0, 1, edits.set_entry(Scenario().models[0].habits[0].periods[1], 0, 1, 0.5)
    )
    day = simulate(changed)
    expect(page.get_by_label("Stay empty", exact=True).nth(1)).to_have_value("0.5")
    sees(page, lambda: drawn(page, "Expected"), day.expected_occupancy.tolist())
    lab.go(page, "Explore")
    sees(page, lambda: drawn(page, "Expected", "day"), day.expected_occupancy.tolist())
    lab.go(page, "Households")
    expect(page.get_by_label("Stay empty", exact=True).nth(1)).to_have_value("0.5")

    enter(lab, page, "Leave", "1", nth=3)  # night
    expect(page.get_by_label("Leave · certain", exact=True)).to_have_value("1")
    expect(page.get_by_label("Stay occupied · impossible", exact=True)).to_have_value("0")
    enter(lab, page, "Start hour", "9", nth=2)  # evening before... after noon's start
    expect(page.get_by_text("Evening · 09:00–23:00 · 56 steps")).to_be_visible()
    enter(lab, page, "Start hour", "7.12", nth=1)
    expect(page.get_by_text("it must be a whole multiple of 5 minutes")).to_be_visible()
    enter(lab, page, "Start hour", "3", nth=1)
    expect(page.get_by_text("each must start after the one before")).to_be_visible()

    page.get_by_text("Known at the start").click()
    lab.settle(page)
    sees(page, lambda: drawn(page, "Expected")[0], 0.0)
    lab.pick(page, "occupied")
    sees(page, lambda: drawn(page, "Expected")[0], 1.0)
    enter(lab, page, "Habit spread", "0")
    sees(page, lambda: "habit_spread=0" in page.url)
    lab.pick(page, "per step")
    expect(page.get_by_text("Over the period: arrive 0.98, leave 0.05")).to_be_visible()


def groups_and_models_come_and_go(lab: Lab, page: Page) -> None:
    sees(page, lambda: drawn(page, "Expected"), simulate(Scenario()).expected_occupancy.tolist())
    lab.press(page, "Add a group")
    enter(lab, page, "Houses", "250", nth=1)
    expect(page.get_by_text("The groups add up to 750 houses, and the street has 1,000")).to_be_visible()
    enter(lab, page, "Houses", "750")
    expect(page.get_by_text("The groups add up to")).to_have_count(0)
    enter(lab, page, "Group", "Night shift", nth=1)
    enter(lab, page, "Largest bound when occupied", "3", nth=1)
    lab.pick(page, "Night shift")
    expect(page.get_by_text(": Night shift, 250 houses")).to_be_visible()

    enter(lab, page, "Group", "<script>alert(1)</script>", nth=1)
    expect(page.get_by_text("it must start with a letter or digit")).to_be_visible()
    lab.press(page, "Add a model")
    enter(lab, page, "Another model to guard against", "Doubt")
    lab.press(page, "Let people live by it")
    expect(page.get_by_label("The model by which people live", exact=True)).to_have_value("Doubt")
    expect(page.get_by_text("Sets the noise", exact=True)).to_be_attached()
    page.get_by_role("button", name="Remove").last.click()
    lab.settle(page)
    expect(page.get_by_label("Another model to guard against", exact=True)).to_have_count(0)
    page.get_by_role("button", name="Remove").nth(4).click()  # after those of four periods
    lab.settle(page)
    expect(page.get_by_label("Group", exact=True)).to_have_count(1)
    assert PRESETS["paper"].groups[0].share == 1.0
