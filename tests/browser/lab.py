"""Helper of the browser tests: opens pages of the app, acts on them and watches them for errors."""

import csv
import io
import re
import time
from collections.abc import Callable, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Literal
from urllib.parse import parse_qsl, urlsplit

from playwright.sync_api import BrowserContext, ConsoleMessage, Error, Locator, Page, ViewportSize, expect

from pages.ui.sidebar import MENU
from rtp import Scenario
from rtp.scenario.share import read_link
from scripts import browser as chromium
from scripts.serve import Server

DESKTOP: ViewportSize = {"width": 1440, "height": 900}
BEAMER: ViewportSize = {"width": 1024, "height": 768}
PHONE: ViewportSize = {"width": 390, "height": 844}
PATIENCE = 7.0  # seconds that long work goes on when its page has been left; a busy browser asks every 0.5
MOST_OPTIONS = 60  # in a list
LONGEST = 30.0  # seconds that anything on a page may take to appear
WIDER_THAN_THE_WINDOW = """() => [document.scrollingElement, document.querySelector('[data-testid="stMain"]')]
    .some((each) => each.scrollWidth > each.clientWidth)"""

# Console errors that Streamlit itself causes, as (start of the text, end of the address).
ALLOWED = [
    # On a page other than the first it looks for the server below the page's path before it tries the root.
    ("Failed to load resource: the server responded with a status of 404", "/_stcore/health"),
    ("Failed to load resource: the server responded with a status of 404", "/_stcore/host-config"),
    # An address that is not known opens the first page.
    ("The page that you have requested does not seem to exist", ".js"),
]

# Charts whose legend lies under their bar of buttons or on an axis title, or whose titles are cut off.
CROWDED = """() => [...document.querySelectorAll('.js-plotly-plot')].filter((e) => e.checkVisibility())
    .flatMap((plot) => {
        const box = (part) => part.getBoundingClientRect(), whole = box(plot);
        const boxes = (parts) => [...plot.querySelectorAll(parts)].map(box).filter((each) => each.width);
        const entries = boxes('.legend .traces'), titles = boxes('.xtitle, .ytitle, .x2title, .y2title');
        const meets = (one, other) => one.left < other.right && one.right > other.left
            && one.top < other.bottom - 2 && one.bottom > other.top + 2;
        const under = (others) => entries.some((one) => others.some((other) => meets(one, other)));
        const outside = (one) => one.left < whole.left - 1 || one.right > whole.right + 1
            || one.top < whole.top - 1 || one.bottom > whole.bottom + 1;
        return [
            under(boxes('.modebar')) && 'a legend under its bar',
            under(titles) && 'a legend on a title',
            [...titles, ...boxes('.annotation')].some(outside) && 'a title cut off',
        ].filter(Boolean).map((fault) => `${plot.closest('[class*="st-key-"]')?.className}: ${fault}`);
    })"""

# Half faded words have no contrast, so what fades is waited for; what spins for ever is not, nor, for longer
# than fading takes, what stands still because it is out of sight. A rule's violations have the rule's impact:
# the rules whose violations nobody asks for are left out.
AXE = """async (impacts) => {
    const ends = (animation) => Number.isFinite(animation.effect.getComputedTiming().endTime);
    const faded = document.getAnimations().filter(ends).map((animation) => animation.finished);
    await Promise.race([Promise.allSettled(faded), new Promise((go) => setTimeout(go, 1500))]);
    const others = axe._audit.rules.filter((rule) => rule.impact && !impacts.includes(rule.impact));
    const rules = Object.fromEntries(others.map((rule) => [rule.id, {enabled: false}]));
    return (await axe.run({resultTypes: ['violations'], rules})).violations;
}"""

IMPACTS = ["serious", "critical"]

# What can be taken away: not behind a dialog, not folded away.
OFFERED = "[data-testid=stDownloadButton]:not([inert] *) button:visible"

DRAWN = """([chart, name, axis]) => {
    const plot = document.querySelector(`.st-key-${chart} .js-plotly-plot`);
    return Array.from(plot._fullData.find((trace) => trace.name === name)[axis]);
}"""

