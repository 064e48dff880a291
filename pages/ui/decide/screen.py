"""The Decide screen: the answer; what an error costs in ε, and privacy in money; what-if maps."""

from functools import partial

from pages.ui import cache, sidebar
from pages.ui.decide.answer import decision
from pages.ui.decide.tradeoff import cost_of_privacy, what_an_error_costs
from pages.ui.decide.whatif import whatif
from pages.ui.widgets import url_tabs


def draw() -> None:
    scenario = sidebar.begin(
        "Decide",
        "Which rate to publish.",
    )
    day = cache.day(scenario)
    url_tabs(
        "decide:tab",
        {
            "The answer": partial(decision, day),
            "ε for a target error": partial(what_an_error_costs, day),
            "Money": partial(cost_of_privacy, day),
            "What-if map": partial(whatif, scenario),
        },
    )
