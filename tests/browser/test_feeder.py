"""An analyst's feeder in a real browser: described in fewer than twenty actions, with the right numbers."""

from collections.abc import Callable
from urllib.parse import parse_qsl, urlsplit

from playwright.sync_api import Page, expect

from rtp import Scenario, simulate
from rtp.scenario.share import read_link
from tests.browser.lab import Lab, drawn, sees
from tests.unit.scenario.feeder import TABLE, feeder

MOST = 19
OPENED = 1  # of the actions: to open the tab, which the address does here


def addressed(page: Page) -> Scenario:
    return read_link(dict(parse_qsl(urlsplit(page.url).query))).scenario


def test_the_feeder_is_built_in_fewer_than_twenty_actions(walk: Lab) -> None:
    lab, page = walk, walk.open("/Households", "tab=Houses+one+by+one")
    actions = _actions(lab, page)
    assert OPENED + len(actions) <= MOST
    for act in actions:
        act()
    sees(page, lambda: addressed(page), feeder())
    sees(page, lambda: drawn(page, "Expected"), simulate(feeder()).expected_occupancy.tolist())
    lab.check(page)


def _actions(lab: Lab, page: Page) -> list[Callable[[], None]]:
    main = page.get_by_test_id("stMain")

    def paste() -> None:
        page.get_by_label("Pasted table").fill(TABLE)
        page.get_by_label("Pasted table").press("Control+Enter")
        lab.settle(page)

    def open_(name: str) -> None:
        page.get_by_text(name, exact=True).first.click()
        lab.settle(page)

    def leave() -> None:
        box = main.get_by_label("Leave", exact=True).first
        box.fill("0.5")
        box.press("Enter")
        lab.settle(page)

    return [
        lambda: lab.choose(page, "Preset", "Mixed street"),
        lambda: open_("Describe the street by a table, or take its table away"),
        paste,
        lambda: lab.press(page, "Use the pasted table"),
        lambda: lab.fill(page, "α — price slope", "0.0004"),
        lambda: lab.fill(page, "β — base price", "0.11"),
        lambda: open_("More settings"),
        lambda: lab.choose(page, "Unit of power", "kW"),
        lambda: lab.fill(page, "Currency", "EUR"),
        lambda: lab.tab(page, "Habits and groups"),
        lambda: lab.press(page, "Add a model"),
        lambda: lab.pick(page, "Three ways to live 2"),
        lambda: lab.pick(page, "Shift"),
        leave,
    ]


def test_a_bad_table_is_refused_beside_it_and_a_house_is_left_out(lab: Lab) -> None:
    page = lab.open("/Households", "tab=Houses+one+by+one&households=30")
    page.get_by_text("Describe the street by a table, or take its table away").click()
    lab.settle(page)
    box = page.get_by_label("Pasted table")
    box.fill("house;group;occupied;empty\nA;Households;1,2;0,1\nB;Households;-3;0,1\n")
    box.press("Control+Enter")
    lab.press(page, "Use the pasted table")
    expect(page.get_by_text("Row 3, column occupied is -3.0; it must be a number from 0 to")).to_be_visible()
    box.fill("house;group;occupied;empty\nA;Households;1,2;0,1\nB;Households;3;0,1\n")
    box.press("Control+Enter")
    lab.press(page, "Use the pasted table")
    lab.check(page)
    listed = addressed(page)
    assert [house.name for house in listed.houses or ()] == ["A", "B"]
    page.locator(".dvn-scroller").click(position={"x": 20, "y": 88})  # tick B
    lab.settle(page)
    expect(page.get_by_text("Without B, 1 house stays.")).to_be_visible()
    lab.press(page, "Leave it out")
    expect(page.get_by_text("Mean noise scale of the Blowfish rate: 6 → 2.4")).to_be_visible()
    lab.take(page, "street.csv", "houses.csv")
