"""simulate(scenario) → Day: a street's day is drawn, the curator publishes.

`draw_day` draws the street and its day; `publish_day` prices it. Only the second depends on ε, the tariff and
the price response, so changing those never changes the street. By default all mechanisms share the same unit
Laplace draws, so that their differences are their own and not those of other draws.
"""

from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from rtp.core.random import Stream, seed_of
from rtp.core.time import hhmm
from rtp.core.types import Floats, Frame, Ints, data_frame
from rtp.core.workers import Progress
from rtp.mechanisms import REGISTRY, UNPROTECTED, Mechanism, noise_scales
from rtp.scenario import House, Scenario, ScenarioError, edit, refusal
from rtp.scenario.units import column
from rtp.simulation.prices import at_stated_prices
from rtp.simulation.publish import Market, Release, market, release, unit_noise
from rtp.simulation.setup import street_spec
from rtp.street.draw import Street
from rtp.street.simulate import StreetDay, simulate_street

STREETS_REMEMBERED, MOST_REMEMBERED = 8, 20_000  # and their house-days: some hundred kilobytes each


@dataclass(frozen=True, kw_only=True)
class Day:
    """A simulated day, or several: the street, its means, and every mechanism's release.

    Attributes
    ----------
    scenario : Scenario
        What was simulated.
    street : Street
        The houses: `group`, `occupied_bound`, `empty_bound`, (N,) each.
    release : mapping of str to Release
        What each mechanism published, by its name.
    market : Market
        What all mechanisms and budgets have in common: the street's day, and what is public before it.
    occupancy, consumption : ndarray
        Means over the houses, (T,); consumption before any response to prices.
    expected_occupancy : ndarray
        What the generating model expects, (T,), in closed form.
    hours : ndarray
        When each step begins, in hours since the start, (T,).

    Examples
    --------
    >>> import rtp
    >>> day = rtp.simulate(rtp.PRESETS["tiny street"])
    >>> sorted(day.release)
    ['blowfish', 'calibrated', 'filtered', 'forecast', 'naive', 'optimal', 'threshold']
    >>> float(day.occupancy[0])
    0.8
    """

    scenario: Scenario
    market: Market
    release: Mapping[str, Release]

    @property
    def street_day(self) -> StreetDay:
        return self.market.street_day

    @property
    def street(self) -> Street:
        return self.street_day.street

    @cached_property
    def occupancy(self) -> Floats:
        return self.street_day.occupied / self.scenario.households

    @cached_property
    def expected_occupancy(self) -> Floats:
        return np.asarray(self.street_day.true_moments.occupied.sum(axis=0) / self.scenario.households)

    @cached_property
    def consumption(self) -> Floats:
        """Mean consumption per household, before any response to prices."""
        return self.street_day.demand / self.scenario.households

    def means_of(self, group: int) -> tuple[Floats, Floats, Floats, Floats]:
        """Occupancy as simulated and as expected, consumption as simulated and as expected, per house of a
        group, each (T,)."""
        demand, model = self.street_day.demand_by_group, self.street_day.true_moments
        assert demand is not None, "readings have no groups of their own"
        houses = max(int((self.street.group == group).sum()), 1)
        occupied = self.street_day.occupied_by_group[group]
        whole = (occupied, model.occupied[group], demand[group], model.demand[group])
        one, two, three, four = (each / houses for each in whole)
        return one, two, three, four

    @cached_property
    def hours(self) -> Floats:
        return np.arange(self.scenario.steps) * self.scenario.step_minutes / 60

    def frame(self) -> Frame:
        """Return one row per step: time, period, occupancy, consumption, rates, scales.

        Returns
        -------
        pandas.DataFrame

        Examples
        --------
        >>> import rtp
        >>> frame = rtp.simulate(rtp.PRESETS["tiny street"]).frame()
        >>> list(frame.columns[:4]), len(frame)
        (['day', 'time', 'period', 'occupancy'], 96)
        """
        s = self.scenario
        per_house = f"{column('consumption', s, 'power')}_per_house" if s.power_unit else "consumption"
        columns: dict[str, Any] = {
            "day": np.arange(self.scenario.steps) // self.scenario.steps_per_day + 1,
            "time": [hhmm(h) for h in self.hours],
            **self._periods(),
            "occupancy": self.occupancy,
            "expected_occupancy": self.expected_occupancy,
            per_house: self.consumption,
        }
        for name, published in self.release.items():
            columns |= self._columns(name, published)
        return data_frame(columns)

    def _periods(self) -> dict[str, list[str]]:
        """The period of every step; where groups keep different hours, a column for each group."""
        if self.scenario.models[0].common_habits:
            return {"period": self._period_names(0)}
        return {f"period_{group.name}": self._period_names(g) for g, group in enumerate(self.scenario.groups)}

    def _period_names(self, group: int) -> list[str]:
        periods = self.scenario.models[0].habits[group].all_periods
        containing = self.street_day.spec.schedules[0][group].period
        return [periods[i].name for i in np.resize(containing, self.scenario.steps)]

    def _columns(self, name: str, release: Release) -> dict[str, Floats | Ints]:
        """Its own demand and optimal rate only where they differ between mechanisms."""
        s = self.scenario
        columns: dict[str, Floats | Ints] = {column(f"{name}_rate", s, "rate"): release.rate}
        if name == UNPROTECTED:
            return columns
        columns[f"{name}_error_percent"] = release.error_percent
        if s.elasticity:
            columns[column(f"{name}_demand", s, "power")] = release.demand
            columns[column(f"{name}_optimal_rate", s, "rate")] = release.optimal
        return columns | {
            column(f"{name}_scale", s, "rate"): release.scale,
            f"{name}_protected": release.protected,
        }


