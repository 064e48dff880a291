"""Play in a real browser: a host, a beamer and three phones, each with a window of its own."""

import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, ViewportSize, expect

from pages.ui.play.rooms import CLOSED
from rtp.mechanisms import FEATURED, REGISTRY
from scripts.serve import Server
from tests.browser.lab import LONGEST, PHONE, STILL, WIDER_THAN_THE_WINDOW, Lab, sees

LAPTOP: ViewportSize = {"width": 1024, "height": 768}
PHONES = 3
TALLER_THAN_THE_WINDOW = """() => document.querySelector('[data-testid=stMain]').scrollHeight
    > window.innerHeight"""

# A step's question may stand below the next one's until the browser has drawn the whole step.
SHOWS_A_QUESTION_BELOW_ANOTHER = """() => {
    const question = document.querySelector('[class*="st-key-play-guess"]');
    const before = question.cloneNode(true);
    question.after(before);
    const shown = question.checkVisibility() && before.checkVisibility();
    before.remove();
    return shown;
}"""


@contextmanager
def window(context: BrowserContext, server: Server, size: ViewportSize) -> Iterator[Lab]:
    """A machine of its own: nothing is shared with others but the server."""
    browser = context.browser
    assert browser is not None
    own = browser.new_context(viewport=size, device_scale_factor=0.5)
    own.add_init_script(STILL)
    lab = Lab(own, server)
    yield lab
    errors = lab.close()
    own.close()
    assert errors == []


@pytest.fixture
def phones(context: BrowserContext, server: Server) -> Iterator[list[Lab]]:
    with ExitStack() as stack:
        yield [stack.enter_context(window(context, server, PHONE)) for _ in range(PHONES)]


def button(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=name, exact=True)


def option(page: Page, name: str) -> Locator:
    """Of those that stand side by side."""
    return page.get_by_role("radio", name=name, exact=True)


def appears(page: Page, text: str | re.Pattern[str]) -> None:
    expect(page.get_by_text(text).first).to_be_visible(timeout=1000 * LONGEST)


def looks_well(lab: Lab, page: Page, size: ViewportSize) -> None:
    """In both themes, with nothing to scroll to. What is drawn anew may be faded for a moment."""
    for theme in ("dark", "light"):
        lab.emulate(page, theme, size)
        sees(page, lambda: lab.axe(page), [])
        assert not page.evaluate(WIDER_THAN_THE_WINDOW)
        assert not page.evaluate(TALLER_THAN_THE_WINDOW)


@pytest.fixture
def other_machine(context: BrowserContext, server: Server) -> Iterator[Lab]:
    with window(context, server, LAPTOP) as lab:
        yield lab


def test_a_class_plays_a_round_and_replays_it_with_privacy(lab: Lab, phones: list[Lab]) -> None:
    host, beamer, students = gathered(lab, phones)
    keys = [address.partition("=")[2] for page in (host, *students) for address in page.url.split("&")[1:]]
    assert len({*keys}) == PHONES + 1
    button(host, "Start").click()
    the_first_step(students, host)
    looks_well(phones[0], students[0], PHONE)
    on(host, students, 2)
    the_second_step(students, host)
    button(host, "Reveal").click()
    for page in students:
        appears(page, re.compile("^[12] of 2$"))  # everybody is away in the second, and guessed it
    looks_well(lab, beamer, LAPTOP)
    replayed(host, beamer)
    closed(students, host, beamer)
    log = lab.server.log()
    assert not [key for key in keys if key in log]


@pytest.mark.long
def test_a_phone_is_reloaded_another_sleeps_and_the_teacher_goes_on_at_another_machine(
    lab: Lab, phones: list[Lab], other_machine: Lab
) -> None:
    host, beamer, students = gathered(lab, phones)
    looks_well(lab, host, LAPTOP)
    looks_well(lab, beamer, LAPTOP)
    button(host, "Start").click()
    the_first_step(students, host)
    on(host, students, 2)
    the_second_step(students, host)
    one_is_reloaded(students[0])
    on(host, students, 3)
    the_third_is_slept_through(phones, students, host)
    looks_well(lab, beamer, LAPTOP)
    host = other_machine.open("/Play", query=host.url.partition("?")[2])
    button(host, "Reveal").click()
    looks_well(other_machine, host, LAPTOP)
    for page, answered in zip(students, (3, 3, 2), strict=True):
        appears(page, re.compile(rf"^[{answered - 1}{answered}] of {answered}$"))
    looks_well(phones[0], students[0], PHONE)


