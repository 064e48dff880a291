"""What a street uses as it is described, and what of that cannot be: a check before anything is priced.

Nothing is drawn: houses have their group's bounds, spread evenly, and live a typical week
(`rtp.street.yearly`).

What homes use, rounded from official figures for 2022: 3,600 kWh a year on average in the European Union
(Eurostat), 10,800 in the United States (EIA), which few countries' means exceed; a fridge and a few lamps use
600. Load of homes and shops is lowest between midnight and six (BDEW's standard load profiles H0 and G0). A
connection at low voltage carries about 100 kW at most: three phases of 160 A at 230 V.
"""

from dataclasses import dataclass

import numpy as np

from rtp.core.types import Floats
from rtp.scenario import Scenario
from rtp.scenario.consumption import HOURS_A_YEAR
from rtp.simulation.setup import bounds_of_group, groups_with_use, listed_bounds, typical_week_of, use_of_year
from rtp.street.draw import Use, consumption_distributions, group_sizes

MONTHS = 12
HOMES_A_MONTH = (300.0, 900.0)  # kWh of a home on average: European Union, United States
LEAST, MOST = 50.0, HOMES_A_MONTH[1]
LOW_VOLTAGE = 100.0  # kW
NIGHT_ENDS = 6.0  # o'clock
FLAT = 1.01  # times as much is no more
TOO_LARGE, STANDBY_ABOVE, OUT_OF_REACH, TOO_MUCH, TOO_LITTLE, AT_NIGHT = (
    "too large",
    "standby above peak",
    "out of reach",
    "too much",
    "too little",
    "at night",
)


@dataclass(frozen=True, kw_only=True)
class Doubt:
    """What of a description cannot well be: its kind, the group where it is about one, and the number."""

    kind: str
    group: int | None
    value: float


@dataclass(frozen=True, kw_only=True)
class Load:
    """A typical week of a street. Power is in the unit of consumption, energy in that times hours."""

    by_group: Floats  # (G, D) mean demand over the time of day, whole week
    a_month: Floats  # (G,) energy of a house in a month; not a number where a group has none
    houses: tuple[int, ...]
    doubts: tuple[Doubt, ...]

    @property
    def mean_a_month(self) -> float:
        """Energy of a house of the street in a month."""
        return float(np.nansum(self.a_month * self.houses) / sum(self.houses))

    @property
    def peak_hour(self) -> float:
        """When demand is largest, in hours from midnight."""
        total = self.by_group.sum(axis=0)
        return 24 * int(total.argmax()) / len(total)

    @property
    def peak(self) -> float:
        """Demand then."""
        return float(self.by_group.sum(axis=0).max())


def load_of(scenario: Scenario) -> Load:
    """Return what a street uses in a typical week, and what of that is to be doubted."""
    houses = tuple(group_sizes([group.share for group in scenario.groups], scenario.households))
    by_group = np.array([n * _mean_day(scenario, g) for g, n in enumerate(houses)])
    a_year = HOURS_A_YEAR * by_group.mean(axis=1)
    a_month = np.where(houses, a_year / np.maximum(houses, 1) / MONTHS, np.nan)
    load = Load(by_group=by_group, a_month=a_month, houses=houses, doubts=())
    return Load(by_group=by_group, a_month=a_month, houses=houses, doubts=_doubts(scenario, load))


def _mean_day(scenario: Scenario, g: int) -> Floats:
    """(D,): mean use of a group's house over the time of day."""
    occupied, empty = bounds_of_group(scenario.groups[g], listed_bounds(scenario, g))
    of_group = np.zeros(len(occupied), dtype=np.int8)
    filled = groups_with_use(scenario)[g : g + 1]
    laws = consumption_distributions(filled, of_group, occupied, empty)
    mean, _ = Use(occupied_bound=occupied, empty_bound=empty, distributions=laws).moments()
    if_empty, if_occupied = mean.mean(axis=1).tolist()
    week = typical_week_of(scenario, g)
    days = week.reshape(-1, scenario.steps_per_day)
    return np.asarray(if_empty + (if_occupied - if_empty) * days.mean(axis=0))


def _doubts(scenario: Scenario, load: Load) -> tuple[Doubt, ...]:
    """Limits in kilowatts hold where that is the unit; standby beside peak, and a year's energy, always."""
    found = []
    for g, group in enumerate(scenario.groups):
        if scenario.power_unit and group.occupied_max > LOW_VOLTAGE:
            found.append(Doubt(kind=TOO_LARGE, group=g, value=group.occupied_max))
        if group.empty_max > group.occupied_max:
            found.append(Doubt(kind=STANDBY_ABOVE, group=g, value=group.empty_max))
        if group.yearly_kwh is not None and not (year := use_of_year(scenario, g)).reached:
            found.append(Doubt(kind=OUT_OF_REACH, group=g, value=year.kwh))
    if scenario.power_unit:
        month = load.mean_a_month
        if month > MOST or month < LEAST:
            found.append(Doubt(kind=TOO_MUCH if month > MOST else TOO_LITTLE, group=None, value=month))
        hours = np.arange(load.by_group.shape[1]) * scenario.step_minutes / 60
        total, night = load.by_group.sum(axis=0), hours < NIGHT_ENDS
        if total[night].max() > FLAT * total[~night].max():
            found.append(Doubt(kind=AT_NIGHT, group=None, value=load.peak_hour))
    return tuple(found)
