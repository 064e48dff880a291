"""Count what the first window of every screen asks of a reader, beside the sidebar: words and numbers, those
of charts apart, and how far down the first chart begins. Of the app of this folder, or of one that runs
elsewhere: `python scripts/first_screen.py [address] [screen …]`."""

import sys
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path

from playwright.sync_api import Browser, ViewportSize

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from pages.ui.screens import SCREENS
from scripts.browser import launch, settle, visit
from scripts.serve import serve

WINDOW: ViewportSize = {"width": 1440, "height": 900}
# The tokens of all text that is seen, of charts apart: a number has a digit, a word a letter and none.
COUNT = """(height) => {
    const main = document.querySelector('[data-testid="stMain"]');
    const chart = '.js-plotly-plot, [data-testid="stImage"]';
    const icon = '[data-testid="stIconMaterial"], style, script, .modebar-container';
    const found = {words: 0, numbers: 0, ticks: 0};
    const walk = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
        const node = walk.currentNode, holder = node.parentElement, range = document.createRange();
        const seen = holder.checkVisibility({opacityProperty: true, visibilityProperty: true});
        if (!seen || holder.closest(icon)) continue;
        range.selectNodeContents(node);
        const box = range.getBoundingClientRect();
        if (box.width < 2 || box.height < 2) continue;
        let top = 0, bottom = height, hidden = false;  // of what is seen: a list may scroll by itself
        for (let each = holder; each !== main; each = each.parentElement) {
            const look = getComputedStyle(each), frame = each.getBoundingClientRect();
            hidden ||= look.clipPath !== 'none';
            if (look.overflowY === 'visible') continue;
            [top, bottom] = [Math.max(top, frame.top), Math.min(bottom, frame.bottom)];
        }
        if (hidden || box.top >= bottom || box.bottom <= top) continue;
        for (const token of node.textContent.trim().split(/\\s+/)) {
            const number = /\\d/.test(token), word = /\\p{L}/u.test(token);
            if (holder.closest(chart)) found.ticks += number || word;
            else if (number) found.numbers += 1;
            else if (word) found.words += 1;
        }
    }
    const tops = [...main.querySelectorAll(chart)].map((each) => each.getBoundingClientRect().top);
    return {...found, chart: tops.length ? Math.round(Math.min(...tops)) : null};
}"""


def main(address: str | None, names: Sequence[str]) -> None:
    with nullcontext() if address else serve(120) as server, launch() as browser:
        print("screen            words  numbers  in charts  y of the first chart")
        for name in names:
            counted = count(browser, f"{address or server.url}/{name}")
            words, numbers, ticks, top = (counted[each] for each in ("words", "numbers", "ticks", "chart"))
            print(
                f"{name or 'Explore':16} {words:6} {numbers:8} {ticks:10}  {'none' if top is None else top}"
            )


def count(browser: Browser, url: str) -> dict[str, int | None]:
    """What the first window of a screen shows when all of its work is done."""
    context = browser.new_context(viewport=WINDOW)
    page = context.new_page()
    visit(page, url)
    page.locator('[data-testid="stProgress"]').first.wait_for(state="detached", timeout=120_000)
    page.wait_for_timeout(1500)  # what is counted beside the page
    settle(page)
    found: dict[str, int | None] = page.evaluate(COUNT, WINDOW["height"])
    context.close()
    return found


if __name__ == "__main__":
    own = [Path(screen.path).stem.replace("app", "") for screen in SCREENS]
    given = sys.argv[1:]
    main(given[0] if given else None, given[1:] or own)
