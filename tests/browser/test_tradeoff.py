"""Decide in a real browser: the curve and the map."""

from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page

from pages.ui.decide.tradeoff import NOISE_DAYS
from pages.ui.params import EPSILON_GRID
from rtp import Scenario
from rtp.simulation import draw_day
from rtp.tradeoff import curve
from tests.browser.lab import Lab, click_point, drawn, field, sees

STREET, CURVE = Scenario(households=100), "tradeoff-curve"


def number_of(page: Page, name: str) -> float:
    return float(field(page, name).input_value())


@pytest.mark.long
def test_a_click_on_the_curve_sets_epsilon(lab: Lab) -> None:
    """The budget of before stands among those of the grid as long as it is in use."""
    page = lab.open("/Decide", urlencode({"tab": "ε for a target error", "households": 100}))
    before = number_of(page, "epsilon")
    there = EPSILON_GRID[25]
    click_point(lab, page, CURVE, "Forecast", sorted({*EPSILON_GRID, before}).index(there))
    sees(page, lambda: number_of(page, "epsilon"), there)
    sees(page, lambda: f"epsilon={there:g}" in page.url)
    right = curve(STREET, EPSILON_GRID, NOISE_DAYS, street_day=draw_day(STREET))
    sees(page, lambda: drawn(page, "Blowfish", CURVE), (100 * right.lines["blowfish"].expected).tolist())
