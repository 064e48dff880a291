"""Every tab of every screen in a real browser, in both themes and three sizes, as it opens."""

from urllib.parse import urlencode

import pytest
from playwright.sync_api import expect

from tests.browser.lab import LONGEST, Lab, button
from tests.help.outline import VIEWS, View


@pytest.mark.long
@pytest.mark.parametrize("view", VIEWS, ids=lambda view: f"{view.page} {view.tab}")
def test_a_tab_stands_in_every_look(long_walk: Lab, view: View) -> None:
    link = {"tab": view.tab, "preset": view.preset, "households": view.households, **dict(view.more)}
    page = "" if view.page == "Explore" else view.page
    asked = urlencode({name: text for name, text in link.items() if text})
    long_walk.check(long_walk.open(f"/{page}", asked))


@pytest.mark.long
def test_the_audit_of_sealed_mechanisms_stands_in_every_look(long_walk: Lab) -> None:
    page = long_walk.open("/Class", "tab=Find+the+cheat&sealed=2&votes=AbCdE")
    button(page, "start:cheat").click()
    expect(page.locator(".stMain .stMarkdownBadge")).to_have_count(5, timeout=4000 * LONGEST)
    long_walk.check(page)
