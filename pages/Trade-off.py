"""The Trade-off screen: which error a budget buys, who pays for it, and what if things were different."""

from functools import partial

from pages.ui import cache, pins, sidebar
from pages.ui.tradeoff import accepted, cost_of_privacy, error_curve, wrong_model
from pages.ui.whatif import whatif
from pages.ui.widgets import url_tabs

scenario = sidebar.begin("Trade-off", "The price of privacy: what an error costs in ε, and ε in money.")
day = cache.day(scenario)
accepted(day, error_curve(day))
pins.table(day)
url_tabs(
    "tradeoff:tab",
    {
        "Cost of privacy": partial(cost_of_privacy, day),
        "What if the model is wrong?": partial(wrong_model, day),
        "What-if map": partial(whatif, scenario),
    },
)
