"""The Households screen: who lives on the street, and what the curator believes about them."""

from pages.ui import cached, sidebar
from pages.ui.households.charts import charts, sensitivity
from pages.ui.households.groups import groups
from pages.ui.households.models import models
from pages.ui.households.periods import cards
from pages.ui.households.pick import pick
from pages.ui.households.start import start
from pages.ui.households.week import week

scenario = sidebar.begin("Households", "Who lives on the street, and what the curator believes about them.")
model, group = pick(scenario)
cards(scenario, model, group, week(scenario, model, group))
start(scenario, model, group)
day = cached.day(scenario)
charts(day, model, group)
groups(scenario, group)
models(scenario, model)
sensitivity(day)
