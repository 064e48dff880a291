"""Find or fetch a Chromium, and drive it against the running app."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, Error, Page, sync_playwright

LAUNCH_ARGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
NAMES = ("chromium", "chromium-browser", "google-chrome")
MISSING = (
    "No usable Chromium or Chrome was found or could be installed: install the system package `chromium`, "
    "or set CHROMIUM_PATH to the path of a browser."
)

# True when the page has drawn all that the last script run sent.
QUIET = """() => {
    const app = document.querySelector('[data-testid="stApp"]');
    const shown = (selector) => [...document.querySelectorAll(selector)].filter((e) => e.checkVisibility());
    return app?.dataset.testScriptState === 'notRunning'
        && app.dataset.testConnectionState === 'CONNECTED'
        && !shown('[data-stale="true"], [data-testid="stStatusWidget"], [data-testid="stSpinner"], '
                  + '[data-testid="stSkeleton"], [data-testid="stAppSkeleton"]').length
        && shown('[data-testid="stPlotlyChart"]').every((e) => e.querySelector('.js-plotly-plot .main-svg'))
        && document.fonts.status === 'loaded';
}"""


def find() -> str | None:
    """Return the path of a browser that starts, or None."""
    with sync_playwright() as playwright:
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
        if _runs(["apt-get", "install", "-y", "chromium"], timeout=900) and (path := find()):
            return path
    libraries = ["--with-deps"] if root else []
    _runs([sys.executable, "-m", "playwright", "install", *libraries, "chromium"], timeout=600)
    return find() or sys.exit(MISSING)


@contextmanager
def launch() -> Iterator[Browser]:
    """Run a headless browser."""
    path = find() or sys.exit(MISSING)
    with (
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=path, args=LAUNCH_ARGS) as browser,
    ):
        yield browser


def settle(page: Page, timeout: float = 60) -> None:
    """Wait until the script has run and everything it sent stands still on the page.

    A rerun starts a little after the click that asks for it (a slider waits 200 ms), so the page has to be
    quiet six times in a row, 50 ms apart.
    """
    deadline = time.monotonic() + timeout
    quiet = 0
    while quiet < 6:
        if time.monotonic() > deadline:
            raise TimeoutError(f"{page.url} did not settle in {timeout:g} s")
        page.wait_for_timeout(50)
        try:
            quiet = quiet + 1 if page.evaluate(QUIET) else 0
        except Error:  # the page is being replaced by the next one
            quiet = 0


def _runs(command: list[str], timeout: float) -> bool:
    env = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    try:
        done = subprocess.run(command, env=env, timeout=timeout, capture_output=True)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


if __name__ == "__main__":
    print(ensure())
