"""What a model expects of the street's demand, before anything is observed.

A house that is occupied with chance π uses U(0, u₁) or U(0, u₀), so its mean is u₀/2 + π·δ with the *swing*
δ = (u₁ − u₀)/2. Houses are independent, so sums over a group give the exact mean of its demand, the
variance that comes from who is at home, the variance of consumption given that, and the correlation of
the first with the next step: all that a linear filter needs.
"""

from dataclasses import dataclass

import numpy as np

from rtp.arrays import Floats
from rtp.clock import STEPS_PER_DAY
from rtp.street.occupancy import Schedule, expected_days

Moments = dict[str, Floats]  # the fields of an Outlook for some houses of one group, each (T,)


@dataclass(frozen=True, kw_only=True)
class Outlook:
    """Moments per group and step, all (G, T)."""

    occupied: Floats  # expected number of occupied houses
    demand: Floats  # expected demand
    presence: Floats  # variance of demand from who is at home: Σ δ²π(1 − π)
    carried: Floats  # covariance of that part with the next step's: Σ δ²π(1 − π)(1 − leave − arrive)
    consumption: Floats  # variance of demand given who is at home: Σ (πu₁² + (1 − π)u₀²)/12

    @property
    def expected_demand(self) -> Floats:
        return np.asarray(self.demand.sum(axis=0))

    @property
    def variance(self) -> Floats:
        return np.asarray((self.presence + self.consumption).sum(axis=0))


def of_block(
    schedule: Schedule,
    leave: Floats,
    arrive: Floats,
    occupied_bound: Floats,
    empty_bound: Floats,
    days: int,
    buffers: tuple[Floats, Floats] | None = None,
) -> Moments:
    """The moments of n houses of one group, each (T,); `buffers` are two arrays (97, n) to work in."""
    size = len(occupied_bound)
    buffers = buffers or (np.empty((STEPS_PER_DAY + 1, size)), np.empty((STEPS_PER_DAY + 1, size)))
    swing = (occupied_bound - empty_bound) / 2
    if_occupied = np.array([np.ones(size), occupied_bound / 2, occupied_bound**2 / 12])
    if_empty = np.array([empty_bound / 2, empty_bound**2 / 12])
    carry = (1 - leave - arrive) * swing**2
    daily: list[Floats] = []
    for chance in expected_days(schedule, leave, arrive, days, buffers[0]):
        other = np.subtract(1, chance, out=buffers[1][:-1])
        # row by row: a matrix product would wake BLAS's own threads
        means = np.vecdot(chance[:, None], if_occupied)
        means[:, 1:] += np.vecdot(other[:, None], if_empty)
        spread = np.multiply(chance, other, out=other)
        carried = [np.vecdot(spread[start:end], carry[p]) for start, end, p in schedule.runs()]
        daily.append(np.column_stack([means, np.vecdot(spread, swing**2), np.concatenate(carried)]))
    occupied, demand, consumption, presence, carries = np.concatenate(daily).T
    return {
        "occupied": occupied,
        "demand": demand,
        "consumption": consumption,
        "presence": presence,
        "carried": carries,
    }


def empty(groups: int, steps: int) -> Outlook:
    return Outlook(**{name: np.zeros((groups, steps)) for name in Outlook.__dataclass_fields__})


def add(total: Outlook, group: int, moments: Moments) -> None:
    """Add a block's moments in place; in the order of the blocks, so that bytes do not depend on threads."""
    for name, value in moments.items():
        getattr(total, name)[group] += value
