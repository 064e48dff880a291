"""The Trade-off screen: what an error costs in ε, what privacy costs in money, and what-if maps."""

from functools import partial

from pages.ui import cache, sidebar
from pages.ui.tradeoff import cost_of_privacy, what_an_error_costs, wrong_model
from pages.ui.whatif import whatif
from pages.ui.widgets import url_tabs

scenario = sidebar.begin("Trade-off", "How much ε does an error need, and what does it cost in money?")
day = cache.day(scenario)
url_tabs(
    "tradeoff:tab",
    {
        "What an error costs": partial(what_an_error_costs, day),
        "Cost of privacy": partial(cost_of_privacy, day),
        "What-if map": partial(whatif, scenario),
        "What if the model is wrong?": partial(wrong_model, day),
    },
)