def simulate(
    scenario: Scenario,
    progress: Progress | None = None,
    *,
    street: Sequence[House] | None = None,
    executor: Executor | None = None,
) -> Day:
    """Return the whole day: the street is drawn, its houses live, every mechanism publishes.

    Parameters
    ----------
    scenario : Scenario
        What is simulated. The same scenario gives the same bytes.
    progress : callable, optional
        Called with the fraction done; may raise to stop.
    street : sequence of House, optional
        These very houses, in place of drawn ones.
    executor : concurrent.futures.Executor, optional
        Simulates blocks of houses on other processes or machines.

    Returns
    -------
    Day

    Examples
    --------
    >>> import rtp
    >>> day = rtp.simulate(rtp.PRESETS["paper"].replace(households=200))
    >>> day.release["blowfish"].rate.shape
    (96,)
    >>> print(f"{day.release['blowfish'].expected_error:.1%} off in a typical step")
    2.8% off in a typical step
    """
    if street is not None:
        scenario = edit.with_houses(scenario, street)
    scenario = at_stated_prices(scenario)
    street_day = draw_day(scenario, progress, executor)
    return publish_day(scenario, street_day)


def draw_day(
    scenario: Scenario, progress: Progress | None = None, executor: Executor | None = None
) -> StreetDay:
    """The scenario's street and what happens on it, before any price."""
    spec = street_spec(scenario)
    return simulate_street(spec, progress, executor)


def market_of(scenario: Scenario) -> Market:
    """Return the scenario's day and what is public before it. The last few are remembered: who asks one thing
    of a street asks more."""
    if scenario.households * scenario.days > MOST_REMEMBERED:
        return market(scenario, draw_day(scenario))
    return _remembered(scenario)


@lru_cache(maxsize=STREETS_REMEMBERED)
def _remembered(scenario: Scenario) -> Market:
    return market(scenario, draw_day(scenario))


def publish_day(
    scenario: Scenario, street_day: StreetDay, mechanisms: Collection[str | Mechanism] | None = None
) -> Day:
    """The day as every mechanism prices it, or only these, by name or as they are. Refuses the day of another
    street."""
    must_be_of(scenario, street_day)
    context = market(scenario, street_day)
    wanted = REGISTRY if mechanisms is None else mechanisms
    each = [one if isinstance(one, Mechanism) else REGISTRY[one] for one in wanted]
    chosen = {mechanism.name: mechanism for mechanism in each}
    scales = noise_scales(chosen.values(), context.public)
    root = seed_of(scenario.seed, Stream.NOISE)
    units = unit_noise(root, scenario.steps, scenario.independent_noise, chosen)
    published = {name: release(chosen[name], context, scales[name], units[name]) for name in chosen}
    return Day(scenario=scenario, market=context, release=published)


def must_be_of(scenario: Scenario, street_day: StreetDay) -> None:
    """Refuse the day of a street with other houses or another clock; habits and draw may be others."""
    spec = street_day.spec
    for name in ("households", "days", "step_minutes"):
        own, theirs = getattr(scenario, name), getattr(spec, name)
        if own != theirs:
            raise refusal(name, own, f"be {theirs}, that of the day's street")
    bounds, of_day = ([(g.occupied_max, g.empty_max) for g in each.groups] for each in (scenario, spec))
    if bounds != of_day:
        raise ScenarioError("groups", "have other bounds than those of the day's street.")


def loudest_house(release: Release) -> int:
    """The house that sets the noise where it is widest, for the first time; −1 where none does."""
    return int(release.setter[release.scale.argmax()])
