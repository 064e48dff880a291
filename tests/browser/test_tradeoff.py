"""Decide in a real browser: the curve and the map."""

from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page

from pages.ui.decide.tradeoff import NOISE_DAYS
from pages.ui.params import EPSILON_GRID
from rtp import Scenario
from rtp.simulation import draw_day
from rtp.sweep.plan import make
from rtp.sweep.whatif import span, values
from rtp.tradeoff import curve
from tests.browser.lab import Lab, click_point, drawn, field, sees

STREET = Scenario(households=100)
CURVE, MAP = "tradeoff-curve", "map-chart"  # charts
MAP_TAB = 3


def number_of(page: Page, name: str) -> float:
    return float(field(page, name).input_value())


@pytest.mark.long
def test_the_curve_from_its_address_to_a_map(long_walk: Lab) -> None:
    link = urlencode({"tab": "ε for a target error", "households": 100, "by": "alpha"})
    lab, page = long_walk, long_walk.open("/Decide", link)
    a_click_sets_epsilon(lab, page, number_of(page, "epsilon"))
    lab.tab(page, "decide:tab", MAP_TAB)
    a_map_over_two(lab, page, STREET.replace(epsilon=EPSILON_GRID[25]))
    lab.take(page, "whatif.csv")


def a_click_sets_epsilon(lab: Lab, page: Page, before: float) -> None:
    """The budget of before stands among those of the grid as long as it is in use."""
    click_point(lab, page, CURVE, "Forecast", sorted([*EPSILON_GRID, before]).index(EPSILON_GRID[25]))
    sees(page, lambda: number_of(page, "epsilon"), EPSILON_GRID[25])
    sees(page, lambda: f"epsilon={EPSILON_GRID[25]:g}" in page.url)
    right = curve(STREET, EPSILON_GRID, NOISE_DAYS, street_day=draw_day(STREET))
    sees(page, lambda: drawn(page, "Blowfish", CURVE), (100 * right.lines["blowfish"].expected).tolist())


def a_map_over_two(lab: Lab, page: Page, begun: Scenario) -> None:
    """The address names the second parameter; a click loads a point."""
    lab.breath(page, ("number:map:second:count", "3"), ("number:map:days", "12"))
    lab.finish(page, "map", MAP)
    click_point(lab, page, MAP, "", 4)  # the second of ε, the second of α
    grid = {"epsilon": values(*span(begun, "epsilon"), 8), "alpha": values(*span(begun, "alpha"), 3)}
    loaded = make(begun, grid, 12).at(4)
    sees(page, lambda: number_of(page, "epsilon"), loaded.epsilon)
    sees(page, lambda: number_of(page, "alpha"), loaded.alpha)
    lab.check(page)
