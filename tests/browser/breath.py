"""Several actions of a quick hand, drawn once."""

from playwright.sync_api import Page

from tests.browser.lab import LONGEST, Lab
from tests.browser.session import ACTS


def breath(lab: Lab, page: Page, *acts: tuple[str, str | None]) -> None:
    """Texts into fields and clicks on buttons, each by its key, without a look at the page in between: what
    all of them lead to is drawn, and not what each of them does."""
    page.evaluate(ACTS, [acts, 1000 * LONGEST])
    lab.settle(page)
