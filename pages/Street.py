"""Street: who lives on it, and what the curator believes about them."""

from functools import partial

from pages.ui import sidebar
from pages.ui.screens import READINGS
from pages.ui.street.groups import groups, models
from pages.ui.street.habits import habits
from pages.ui.street.houses import one_by_one
from pages.ui.street.learned import habits as learned
from pages.ui.street.readings import answered, report, source
from pages.ui.widgets import url_tabs

TAB, INNER, ANSWER = "street:tab", "meters:tab", "Rates and bills"

scenario = sidebar.begin(
    "Street",
    uses_scenario=lambda here: here.setting(TAB, "") != READINGS or here.setting(INNER, "") == ANSWER,
)


def from_readings() -> None:
    loaded = source()
    url_tabs(
        INNER,
        {
            "What was read": partial(report, loaded),
            "What is learned": partial(learned, loaded, scenario),
            ANSWER: partial(answered, loaded, scenario),
        },
    )


url_tabs(
    TAB,
    {
        "Habits": partial(habits, scenario),
        "Groups": partial(groups, scenario),
        "Houses": partial(one_by_one, scenario),
        "Models Θ": partial(models, scenario),
        READINGS: from_readings,
    },
)
