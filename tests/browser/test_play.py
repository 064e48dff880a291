"""Play in a real browser: a host, a beamer and three phones, each with a window of its own."""

import re
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, ViewportSize, expect

from pages.ui.classroom.play.pictures import points_text
from rtp.mechanisms import FEATURED
from rtp.play.limits import CLOSED
from rtp.play.scores import price_name
from scripts.serve import Server
from tests.browser.lab import (
    BEAMER,
    LONGEST,
    PHONE,
    STILL,
    WIDER_THAN_THE_WINDOW,
    Lab,
    button,
    option_of,
    part,
    sees,
    slider,
)

PHONES = 3
HOME, AWAY = 0, 1  # of the options of a question
GO_AWAY = 2  # of the house's own switch
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
    errors = lab.close(last=True)
    assert errors == []


@pytest.fixture
def phones(context: BrowserContext, server: Server) -> Iterator[list[Lab]]:
    with ExitStack() as stack:
        yield [stack.enter_context(window(context, server, PHONE)) for _ in range(PHONES)]


def numbers(found: Locator) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", found.inner_text())]


def house_of(page: Page) -> list[int]:
    return numbers(page.locator(".play-plate b"))


def answered(page: Page) -> list[int]:
    """How many of how many have, on the beamer, which the host sees too."""
    return numbers(page.locator(".play-step b").last)


def at_step(page: Page, step: int) -> None:
    """There is a bar for every price so far."""
    sees(page, lambda: page.locator(".play-prices i").count(), step)


def question(page: Page, step: int) -> str:
    """The key of the one that is asked at that step, about whichever house."""
    key = f"play:guess {step - 1}"
    expect(part(page, key).first).to_be_visible(timeout=1000 * LONGEST)
    return key


def looks_well(lab: Lab, page: Page, size: ViewportSize) -> None:
    """In both themes, with nothing to scroll to. What is drawn anew may be faded for a moment."""
    for theme in ("dark", "light"):
        lab.emulate(page, theme, size)
        sees(page, lambda: lab.axe(page), [])
        assert not page.evaluate(WIDER_THAN_THE_WINDOW)
        assert not page.evaluate(TALLER_THAN_THE_WINDOW)


def test_a_class_plays_a_round_and_replays_it_with_privacy(lab: Lab, phones: list[Lab]) -> None:
    host, beamer, students = gathered(lab, phones)
    keys = [address.partition("=")[2] for page in (host, *students) for address in page.url.split("&")[1:]]
    assert len({*keys}) == PHONES + 1
    button(host, "play:start").click()
    won = dict.fromkeys(students, 0)
    play_step(students, 1, [HOME] * PHONES, won)
    assert not students[0].evaluate(SHOWS_A_QUESTION_BELOW_ANOTHER)
    looks_well(phones[0], students[0], PHONE)
    is_the_same_after_a_reload(students[0], HOME)
    for page in students:
        option_of(page, "play:switch", GO_AWAY).click()
        expect(option_of(page, "play:switch", GO_AWAY)).to_be_checked()
    on(host, students, 2)
    play_step(students, 2, [AWAY] * PHONES, won)
    sees(host, lambda: answered(host), [PHONES, PHONES])
    button(host, "play:reveal").click()
    have(won)
    looks_well(lab, beamer, BEAMER)
    replayed(host, beamer)
    closed(students, host, beamer)
    log = lab.server.log()
    assert not [key for key in keys if key in log]


def play_step(students: list[Page], step: int, guesses: Sequence[int], won: dict[Page, int]) -> None:
    """Everybody answers; count by hand, from what each phone says of its house."""
    for page in students:
        at_step(page, step)
    said = {}
    for page, guess in zip(students, guesses, strict=True):
        asked = part(page, question(page, step))
        (house,) = numbers(asked.locator("label").first)
        option_of(page, question(page, step), guess).click()
        expect(option_of(page, question(page, step), guess)).to_be_checked()
        said[page] = house, guess
    # Not before: a phone draws the price first and its own switch last.
    at_home = [" at home now" in part(page, "play:switch").inner_text() for page in students]
    right = {page: house for page, (house, guess) in said.items() if at_home[house - 1] == (guess == HOME)}
    for number, page in enumerate(students, start=1):
        won[page] += (page in right) + (number not in right.values())