# Actions one after the other: a text into the field of a key, or a click on a button.
# What cannot be used yet, or is there twice while its next turn is drawn, is waited for; nothing else is.
ACTS = """async ([acts, longest]) => {
    const write = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set;
    const all = (parts) => [...document.querySelectorAll(parts)].filter((each) => each.checkVisibility());
    for (const [key, text] of acts) {
        const kind = text === null ? 'button' : 'input';
        const own = `:is(.st-key-${CSS.escape(key)}, [class*="st-key-${key}-"]) ${kind}`;
        const part = () => all(own).length === 1 ? all(own)[0] : null;
        const since = performance.now();
        while (part()?.disabled ?? true) {
            if (performance.now() - since > longest) throw new Error(`${key} cannot be used`);
            await new Promise(requestAnimationFrame);
        }
        const used = part();
        used.focus();
        if (text === null) used.click();
        else {
            write.call(used, text);
            used.dispatchEvent(new Event('input', {bubbles: true}));
            await new Promise((go) => setTimeout(go));
            used.dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter', bubbles: true}));
        }
        await new Promise((go) => setTimeout(go, 100));  // as quick as a hand
    }
}"""

# Counts the entries that are made from now on: how many there are is not told beyond 50.
COUNT_ENTRIES = """() => {
    const push = history.pushState.bind(history);
    window.entries = 0;
    history.pushState = (...entry) => { window.entries += 1; push(...entry); };
}"""

STILL = """addEventListener('DOMContentLoaded', () => {
    const style = document.createElement('style');
    style.textContent = `*, *::before, *::after {
        transition-duration: 0s !important; transition-delay: 0s !important;
        animation-duration: 0s !important; animation-delay: 0s !important;
    }`;
    document.head.append(style);
})"""


Theme = Literal["light", "dark"]
Look = tuple[Theme, ViewportSize]
# With light on a desktop, how a page stands, every theme and every size: colours are the same in all sizes.
EVERY_LOOK: list[Look] = [("dark", DESKTOP), ("light", BEAMER), ("dark", PHONE)]


