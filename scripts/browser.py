"""Find or fetch a Chromium, and drive it against the running app."""

import itertools
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, Page, Playwright, sync_playwright

LAUNCH_ARGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
# The shell is the same engine without a window, and a third cheaper to run.
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
MISSING = (
    "No usable Chromium or Chrome was found or could be installed: install the system package `chromium`, "
    "or set CHROMIUM_PATH to the path of a browser."
)

# The page does not show that it has asked the app for something before the first word of the answer comes.
TRAFFIC = """window.asked ??= (window.WebSocket = class extends WebSocket {
    constructor(...args) {
        super(...args);
        this.addEventListener('message', () => { window.unanswered = false; });
    }
    send(data) {
        window.unanswered = true;
        window.asked += 1;
        super.send(data);
    }
}, 0)"""

# True when, since the first of the calls with this number, the page has drawn all that the last script run
# sent and nothing has happened for so many milliseconds: the fewer if the page has asked, and was answered,
# since it was last found quiet.
QUIET = """([call, wait, answered]) => {
    const app = document.querySelector('[data-testid="stApp"]');
    const shown = (selector) => [...document.querySelectorAll(selector)].filter((e) => e.checkVisibility());
    const quiet = !window.unanswered
        && app?.dataset.testScriptState === 'notRunning'
        && app.dataset.testConnectionState === 'CONNECTED'
        && !shown('[data-stale="true"], [data-testid="stStatusWidget"], [data-testid="stSpinner"], '
                  + '[data-testid="stSkeleton"], [data-testid="stAppSkeleton"]').length
        && shown('.lab-chart, [data-testid="stPlotlyChart"]').every((e) => e.querySelector('.main-svg'))
        && document.fonts.status === 'loaded';
    if (!quiet || window.quiet?.call !== call) window.quiet = {call, since: performance.now()};
    const enough = window.asked > (window.settled ?? Infinity) ? answered : wait;
    const done = quiet && performance.now() - window.quiet.since >= enough;
    if (done) window.settled = window.asked;
    return done;
}"""
_calls = itertools.count()


def find() -> str | None:
    """Return the path of a browser that starts, or None."""
    with sync_playwright() as playwright:
        return _found(playwright)


def _found(playwright: Playwright) -> str | None:
    own = playwright.chromium.executable_path
    for path in (os.environ.get("CHROMIUM_PATH"), own, *map(shutil.which, NAMES)):
        if path and _runs([path, "--version"], timeout=30):
            return path
    return None


def ensure() -> str:
    """Return the path of a browser, installing one when there is none; exit when that fails."""
    if path := find():
        return path
    print("No browser found: installing Chromium, which can take some minutes", flush=True)
    root = os.geteuid() == 0
    if root and shutil.which("apt-get"):
        _runs(["apt-get", "update"], timeout=300)
        for package in NAMES[:2]:
            if _runs(["apt-get", "install", "-y", package], timeout=900) and (path := find()):
                return path
    libraries = ["--with-deps"] if root else []
    _runs([sys.executable, "-m", "playwright", "install", *libraries, "chromium"], timeout=600)
    return find() or sys.exit(MISSING)


@contextmanager
def launch(*flags: str) -> Iterator[Browser]:
    """Run a headless browser, with flags of its own."""
    with sync_playwright() as playwright:
        path = _found(playwright) or sys.exit(MISSING)
        with playwright.chromium.launch(executable_path=path, args=[*LAUNCH_ARGS, *flags]) as browser:
            yield browser


def visit(page: Page, url: str) -> None:
    """Open an address of the app and wait until the page stands still."""
    page.add_init_script(TRAFFIC)
    page.goto(url)
    settle(page)


def settle(page: Page) -> None:
    """Wait until the script has run and everything it sent stands still on the page.

    A rerun starts a little after the click that asks for it (a slider waits 200 ms), so the page has to be
    quiet for 250 ms, or for 200 once it was answered. The page itself keeps this time: a busy machine delays
    the slider and the watch alike.
    """
    page.wait_for_function(QUIET, arg=[next(_calls), 250, 200], polling=50, timeout=60_000)


def _runs(command: list[str], timeout: float) -> bool:
    env = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    try:
        done = subprocess.run(command, env=env, timeout=timeout, capture_output=True)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


if __name__ == "__main__":
    print(ensure())
