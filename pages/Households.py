"""The Households screen: who lives on the street, and what the curator believes about them."""

from functools import partial

from pages.ui import sidebar
from pages.ui.households import habits
from pages.ui.houses import one_by_one
from pages.ui.widgets import url_tabs

scenario = sidebar.begin("Households", "Who lives on the street, and what the curator believes about them.")
url_tabs(
    "households:tab",
    {"Habits and groups": partial(habits, scenario), "Houses one by one": partial(one_by_one, scenario)},
)
