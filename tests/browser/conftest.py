"""Fixtures of the browser tests: the real app in its own process, in a real browser."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from scripts.browser import launch
from scripts.serve import Server, serve
from tests.browser.lab import Lab


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Spread these tests, the longest of all, over the list that the workers share out in stretches."""
    here = Path(__file__).parent
    slow = [item for item in items if item.path.is_relative_to(here)]
    spread = [item for item in items if item not in slow]
    for number, item in enumerate(slow):
        spread.insert(number * len(items) // len(slow), item)
    items[:] = spread


@pytest.fixture
def server() -> Iterator[Server]:
    """The app as nobody has visited it yet."""
    with serve() as running:
        yield running


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with launch() as running:
        yield running


@pytest.fixture
def lab(browser: Browser, server: Server) -> Iterator[Lab]:
    """Open pages with it; it fails the test on any error."""
    helper = Lab(browser, server)
    yield helper
    if errors := helper.close():
        pytest.fail(
            "\n".join([*errors, "the log of the app ends with:", server.log()[-4000:]]), pytrace=False
        )
