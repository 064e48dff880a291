"""What must hold on every page, in a real browser."""

import pytest

from pages.ui.sidebar import SCREENS
from scripts.serve import Server
from tests.browser.lab import Lab

ADDRESSES = ["/" if screen.path == "app.py" else f"/{screen.title}" for screen in SCREENS]
WIDER_THAN_THE_WINDOW = "document.scrollingElement.scrollWidth > window.innerWidth"


@pytest.mark.parametrize("address", ADDRESSES)
def test_it_opens_by_its_address_on_a_fresh_server_and_is_accessible(
    lab: Lab, fresh_server: Server, address: str
) -> None:
    page = lab.open(address)
    assert lab.axe(page) == []
    assert (
        page.locator('[data-testid="stPlotlyChart"][aria-label]').count()
        == page.locator('[data-testid="stPlotlyChart"]').count()
    )
    page.emulate_media(color_scheme="dark")
    page.set_viewport_size({"width": 390, "height": 844})
    lab.settle(page)
    assert lab.axe(page) == []
    assert not page.evaluate(WIDER_THAN_THE_WINDOW)
    assert "Traceback" not in fresh_server.log()


def test_the_menu_visits_every_page_and_nothing_is_lost(lab: Lab) -> None:
    page = lab.open(query="epsilon=0.2&seed=5")
    for screen in [*SCREENS[1:], SCREENS[0]]:
        page.get_by_test_id("stSidebar").get_by_role("link", name=screen.title, exact=False).click()
        lab.settle(page)
        assert page.get_by_label("ε, typed", exact=True).input_value() == "0.2"
        assert "seed=5" in page.url