class Lab:
    """One test's view of the app. Server and window are those of the tests before: to start either costs
    more than most tests. Each page has a session of its own, and nothing stored when the test begins."""

    def __init__(self, context: BrowserContext, server: Server, looks: Sequence[Look] = ()) -> None:
        self.context = context
        self.server = server
        self.looks = looks  # in which a page is checked, besides as it stands
        self.look_of: dict[Page, Look] = {}
        self.pages: list[Page] = []
        self.errors: list[str] = []
        self.logged = len(server.log())
        self.spare = context.pages[:1]

    def open(self, path: str = "/", query: str = "", theme: Theme = "light") -> Page:
        """Open a settled page in a session of its own; `query` is what follows the question mark."""
        self.server.check()
        page = self.spare.pop() if self.spare else self.context.new_page()
        self.emulate(page, theme, DESKTOP)
        page.on("console", self._console)
        page.on("pageerror", self._page_error)
        self.pages.append(page)
        chromium.visit(page, f"{self.server.url}{path}?{query}".rstrip("?"))
        self._look(page)
        return page

    def settle(self, page: Page) -> None:
        """Wait until the app has finished running, and note the exceptions it shows."""
        chromium.settle(page)
        self._look(page)

    def show(self, page: Page, theme: Theme, size: ViewportSize) -> None:
        """Change the theme of the user's machine and the size of the window."""
        self.emulate(page, theme, size)
        self.settle(page)

    def emulate(self, page: Page, theme: Theme, size: ViewportSize) -> None:
        self.look_of[page] = theme, size
        # The shimmer of a page that loads takes a third of the processor.
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        page.set_viewport_size(size)

    def press(self, page: Page, key: str) -> None:
        button(page, key).click()
        self.settle(page)

    def press_in_menu(self, page: Page, key: str) -> None:
        """One of the actions that stand in the sidebar's menu."""
        button(page, MENU).click()
        self.press(page, key)

    def pick(self, page: Page, key: str, option: int | str) -> None:
        """Choose one of the options that stand side by side."""
        option_of(page, key, option).click()
        self.settle(page)

    def fill(self, page: Page, key: str, value: str) -> None:
        """Enter a number into its field."""
        field(page, key).fill(value)
        field(page, key).press("Enter")
        self.settle(page)

    def breath(self, page: Page, *acts: tuple[str, str | None]) -> None:
        """Texts into fields and clicks on buttons, each by its key, without a look at the page in between:
        what all of them lead to is drawn, and not what each of them does."""
        page.evaluate(ACTS, [[(dashed(key), text) for key, text in acts], 1000 * LONGEST])
        self.settle(page)

    def choose(self, page: Page, key: str, option: str) -> None:
        """Choose from a list that opens. What was chosen, and sent, must stay."""
        choose_from(page, key, option)
        self.settle(page)
        expect(part(page, key).get_by_role("combobox")).to_have_value(option)

    def tab(self, page: Page, key: str, place: int) -> None:
        part(page, key).get_by_role("tab").nth(place).click()
        self.settle(page)

    def unfold(self, page: Page, section: str) -> None:
        """Open a section, or close it."""
        part(page, f"section:{section}").locator("summary").first.click()
        self.settle(page)

    def go(self, page: Page, title: str) -> None:
        """To another screen, by the menu."""
        page.get_by_test_id("stSidebar").get_by_role("link", name=title).click()
        self.settle(page)

    def travel(self, page: Page, where: Literal["back", "forward"]) -> None:
        """Through the browser's history. A busy page asks the app for the other view a while later."""
        asked = page.evaluate("asked")
        page.go_back() if where == "back" else page.go_forward()
        page.wait_for_function("(before) => asked > before", arg=asked)
        self.settle(page)

    def finish(self, page: Page, job: str, chart: str) -> None:
        """Start a piece of work and wait for its end and its picture."""
        button(page, f"start:{job}").click()
        expect(part(page, chart)).to_be_visible(timeout=4000 * LONGEST)
        expect(part(page, f"stop:{job}")).to_have_count(0, timeout=4000 * LONGEST)
        self.settle(page)

    def check(self, page: Page) -> None:
        """What must hold of every page in every state; in the long proofs in every theme and size, too."""
        self._check(page)
        before = self.look_of[page]
        presented = "present=true" in page.url
        for look in self.looks:
            if presented and look[1] == PHONE:
                continue  # nobody presents on one: the type is too large
            self.show(page, *look)
            self._check(page)
        if self.looks:
            self.show(page, *before)

    def _check(self, page: Page) -> None:
        sees(page, lambda: self.axe(page), [])  # what is drawn anew may be faded for a moment
        assert not page.evaluate(WIDER_THAN_THE_WINDOW)
        sees(page, lambda: page.evaluate(CROWDED), [])  # and a chart of another width half drawn
        assert page.locator(".js-plotly-plot:not([aria-label])").count() == 0

    def take(self, page: Page, *names: str) -> dict[str, bytes]:
        """Take away everything that this page offers, which are these files; by file name."""
        expect(page.locator(OFFERED)).to_have_count(len(names), timeout=1000 * LONGEST)
        return {name: self.save(page, name) for name in names}

    def save(self, page: Page, name: str) -> bytes:
        """Take one file away; a table says of which scenario it is."""
        with page.expect_download() as download:
            button(page, f"download:{name}").click()
        self.settle(page)
        assert download.value.suggested_filename == name
        content = Path(download.value.path()).read_bytes()
        if name.endswith(".csv"):
            rows = list(csv.DictReader(io.StringIO(content.decode())))
            assert {len(row["lab_scenario"]) for row in rows} == {12}, name
        return content

    def axe(self, page: Page) -> list[str]:
        """Return the serious and critical accessibility violations of the page as it stands."""
        if not page.evaluate("'axe' in window"):
            page.evaluate(_axe_source())
        return [
            f"{found['id']}: {node['target']}: {node['failureSummary']}"
            for found in page.evaluate(AXE, IMPACTS)
            if found["impact"] in IMPACTS
            for node in found["nodes"]
        ]

    def close(self, *, last: bool = False) -> list[str]:
        """End every session and leave one empty window, unless it is the last that is done with this one;
        return the errors seen on the pages and in the log of the app."""
        for page in self.pages:
            if not page.is_closed():
                self._look(page)
                page.remove_listener("console", self._console)
                page.remove_listener("pageerror", self._page_error)
        if last:
            self.context.close()
        for page in self.context.pages[1:]:
            page.close()
        for page in self.context.pages:
            page.goto(f"{self.server.url}/_stcore/health")
            page.evaluate("localStorage.clear()")
        if "Traceback" in self.log():
            self.errors.append("the app logged a traceback")
        return list(dict.fromkeys(self.errors))

    def log(self) -> str:
        """What the app has logged since this test began."""
        return self.server.log()[self.logged :]

    def _page_error(self, error: Error) -> None:
        self.errors.append(f"page error: {error}")

    def _console(self, message: ConsoleMessage) -> None:
        address = message.location["url"]
        allowed = any(message.text.startswith(text) and address.endswith(end) for text, end in ALLOWED)
        if message.type == "error" and not allowed:
            self.errors.append(f"console error: {message.text} ({address})")

    def _look(self, page: Page) -> None:
        for shown in page.locator('[data-testid="stException"]').all_inner_texts():
            self.errors.append(f"exception on {page.url}: {shown}")


