"""In front of a class, in a real browser: presenter view, pictures to take away, and paper."""

import re
import struct
import zlib
from pathlib import Path
from xml.etree import ElementTree

from playwright.sync_api import Page, ViewportSize, expect

from rtp import Scenario, simulate
from rtp.figures import printing
from rtp.figures.large import TYPE
from rtp.figures.look import DARK, INK, LINE, PAPER
from rtp.figures.style import rgb
from rtp.report import report
from rtp.scenario.caption import caption
from tests.browser.lab import DESKTOP, LONGEST, Lab, sees

BEAMER: ViewportSize = {"width": 1024, "height": 768}
SMALLEST = """() => Math.min(...[...document.querySelectorAll('.js-plotly-plot text')]
    .filter((text) => text.textContent.trim()).map((text) => parseFloat(getComputedStyle(text).fontSize)))"""
SCALE = f"(part) => getComputedStyle(part).getPropertyValue('{printing.SCALE}')"
PRINTED = 3.125  # units of a printed page in a pixel of the screen


def test_a_lesson_on_a_beamer_and_what_is_taken_home(lab: Lab, tmp_path: Path) -> None:
    page = lab.open(query="epsilon=0.3")
    pictures_have_a_name_a_caption_and_their_size(page, tmp_path)
    charts_are_whole_on_paper(page, ".st-key-day")
    the_report_too(page, tmp_path / "report.html")
    expect(page.locator(".notifier-note")).to_have_count(0, timeout=1000 * LONGEST)  # "saved", which fades
    lab.show(page, "dark", BEAMER)
    lab.press(page, "Present")
    in_front_of_the_class(lab, page)
    slider = page.get_by_role("slider", name="ε — privacy budget per step")
    slider.press("ArrowRight")
    lab.settle(page)
    sees(page, lambda: "epsilon=0.32&present=true" in page.url)
    page.get_by_role("button", name="Screens").click()
    page.get_by_role("link", name="Paper").click()
    lab.settle(page)
    in_front_of_the_class(lab, page)
    lab.press(page, "End")
    expect(page.get_by_test_id("stSidebar")).to_be_visible()
    sees(page, lambda: page.url.endswith("/Paper?epsilon=0.32"))
    colours_are_those_of_the_theme(page, tmp_path, DARK[INK], DARK[LINE], DARK[PAPER])
    lab.show(page, "light", DESKTOP)
    colours_are_those_of_the_theme(page, tmp_path, INK, LINE, PAPER)


def in_front_of_the_class(lab: Lab, page: Page) -> None:
    sees(page, lambda: "present=true" in page.url)
    expect(page.get_by_test_id("stSidebar")).to_be_hidden()
    assert page.evaluate(SMALLEST) >= TYPE
    lab.check(page)
    page.get_by_test_id("stMain").evaluate("(main) => main.scrollTo(0, main.scrollHeight)")
    expect(page.get_by_role("button", name="End", exact=True)).to_be_in_viewport()


def pictures_have_a_name_a_caption_and_their_size(page: Page, folder: Path) -> None:
    plot = page.locator(".st-key-day .js-plotly-plot")
    for kind in ("SVG", "PNG"):
        with page.expect_download() as told:
            plot.get_by_role("button", name=f"{kind}: save this picture").press("Enter")
        assert told.value.suggested_filename == f"explore-day.{kind.lower()}"
        told.value.save_as(folder / kind)
    drawn = ElementTree.parse(folder / "SVG").getroot()
    words = " ".join("".join(text.itertext()) for text in drawn.iter("{http://www.w3.org/2000/svg}text"))
    assert caption(Scenario(epsilon=0.3), "paper") in words
    width, height = struct.unpack(">II", (folder / "PNG").read_bytes()[16:24])
    assert abs(width - 2 * float(drawn.get("width", 0))) <= 1
    assert abs(height - 2 * float(drawn.get("height", 0))) <= 1
    size = plot.bounding_box()
    assert size is not None
    assert abs(width - 2 * size["width"]) <= 1
    assert height > 2 * size["height"], "the caption has room of its own"


def colours_are_those_of_the_theme(page: Page, folder: Path, ink: str, line: str, paper: str) -> None:
    """On the page, and in a picture that is taken from it."""
    plot = page.locator(".js-plotly-plot").first
    expect(plot.locator(".ytick text").first).to_have_css("fill", rgb(ink))
    expect(plot.locator(".ygrid").first).to_have_css("stroke", rgb(line))
    expect(plot.locator(".main-svg").first).to_have_css("background-color", rgb(paper))
    with page.expect_download() as told:
        plot.get_by_role("button", name="SVG: save this picture").press("Enter")
    told.value.save_as(folder / "coloured")
    drawn = (folder / "coloured").read_text(encoding="utf-8")
    for words in (f"fill: {rgb(ink)}", f"stroke: {rgb(line)}", f"fill: {rgb(paper)}"):
        assert words in drawn


def charts_are_whole_on_paper(page: Page, chart: str) -> None:
    """They are drawn to a scale of their own, which finds them in the file; what is cut, at the edge
    or by the end of a page, lies partly outside of it."""
    scale = PRINTED * float(page.locator(chart).evaluate(SCALE))
    sheets = [sheet for sheet in streams(page.pdf(prefer_css_page_size=True)) if sheet.startswith(".23999")]
    placed = re.compile(rf"\n{scale:.4f}\d* 0 0 {scale:.4f}\d* ([-.\d]+) ([-.\d]+) cm\n(.*?)\nQ", re.DOTALL)
    box = re.compile(r"^([-.\d]+) ([-.\d]+) ([-.\d]+) ([-.\d]+) re$", re.MULTILINE)
    wide, high = 210 / 25.4 * 96 * PRINTED, 297 / 25.4 * 96 * PRINTED
    boxes = [
        (float(left) + scale * x, float(top) + scale * y, scale * width, scale * height)
        for left, top, drawn in placed.findall("\n".join(sheets))
        for x, y, width, height in (map(float, each) for each in box.findall(drawn))
    ]
    assert len(boxes) > 5
    for left, top, width, height in boxes:
        assert 0 <= left <= left + width <= wide
        assert 0 <= top <= top + height <= high


def the_report_too(page: Page, file: Path) -> None:
    file.write_text(report(simulate(Scenario())), encoding="utf-8")
    opened = page.context.new_page()
    opened.set_viewport_size(DESKTOP)
    opened.goto(file.as_uri())
    charts_are_whole_on_paper(opened, "figure >> nth=0")
    opened.close()


def streams(pdf: bytes) -> list[str]:
    """What stands on the pages of a file, among other parts of it."""
    packed = re.findall(rb"/FlateDecode.*?stream\r?\n(.*?)endstream", pdf, re.DOTALL)
    return [zlib.decompress(part).decode("latin-1") for part in packed]
