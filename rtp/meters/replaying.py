"""The feeder's real demand through every mechanism: what would have been published, and what it costs.

Demand is what the houses really used; noise, promise and tariff are the scenario's. A house's bound is what
its group states (a fuse, a contract), and the same for every house of the group: it is never taken from the
readings, because a bound that follows the data gives the data away. Readings above it are cut and counted; a
missing one is filled with the house's own mean at that time of day, and counted too.

Where habits were learned, filter and forecast expect what the learned model does (`expected`), and noise that
relies on the law of consumption is made for the learned histograms, taken as public (`laws`); without, both
rely on the scenario's own. Long spans are priced in pieces of four weeks; each is a `Day` whose use was
recorded, not drawn, so what is asked of a simulated day can be asked of it (`watching`).
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from rtp import metrics
from rtp.arrays import Floats, Ints
from rtp.clock import Weekday
from rtp.mechanisms import REGISTRY, UNPROTECTED
from rtp.meters.demand import filled_in, groups_of, occupancy_given, share_above
from rtp.meters.expected import outlook_of
from rtp.meters.laws import laws_of, moments_of
from rtp.meters.learned import Learned
from rtp.meters.readings import DAYS_PER_WEEK, Readings, in_steps_of
from rtp.scenario import Bounds, Scenario, must_be_within
from rtp.simulation import Day, Release, publish, street_spec
from rtp.street.kinds import kinds
from rtp.street.life import Life
from rtp.street.use import laws_of as stated_laws
from rtp.work import Progress

if TYPE_CHECKING:
    import pandas as pd

PIECE = 4 * DAYS_PER_WEEK  # days at once
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
    group = groups_of(len(readings.houses), scenario, learned)
    bound = np.array([max(g.occupied_max, g.empty_max) for g in scenario.groups])[group]
    full, missing = filled_in(readings)
    cut = full > bound[:, None]
    some = slice(first * readings.steps_per_day, (first + days) * readings.steps_per_day)
    power = in_steps_of(np.minimum(full, bound[:, None])[:, some], readings.minutes, scenario.step_minutes)
    pieces: list[Day] = []
    paid = {name: np.zeros(len(group)) for name in REGISTRY}
    per_day = power.shape[1] // days
    for start in range(0, days, PIECE):
        count = min(PIECE, days - start)
        own = power[:, start * per_day : (start + count) * per_day]
        piece = _for_piece(scenario, group, count, len(pieces), readings.weekday(first + start))
        day = _priced(own, piece, group, learned)
        for name, release in day.release.items():
            price = release.rate * day.market.tariff.responses(release.rate)
            paid[name] += own @ price * scenario.step_minutes / 60
        pieces.append(day)
        if progress is not None:
            progress((start + count) / days)
    chosen = cut[:, some]
    return Replay(
        houses=readings.houses,
        order=np.argsort(group, kind="stable"),
        occupied=occupancy_given(readings.only_days(first, min(days, PIECE)), scenario.step_minutes),
        scenario=pieces[0].scenario,
        first_date=readings.date(first),
        pieces=tuple(pieces),
        cut=int(chosen.sum()),
        cut_houses=int(chosen.any(axis=1).sum()),
        cut_energy=share_above(full[:, some], bound),
        filled=float(missing[:, some].mean()),
        paid=paid,
    )


def with_bounds(scenario: Scenario, learned: Learned | None, occupied: float, empty: float) -> Scenario:
    """The scenario to replay under: the learned habits, if there are any, and the bounds that are stated."""
    if learned is not None:
        return learned.scenario(scenario, occupied, empty)
    bounds = {"occupied_max": occupied, "empty_max": empty, "occupied_min": occupied, "empty_min": empty}
    return scenario.replace(groups=tuple(g.replace(**bounds) for g in scenario.groups), houses=None)


def _for_piece(scenario: Scenario, group: Ints, days: int, piece: int, weekday: Weekday) -> Scenario:
    """As many houses and days as there are, in groups of their real sizes; every piece with its own noise."""
    sizes = np.bincount(group, minlength=len(scenario.groups))
    groups = tuple(
        g.replace(share=float(size / len(group))) for g, size in zip(scenario.groups, sizes, strict=True)
    )
    return scenario.replace(
        households=len(group),
        houses=None,
        days=days,
        first_weekday=weekday,
        power_unit="kW",
        groups=groups,
        seed=(scenario.seed + piece) % 2**31,
    )


def _priced(power: Floats, scenario: Scenario, group: Ints, learned: Learned | None) -> Day:
    """The day as it would have been published. The street's houses stand in the order of their groups."""
    spec, order = street_spec(scenario), np.argsort(group, kind="stable")
    drawn = spec.draw()
    highest = np.array([[g.empty_max, g.occupied_max] for g in scenario.groups])[group[order]]
    laws = stated_laws(scenario.groups, drawn.group, highest[:, 1], highest[:, 0])
    if learned is not None:
        laws = replace(laws_of(highest, order, learned), moments=moments_of(highest.T, order, learned))
    street = replace(drawn, occupied_bound=highest[:, 1], empty_bound=highest[:, 0], laws=laws)
    expects = [
        outlook_of(model, group[order], *street.moments(), spec.steps)
        for model in (spec.schedules[0], spec.schedules[spec.believed])
    ]
    truth, assumed = expects if spec.believed else (expects[0], expects[0])
    life = Life(
        spec=spec,
        street=street,
        kinds=kinds(street, spec.schedules, spec.habit_spread, spec.habit_clip, spec.steps),
        occupied=np.asarray(truth.occupied.sum(axis=0)),
        demand=np.asarray(power.sum(axis=0), dtype=float),
        truth=truth,
        assumed=assumed,
        recorded=power[order].T,
    )
    return publish(scenario, life)
