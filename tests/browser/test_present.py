"""In front of a class, in a real browser: the story, the first screen, presenter view, pictures to take away,
paper, and the Paper."""

import struct
from pathlib import Path
from urllib.parse import urlsplit
from xml.etree import ElementTree

import pytest
from playwright.sync_api import Page, expect

from pages.ui.settings import MORE
from rtp.figures.style import rgb
from rtp.figures.theme import BACKGROUND, DARK, GRID_LINE, INK, LARGE_TYPE
from rtp.teaching.tour import STOPS
from tests.browser.lab import BEAMER, CROWDED, CUT_OFF, LONGEST, PHONE, WIDER_THAN_THE_WINDOW, Lab, sees
from tests.browser.printed import charts_are_whole_on_paper
from tests.browser.test_paper import the_engines_numbers

BOTTOM = "(box) => box.getBoundingClientRect().bottom"
SMALLEST = """() => Math.min(...[...document.querySelectorAll('.js-plotly-plot text')]
    .filter((text) => text.textContent.trim()).map((text) => parseFloat(getComputedStyle(text).fontSize)))"""
COVERED = """() => [...document.querySelectorAll('.js-plotly-plot')].filter((plot) => {
    const box = (part) => plot.querySelector(part)?.getBoundingClientRect();
    const legend = box('.legend .bg'), curves = box('.nsewdrag');
    return legend && curves && legend.bottom > curves.top + 2 && legend.top < curves.bottom - 2;
}).length"""


def test_the_first_screen_and_the_paper_on_a_beamer(fresh_walk: Lab, tmp_path: Path) -> None:
    """On a server that nobody has visited."""
    lab, page = fresh_walk, fresh_walk.open(query="epsilon=0.3")
    lab.check(page)
    pictures_have_a_name_and_their_size(lab, page, tmp_path)
    charts_are_whole_on_paper(page, ".st-key-day")
    lab.show(page, "light", BEAMER)
    the_first_screen_tells_it_without_a_scroll(lab, page)
    expect(page.locator(".notifier-note")).to_have_count(0, timeout=1000 * LONGEST)  # "saved", which fades
    lab.show(page, "dark", BEAMER)
    presented(lab, page)
    colours_are_those_of_the_theme(page, DARK[INK], DARK[GRID_LINE], DARK[BACKGROUND])
    the_engines_numbers(lab, page)
    lab.show(page, "light", BEAMER)
    colours_are_those_of_the_theme(page, INK, GRID_LINE, BACKGROUND)


@pytest.mark.long
def test_the_story_there_and_back(walk: Lab) -> None:
    """Next, the browser's own Back and Forward, and the end, with what the visitor had. All stops, to the
    end: `tests/pages/test_story.py`."""
    lab, page = walk, walk.open(query="story=3&epsilon=0.3")
    at(lab, page, 3)
    place = next_stands(page)
    page.get_by_role("link", name="Next").click()
    lab.settle(page)
    at(lab, page, 4)
    assert next_stands(page) == place
    lab.travel(page, "back")
    at(lab, page, 3)
    lab.travel(page, "forward")
    at(lab, page, 4)
    lab.check(page)
    lab.press(page, "End the story")
    expect(page.get_by_label("ε", exact=True)).to_have_value("0.3")
    sees(page, lambda: page.url, f"{lab.server.url}/?epsilon=0.3")


def at(lab: Lab, page: Page, number: int) -> None:
    stop = STOPS[number - 1]
    expect(page.get_by_text(f"{number} of {len(STOPS)} · {stop.title}")).to_be_visible()
    expect(page.get_by_role("heading", name=stop.words)).to_be_visible()
    sees(page, lambda: urlsplit(page.url).query, f"epsilon=0.3&story={number}")


def next_stands(page: Page) -> list[float]:
    """Where a second click of a quick hand would hit."""
    box = page.get_by_role("link", name="Next").bounding_box()
    assert box is not None
    return [round(box["x"]), round(box["y"])]


@pytest.mark.long
def test_a_clicker_turns_the_pages_of_the_story_on_a_beamer(lab: Lab) -> None:
    """Every stop's sentence and picture whole, Next always in its place; keys that a clicker has."""
    page = lab.open(query="story=1&present=true")
    lab.show(page, "light", BEAMER)
    place = next_stands(page)
    for number, stop in enumerate(STOPS, 1):
        expect(page.get_by_text(f"{number} of {len(STOPS)} · {stop.title}")).to_be_visible(
            timeout=1000 * LONGEST
        )
        lab.settle(page)
        for seen in (page.get_by_role("heading", name=stop.words), page.locator(".st-key-story-picture")):
            expect(seen).to_be_visible(timeout=1000 * LONGEST)
            assert seen.evaluate(BOTTOM) <= BEAMER["height"], stop.title
        assert next_stands(page) == place
        assert page.evaluate(SMALLEST) >= LARGE_TYPE
        assert page.evaluate(COVERED) == 0
        assert page.evaluate(CROWDED) == []
        page.keyboard.press(
            "PageDown" if number % 2 else "ArrowRight" if stop.screen != "Algorithm" else "PageDown"
        )
    lab.settle(page)
    expect(page.get_by_text(f"{len(STOPS)} of {len(STOPS)} ·")).to_be_visible()
    page.keyboard.press("PageUp")
    expect(page.get_by_text(f"{len(STOPS) - 1} of {len(STOPS)} ·")).to_be_visible(timeout=1000 * LONGEST)
    lab.settle(page)
    lab.check(page)


