"""The teacher's pack: slides and a handout, as PDF and to be edited, the numbers to expect, a round to open.

`make pack` writes it to build/pack. What stands in it is computed (`rtp.output.pack`); here it becomes files:
PDF by the browser that the tests use, PowerPoint by python-pptx, whose charts hold their numbers.
"""

import io
import sys
from collections.abc import Sequence
from html import escape
from pathlib import Path

from playwright.sync_api import Browser
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE, XL_LABEL_POSITION
from pptx.presentation import Presentation as Deck
from pptx.slide import Slide as Page
from pptx.util import Inches, Length, Pt

from rtp.output import pack
from rtp.output.pack import Slide
from scripts.browser import launch

TARGET = Path(__file__).parents[1] / "build" / "pack"
WIDE, A4 = (13.333, 7.5), (8.27, 11.69)  # inches
_MARGIN, _LARGE, _SMALL = 0.6, 26, 15  # inches; points
_TITLE_ONLY = 5  # of the layouts that python-pptx brings
_STYLE = """
body {{ margin: 0; font: {size}pt/1.35 sans-serif; color: #0a121b; }}
section {{ box-sizing: border-box; width: {width}in; height: {height}in; padding: {margin}in; }}
section {{ break-after: page; overflow: hidden; }}
h1 {{ font-size: 1.7em; margin: 0 0 0.7em; }}
p {{ margin: 0 0 0.6em; }}
svg {{ max-width: 100%; height: 4in; }}
.bar {{ display: grid; grid-template-columns: 4.2in 1fr 1.1in; gap: 0.2in; align-items: center; }}
.bar i {{ display: block; background: #0f6b74; height: 1.2em; margin: 0.1in 0; }}
"""


def html(pages: Sequence[Slide], paper: tuple[float, float], size: int) -> str:
    """Return the pages as a document that prints one to a sheet."""
    width, height = paper
    style = _STYLE.format(size=size, width=width, height=height, margin=_MARGIN)
    return f"<meta charset=utf-8><style>{style}</style>{''.join(map(_section, pages))}"


def _section(page: Slide) -> str:
    parts = [f"<h1>{escape(page.title)}</h1>", *(f"<p>{escape(line)}</p>" for line in page.lines)]
    if page.bars is not None:
        parts.append(f"<p><b>{escape(page.bars.title)}</b></p>")
        for label, share, text in zip(page.bars.values, page.bars.shares(), page.bars.texts, strict=True):
            bar = f'<span><i style="width:{share:.1%}"></i></span>'
            parts.append(f'<div class="bar"><span>{escape(label)}</span>{bar}<b>{text}</b></div>')
    return f"<section>{''.join(parts)}{page.svg or ''}</section>"


def pdf(browser: Browser, pages: Sequence[Slide], paper: tuple[float, float], size: int) -> bytes:
    """Return the pages as PDF."""
    sheet = browser.new_page()
    sheet.set_content(html(pages, paper, size))
    return sheet.pdf(width=f"{paper[0]}in", height=f"{paper[1]}in", print_background=True)


def png(browser: Browser, svg: str) -> bytes:
    """Return a drawing as a picture, which PowerPoint can show."""
    sheet = browser.new_page(device_scale_factor=2)
    sheet.set_content(svg)
    return sheet.locator("svg").first.screenshot()


def deck(browser: Browser, pages: Sequence[Slide], paper: tuple[float, float], size: int) -> bytes:
    """Return the pages as a presentation that can be edited."""
    made: Deck = Presentation()
    made.slide_width, made.slide_height = (Inches(side) for side in paper)
    for page in pages:
        _fill(browser, made.slides.add_slide(made.slide_layouts[_TITLE_ONLY]), page, paper, size)
    file = io.BytesIO()
    made.save(file)
    return file.getvalue()


def _fill(browser: Browser, slide: Page, page: Slide, paper: tuple[float, float], size: int) -> None:
    left, width, below = Inches(_MARGIN), Inches(paper[0] - 2 * _MARGIN), page.bars or page.svg
    title = slide.shapes.title
    title.left, title.top, title.width, title.height = left, Inches(0.4), width, Inches(1)
    title.text = page.title
    height = Inches(1.1 if below else paper[1] - 2)
    words = slide.shapes.add_textbox(left, Inches(1.5), width, height).text_frame
    words.word_wrap = True
    for i, line in enumerate(page.lines):
        paragraph = words.paragraphs[0] if i == 0 else words.add_paragraph()
        paragraph.text, paragraph.space_after = line, Pt(size / 2)
        paragraph.font.size = Pt(size)
    rest: Length = Inches(paper[1] - 3.2)
    if page.bars is not None:
        _chart(slide, page, left, width, rest, size)
    elif page.svg is not None:
        slide.shapes.add_picture(io.BytesIO(png(browser, page.svg)), left, Inches(2.8), height=rest)


def _chart(slide: Page, page: Slide, left: Length, width: Length, height: Length, size: int) -> None:
    """Bars whose numbers can be edited, the first on top."""
    bars = page.bars
    assert bars is not None
    data = CategoryChartData(number_format="0.0 %")
    data.categories = list(bars.values)
    data.add_series(bars.title, tuple(bars.values.values()))
    kind = XL_CHART_TYPE.BAR_CLUSTERED
    chart = slide.shapes.add_chart(kind, left, Inches(2.8), width, height, data).chart
    chart.has_legend, chart.font.size = False, Pt(size)
    chart.category_axis.reverse_order = True
    chart.value_axis.visible, chart.value_axis.has_major_gridlines = False, False
    chart.value_axis.minimum_scale, chart.value_axis.maximum_scale = 0, 1.15 * bars.most
    plot = chart.plots[0]
    plot.has_data_labels = True
    plot.data_labels.position = XL_LABEL_POSITION.OUTSIDE_END


def main() -> int:
    TARGET.mkdir(parents=True, exist_ok=True)
    slides, handout = pack.slides(), [pack.handout()]
    with launch() as browser:
        files = {
            "slides.pdf": pdf(browser, slides, WIDE, _LARGE),
            "slides.pptx": deck(browser, slides, WIDE, _LARGE),
            "handout.pdf": pdf(browser, handout, A4, _SMALL),
            "handout.pptx": deck(browser, handout, A4, _SMALL),
        }
    files["expected.md"] = pack.expected_numbers().encode()
    files["round.json"] = pack.recorded_round().to_json(2).encode()
    for name, content in files.items():
        (TARGET / name).write_bytes(content)
        print(TARGET / name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
