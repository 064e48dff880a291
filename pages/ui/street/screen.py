"""The street's houses one by one."""

from pages.ui import cache
from pages.ui.street.houses import houses
from pages.ui.street.table import table
from rtp.scenario import Scenario


def one_by_one(scenario: Scenario) -> None:
    day = cache.day(scenario)
    table(day)
    houses(day)
