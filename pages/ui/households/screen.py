"""The two sides of the Households screen: how groups live, and the houses one by one."""

from pages.ui import cache
from pages.ui.households.charts import charts, sensitivity
from pages.ui.households.groups import groups
from pages.ui.households.models import models
from pages.ui.households.periods import cards
from pages.ui.households.pick import pick
from pages.ui.households.start import start
from pages.ui.households.week import week
from rtp.scenario import Scenario


def habits(scenario: Scenario) -> None:
    model, group = pick(scenario)
    cards(scenario, model, group, week(scenario, model, group))
    start(scenario, model, group)
    day = cache.day(scenario)
    charts(day, model, group)
    groups(scenario, group)
    models(scenario, model)
    sensitivity(day)
