"""What a model expects of the street's demand, before anything is observed.

A house that is occupied with chance π uses U(0, u₁) or U(0, u₀), so its mean is u₀/2 + π·δ with the *swing*
δ = (u₁ − u₀)/2. Houses are independent, so sums over a group give the exact mean of its demand, the
variance that comes from who is at home, the variance of consumption given that, and the correlation of
the first with the next step: all that a linear filter needs.
"""

from dataclasses import dataclass

import numpy as np

from rtp.occupancy import Floats, Schedule, expected
from rtp.scenario import STEPS_PER_DAY

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
    plan: Schedule, leave: Floats, arrive: Floats, occupied_bound: Floats, empty_bound: Floats, days: int
) -> Moments:
    """The moments of some houses of one group, each (T,)."""
    chance = expected(plan, leave, arrive, days)
    swing = (occupied_bound - empty_bound) / 2
    occupied, mean, consumption = (
        chance @ np.column_stack([np.ones_like(swing), swing, (occupied_bound**2 - empty_bound**2) / 12])
    ).T
    np.subtract(chance, np.square(chance), out=chance)
    carry = (1 - leave - arrive) * swing**2
    by_day = chance.reshape(days, STEPS_PER_DAY, -1)
    carried = np.empty((days, STEPS_PER_DAY))
    for start, end, p in plan.runs():
        carried[:, start:end] = by_day[:, start:end] @ carry[p]
    return {
        "occupied": occupied,
        "demand": mean + empty_bound.sum() / 2,
        "presence": chance @ swing**2,
        "carried": carried.ravel(),
        "consumption": consumption + (empty_bound**2).sum() / 12,
    }


def empty(groups: int, steps: int) -> Outlook:
    return Outlook(**{name: np.zeros((groups, steps)) for name in Outlook.__dataclass_fields__})


def add(total: Outlook, group: int, moments: Moments) -> None:
    """Add a block's moments in place; in the order of the blocks, so that bytes do not depend on threads."""
    for name, value in moments.items():
        getattr(total, name)[group] += value
