"""The guided lesson in real browsers: one key leads a host, a beamer and a class of 25 through all of it."""

import asyncio
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, ExitStack
from itertools import pairwise
from time import monotonic

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from rtp.play.limits import HOUSES_PER_ADDRESS
from rtp.teaching.plan import PLAN
from scripts.serve import Server
from scripts.visitor import visit
from tests.browser.lab import BEAMER, LONGEST, PHONE, Lab, button, option_of, part, sees
from tests.browser.test_play import numbers, window

CASES = {stop.title: number for number, stop in enumerate(PLAN, 1)}
STORY, REAL_HOME, CHEAT = CASES["The story"], CASES["A real home"], CASES["Find the cheat"]
MOST = 120  # presses of the whole lesson: hours, stops, lines
PHONES, HOUSES = 5, 25


def step(page: Page) -> int:
    """Of the lesson, by the address."""
    found = re.search(r"lesson=(\d)", page.url)
    return int(found[1]) if found else 0


def more_join(url: str, room: str, count: int) -> None:
    """Students who then put their phones away."""

    async def join() -> None:
        async with AsyncExitStack() as open_pages:
            for _ in range(count):
                visitor = await open_pages.enter_async_context(visit(url, "Play", f"room={room}"))
                await visitor.run()
                await visitor.run(visitor.clicked("play:join"))

    with ThreadPoolExecutor(1) as apart:  # here a loop runs already: the browser's
        apart.submit(asyncio.run, join()).result()


@pytest.fixture
def phones(context: BrowserContext, server: Server) -> Iterator[list[Lab]]:
    with ExitStack() as stack:
        yield [stack.enter_context(window(context, server, PHONE)) for _ in range(PHONES)]


@pytest.fixture
def beamer_lab(context: BrowserContext, server: Server) -> Iterator[Lab]:
    with window(context, server, BEAMER) as lab:
        yield lab


def guess(student: Page) -> None:
    """That the house that is asked about is at home, where one is: the question may go at any moment."""
    student.evaluate("document.querySelector('[class*=st-key-play-guess] [role=radio]')?.click()")


def answers(student: Page, number: int) -> None:
    """What a phone is asked at a step of the lesson."""
    if number == REAL_HOME:
        button(student, f"play:predict {PLAN[number - 1].exercise} 1").click()
    if number == CHEAT:
        for letter in "ABCDE":
            option_of(student, f"play:trust 1 {letter}", 0).click()
            expect(option_of(student, f"play:trust 1 {letter}", 0)).to_be_checked()


def goes_along(beamer: Page, host: Page, number: int, room: str) -> None:
    """The beamer's window, which has no key and nothing to press, shows the step that the host is at."""
    if PLAN[number - 1].screen == "Class":
        sees(beamer, lambda: (f"room={room}" in beamer.url, "view=beamer" in beamer.url), (True, True))
    else:
        sees(beamer, lambda: step(beamer), number)
        assert "key=" not in beamer.url
        assert not beamer.get_by_role("button").filter(visible=True, has_text="Next").count()
    if number == STORY:
        heading = "[class*=st-key-story] h2"
        sees(beamer, lambda: beamer.locator(heading).inner_text(), host.locator(heading).inner_text())


@pytest.mark.long
def test_one_key_leads_a_class_through_the_lesson(
    lab: Lab, phones: list[Lab], beamer_lab: Lab, server: Server
) -> None:
    host = lab.open("/Class", query="tab=The+plan")
    lab.emulate(host, "light", BEAMER)
    button(host, "lesson:begin").click()
    button(host, "play:open").click()
    sees(host, lambda: "host=" in host.url)
    found = re.search("room=([A-Z]{4})", host.url)
    assert found is not None
    room = found[1]
    beamer = beamer_lab.open("/Play", query=f"room={room}&view=beamer")
    students = [phone.open("/Play", query=f"room={room}") for phone in phones]
    for student in students:
        button(student, "play:join").click()
        expect(student.locator(".play-plate")).to_be_visible(timeout=1000 * LONGEST)
    more_join(server.url, room, HOUSES_PER_ADDRESS + 1 - PHONES)
    part(host, "play:crowd").locator("label").click()  # one too many has asked, and the host is told
    expect(part(host, "play:crowd").filter(visible=True)).to_have_count(0, timeout=1000 * LONGEST)
    more_join(server.url, room, HOUSES - HOUSES_PER_ADDRESS)
    sees(beamer, lambda: numbers(beamer.locator(".play-joined b")), [HOUSES])
    expect(button(host, "play:start")).to_be_enabled(timeout=1000 * LONGEST)
    reached, at, won = [step(host)], [monotonic()], False
    for _ in range(MOST):
        if step(host) == CHEAT and host.locator("text=The audit names").count():
            break
        host.keyboard.press("PageDown")
        lab.settle(host)
        if reached == [1]:
            won = won or beamer.locator(".play-leaders").count() > 0
            for student in students:
                guess(student)
        if step(host) != reached[-1]:
            reached.append(step(host))
            at.append(monotonic())
            goes_along(beamer, host, reached[-1], room)
            for student in students:
                answers(student, reached[-1])
    at.append(monotonic())
    for stop, (start, end) in zip(PLAN, pairwise(at), strict=True):
        print(f"{stop.title}: {stop.minutes} min in the plan, {(end - start) / 60:.1f} min by the key alone")
    assert reached == list(range(1, len(PLAN) + 1))
    assert won, "their guesses counted"
    for page in (beamer, *students):
        expect(page.locator("text=no flaw found").first).to_be_visible(timeout=1000 * LONGEST)
    button(host, "lesson:step back").click()
    sees(host, lambda: step(host), CHEAT - 1)
    goes_along(beamer, host, CHEAT - 1, room)
    host.reload()
    sees(host, lambda: part(host, "lesson").count() > 0)
    button(host, "lesson:step next").click()
    expect(host.locator("text=The audit names").first).to_be_visible(timeout=1000 * LONGEST)
    button(host, "lesson:end").click()
    sees(host, lambda: (step(host), "tab=The+plan" in host.url), (0, True))
