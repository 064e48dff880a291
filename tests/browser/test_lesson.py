"""The guided lesson in a real browser: one key leads a host and a phone through all of it."""

import re

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from rtp.teaching.plan import PLAN
from scripts.serve import Server
from tests.browser.lab import BEAMER, LONGEST, PHONE, Lab, button, option_of, part, sees
from tests.browser.test_play import window

CASES = {stop.title: number for number, stop in enumerate(PLAN, 1)}
REAL_HOME, CHEAT = CASES["A real home"], CASES["Find the cheat"]
MOST = 120  # presses of the whole lesson: hours, stops, lines


def step(page: Page) -> int:
    """Of the lesson, by the address."""
    found = re.search(r"lesson=(\d)", page.url)
    return int(found[1]) if found else 0


def press(lab: Lab, page: Page, key: str = "PageDown") -> None:
    page.keyboard.press(key)
    lab.settle(page)


@pytest.mark.long
def test_one_key_leads_through_the_lesson(lab: Lab, context: BrowserContext, server: Server) -> None:
    host = lab.open("/Class", query="tab=The+plan")
    lab.emulate(host, "light", BEAMER)
    button(host, "lesson:begin").click()
    button(host, "play:open").click()
    sees(host, lambda: "host=" in host.url)
    room = re.search("room=([A-Z]{4})", host.url)
    assert room is not None
    with window(context, server, PHONE) as phone:
        student = phone.open("/Play", query=f"room={room[1]}")
        button(student, "play:join").click()
        expect(student.locator(".play-plate")).to_be_visible(timeout=1000 * LONGEST)
        expect(button(host, "play:start")).to_be_enabled(timeout=1000 * LONGEST)
        reached = [step(host)]
        for _ in range(MOST):
            if step(host) == CHEAT and host.locator("text=The audit names").count():
                break
            press(lab, host)
            if step(host) != reached[-1]:
                reached.append(step(host))
                if reached[-1] == REAL_HOME:
                    button(student, f"play:predict {PLAN[REAL_HOME - 1].exercise} 1").click()
                if reached[-1] == CHEAT:
                    for letter in "ABCDE":
                        option_of(student, f"play:trust 1 {letter}", 0).click()
                        expect(option_of(student, f"play:trust 1 {letter}", 0)).to_be_checked()
        assert reached == list(range(1, len(PLAN) + 1))
        expect(student.locator("text=no flaw found").first).to_be_visible(timeout=1000 * LONGEST)
        button(host, "lesson:step back").click()
        sees(host, lambda: step(host), CHEAT - 1)
        host.reload()
        sees(host, lambda: part(host, "lesson").count() > 0)
        button(host, "lesson:step next").click()
        expect(host.locator("text=The audit names").first).to_be_visible(timeout=1000 * LONGEST)
        button(host, "lesson:end").click()
        sees(host, lambda: (step(host), "tab=The+plan" in host.url), (0, True))