@pytest.mark.long
def test_every_stop_of_the_story_is_whole_on_a_phone(lab: Lab) -> None:
    page = lab.open(query="story=1")
    lab.show(page, "light", PHONE)
    for number, stop in enumerate(STOPS, 1):
        expect(page.get_by_text(f"{number} of {len(STOPS)} · {stop.title}")).to_be_visible(
            timeout=1000 * LONGEST
        )
        lab.settle(page)
        expect(page.locator(".st-key-story-picture")).to_be_visible(timeout=1000 * LONGEST)
        assert page.evaluate(CROWDED) == []
        assert page.evaluate(CUT_OFF) == []
        assert not page.evaluate(WIDER_THAN_THE_WINDOW)
        if number < len(STOPS):
            page.get_by_role("link", name="Next").click()


def the_first_screen_tells_it_without_a_scroll(lab: Lab, page: Page) -> None:
    """As it is for everyone; then back to the visitor's own."""
    lab.press(page, "Reset")
    sees(page, lambda: page.url, f"{lab.server.url}/")
    for seen in (
        page.get_by_role("heading", name="Can a price betray you?"),
        page.get_by_text("An observer is right 81 % of the day by habits alone, 92 % with the public price"),
        page.get_by_role("button", name="Tell me the story"),
        page.locator(".st-key-threat .js-plotly-plot"),
        page.get_by_role("img", name="of 100 dots"),
    ):
        expect(seen.first).to_be_visible(timeout=1000 * LONGEST)
        assert seen.first.evaluate(BOTTOM) <= BEAMER["height"]
    for label in ("Preset", "ε", "α — price slope", "β — base price", "Households", "Seed"):
        field = page.get_by_test_id("stSidebar").get_by_label(label, exact=True).first
        assert field.evaluate(BOTTOM) <= BEAMER["height"], label
    assert not page.evaluate(WIDER_THAN_THE_WINDOW)
    assert page.evaluate(CROWDED) == []
    page.locator(".st-key-threat .nsewdrag").first.click(position={"x": 80, "y": 30})
    lab.settle(page)
    sees(page, lambda: "at=" in page.url)  # a click chooses the moment
    lab.press(page, "Undo")
    sees(page, lambda: "epsilon=0.3" in page.url)


def presented(lab: Lab, page: Page) -> None:
    """Explore and the Paper. ε is at hand, too: `tests/pages/test_presenter.py`."""
    lab.press(page, "Present")
    in_front_of_the_class(lab, page)
    page.get_by_role("button", name="Screens").click()
    page.get_by_role("link", name="Paper").click()
    lab.settle(page)
    in_front_of_the_class(lab, page)
    lab.press(page, "End")
    expect(page.get_by_test_id("stSidebar")).to_be_visible()
    sees(page, lambda: page.url.endswith("/Paper?epsilon=0.3"))


def in_front_of_the_class(lab: Lab, page: Page) -> None:
    sees(page, lambda: "present=true" in page.url)
    expect(page.get_by_test_id("stSidebar")).to_be_hidden()
    assert page.evaluate(SMALLEST) >= LARGE_TYPE
    sees(page, lambda: page.evaluate(COVERED), 0)
    lab.check(page)
    page.get_by_test_id("stMain").evaluate("(main) => main.scrollTo(0, main.scrollHeight)")
    expect(page.get_by_role("button", name="End", exact=True)).to_be_in_viewport()


def pictures_have_a_name_and_their_size(lab: Lab, page: Page, folder: Path) -> None:
    """At first as SVG; then as PNG, at twice the size."""
    plot = page.locator(".st-key-day .js-plotly-plot")
    taken(page, folder / "svg", "explore-day.svg")
    drawn, size = ElementTree.parse(folder / "svg").getroot(), plot.bounding_box()
    assert size is not None
    assert abs(float(drawn.get("width", 0)) - size["width"]) <= 1
    page.get_by_text(MORE, exact=True).click()
    lab.settle(page)
    lab.pick(page, "PNG")
    taken(page, folder / "png", "explore-day.png")
    width, height = struct.unpack(">II", (folder / "png").read_bytes()[16:24])
    assert abs(width - 2 * size["width"]) <= 2
    assert abs(height - 2 * size["height"]) <= 2
    lab.pick(page, "SVG")
    page.get_by_text(MORE, exact=True).click()
    lab.settle(page)


def taken(page: Page, file: Path, name: str, chart: str = ".st-key-day") -> None:
    """By the chart's own bar, which keys reach, too."""
    with page.expect_download() as told:
        page.locator(f'{chart} .modebar-btn[data-title^="Download plot"]').first.press("Enter")
    assert told.value.suggested_filename == name
    told.value.save_as(file)


def colours_are_those_of_the_theme(page: Page, ink: str, line: str, paper: str) -> None:
    """A picture that is saved has those of the light one."""
    plot = page.locator(".js-plotly-plot").first
    expect(plot.locator(".ytick text").first).to_have_css("fill", rgb(ink))
    expect(plot.locator(".ygrid").first).to_have_css("stroke", rgb(line))
    expect(plot.locator(".main-svg").first).to_have_css("background-color", rgb(paper))
