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
from math import ceil

import numpy as np

from rtp.arrays import Floats
from rtp.street.occupancy import Schedule
from rtp.street.powers import power_sums, powers
from rtp.street.room import Room

Moments = dict[str, Floats]  # the fields of an Outlook for some houses of one group, each (T,)


@dataclass(frozen=True, kw_only=True)
class Outlook:
    """Moments per group and step, all (G, T)."""

    occupied: Floats  # expected number of occupied houses
    demand: Floats  # expected demand
    consumption: Floats  # variance of demand given who is at home: Σ πv₁ + (1 − π)v₀
    presence: Floats  # variance of demand from who is at home: Σ δ²π(1 − π)
    carried: Floats  # covariance of that part with the next step's: Σ δ²π(1 − π)(1 − leave − arrive)

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
    mean: Floats,
    variance: Floats,
    days: int,
    room: Room | None = None,
) -> Moments:
    """The moments of n houses of one group, each (T,); use has means and variances (2, n), empty and
    occupied."""
    houses, room = _houses(mean, variance), room or Room()
    moving = leave + arrive
    extreme = ((moving == 0) | (moving == 2)).any(axis=1).tolist()
    chance = np.full(mean.shape[1], schedule.initial)
    moments, step = np.empty((5, days * schedule.steps_per_day + 1)), 0
    moments[:, 0] = houses.at(chance, chance)
    for start, end, p in schedule.runs_of(days):
        # from here on the chances of this period carry
        moments[4, step] = np.vecdot(houses.swing2 * chance * (1 - chance), 1 - moving[p])
        after = moments[:, step + 1 : step + 1 + end - start]
        chance, step = _run(houses, chance, arrive[p], moving[p], extreme[p], after, room), step + end - start
    return dict(zip(Outlook.__dataclass_fields__, moments[:, :-1], strict=True))


@dataclass(frozen=True)
class _Houses:
    """What each house adds to the moments."""

    empty: Floats  # (3, n) to the first three, where it is empty
    occupied: Floats  # (3, n) where it is occupied
    difference: Floats  # (3, n)
    swing2: Floats  # (n,) δ², to the other two, per π(1 − π)

    def at(self, chance: Floats, carry: Floats) -> Floats:
        """The five moments of one step."""
        other = 1 - chance
        means = np.vecdot(self.empty, other) + np.vecdot(self.occupied, chance)
        spread = self.swing2 * chance * other
        return np.array([*means, spread.sum(), np.vecdot(spread, carry)])


def _houses(mean: Floats, variance: Floats) -> _Houses:
    empty, occupied = (
        np.array([np.full_like(m, state), m, v])
        for state, (m, v) in enumerate(zip(mean, variance, strict=True))
    )
    return _Houses(empty, occupied, occupied - empty, (mean[1] - mean[0]) ** 2)


def _run(
    houses: _Houses,
    chance: Floats,
    arrive: Floats,
    moving: Floats,
    extreme: bool,
    moments: Floats,
    room: Room,
) -> Floats:
    """Fills in the moments, (5, k), after each of k steps; returns the chances after the last."""
    if extreme:
        houses, rest = _still(houses, chance, arrive, moving)
    else:
        rest = arrive / moving
    carry, distance, steps = 1 - moving, chance - rest, moments.shape[1]
    low, high = powers(carry, 2 * steps + 1, room)
    last = low[(steps - 1) % len(low)] * high[(steps - 1) // len(low)]

    pull = houses.swing2 * distance
    weights = room.floats("weights", 4, len(chance))
    np.multiply(houses.difference, distance, out=weights[:3])
    np.multiply(pull, 1 - 2 * rest, out=weights[3])
    linear = power_sums(weights, low, high[: ceil(steps / len(low))], room)
    squared = power_sums((pull * distance)[None], low, high, room)[0]

    moments[:] = houses.at(rest, carry)[:, None]
    moments[:4] += linear[:, :steps]
    moments[4, :-1] += linear[3, 1:steps]
    moments[3] -= squared[1 : 2 * steps : 2]  # c², c⁴, …
    moments[4] -= squared[2 : 2 * steps + 1 : 2]  # c³, c⁵, …
    return np.asarray(np.clip(rest + distance * last, 0, 1))


def _still(houses: _Houses, chance: Floats, arrive: Floats, moving: Floats) -> tuple[_Houses, Floats]:
    """Who never moves rests where it is. Of these, and of who moves at every step, those that are certain at
    first are certain all along: they must add exactly nothing to what is uncertain."""
    rest = np.divide(arrive, moving, out=chance.copy(), where=moving > 0)
    certain = ((moving == 0) | (moving == 2)) & (chance * (1 - chance) == 0)
    return replace(houses, swing2=np.where(certain, 0.0, houses.swing2)), rest


def empty(groups: int, steps: int) -> Outlook:
    return Outlook(**{name: np.zeros((groups, steps)) for name in Outlook.__dataclass_fields__})


def add(total: Outlook, group: int, moments: Moments) -> None:
    """Add a block's moments in place; in the order of the blocks, so that bytes do not depend on threads."""
    for name, value in moments.items():
        getattr(total, name)[group] += value
