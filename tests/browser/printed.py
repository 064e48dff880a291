"""Pages as they are printed: whether their charts are whole."""

import re
import zlib
from math import floor

from playwright.sync_api import Page

from rtp.figures import theme

SCALE = f"(part) => getComputedStyle(part).getPropertyValue('{theme.PRINT_SCALE}')"
PRINTED = 3.125  # units of a printed page in a pixel of the screen


def charts_are_whole_on_paper(page: Page, chart: str) -> None:
    """They are drawn to a scale of their own, which finds them in the file; what is cut, at the edge
    or by the end of a page, lies partly outside of it."""
    printed = page.pdf(prefer_css_page_size=True)
    scale = PRINTED * float(page.locator(chart).evaluate(SCALE))
    sheets = [sheet for sheet in streams(printed) if sheet.startswith(".23999")]
    seen = rf"{floor(1000 * scale) / 1000:.3f}\d*"  # a file has seven digits, of which the last may differ
    placed = re.compile(rf"\n{seen} 0 0 {seen} ([-.\d]+) ([-.\d]+) cm\n(.*?)\nQ", re.DOTALL)
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


def streams(pdf: bytes) -> list[str]:
    """What stands on the pages of a file, among other parts of it."""
    packed = re.findall(rb"/FlateDecode.*?stream\r?\n(.*?)endstream", pdf, re.DOTALL)
    return [zlib.decompress(part).decode("latin-1") for part in packed]