def sees(page: Page, look: Callable[[], object], wanted: object = True) -> None:
    """It comes to be so: a busy machine may be still for a while between two answers."""
    deadline = time.monotonic() + LONGEST
    while (seen := _glance(look)) != wanted and time.monotonic() < deadline:
        page.wait_for_timeout(50)
    assert seen == wanted, f"seen: {seen!r:.1000}"


def stays(lab: Lab, page: Page, look: Callable[[], object], wanted: object) -> None:
    """It comes to be so, and is still so when the page stands still."""
    sees(page, look, wanted)
    lab.settle(page)
    sees(page, look, wanted)


def _glance(look: Callable[[], object]) -> object:
    """What is there now; a chart that is only just drawn has no curves yet."""
    try:
        return look()
    except (Error, IndexError) as error:
        return error


def dashed(key: str) -> str:
    """A key as it stands in the class of what has it."""
    return re.sub(r"[^A-Za-z0-9_-]", "-", key)


def part(page: Page, key: str) -> Locator:
    """What has this key. A widget that shows a value has a version at the end of its key."""
    return page.locator(f':is(.st-key-{dashed(key)}, [class*="st-key-{dashed(key)}-"])')


def button(page: Page, key: str) -> Locator:
    """The first: a hidden twin carries the help."""
    return part(page, key).get_by_role("button").first


def option_of(page: Page, key: str, option: int | str) -> Locator:
    """By its place, or by the product's own name for it."""
    options = part(page, key)
    if isinstance(option, int):
        return options.get_by_role("radio").nth(option)
    return options.get_by_role("radio", name=option, exact=True)


def field(page: Page, key: str) -> Locator:
    """In which a number is typed."""
    return part(page, f"number:{key}").locator("input")


def slider(page: Page, key: str) -> Locator:
    return part(page, f"slider:{key}").get_by_role("slider")


def choose_from(page: Page, key: str, option: str) -> None:
    """Choose from a list that opens, by keys. Where the page moves beneath it the list closes and nothing is
    chosen; then it is opened again, as a user would."""
    box = part(page, key).get_by_role("combobox")
    asked, deadline = page.evaluate("asked"), time.monotonic() + LONGEST
    while time.monotonic() < deadline:
        _choose(page, box, option)
        if page.evaluate("asked") > asked and box.input_value() == option:
            return
    expect(box).to_have_value(option)


def _choose(page: Page, box: Locator, option: str) -> None:
    wanted = page.get_by_role("option", name=option, exact=True)
    box.click()
    box.press_sequentially(option)
    for _ in range(MOST_OPTIONS):
        if wanted.and_(page.locator("[data-focused]")).count():
            box.press("Enter")
            page.wait_for_timeout(100)
            return
        box.press("ArrowDown")
    box.press("Escape")


def drawn(page: Page, name: str, chart: str, axis: str = "y") -> list[float]:
    """The numbers of a curve that the browser draws, in the chart of that key."""
    return list(page.evaluate(DRAWN, [chart, name, axis]))


def addressed(page: Page) -> Scenario:
    """The scenario that the address says."""
    return read_link(dict(parse_qsl(urlsplit(page.url).query))).scenario


def metrics(page: Page) -> list[str]:
    """The numbers of all cards, without a second line."""
    return [text.partition("\n")[0] for text in page.get_by_test_id("stMetricValue").all_inner_texts()]


@cache
def _axe_source() -> str:
    return files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
