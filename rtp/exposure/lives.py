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
from rtp.street.draw import Use
from rtp.street.schedule import personal_habits, simulate_chain

AT_ONCE = 2**16  # houses × days
MOST_HOUSES = 2_000  # that are lived one by one; of a longer street they stand for all
CELLS = 2**12  # of a table of quantiles
EXACT_DRAWS = 2**14  # of a house, up to which each amount is found in its histogram


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
        lived, share = _stand_ins(members, houses[asked], len(street.group))
        if alone:
            lived, share = houses[asked], 1.0
        if not len(lived):
            continue
        place = np.searchsorted(lived, houses[asked])
        schedule, use = spec.schedules[0][g], _Drawn(street.only(lived), days * spec.steps)
        habits = personal_habits(schedule, street.habit_draws[lived], spec.habit_spread)
        total = np.zeros((spec.steps, days))
        chunk = max(AT_ONCE // len(lived), 1)
        for first in range(0, days, chunk):
            now = slice(first, min(first + chunk, days))
            count = now.stop - now.start
            leave, arrive = (np.tile(each, (1, count)) for each in habits)
            for steps, states, uniform in simulate_chain(rng, schedule, leave, arrive, spec.steps):
                shape = len(states), count, len(lived)
                amount = use.at(states.reshape(shape), uniform.reshape(shape))
                total[steps, now] = amount.sum(axis=2)
                used[steps, asked, now] = amount[:, :, place].transpose(0, 2, 1)
        if share < 1:  # the deviation of those who stand for all, widened to that of all
            mean = record.market.street_day.true_moments.demand[g][:, None]
            total = mean + (total - _expected(record, lived)[:, None]) / np.sqrt(share)
        demand += total
    return StreetDays(demand, houses, used, last.laplace(size=demand.shape))


def _stand_ins(members: Ints, asked: Ints, households: int) -> tuple[Ints, float]:
    """Which houses of a group are lived, and which share of it they are."""
    most = max(MOST_HOUSES * len(members) // households, 1)
    if households <= MOST_HOUSES or len(members) <= most:
        return members, 1.0
    some = np.union1d(members[np.linspace(0, len(members) - 1, most).astype(np.intp)], asked)
    return some, len(some) / len(members)


def _expected(record: Record, houses: Ints) -> Floats:
    """What some houses are expected to use together, (T,)."""
    occupied, empty = marginals(record.spec.chains(record.street, 0, houses))
    (if_empty, if_occupied), _ = record.street.moments(houses)
    return np.asarray(occupied @ if_occupied + empty @ if_empty)


class _Drawn:
    """What houses use, from uniform numbers: a table of quantiles where there are very many."""

    def __init__(self, use: Use, draws: int) -> None:
        self.use, self.table = use, None
        if use.distributions is not None and draws > EXACT_DRAWS:
            n = len(use.occupied_bound)
            middle = np.broadcast_to(((np.arange(CELLS) + 0.5) / CELLS)[:, None], (CELLS, n))
            each = [use.at(np.full((CELLS, n), state), middle) for state in (False, True)]
            self.table = np.ascontiguousarray(np.stack(each).transpose(2, 0, 1)).ravel()
            self.first = np.arange(n) * 2 * CELLS

    def at(self, occupied: Bools, uniform: Floats) -> Floats:
        if self.table is None:
            return self.use.at(occupied, uniform)
        cell: Ints = (uniform * CELLS).astype(np.intp)
        cell += self.first
        cell += occupied * CELLS
        return np.asarray(self.table[cell])


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
    return _Drawn(use, states.size).at(states[..., None], uniform[..., None])[..., 0]
