"""Helper of the browser tests: opens pages of the app and watches them for errors."""

from importlib.resources import files
from typing import Literal, NamedTuple

from playwright.sync_api import Browser, ConsoleMessage, Page

from scripts import browser as chromium
from scripts.serve import Server

# Console errors that Streamlit itself causes, as (start of the text, end of the address).
ALLOWED = [
    # On a page other than the first it looks for the server below the page's path before it tries the root.
    ("Failed to load resource: the server responded with a status of 404", "/_stcore/health"),
    ("Failed to load resource: the server responded with a status of 404", "/_stcore/host-config"),
]


class Violation(NamedTuple):
    rule: str
    impact: str
    help: str
    targets: list[str]


class Lab:
    def __init__(self, browser: Browser, server: Server) -> None:
        self.browser = browser
        self.server = server
        self.pages: list[Page] = []
        self.errors: list[str] = []

    def open(
        self,
        path: str = "/",
        query: str = "",
        theme: Literal["light", "dark"] = "light",
        width: int = 1440,
        height: int = 900,
    ) -> Page:
        """Open a settled page in a session of its own; `query` is what follows the question mark."""
        self.server.check()
        context = self.browser.new_context(color_scheme=theme, viewport={"width": width, "height": height})
        page = context.new_page()
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.errors.append(f"page error: {error}"))
        self.pages.append(page)
        page.goto(f"{self.server.url}{path}?{query}".rstrip("?"))
        self.settle(page)
        return page

    def settle(self, page: Page) -> None:
        """Wait until the app has finished running, and note the exceptions it shows."""
        chromium.settle(page)
        self._look(page)

    def axe(self, page: Page) -> list[Violation]:
        """Return the serious and critical accessibility violations of the page as it stands."""
        page.evaluate(files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8"))
        found = page.evaluate("axe.run({resultTypes: ['violations']}).then((results) => results.violations)")
        return [
            Violation(v["id"], v["impact"], v["help"], [str(node["target"]) for node in v["nodes"]])
            for v in found
            if v["impact"] in ("serious", "critical")
        ]

    def close(self) -> list[str]:
        """Close every page; return the errors seen on them."""
        for page in self.pages:
            if not page.is_closed():
                self._look(page)
                page.context.close()
        return list(dict.fromkeys(self.errors))

    def _console(self, message: ConsoleMessage) -> None:
        address = message.location["url"]
        allowed = any(message.text.startswith(text) and address.endswith(end) for text, end in ALLOWED)
        if message.type == "error" and not allowed:
            self.errors.append(f"console error: {message.text} ({address})")

    def _look(self, page: Page) -> None:
        for shown in page.locator('[data-testid="stException"]').all_inner_texts():
            self.errors.append(f"exception on {page.url}: {shown}")
