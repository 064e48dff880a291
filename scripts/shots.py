"""Save the pictures of the guides: the poster, the story, the first screen in both themes, every screen in
small, a round of Play."""

import asyncio
import re
import sys
import threading
from pathlib import Path
from typing import Literal, get_args

from playwright.sync_api import Browser, ViewportSize

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from pages.ui.screens import SCREENS
from rtp import PRESETS
from rtp.figures.static import poster_figure
from rtp.teaching.poster import poster
from scripts import visitor
from scripts.browser import launch, settle, visit
from scripts.serve import ROOT, serve

Theme = Literal["light", "dark"]
DESKTOP: ViewportSize = {"width": 1440, "height": 900}
TABLET: ViewportSize = {"width": 1024, "height": 768}
PHONE: ViewportSize = {"width": 390, "height": 640}
SMALL = 0.4  # of the size on screen
ONE_ADDRESS = {"RTP_HOUSES_PER_ADDRESS": "100"}  # all who join come from this machine
DEAR = 69.0  # a rate of Play from which the houses are guessed to be at home


def main() -> None:
    draw_poster(ROOT / "docs" / "poster.svg")
    with serve(environment=ONE_ADDRESS) as server, launch() as browser:
        for theme in get_args(Theme):
            shoot(browser, server.url, theme, ROOT / "docs" / f"explore-{theme}.png")
        shoot(browser, f"{server.url}/?story=1", "light", ROOT / "docs" / "story.png")
        for screen in SCREENS:
            file = ROOT / "docs" / "screens" / f"{screen.title}.png"
            name = Path(screen.path).stem if screen.path.startswith("pages/") else ""
            shoot(browser, f"{server.url}/{name}", "light", file, scale=SMALL)
        shoot_play(browser, server.url)


def draw_poster(file: Path) -> None:
    """Save the poster of the paper's street, as *Attack* gives it away."""
    file.write_text(poster_figure(poster(PRESETS["paper"])).svg, encoding="utf-8")
    print(file)


def shoot(browser: Browser, url: str, theme: Theme, file: Path, scale: float = 1.0) -> None:
    context = browser.new_context(color_scheme=theme, viewport=DESKTOP, device_scale_factor=scale)
    page = context.new_page()
    visit(page, url)
    page.locator('[data-testid="stProgress"]').wait_for(state="detached", timeout=120_000)
    settle(page)
    file.parent.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=file, animations="disabled")
    context.close()
    print(file)


def shoot_play(browser: Browser, url: str) -> None:
    """Save a phone during a round of Play, and the beamer when it is replayed with privacy."""
    host, beamer, phone = (browser.new_context(viewport=size).new_page() for size in (TABLET, TABLET, PHONE))
    visit(host, f"{url}/Play")
    host.locator(".st-key-play-open button").click()
    host.wait_for_url("**host=*")
    room = host.url.partition("?")[2].partition("&")[0]
    visit(phone, f"{url}/Play?{room}")
    phone.locator(".st-key-play-join button").click()
    phone.wait_for_url("**player=*")
    others = threading.Thread(target=asyncio.run, args=(join_all(url, room, 19),))  # this thread has a loop
    others.start()
    others.join()
    visit(beamer, f"{url}/Play?{room}&view=beamer")
    host.locator(".st-key-play-start button").click()
    for step in range(1, 13):
        question = phone.locator(f"[class*='st-key-play-guess-{step - 1}-']")
        question.wait_for()
        dear = float(phone.locator(".play-now small").inner_text()) > DEAR
        question.get_by_role("radio").nth(0 if dear else 1).click()  # at home, or away
        host.locator(".play-step b", has_text=re.compile("^1 of 20$")).wait_for()
        if step == 6:
            phone.mouse.move(0, 0)  # nothing is pointed at
            phone.screenshot(path=ROOT / "docs" / "play-phone.png", animations="disabled")
        host.locator(".st-key-play-next button").click()
    host.locator(".st-key-play-reveal button:visible").first.click()
    revealed = beamer.locator(".play-truth")
    revealed.wait_for()
    before = revealed.inner_html()
    host.locator(".st-key-play-again button").click()
    while revealed.inner_html() == before:
        beamer.wait_for_timeout(100)
    settle(beamer)
    beamer.screenshot(path=ROOT / "docs" / "play-beamer.png", animations="disabled")


async def join_all(url: str, room: str, players: int) -> None:
    """Let so many join a room, without a browser."""
    for _ in range(players):
        async with visitor.visit(url, "Play", room) as student:
            await student.run()
            await student.run(student.clicked("play:join"))


if __name__ == "__main__":
    main()
