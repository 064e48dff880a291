"""In front of a class, in a real browser: the story, the first screen, presenter view, pictures to take away,
paper, and the Paper."""

import struct
from pathlib import Path
from xml.etree import ElementTree

import pytest
from playwright.sync_api import Locator, Page, ViewportSize, expect

from rtp.figures.theme import LARGE_TYPE
from rtp.teaching.plan import STOPS
from tests.browser.lab import (
    BEAMER,
    CROWDED,
    LONGEST,
    PHONE,
    WIDER_THAN_THE_WINDOW,
    Lab,
    button,
    field,
    part,
    sees,
    slider,
)
from tests.browser.printed import charts_are_whole_on_paper

WIDE: ViewportSize = {"width": 1920, "height": 1080}  # where a chart is wider than a sheet
BOTTOM = "(box) => box.getBoundingClientRect().bottom"
SMALLEST = """() => Math.min(...[...document.querySelectorAll('.js-plotly-plot text')]
    .filter((text) => text.textContent.trim()).map((text) => parseFloat(getComputedStyle(text).fontSize)))"""
COVERED = """() => [...document.querySelectorAll('.js-plotly-plot')].filter((plot) => {
    const box = (part) => plot.querySelector(part)?.getBoundingClientRect();
    const legend = box('.legend .bg'), curves = box('.nsewdrag');
    return legend && curves && legend.bottom > curves.top + 2 && legend.top < curves.bottom - 2;
}).length"""


@pytest.mark.long
def test_the_first_screen_and_the_paper_on_a_beamer(fresh_walk: Lab) -> None:
    """On a server that nobody has visited."""
    lab, page = fresh_walk, fresh_walk.open(query="epsilon=0.3")
    lab.check(page)
    lab.show(page, "light", BEAMER)
    the_first_screen_tells_it_without_a_scroll(lab, page)
    lab.show(page, "dark", BEAMER)
    presented(lab, page)


@pytest.mark.long
def test_pictures_and_paper_to_take_away(lab: Lab, tmp_path: Path) -> None:
    page = lab.open(query="epsilon=0.3")
    lab.show(page, "light", WIDE)
    charts_are_whole_on_paper(page, ".st-key-rates")
    pictures_have_a_name_and_their_size(lab, page, tmp_path)


def at(lab: Lab, page: Page, number: int) -> None:
    """The stop that the address names, its sentence and its picture."""
    expect(title_of(page, number)).to_be_visible(timeout=1000 * LONGEST)
    expect(story(page).get_by_role("heading", level=2)).to_be_visible()
    sees(page, lambda: f"story={number}" in page.url)
    lab.settle(page)
    expect(part(page, "story-picture")).to_be_visible(timeout=1000 * LONGEST)
    assert page.evaluate(CROWDED) == []


def story(page: Page) -> Locator:
    """The bar with the way on and the sentence."""
    return page.locator(".st-key-story")


def drag_over_the_meter(lab: Lab, page: Page) -> None:
    """Mark the second of five days, and see who is right."""
    box = part(page, "story-picture").locator(".nsewdrag").bounding_box()
    assert box is not None
    y = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] * 0.2, y)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.4, y, steps=4)
    page.mouse.up()
    expect(button(page, "story:clear")).to_be_enabled(timeout=1000 * LONGEST)
    lab.press(page, "story:answer")
    expect(story(page).get_by_role("heading", level=2)).to_contain_text("you ")


def title_of(page: Page, number: int) -> Locator:
    return page.get_by_role("heading", name=f"{number} of {len(STOPS)} · {STOPS[number - 1].title}")


def next_stop(page: Page) -> Locator:
    return button(page, "step-next")


def next_stands(page: Page) -> list[float]:
    """Where a second click of a quick hand would hit."""
    box = next_stop(page).bounding_box()
    assert box is not None
    return [round(box["x"]), round(box["y"])]


