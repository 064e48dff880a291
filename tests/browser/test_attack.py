"""The Attack screen in a real browser: a window that is clicked, the clock, and the address."""

from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Page

from tests.browser.lab import Lab, part, sees

WINDOW = """([row, place]) => {
    const plot = document.querySelector('.st-key-windows .js-plotly-plot');
    const {left, top} = plot.getBoundingClientRect();
    const {xaxis, [row ? `yaxis${row + 1}` : 'yaxis']: yaxis} = plot._fullLayout;
    return [left + xaxis._offset + xaxis.d2p(place), top + yaxis._offset + yaxis.d2p(0)];
}"""
LINE = "document.querySelector('.st-key-belief .js-plotly-plot')._fullLayout.shapes[0].x0.slice(-5)"


def test_a_window_opens_its_day_and_the_clock_moves_both(lab: Lab) -> None:
    page = lab.open("/Attack", "households=5&step_minutes=60&knows=others")
    click(page, 3)
    sees(page, lambda: asked(page), {"house": ["3"], "step": ["10"]})
    sees(page, lambda: times(page), ["At 10:00"] * 2)
    clock = part(page, "windows").get_by_role("slider")
    for _ in range(3):
        clock.press("ArrowRight")
    sees(page, lambda: times(page), ["At 13:00"] * 2)
    sees(page, lambda: page.evaluate(LINE), "13:00")
    sees(page, lambda: asked(page), {"house": ["3"], "step": ["10"]})
    click(page, 1)
    sees(page, lambda: asked(page), {"house": ["1"], "step": ["13"]})
    lab.settle(page)
    said = sentences(page)
    page.reload()
    lab.settle(page)
    sees(page, lambda: sentences(page), said)
    click(page, 1)
    sees(page, lambda: asked(page), {})
    sees(page, lambda: part(page, "belief").count(), 0)


def click(page: Page, house: int) -> None:
    """The window of a house in the row of the optimal rate."""
    x, y = page.evaluate(WINDOW, [1, house])
    page.mouse.move(x, y)
    page.wait_for_timeout(200)  # what is under the mouse is found a little later
    page.mouse.click(x, y)


def asked(page: Page) -> dict[str, list[str]]:
    """Which house the address says, and when."""
    link = parse_qs(urlsplit(page.url).query)
    return {name: link[name] for name in ("house", "step") if name in link}


def sentences(page: Page) -> list[str]:
    """That of the windows, and that of the house's day."""
    return [part(page, key).locator(".lab-chart > p").inner_text() for key in ("windows", "belief")]


def times(page: Page) -> list[str]:
    return [sentence[:8] for sentence in sentences(page)]
