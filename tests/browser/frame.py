"""The frame of every screen, in a real browser: the menu, the sidebar, what the keyboard reaches."""

from itertools import pairwise
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Page, expect

from pages.ui.screens import SCREENS
from pages.ui.sidebar import MORE
from tests.browser.lab import BEAMER, Lab, field, part, slider

BOX = (
    "(each) => { const {x, y, width, height} = each.getBoundingClientRect(); return [x, y, width, height]; }"
)
SETTINGS = '.stSidebar [class*="st-key-section-"] :is(label, label *, input)'
CUT = """(parts) => [...document.querySelectorAll(parts)]
    .filter((each) => each.scrollWidth > each.clientWidth + 1)
    .filter((each) => getComputedStyle(each).overflowX !== 'visible')
    .map((each) => each.value ?? each.textContent).filter(Boolean)"""
STOPS = """() => [...document.querySelectorAll('.lab-chart')].map((chart) =>
    [...chart.querySelectorAll('*')].filter((each) => each.tabIndex >= 0 && each.checkVisibility()).length)"""
LEVELS = "() => [...document.querySelectorAll('h1, h2, h3, h4')].map((each) => Number(each.tagName[1]))"


def the_frame_holds_still_and_can_be_reached(lab: Lab, page: Page) -> None:
    """On Street, whose walk this ends."""
    lab.show(page, "light", BEAMER)
    links_of_the_menu_do_not_overlap(page)
    explore_is_a_link_to_explore_from_everywhere(lab, page)
    a_chart_is_one_stop_of_the_tab_key(page)
    levels = page.evaluate(LEVELS)
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    no_sentence_moves_a_control(lab, page)
    lab.unfold(page, MORE)
    assert page.evaluate(CUT, SETTINGS) == []


def links_of_the_menu_do_not_overlap(page: Page) -> None:
    menu = page.get_by_role("navigation")
    boxes = [link.evaluate(BOX) for link in menu.get_by_role("link").all()]
    assert len(boxes) == len(SCREENS)
    assert min(height for _, _, _, height in boxes) >= 24
    for number, (x, y, width, height) in enumerate(boxes):
        for other_x, other_y, _, _ in boxes[number + 1 :]:
            assert other_x >= x + width - 0.5 or other_y >= y + height - 0.5
    assert menu.evaluate(BOX)[3] <= 150


def explore_is_a_link_to_explore_from_everywhere(lab: Lab, page: Page) -> None:
    """Also where it is opened in a new tab, by nothing but its address."""
    link = page.get_by_role("navigation").get_by_role("link", name="Explore")
    led, here = urlsplit(link.evaluate("(each) => each.href")), urlsplit(page.url)
    own = {name: text for name, text in parse_qs(here.query).items() if name not in ("tab", "group")}
    assert (led.path, parse_qs(led.query)) == ("/", own)
    assert "epsilon" in own


def a_chart_is_one_stop_of_the_tab_key(page: Page) -> None:
    page.keyboard.press("Tab")
    assert page.evaluate(STOPS) == [1]
    page.locator(".lab-chart > button").press("Enter")
    buttons = page.locator(".modebar-btn:visible")
    buttons.first.focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("ArrowRight")
    assert buttons.nth(1).evaluate("(each) => each === document.activeElement")
    page.locator(".lab-chart > button").press("Enter")
    expect(buttons).to_have_count(0)


def no_sentence_moves_a_control(lab: Lab, page: Page) -> None:
    """Whatever preset is chosen, and however much is changed of it."""
    controls = [part(page, "choice:preset").first, slider(page, "epsilon")]
    controls += [field(page, name) for name in ("alpha", "beta", "households", "seed")]
    places = [each.evaluate(BOX)[1:] for each in controls]
    assert all(y + height <= BEAMER["height"] for y, _, height in places)
    for preset in ("mansions", "tiny street"):
        lab.choose(page, "choice:preset", preset.capitalize())
        lab.fill(page, "seed", "7")
        lab.fill(page, "epsilon", "0.02")
        assert [each.evaluate(BOX)[1:] for each in controls] == places
