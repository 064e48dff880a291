"""What a model expects of the street's demand, before anything is observed.

A house that is occupied with chance π uses m₁ or m₀ on average, so its mean is m₀ + π·δ with the *swing*
δ = m₁ − m₀; of uniform use U(0, u) the mean m is u/2 and the variance v is u²/12. Houses are independent, so
sums over a group give the exact mean of its demand, the variance that comes from who is at home, the variance
of consumption given that, and the correlation of the first with the next step: all that a linear filter
needs.

Within a period a chance returns to where it rests, A = arrive/(leave + arrive), by the same factor at every
step: after k steps it is π = A + B·cᵏ, with B the distance at first and c = 1 − leave − arrive. So the
moments are sums over houses of weights times cᵏ and c²ᵏ (see `powers`), for all steps of a period at once.
"""

from dataclasses import dataclass, replace

import numpy as np

from rtp.core.types import Floats
from rtp.street.powers import power_sums, powers
from rtp.street.room import Room
from rtp.street.schedule import Schedule

TOGETHER = 4096  # houses whose powers stay in cache
Moments = dict[str, Floats]  # the fields of an DemandMoments for some houses of one group, each (T,)


@dataclass(frozen=True, kw_only=True)
class DemandMoments:
    """Moments per group and step, all (G, T)."""

    occupied: Floats  # expected number of occupied houses
    demand: Floats  # expected demand
    consumption_variance: Floats  # variance of demand given who is at home: Σ πv₁ + (1 − π)v₀
    occupancy_variance: Floats  # variance of demand from who is at home: Σ δ²π(1 − π)
    lag1_covariance: Floats  # covariance of that part with the next step's: Σ δ²π(1 − π)(1 − leave − arrive)

    @classmethod
    def zeros(cls, groups: int, steps: int) -> "DemandMoments":
        return cls(**{name: np.zeros((groups, steps)) for name in cls.__dataclass_fields__})

    def add(self, group: int, moments: "Moments") -> None:
        """Add a block's moments in place."""
        for name, value in moments.items():
            getattr(self, name)[group] += value

    @property
    def expected_demand(self) -> Floats:
        return np.asarray(self.demand.sum(axis=0))

    @property
    def variance(self) -> Floats:
        return np.asarray((self.occupancy_variance + self.consumption_variance).sum(axis=0))


def block_moments(
    schedule: Schedule,
    leave: Floats,
    arrive: Floats,
    mean: Floats,
    variance: Floats,
    days: int,
    room: Room | None = None,
) -> Moments:
    """The moments of n houses of one group, each (T,); so many houses at a time that they stay in cache. Use
    has means and variances (2, n), empty and occupied."""
    total, room = np.zeros((5, days * schedule.steps_per_day)), room or Room()
    for first in range(0, mean.shape[1], TOGETHER):
        some = slice(first, first + TOGETHER)
        houses = _houses(mean[:, some], variance[:, some], room)
        total += _moments(schedule, leave[:, some], arrive[:, some], houses, days, room)
    return dict(zip(DemandMoments.__dataclass_fields__, total, strict=True))


@dataclass(frozen=True)
class _Houses:
    """What each house adds to the moments."""

    empty: Floats  # (3, n) to the first three, where it is empty
    occupied: Floats  # (3, n) where it is occupied
    difference: Floats  # (3, n)
    swing2: Floats  # (n,) δ², to the other two, per π(1 − π)

    def at(self, chance: Floats, carry: Floats) -> Floats:
        """The five moments, (5, k), of k steps with these chances, (k, n)."""
        other = 1 - chance
        moments = np.empty((5, len(chance)))
        moments[:3] = self.empty @ other.T + self.occupied @ chance.T
        other *= chance
        moments[3] = np.vecdot(other, self.swing2)
        other *= carry
        moments[4] = np.vecdot(other, self.swing2)
        return moments


def _houses(mean: Floats, variance: Floats, room: Room) -> _Houses:
    count = mean.shape[1]
    empty, occupied = by_state = room.floats("by state", 2, 3, count)
    empty[0], occupied[0] = 0.0, 1.0
    by_state[:, 1], by_state[:, 2] = mean, variance
    difference = np.subtract(occupied, empty, out=room.floats("difference", 3, count))
    return _Houses(empty, occupied, difference, difference[1] ** 2)