def gathered(lab: Lab, phones: list[Lab]) -> tuple[Page, Page, list[Page]]:
    """The host and the beamer of a room, and the students who have joined it."""
    host = lab.open("/Play")
    button(host, "Open a room").click()
    appears(host, "0 have joined.")
    sees(host, lambda: "host=" in host.url)
    link, beamer = addresses(lab, host)
    students = [join(phone, link, number) for number, phone in enumerate(phones, start=1)]
    appears(beamer, re.compile(f"^{PHONES}$"))
    return host, beamer, students


def addresses(lab: Lab, host: Page) -> tuple[str, Page]:
    """The address to join, which has only the code, and the beamer's view, which has no key."""
    link = host.locator(".play-join span").inner_text()
    code = link.partition("?room=")[2]
    assert re.fullmatch("[A-Z]{4}", code)
    href = host.get_by_role("link", name="Open the beamer's view").get_attribute("href") or ""
    assert href.endswith(f"/Play?room={code}&view=beamer")
    return link, lab.open("/Play", query=f"room={code}&view=beamer")


def join(phone: Lab, link: str, number: int) -> Page:
    page = phone.open("/Play", query=link.partition("?")[2])
    phone.emulate(page, "light", PHONE)
    button(page, "Join").click()
    appears(page, f"House {number}")
    sees(page, lambda: "player=" in page.url)
    return page


def on(host: Page, students: list[Page], step: int) -> None:
    """To a step, which all hear of: to the third by a clicker's key."""
    if step == 3:
        host.keyboard.press("PageDown")
    else:
        button(host, "Next").click()
    for page in (host, *students):
        appears(page, f"Step {step} of 12")


def the_first_step(students: list[Page], host: Page) -> None:
    for number, page in enumerate(students, start=1):
        appears(page, "Step 1 of 12")
        appears(page, f"House {number % PHONES + 1}: at home or away?")
        option(page, "At home").click()
        option(page, "I am away").click()
        expect(option(page, "I am away")).to_be_checked()
    appears(host, f"{PHONES} of {PHONES} have answered.")
    assert not students[0].evaluate(SHOWS_A_QUESTION_BELOW_ANOTHER)


def the_second_step(students: list[Page], host: Page) -> None:
    for page in students:
        appears(page, "at home or away?")
        option(page, "Away").click()
    appears(host, f"{PHONES} of {PHONES} have answered.")


def one_is_reloaded(first: Page) -> None:
    """The house, its switch and the answer are still there."""
    first.reload()
    appears(first, "Step 2 of 12")
    appears(first, "House 1")
    for name in ("Away", "I am away"):
        expect(option(first, name)).to_be_checked()


def the_third_is_slept_through(phones: list[Lab], students: list[Page], host: Page) -> None:
    """By the last phone, which comes back to its house, one answer behind."""
    *awake, asleep = students
    session = phones[-1].context.new_cdp_session(asleep)
    session.send("Page.setWebLifecycleState", {"state": "frozen"})
    for page in awake:
        option(page, "Away").click()
    appears(host, f"{PHONES - 1} of {PHONES} have answered.")
    on(host, awake, 4)
    session.send("Page.setWebLifecycleState", {"state": "active"})
    appears(asleep, "Step 4 of 12")
    appears(asleep, f"House {PHONES}")


def replayed(host: Page, beamer: Page) -> None:
    appears(beamer, re.compile("^The exact price "))
    button(host, "Again with privacy").click()
    appears(beamer, f"{REGISTRY[FEATURED].label} price at ε = 0.5, street 1 of 1.")
    slider = host.get_by_role("slider", name="ε: small is more private")
    slider.press("ArrowLeft")
    appears(beamer, f"{REGISTRY[FEATURED].label} price at ε = 0.4, street 1 of 1.")
    written = host.get_by_test_id("stSliderThumbValue").evaluate("(value) => value.offsetHeight")
    assert written < 30, "the value of ε stands in one line"
    button(host, "Put us all in one street").click()
    appears(beamer, "all in one street.")


def closed(students: list[Page], host: Page, beamer: Page) -> None:
    button(host, "Close").click()
    button(host, "Close the room").click()
    appears(host, "For the teacher")
    sees(host, lambda: host.url.endswith("/Play"))
    for page in (*students, beamer):
        appears(page, CLOSED)
