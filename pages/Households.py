"""The Households screen: who lives on the street, and what the curator believes about them."""

from functools import partial

from pages.ui import sidebar
from pages.ui.households.screen import habits
from pages.ui.remembered import tabs
from pages.ui.street.screen import one_by_one

scenario = sidebar.begin("Households", "Who lives on the street, and what the curator believes about them.")
tabs(
    "households:tab",
    {"Habits and groups": partial(habits, scenario), "Houses one by one": partial(one_by_one, scenario)},
)
