"""Fixtures of the browser tests: the real app in its own process, in a real browser."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from scripts.browser import launch
from scripts.serve import Server, serve
from tests.browser.lab import Lab


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """The app, started once for all tests of a worker."""
    with serve() as running:
        yield running


@pytest.fixture
def fresh_server() -> Iterator[Server]:
    """The app, started for this test only."""
    with serve() as running:
        yield running


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with launch() as running:
        yield running


@pytest.fixture
def lab(request: pytest.FixtureRequest, browser: Browser) -> Iterator[Lab]:
    """Open pages with it, of `fresh_server` where the test asks for one; it fails the test on any error."""
    name = "fresh_server" if "fresh_server" in request.fixturenames else "server"
    helper = Lab(browser, request.getfixturevalue(name))
    yield helper
    if errors := helper.close():
        log = helper.server.log()[-4000:]
        pytest.fail("\n".join([*errors, "the log of the app ends with:", log]), pytrace=False)
