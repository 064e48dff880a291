"""From a click to its picture: the slowest ten of what one can do on every screen, in a real browser.

On every screen: to open it by the menu, another ε, another day, and each of its tabs. An interaction ends
when the screen has drawn all it was sent and stands still. What takes longer than a second must show by then
that it is at work: by a progress bar, by a grey place for what is to come, or by the line along the top of
the window. The longest wait without such a sign is what counts.
"""

from collections.abc import Callable, Iterator
from itertools import count
from typing import NamedTuple

from playwright.sync_api import Page, ViewportSize

from benchmarks.measure import Result
from pages.ui.sidebar import SCREENS
from scripts.browser import launch, settle, visit
from scripts.serve import serve

SLOWEST = 10
ROUNDS = 2
SIZE: ViewportSize = {"width": 1440, "height": 900}
SIGNS = ("stProgress", "stSpinner", "stSkeleton", "stAppSkeleton")
WORKING = ", ".join(f'[data-testid="{sign}"]' for sign in SIGNS)

# Notes when the user acts, and when the screen first shows since then that it is at work.
WATCH = """(working) => {
    const noted = window.noted = {start: null, working: null};
    const line = () => getComputedStyle(document.querySelector('.stApp'), '::before').transform;
    const shown = () => [...document.querySelectorAll(working)].some((part) => part.checkVisibility())
        || /^matrix\\((0\\.0*[1-9]|1,)/.test(line());
    const look = () => {
        if (window.noted !== noted) return;
        if (shown()) noted.working = performance.now() - noted.start;
        else requestAnimationFrame(look);
    };
    const begin = () => { noted.start ??= performance.now(); requestAnimationFrame(look); };
    for (const act of ['pointerdown', 'keydown']) addEventListener(act, begin, {once: true, capture: true});
}"""
ENDED = (
    "[window.quiet.since - window.noted.start, window.noted.working]"  # `settle` knows since when it is quiet
)


class Taken(NamedTuple):
    name: str
    seconds: float  # to the picture
    silent: float  # to the picture, or to the first sign of work


def timed(page: Page, name: str, act: Callable[[], None]) -> Taken:
    page.evaluate(WATCH, WORKING)
    act()
    settle(page)
    ended, working = page.evaluate(ENDED)
    seconds = max(ended, 0.0) / 1000
    return Taken(name, seconds, seconds if working is None else min(seconds, working / 1000))


def on_screen(page: Page, title: str, epsilons: Iterator[int]) -> Iterator[Taken]:
    """All that every screen offers, on this one. No ε comes twice: nothing is ready beforehand."""
    menu = page.get_by_test_id("stSidebar").get_by_role("link", name=title, exact=True)
    yield timed(page, f"{title}: open it", menu.click)
    typed = page.get_by_label("ε, typed", exact=True)
    typed.fill(f"0.{next(epsilons)}")
    yield timed(page, f"{title}: another ε", lambda: typed.press("Enter"))
    yield timed(page, f"{title}: another day", page.get_by_role("button", name="New draw").click)
    for tab in page.get_by_test_id("stMain").get_by_role("tab").all()[1:]:
        yield timed(page, f"{title}: {tab.inner_text()}", tab.click)


def once() -> list[Taken]:
    """Everything, on a fresh server."""
    epsilons = count(401)
    with serve() as server, launch() as browser:
        page = browser.new_page(viewport=SIZE)
        visit(page, server.url)
        away = SCREENS[1:] + SCREENS[:1]  # the first is open already
        return [taken for screen in away for taken in on_screen(page, screen.title, epsilons)]


def best() -> list[Taken]:
    """The better of several rounds: a busy machine makes anything slow now and then."""
    rounds = zip(*(once() for _ in range(ROUNDS)), strict=True)
    return [min(same, key=lambda each: each.silent) for same in rounds]


def results() -> Iterator[Result]:
    taken = sorted(best(), key=lambda each: each.seconds, reverse=True)
    for each in taken[:SLOWEST]:
        yield Result(subject=f"click to picture: {each.name}", value=each.seconds, unit=" s")
    worst = max(taken, key=lambda each: each.silent)
    subject = f"longest of {len(taken)} without progress on screen: {worst.name}"
    yield Result(subject=subject, value=worst.silent, unit=" s", target=1.0)