def _moments(
    schedule: Schedule, leave: Floats, arrive: Floats, houses: _Houses, days: int, room: Room
) -> Floats:
    """(5, T): run by run through the periods of the days."""
    periods = _periods(houses, leave, arrive, room)
    chance = room.floats("chance", len(houses.swing2))
    chance.fill(schedule.initial)
    moments = np.empty((5, days * schedule.steps_per_day))
    for start, end, p in schedule.runs_of(days):
        now, period = houses, periods[p]
        if period.moving is not None:
            now, period = _still(houses, period, period.moving, chance)
        certain = chance[0] in (0.0, 1.0)  # perhaps all are: then nothing but exactly 0 is uncertain
        first = houses.at(chance[None], period.carry[None]) if certain else None
        _run(now, period, chance, moments[:, start:end], room)
        if first is not None:
            moments[:, start : start + 1] = first
    return moments


@dataclass(frozen=True)
class _Period:
    """Where the houses' chances return to in one period, and how fast."""

    moving: Floats | None  # (n,) leave + arrive, where some house never moves or moves at every step
    carry: Floats  # (n,) c
    rest: Floats  # (n,) A
    slope: Floats  # (n,) 1 − 2A, of π(1 − π) there
    at_rest: Floats  # (5, 1) the moments there


def _periods(houses: _Houses, leave: Floats, arrive: Floats, room: Room) -> list[_Period]:
    moving = np.add(leave, arrive, out=room.floats("moving", *leave.shape))
    extreme = ((moving == 0) | (moving == 2)).any(axis=1).tolist()
    carry = np.subtract(1, moving, out=room.floats("carry", *leave.shape))
    moves = np.where(moving > 0, moving, 1.0) if any(extreme) else moving
    rest = np.divide(arrive, moves, out=room.floats("rest", *leave.shape))
    slope = np.multiply(2, rest, out=room.floats("slope", *leave.shape))
    np.subtract(1, slope, out=slope)
    at_rest = houses.at(rest, carry)
    return [
        _Period(moving[p] if extreme[p] else None, carry[p], rest[p], slope[p], at_rest[:, p : p + 1])
        for p in range(len(carry))
    ]


def _still(houses: _Houses, period: _Period, moving: Floats, chance: Floats) -> tuple[_Houses, _Period]:
    """Who never moves rests where it is. Of these, and of who moves at every step, those that are certain at
    first are certain all along: they must add exactly nothing to what is uncertain."""
    rest = np.where(moving > 0, period.rest, chance)
    certain = ((moving == 0) | (moving == 2)) & (chance * (1 - chance) == 0)
    now = replace(houses, swing2=np.where(certain, 0.0, houses.swing2))
    return now, replace(period, rest=rest, slope=1 - 2 * rest, at_rest=now.at(rest[None], period.carry[None]))


def _run(houses: _Houses, period: _Period, chance: Floats, moments: Floats, room: Room) -> None:
    """Fill in a run's moments, (5, steps). The chances with which it begins become those at its end."""
    steps = moments.shape[1]
    distance = np.subtract(chance, period.rest, out=chance)
    weights = room.floats("weights", 5, len(chance))
    np.multiply(houses.difference, distance, out=weights[:3])
    pull = np.multiply(houses.swing2, distance, out=weights[4])
    np.multiply(pull, period.slope, out=weights[3])
    pull *= distance
    low, high = powers(period.carry, 2 * steps, room)
    linear, squared = power_sums(weights, low, high, steps, room)
    moments[:4], moments[4] = linear[:, :steps], linear[3, 1 : steps + 1]
    moments[3:] -= squared[: 2 * steps].reshape(steps, 2).T  # c⁰, c², … and c, c³, …
    moments += period.at_rest

    distance *= low[steps % len(low)]
    distance *= high[steps // len(low)]
    distance += period.rest
    np.maximum(distance, 0.0, out=distance)
    np.minimum(distance, 1.0, out=distance)
