"""The Explore screen: one day, every rate, what privacy cost."""

from pages.ui import cached, sidebar, state
from pages.ui.explore.metrics import metrics
from pages.ui.explore.promise import promise
from pages.ui.explore.rates import rates
from pages.ui.explore.takeaway import takeaway

scenario = sidebar.begin(
    "Explore", "One day of a street whose electricity price is public: what privacy costs."
)
day, pinned = cached.day(scenario), state.baseline()
baseline = cached.day(pinned) if pinned else None
metrics(day, baseline)
rates(day, baseline)
promise(day)
takeaway(day)