@pytest.mark.long
def test_a_clicker_turns_the_pages_of_the_story_on_a_beamer(lab: Lab) -> None:
    """Every stop's sentence and picture whole, Next always in its place; keys that a clicker has; then the
    browser's own Back, and the end, with what the visitor had."""
    page = lab.open(query="story=1&present=true&epsilon=0.3")
    lab.show(page, "light", BEAMER)
    place = next_stands(page)
    drag_over_the_meter(lab, page)
    for number, stop in enumerate(STOPS, 1):
        at(lab, page, number)
        for seen in (story(page), part(page, "story-picture")):
            assert seen.evaluate(BOTTOM) <= BEAMER["height"], stop.title
        assert next_stands(page) == place
        assert page.evaluate(SMALLEST) >= LARGE_TYPE
        assert page.evaluate(COVERED) == 0
        page.keyboard.press("PageDown" if number % 2 else "ArrowRight")
    at(lab, page, len(STOPS))
    page.keyboard.press("PageUp")
    at(lab, page, len(STOPS) - 1)
    lab.check(page)  # at the last stop, Next leads nowhere and is pale
    lab.travel(page, "back")
    at(lab, page, len(STOPS))
    lab.press(page, "story:end")
    sees(page, lambda: "story" not in page.url and "epsilon=0.3" in page.url)


@pytest.mark.long
def test_every_stop_of_the_story_is_whole_on_a_phone(lab: Lab) -> None:
    page = lab.open(query="story=1")
    lab.show(page, "light", PHONE)
    for number in range(1, len(STOPS) + 1):
        at(lab, page, number)
        assert not page.evaluate(WIDER_THAN_THE_WINDOW)
        if number < len(STOPS):
            next_stop(page).click()


def the_first_screen_tells_it_without_a_scroll(lab: Lab, page: Page) -> None:
    """As it is for everyone; then back to the visitor's own."""
    lab.press_in_menu(page, "action:reset")
    sees(page, lambda: page.url, f"{lab.server.url}/")
    side = [field(page, name) for name in ("epsilon", "alpha", "beta", "households", "seed")]
    for seen in (
        page.get_by_role("heading", level=1),
        *(page.locator(f".st-key-{key} .js-plotly-plot") for key in ("bend", "rates")),
        part(page, "choice:preset"),
        slider(page, "epsilon"),
        *side,
    ):
        expect(seen.first).to_be_visible(timeout=1000 * LONGEST)
        assert seen.first.evaluate(BOTTOM) <= BEAMER["height"]
    assert not page.evaluate(WIDER_THAN_THE_WINDOW)
    assert page.evaluate(CROWDED) == []
    lab.press(page, "action:undo")
    sees(page, lambda: "epsilon=0.3" in page.url)


def presented(lab: Lab, page: Page) -> None:
    """Explore and the Paper. ε is at hand, too: `tests/pages/test_address.py`."""
    lab.press_in_menu(page, "action:present")
    in_front_of_the_class(lab, page)
    part(page, "presenter").get_by_test_id("stPopover").get_by_role("button").click()
    page.locator(".st-key-menu").get_by_role("link", name="Paper").click()
    lab.settle(page)
    in_front_of_the_class(lab, page)
    lab.press(page, "presenter:end")
    expect(page.get_by_test_id("stSidebar")).to_be_visible()
    sees(page, lambda: page.url.endswith("/Paper?epsilon=0.3"))


def in_front_of_the_class(lab: Lab, page: Page) -> None:
    sees(page, lambda: "present=true" in page.url)
    expect(page.get_by_test_id("stSidebar")).to_be_hidden()
    assert page.evaluate(SMALLEST) >= LARGE_TYPE
    sees(page, lambda: page.evaluate(COVERED), 0)
    lab.check(page)
    page.get_by_test_id("stMain").evaluate("(main) => main.scrollTo(0, main.scrollHeight)")
    expect(button(page, "presenter:end")).to_be_in_viewport()


def pictures_have_a_name_and_their_size(lab: Lab, page: Page, folder: Path) -> None:
    """As SVG, and as PNG at twice the size; saved in full screen, as large as they stand on the page."""
    plot = page.locator(".st-key-rates .js-plotly-plot")
    size = plot.bounding_box()
    assert size is not None
    page.locator(".st-key-rates .lab-chart > button").press("Enter")
    taken(page, folder / "svg", "explore-rates.svg")
    drawn = ElementTree.parse(folder / "svg").getroot()
    assert abs(float(drawn.get("width", 0)) - size["width"]) <= 1
    taken(page, folder / "png", "explore-rates.png")
    width, height = struct.unpack(">II", (folder / "png").read_bytes()[16:24])
    assert abs(width - 2 * size["width"]) <= 2
    assert abs(height - 2 * size["height"]) <= 2


def taken(page: Page, file: Path, name: str) -> None:
    """By the chart's own bar, which keys reach, too."""
    with page.expect_download() as told:
        page.locator(f'.modebar-btn[data-title="Save as {file.name.upper()}"]:visible').press("Enter")
    assert told.value.suggested_filename == name
    told.value.save_as(file)
