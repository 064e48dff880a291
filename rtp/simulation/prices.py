"""What a street uses as it is described; from the prices of a typical day to α and β, and back.

The optimal rate is r = αZ + β, so it is lowest and highest where demand Z is. On a typical day, the mean one
of a typical week of the street as it is described, demand goes from Z₀ to Z₁; the
tariff with prices from p₀ to p₁ is

    α = (p₁ − p₀)/(Z₁ − Z₀),    β = p₀ − α·Z₀.

β is never below 0, so prices spread at most as far as demand does: p₀/p₁ ≥ Z₀/Z₁. A load that was measured
may take the place of the described one. A scenario that states its prices keeps them: α and β follow
(`at_stated_prices`) wherever it changes.

Nothing is drawn: houses have their group's bounds, spread evenly, and live a typical week
(`rtp.simulation.setup`). What of a description cannot be is said before anything is priced. What homes use is
rounded from official figures for 2022: 3,600 kWh a year on average in the European Union (Eurostat), 10,800
in the United States (EIA), which few countries' means exceed; a fridge and a few lamps use 600. Load of homes
and shops is lowest between midnight and six (BDEW's standard load profiles H0 and G0). A connection at low
voltage carries about 100 kW at most: three phases of 160 A at 230 V.
"""

from dataclasses import dataclass, replace

import numpy as np

from rtp.core.types import Floats
from rtp.scenario import Scenario, ScenarioError
from rtp.scenario.consumption import HOURS_A_YEAR, MONTHS_A_YEAR
from rtp.simulation.setup import bounds_of_group, groups_with_use, listed_bounds, typical_week_of, use_of_year
from rtp.street.draw import Use, consumption_distributions, group_sizes

HOMES_A_MONTH = (300.0, 900.0)  # kWh of a home on average: European Union, United States
_LEAST, _MOST = 50.0, HOMES_A_MONTH[1]
LOW_VOLTAGE = 100.0  # kW
NIGHT_ENDS = 6.0  # o'clock
_MORE = 1.01  # times as much is more
_DIGITS = 6  # of α and β
SHOWN_DIGITS = 4  # of prices that nobody has typed
SAME_ALL_DAY = 1e-9  # of the demand, below which it does not vary


@dataclass(frozen=True, kw_only=True)
class Doubt:
    """What of a description cannot well be: its kind, the group that makes it so, and the number."""

    kind: str
    group: int
    value: float


@dataclass(frozen=True, kw_only=True)
class Load:
    """A typical week of a street. Power is in the unit of consumption, energy in that times hours."""

    by_group: Floats  # (G, D) mean demand over the time of day, whole week
    a_month: Floats  # (G,) energy of a house in a month; not a number where a group has none
    houses: tuple[int, ...]
    doubts: tuple[Doubt, ...] = ()

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
    a_month = np.where(houses, a_year / np.maximum(houses, 1) / MONTHS_A_YEAR, np.nan)
    load = Load(by_group=by_group, a_month=a_month, houses=houses)
    return replace(load, doubts=_doubts(scenario, load))


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
    """Limits in kilowatts hold where that is the unit; standby beside peak, and a year's energy, always.

    Whether a connection uses too much or too little is asked of all together, a shop may; it is then said of
    the group that adds most to it."""
    found = []
    for g, group in enumerate(scenario.groups):
        if scenario.power_unit and group.occupied_max > LOW_VOLTAGE:
            found.append(Doubt(kind="too large", group=g, value=group.occupied_max))
        if group.empty_max > group.occupied_max:
            found.append(Doubt(kind="standby above peak", group=g, value=group.empty_max))
        if group.yearly_kwh is not None and not (year := use_of_year(scenario, g)).reached:
            found.append(Doubt(kind="out of reach", group=g, value=year.kwh))
    if scenario.power_unit:
        month = load.mean_a_month
        if month > _MOST or month < _LEAST:
            off = (load.a_month - _MOST if month > _MOST else _LEAST - load.a_month) * load.houses
            g = int(np.nanargmax(off))
            kind = "too much" if month > _MOST else "too little"
            found.append(Doubt(kind=kind, group=g, value=float(load.a_month[g])))
        hours = np.arange(load.by_group.shape[1]) * scenario.step_minutes / 60
        total, night = load.by_group.sum(axis=0), hours < NIGHT_ENDS
        if total[night].max() > _MORE * total[~night].max():
            g = int(load.by_group[:, total.argmax()].argmax())
            found.append(Doubt(kind="at night", group=g, value=load.peak_hour))
    return tuple(found)


def typical_demand(scenario: Scenario) -> Floats:
    """Return demand over the time of a typical day, inelastic demand included."""
    return np.asarray(load_of(scenario).by_group.sum(axis=0) + scenario.inelastic_demand)


def typical_prices(scenario: Scenario) -> tuple[float, float]:
    """Return the lowest and the highest optimal rate of a typical day."""
    demand = typical_demand(scenario)
    low, high = scenario.alpha * demand[[demand.argmin(), demand.argmax()]] + scenario.beta
    return float(low), float(high)


def with_prices(scenario: Scenario, low: float, high: float, load: Floats | None = None) -> Scenario:
    """Return the scenario with the α and β that have these prices on a typical day, which it then states.

    `load` is demand over the time of a typical day as it was measured: α and β then are what is stated.
    """
    demand = typical_demand(scenario) if load is None else load
    least, most = float(demand.min()), float(demand.max())
    if not low < high:
        raise ScenarioError("lowest price", f"is {low:g}; it must be below the highest, {high:g}.")
    if most - least <= SAME_ALL_DAY * most:
        raise ScenarioError("demand", "is the same all day; no α and β have a range of prices then.")
    alpha = (high - low) / (most - least)
    beta = low - alpha * least
    if beta < -SAME_ALL_DAY * high:
        raise ScenarioError(
            "lowest price",
            f"is {low:.4g}; it must be at least {high * least / most:.4g}: demand goes from {least:.4g} to "
            f"{most:.4g}, and β is not below 0.",
        )
    return scenario.replace(
        alpha=_rounded(alpha),
        beta=_rounded(max(beta, 0.0)),
        price_range=(low, high) if load is None else None,
    )


def at_stated_prices(scenario: Scenario) -> Scenario:
    """Return the scenario with the α and β of the prices that it states, if it does."""
    return scenario if scenario.price_range is None else with_prices(scenario, *scenario.price_range)


def prices_of(scenario: Scenario) -> tuple[float, float]:
    """Return the lowest and the highest price as they are stated, else those of a typical day, rounded."""
    low, high = (float(f"{each:.{SHOWN_DIGITS}g}") for each in typical_prices(scenario))
    return scenario.price_range or (low, high)


def with_price(scenario: Scenario, which: str, price: float) -> Scenario:
    """Return the scenario with that "lowest" or "highest" price of a typical day. The other one stays, or
    keeps its distance where the new one lies beyond it: in proportion, unless the lowest is 0."""
    low, high = prices_of(scenario)
    least, most = scenario.price_range or typical_prices(scenario)  # not rounded: β may be 0 already
    if which == "highest":
        return with_prices(scenario, low if price > low else price * least / most, price)
    if price >= high:
        high = price * most / least if least > 0 else price + high
    return with_prices(scenario, price, high)


def _rounded(value: float) -> float:
    return float(f"{value:.{_DIGITS}g}")
