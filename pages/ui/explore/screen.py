"""The Explore screen: turn a knob, see rates and RMSRE move, and what an observer then learns."""

from pages.ui import cache, pins, sidebar
from pages.ui.explore.below import promise, rates, takeaway
from pages.ui.explore.instrument import instrument


def draw() -> None:
    scenario = sidebar.begin("Explore", "")
    pins.offer()
    instrument(scenario)
    day = cache.day(scenario)
    rates(day)
    promise(day)
    takeaway(day)
