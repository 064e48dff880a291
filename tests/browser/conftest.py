"""Fixtures of the browser tests: the real app in its own process, in a real browser."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext

from scripts.browser import launch
from scripts.serve import Server, serve
from tests.browser.lab import EVERY_LOOK, PATIENCE, STILL, Lab


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """These tests, the longest, first: the short ones even out the end."""
    here = Path(__file__).parent
    for item in items:
        if item.path.is_relative_to(here):
            item.add_marker("slow")
    items.sort(key=lambda item: not item.path.is_relative_to(here))


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """The app in a process of its own."""
    with serve(environment={"RTP_PATIENCE": f"{PATIENCE}"}) as running:
        yield running


@pytest.fixture(scope="session")
def context() -> Iterator[BrowserContext]:
    """A window of a real browser, which keeps the code of the screens from one test to the next. It paints a
    quarter of the pixels, of the same page, and nothing on it fades or slides to where it will stand; it
    compiles no code anew to make it faster, since nothing here runs for long enough to gain by that; and all
    its pages share the code that one of them has read."""
    with launch("--js-flags=--no-opt", "--process-per-site") as browser:
        window = browser.new_context(device_scale_factor=0.5)
        window.add_init_script(STILL)
        yield window


@pytest.fixture
def lab(context: BrowserContext, server: Server) -> Iterator[Lab]:
    """Open pages with it; it fails the test on any error."""
    yield from watched(Lab(context, server))


@pytest.fixture
def long_walk(context: BrowserContext, server: Server) -> Iterator[Lab]:
    """The same for a walk that checks its pages in every theme and size."""
    yield from watched(Lab(context, server, EVERY_LOOK))


@pytest.fixture
def fresh_walk(context: BrowserContext) -> Iterator[Lab]:
    """The same on a server that nobody has visited yet."""
    with serve() as server:
        yield from watched(Lab(context, server, EVERY_LOOK))


def watched(helper: Lab) -> Iterator[Lab]:
    yield helper
    if errors := helper.close():
        pytest.fail(
            "\n".join([*errors, "the log of the app ends with:", helper.log()[-4000:]]), pytrace=False
        )
