"""Days that real houses live: the street's demand, and one house in either of two ways.

The street's days are drawn by the chains that draw every day of the lab, many days side by side. A house that
is asked about is taken out of the demand and lives again, once in either way, with the same uniform numbers,
neighbours and unit noise.
"""

from typing import NamedTuple

import numpy as np
from numpy.random import Generator

from rtp.core.random import Stream, generators, random_generator, seed_of
from rtp.core.types import Bools, Floats, Ints
from rtp.exposure.secrets import Record, Ways
from rtp.probability.markov import marginals
from rtp.street.draw import Use, evenly
from rtp.street.schedule import personal_habits, simulate_chain

AT_ONCE = 2**16  # houses × days
MOST_HOUSES = 300  # that are lived one by one; of a longer street they stand for all
TINY = 1e-300
CELLS = 2**12  # of a table of quantiles


class StreetDays(NamedTuple):
    """R records of a street: its demand, (T, R), what the houses that are asked about use, (T, n, R), and
    unit Laplace noise, (T, R)."""

    demand: Floats
    houses: Ints
    used: Floats
    noise: Floats


def draw_street(record: Record, houses: Ints, days: int, part: int, alone: bool = False) -> StreetDays:
    """Return so many records, of an independent part of the street's randomness.

    `alone`: these houses are all that counts.
    """
    spec, street = record.spec, record.street
    seed = seed_of(record.seed, Stream.EXPOSURE, part)
    demand, used = np.zeros((spec.steps, days)), np.zeros((spec.steps, len(houses), days))
    *rngs, last = generators(seed, len(spec.groups) + 1)
    for g, rng in enumerate(rngs):
        members = np.flatnonzero(street.group == g)
        asked = np.flatnonzero(street.group[houses] == g)
        lived = houses[asked] if alone else _stand_ins(members, houses[asked], len(street.group))
        if not len(lived):
            continue
        place = np.searchsorted(lived, houses[asked])
        schedule, use = spec.schedules[0][g], _Drawn(street.only(lived))
        habits = personal_habits(schedule, street.habit_draws[lived], spec.habit_spread)
        total = np.zeros((spec.steps, days))
        chunk = max(AT_ONCE // len(lived), 1)
        for first in range(0, days, chunk):
            now = slice(first, min(first + chunk, days))
            count = now.stop - now.start
            leave, arrive = (np.tile(each, (1, count)) for each in habits)
            for steps, states, uniform in simulate_chain(rng, schedule, leave, arrive, spec.steps):
                shape = len(states), count, len(lived)
                total[steps, now], amount = use.total(states.reshape(shape), uniform.reshape(shape), place)
                used[steps, asked, now] = amount.transpose(0, 2, 1)
        if len(lived) < len(members) and not alone:  # their deviation, widened to that of all
            mean, variance = _moments(record, lived)
            whole = record.market.street_day.true_moments
            wider = np.sqrt(whole.group_variance[g] / np.maximum(variance, TINY))[:, None]
            total = whole.demand[g][:, None] + (total - mean[:, None]) * wider
        demand += total
    return StreetDays(demand, houses, used, last.laplace(size=demand.shape))


def _stand_ins(members: Ints, asked: Ints, households: int) -> Ints:
    """Return which houses of a group are lived."""
    most = max(MOST_HOUSES * len(members) // households, 1)
    if households <= MOST_HOUSES or len(members) <= most:
        return members
    return np.union1d(members[evenly(len(members), most)], asked)


def _moments(record: Record, houses: Ints) -> tuple[Floats, Floats]:
    """Return the mean and the variance of what some houses use together, (T,) each."""
    occupied, empty = marginals(record.spec.chains(record.street, 0, houses))
    (m0, m1), (v0, v1) = record.street.moments(houses)
    return occupied @ m1 + empty @ m0, occupied @ v1 + empty @ v0 + (occupied * empty) @ (m1 - m0) ** 2


class _Drawn:
    """What houses use, from uniform numbers: of any distribution from a table of its quantiles."""

    def __init__(self, use: Use) -> None:
        self.use, self.table = use, np.zeros(0)
        if (laws := use.distributions) is not None:
            middle = (np.arange(CELLS) + 0.5) / CELLS
            below = np.cumsum(laws.mass, axis=2)
            tables = [
                np.interp(middle, np.append(0.0, own), edges)
                for house, edges in zip(below.transpose(1, 0, 2), laws.edges, strict=True)
                for own in house
            ]
            self.table = np.concatenate(tables)
            self.first = np.arange(len(laws.edges)) * 2 * CELLS

    def at(self, occupied: Bools, uniform: Floats) -> Floats:
        if self.use.distributions is None:
            return self.use.at(occupied, uniform)
        cell: Ints = (uniform * CELLS).astype(np.intp)
        cell += self.first
        cell += occupied * CELLS
        return np.asarray(self.table[cell])

    def total(self, occupied: Bools, uniform: Floats, some: Ints) -> tuple[Floats, Floats]:
        """Return what all use together, and what some of them use."""
        if self.use.distributions is not None:
            amount = self.at(occupied, uniform)
            return amount.sum(axis=-1), amount[..., some]
        flat = occupied.reshape(-1, occupied.shape[-1]), uniform.reshape(-1, occupied.shape[-1])
        together = self.use.total(*flat).reshape(occupied.shape[:-1])
        return together, self.use.only(some).at(occupied[..., some], uniform[..., some])


def live_ways(record: Record, house: int, ways: Ways, days: int, part: int) -> Floats:
    """Return what a house uses in either way, (T, 2, R)."""
    rng = random_generator(record.seed, Stream.EXPOSURE, part, 1 + house)
    return use_of_ways(rng, record.street.only(slice(house, house + 1)), ways, days)


def use_of_ways(rng: Generator, use: Use, ways: Ways, days: int) -> Floats:
    """The same from a generator."""
    steps = len(ways.leave) + 1
    states = np.empty((steps, 2, days), dtype=bool)
    states[0] = rng.random(days) < ways.initial[:, None]
    for t in range(steps - 1):
        uniform = rng.random(days)
        stays = uniform >= ways.leave[t, :, None]  # who leaves in both ways leaves in both
        states[t + 1] = np.where(states[t], stays, 1 - uniform < ways.arrive[t, :, None])
    uniform = np.broadcast_to(rng.random((steps, 1, days)), states.shape)
    return _Drawn(use).at(states[..., None], uniform[..., None])[..., 0]
