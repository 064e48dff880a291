"""The street as a table that `read_table` reads again."""

from typing import TYPE_CHECKING

from rtp.scenario import House, Scenario
from rtp.scenario.units import column
from rtp.simulation import Day

if TYPE_CHECKING:
    import pandas as pd


def house_list(day: Day) -> tuple[House, ...]:
    """The street's houses one by one: as listed, or as they were drawn, under the names they have here."""
    if day.scenario.houses is not None:
        return day.scenario.houses
    names = [group.name for group in day.scenario.groups]
    rows = zip(
        day.street.group.tolist(),
        day.street.occupied_bound.tolist(),
        day.street.empty_bound.tolist(),
        strict=True,
    )
    return tuple(
        House(name=f"House {h}", group=names[group], occupied=occupied, empty=empty)
        for h, (group, occupied, empty) in enumerate(rows)
    )


def house_frame(scenario: Scenario, houses: tuple[House, ...]) -> "pd.DataFrame":
    import pandas as pd

    return pd.DataFrame(
        {
            "house": [house.name for house in houses],
            "group": [house.group for house in houses],
            column("occupied", scenario, "power"): [house.occupied for house in houses],
            column("empty", scenario, "power"): [house.empty for house in houses],
            "left_out": ["yes" if house.left_out else "no" for house in houses],
        }
    )