def have(won: dict[Page, int]) -> None:
    """The points, on each phone."""
    for page, points in won.items():
        expect(page.locator(".play-plate em")).to_have_text(points_text(points), timeout=1000 * LONGEST)


def gathered(lab: Lab, phones: list[Lab]) -> tuple[Page, Page, list[Page]]:
    """The host and the beamer of a room, and the students who have joined it."""
    host = lab.open("/Play")
    button(host, "play:open").click()
    expect(button(host, "play:start")).to_be_disabled(timeout=1000 * LONGEST)  # nobody has joined
    sees(host, lambda: "host=" in host.url)
    link, beamer = addresses(lab, host)
    students = [join(phone, link, number) for number, phone in enumerate(phones, start=1)]
    sees(beamer, lambda: numbers(beamer.locator(".play-joined b")), [len(phones)])
    return host, beamer, students


def addresses(lab: Lab, host: Page) -> tuple[str, Page]:
    """The address to join, which has only the code, and the beamer's view, which has no key."""
    link = host.locator(".play-join span").inner_text()
    code = link.partition("?room=")[2]
    assert re.fullmatch("[A-Z]{4}", code)
    href = host.get_by_test_id("stLinkButton").get_by_role("link").get_attribute("href") or ""
    assert re.search(rf"/Play\?room={code}&present=true&view=beamer$", href)
    return link, lab.open("/Play", query=href.partition("?")[2])


def join(phone: Lab, link: str, number: int) -> Page:
    page = phone.open("/Play", query=link.rpartition("?")[2])
    phone.emulate(page, "light", PHONE)
    button(page, "play:join").click()
    sees(page, lambda: house_of(page), [number])
    sees(page, lambda: "player=" in page.url)
    return page


def on(host: Page, students: list[Page], step: int) -> None:
    """To a step, which all hear of, by a clicker's key."""
    host.get_by_role("radio").first.focus()  # as after a choice of the pace
    host.keyboard.press("PageDown")
    for page in (host, *students):
        at_step(page, step)


def is_the_same_after_a_reload(first: Page, guess: int) -> None:
    """The house and the answer are still there."""
    first.reload()
    at_step(first, 1)
    assert house_of(first) == [1]
    expect(option_of(first, question(first, 1), guess)).to_be_checked()


def replayed(host: Page, beamer: Page) -> None:
    """At the host's ε, then in one street: the beamer follows."""
    believed = beamer.locator(".play-truth")
    before = believed.inner_html()
    button(host, "play:again").click()
    sees(beamer, lambda: believed.inner_html() != before)
    for epsilon, key in ((0.5, "ArrowLeft"), (0.4, None)):
        expect(beamer.get_by_text(price_name(FEATURED, epsilon)).first).to_be_visible(timeout=1000 * LONGEST)
        if key:
            slider(host, "play:epsilon").press(key)
    written = host.get_by_test_id("stSliderThumbValue").evaluate("(value) => value.offsetHeight")
    assert written < 30, "the value of ε stands in one line"
    words = beamer.locator(".play-line").first
    before = words.inner_text()
    button(host, "play:together").click()
    sees(beamer, lambda: words.inner_text() != before)
    for key, slide in (("PageDown", ".play-winners"), ("PageUp", ".play-truth")):
        slider(host, "play:epsilon").press(key)  # a clicker steers whatever has the focus
        expect(beamer.locator(slide)).to_be_visible(timeout=1000 * LONGEST)
    expect(beamer.get_by_text(price_name(FEATURED, 0.4)).first).to_be_visible(timeout=1000 * LONGEST)


def closed(students: list[Page], host: Page, beamer: Page) -> None:
    part(host, "play-host").get_by_test_id("stPopover").last.get_by_role("button").click()
    button(host, "play:close").click()
    sees(host, lambda: host.url.endswith("/Play?tab=Play"))
    for page in (*students, beamer):
        expect(page.get_by_text(CLOSED).first).to_be_visible(timeout=1000 * LONGEST)
