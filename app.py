"""The Explore screen: one day, every rate, what privacy cost."""

from pages.ui import cached, pins, saved, sidebar
from pages.ui.explore.metrics import metrics
from pages.ui.explore.promise import promise
from pages.ui.explore.rates import rates
from pages.ui.explore.takeaway import takeaway

scenario = sidebar.begin(
    "Explore", "One day of a street whose electricity price is public: what privacy costs."
)
saved.offer()
day, pinned = cached.day(scenario), pins.days()
metrics(day, pinned)
rates(day, pinned)
pins.table(day)
promise(day)
takeaway(day)
