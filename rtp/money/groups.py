"""Bills by group: who pays for privacy, and how much."""

from typing import TYPE_CHECKING

from rtp.core.formatting import percent
from rtp.core.types import Floats
from rtp.money.bills import Bills
from rtp.scenario.units import amount
from rtp.simulation import Day

if TYPE_CHECKING:
    import pandas as pd


def group_frame(day: Day, own: Bills, days: float) -> "pd.DataFrame":
    """A row for each group that has houses: its bills over so many days like the scenario's, on average."""
    import pandas as pd

    scenario, runs = day.scenario, days / own.days
    rows = {}
    for index, group in enumerate(scenario.groups):
        here = day.street.group == index
        if here.any():
            optimal, change = own.optimal[here] * runs, own.difference[here] * runs
            rows[group.name] = {
                "Houses": f"{int(here.sum()):,}",
                "Mean bill at optimal rates": amount(float(optimal.mean()), scenario),
                "Mean change": amount(float(change.mean()), scenario),
                "Mean change, %": _share(change, optimal),
                "Largest increase": amount(float(change.max()), scenario),
            }
    return pd.DataFrame(rows).T


def _share(change: Floats, optimal: Floats) -> str:
    return percent(float(change.sum() / optimal.sum())) if optimal.sum() else "–"
