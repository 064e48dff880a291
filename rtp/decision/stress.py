"""What if people live otherwise than is believed? The error of a rate, and what is told of it, by what can
happen to a street: habits an hour earlier or later, a working day that is a holiday, a fifth more or less
use, one more house of the group that uses most.

Nobody who publishes knows of it: noise and forecast are made for the street as it is described. With a fifth
more use an observer reads a noise that is a fifth narrower; that is exact, since exposure depends on the
noise's width beside the use alone.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from rtp.core.stats import Range
from rtp.decision.frontier import Interval, KindOfDay, error_of, kinds_of_days
from rtp.mechanisms import REGISTRY
from rtp.scenario import Group, Habits, House, OccupancyModel, Period, Scenario, edit
from rtp.street.schedule import DemandMoments
from rtp.street.simulate import StreetDay

HOURS_A_DAY = 24
SHIFTS = {"habits an hour earlier": -1, "habits an hour later": 1}
HOLIDAY = "a working day like a "
FACTORS = {"20 % more use": 1.2, "20 % less use": 0.8}


@dataclass(frozen=True, kw_only=True)
class Stress:
    """What becomes of a rate where something happens that it is not made for."""

    words: str
    error: float  # expected, as a fraction of the rate in a typical step
    right: Range | None = None  # how often the judge then is right; None: as often as before, or about so


def stresses(here: Interval, rate: str, epsilon: float) -> tuple[Stress, ...]:
    """Return what each of them makes of a rate, the largest error first."""
    found = []
    for words, days in _lived_otherwise(here):
        error = float(error_of(days, rate, np.array([epsilon]))[0])
        found.append(Stress(words=words, error=error, right=_told(here, rate, epsilon, FACTORS.get(words))))
    return tuple(sorted(found, key=lambda each: -each.error))


def _lived_otherwise(here: Interval) -> Iterator[tuple[str, list[KindOfDay]]]:
    """What happens, and the days that it makes of those that were expected."""
    street = here.scenario
    for words, hours in SHIFTS.items():
        true, *others = street.models
        yield words, _as_on(here.days, street.replace(models=(later(true, hours), *others)))
    working, free = here.days[0], here.days[-1]
    if len(here.days) > 1:
        yield f"{HOLIDAY}{free.weekday}", [_instead(working, free.market.street_day)._replace(share=1.0)]
    for words, factor in FACTORS.items():
        yield words, [_instead(day, of_use(day.market.street_day, factor)) for day in here.days]
    largest = max(street.groups, key=lambda group: max(group.occupied_max, group.empty_max))
    yield f"one more of {largest.name}", _as_on(here.days, one_more(street, largest))


def _told(here: Interval, rate: str, epsilon: float, factor: float | None) -> Range | None:
    if factor is None or not REGISTRY[rate].reads_demand:
        return None
    told = here.first[here.judge]
    width = told.width(rate, [epsilon]) / factor
    return Range(*np.array(told.over_widths(width))[:, 0].tolist())


def _as_on(days: tuple[KindOfDay, ...], street: Scenario) -> list[KindOfDay]:
    """The days as they are published, lived as on another street."""
    others = kinds_of_days(street)
    return [_instead(day, other.market.street_day) for day, other in zip(days, others, strict=True)]


def _instead(day: KindOfDay, lived: StreetDay) -> KindOfDay:
    """The day as it is published, lived as another; what is public stays."""
    return day._replace(market=replace(day.market, street_day=lived))


def later(model: OccupancyModel, hours: int) -> OccupancyModel:
    """Return the model with all periods so many hours later; the night wraps around."""

    def of_day(periods: tuple[Period, ...]) -> tuple[Period, ...]:
        moved = [part.replace(start=(part.start + hours) % HOURS_A_DAY) for part in periods]
        return tuple(sorted(moved, key=lambda part: part.start))

    def of_group(habits: Habits) -> Habits:
        return habits.replace(**{field: of_day(parts) for field, parts in habits.day_kinds().items()})

    return model.replace(habits=tuple(map(of_group, model.habits)))


def of_use(day: StreetDay, factor: float) -> StreetDay:
    """Return the day on which everybody uses so many times as much."""
    street, moments = day.street, day.true_moments
    laws = street.distributions
    if laws is not None:
        known = laws.moments
        if known is not None:
            known = known[0] * factor, known[1] * factor**2
        laws = replace(laws, edges=laws.edges * factor, moments=known)
    bounds = {name: factor * getattr(street, name) for name in ("occupied_bound", "empty_bound")}
    return replace(
        day,
        street=replace(street, **bounds, distributions=laws),
        demand=factor * day.demand,
        true_moments=_scaled(moments, factor),
    )


def _scaled(moments: DemandMoments, factor: float) -> DemandMoments:
    return replace(
        moments,
        demand=factor * moments.demand,
        consumption_variance=factor**2 * moments.consumption_variance,
        occupancy_variance=factor**2 * moments.occupancy_variance,
        lag1_covariance=factor**2 * moments.lag1_covariance,
    )


def one_more(street: Scenario, group: Group) -> Scenario:
    """Return the street with one more house of a group, as large as any of it."""
    if street.houses is None:
        return street.replace(households=street.households + 1)
    new = House(name="one more", group=group.name, occupied=group.occupied_max, empty=group.empty_min)
    return edit.with_houses(street, [*street.houses, new])
