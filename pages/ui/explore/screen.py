"""The Explore screen: one day, every rate, what privacy cost."""

from pages.ui import cache, pins, saved, sidebar
from pages.ui.explore.day import metrics, promise, rates, story, takeaway


def draw() -> None:
    scenario = sidebar.begin(
        "Explore",
        "An electricity price follows what a street uses, and everybody can read it.",
        "Can a price betray you?",
    )
    saved.offer()
    draw_headline = story(scenario)
    day, pinned = cache.day(scenario), pins.days()
    metrics(day, pinned)
    rates(day, pinned)
    pins.table(day)
    promise(day)
    takeaway(day)
    draw_headline()
