"""The feeder's real demand through every mechanism: what would have been published, and what it costs.

Demand is what the houses really used; noise, promise and tariff are the scenario's. A house's bound is what
its group states (a fuse, a contract), and the same for every house of the group: it is never taken from the
readings, because a bound that follows the data gives the data away. Readings above it are cut and counted; a
missing one is filled with the house's own mean at that time of day, and counted too.

Where habits were learned, filter and forecast expect what the learned model does (`expected`), and noise that
relies on the law of consumption is made for the learned histograms, taken as public (`laws`); without, both
rely on the scenario's own. Long spans are priced in `pieces`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from rtp import metrics
from rtp.core.parallel import Progress
from rtp.core.types import Floats, Ints
from rtp.mechanisms import REGISTRY, UNPROTECTED
from rtp.meters.learned import Learned
from rtp.meters.readings import DAYS_PER_WEEK, Readings, in_steps_of
from rtp.meters.recorded import PIECE, filled_in, groups_of, in_pieces, occupancy_given, share_above
from rtp.scenario import Bounds, Scenario, must_be_within
from rtp.simulation import Day, Release

if TYPE_CHECKING:
    import pandas as pd

SPANS = {"A day": 1, "A week": DAYS_PER_WEEK, "All": None}


@dataclass(frozen=True, kw_only=True)
class Replay:
    """Arrays over houses are in the order of the readings."""

    houses: tuple[str, ...]
    order: Ints  # (n,) whose readings each house of the street has: it stands in the order of the groups
    occupied: Floats | None  # (n, T) of the first piece: 1 or 0 where the readings say it, else NaN
    scenario: Scenario  # of the first piece
    first_date: str
    pieces: tuple[Day, ...]
    cut: int  # readings above their house's bound
    cut_houses: int
    cut_energy: float  # the share of all energy that was cut away
    filled: float  # the share of readings that were missing
    paid: Mapping[str, Floats]  # by mechanism, (n,): each house's bill

    @property
    def days(self) -> int:
        return sum(day.scenario.days for day in self.pieces)

    @property
    def group(self) -> Ints:
        """(n,): the group of every house, in the readings' order."""
        group = np.empty_like(self.order)
        group[self.order] = self.pieces[0].street.group
        return group

    @cached_property
    def energy(self) -> Floats:
        """(n,) kWh, as cut and filled, in the readings' order."""
        energy = np.zeros(len(self.houses))
        for day in self.pieces:
            used = day.street_day.use_of(np.arange(len(self.houses)))
            energy[self.order] += used.sum(axis=0) * day.scenario.step_hours
        return energy

    @cached_property
    def demand(self) -> Floats:
        """(T,) kW, as cut and filled."""
        return np.concatenate([release.demand for release in self._releases(UNPROTECTED)])

    def rate(self, mechanism: str) -> Floats:
        return np.concatenate([release.rate for release in self._releases(mechanism)])

    def scale(self, mechanism: str) -> Floats:
        return np.concatenate([release.scale for release in self._releases(mechanism)])

    def error(self, mechanism: str) -> float:
        """By which share of the optimal rate the published one is off in a typical step."""
        rate = self.rate(mechanism)
        best = np.concatenate([release.optimal for release in self._releases(mechanism)])
        return metrics.typical_error(metrics.rmsre(rate, best), len(rate))

    def _releases(self, mechanism: str) -> list[Release]:
        return [day.release[mechanism] for day in self.pieces]

    def bill_change(self, mechanism: str) -> Floats:
        """(n,) against the bill at optimal rates."""
        return self.paid[mechanism] - self.paid[UNPROTECTED]

    def frame(self) -> "pd.DataFrame":
        """One row per step."""
        import pandas as pd

        steps = pd.date_range(
            self.first_date, periods=len(self.demand), freq=f"{self.scenario.step_minutes}min"
        )
        columns: dict[str, object] = {"time": steps.strftime("%Y-%m-%d %H:%M"), "demand_kW": self.demand}
        for name in REGISTRY:
            columns[f"{name}_rate"] = self.rate(name)
            columns[f"{name}_scale"] = self.scale(name)
        return pd.DataFrame(columns)


def replay(
    readings: Readings,
    scenario: Scenario,
    learned: Learned | None = None,
    *,
    first: int = 0,
    days: int | None = None,
    progress: Progress | None = None,
) -> Replay:
    """Some days of readings, or all, under a scenario's promise, tariff, bounds and habits."""
    must_be_within("first", first, Bounds(0, readings.days - 1, "First day"))
    days = readings.days - first if days is None else days
    must_be_within("days", days, Bounds(1, readings.days - first, "Days"))
    group = groups_of(readings.houses, scenario, learned)
    bound = np.array([max(g.occupied_max, g.empty_max) for g in scenario.groups])[group]
    some = slice(first * readings.steps_per_day, (first + days) * readings.steps_per_day)
    full, missing = filled_in(readings)
    full, missing = full[:, some], missing[:, some]
    above = full > bound[:, None]
    power = in_steps_of(np.minimum(full, bound[:, None]), readings.minutes, scenario.step_minutes)
    pieces = tuple(in_pieces(power, scenario, group, learned, readings.weekday(first), progress))
    return Replay(
        houses=readings.houses,
        order=np.argsort(group, kind="stable"),
        occupied=occupancy_given(readings.only_days(first, min(days, PIECE)), scenario.step_minutes),
        scenario=pieces[0].scenario,
        first_date=readings.date(first),
        pieces=pieces,
        cut=int(above.sum()),
        cut_houses=int(above.any(axis=1).sum()),
        cut_energy=share_above(full, bound),
        filled=float(missing.mean()),
        paid=_bills(power, pieces),
    )


def _bills(power: Floats, pieces: Sequence[Day]) -> dict[str, Floats]:
    """By mechanism, (n,): what each house pays for its use in all pieces, which it cuts as prices tell."""
    paid = {name: np.zeros(len(power)) for name in REGISTRY}
    end = 0
    for day in pieces:
        start, end = end, end + day.scenario.steps
        for name, release in day.release.items():
            price = release.rate * day.market.tariff.responses(release.rate)
            paid[name] += power[:, start:end] @ price * day.scenario.step_minutes / 60
    return paid


def with_bounds(scenario: Scenario, learned: Learned | None, occupied: float, empty: float) -> Scenario:
    """The scenario to replay under: the learned habits, if there are any, and the bounds that are stated."""
    if learned is not None:
        return learned.scenario(scenario, occupied, empty)
    bounds = {"occupied_max": occupied, "empty_max": empty, "occupied_min": occupied, "empty_min": empty}
    return scenario.replace(groups=tuple(g.replace(**bounds) for g in scenario.groups), houses=None)
