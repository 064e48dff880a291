"""The habits of a group, step by step: the states they lead to, and those they leave possible;
and what they make one expect of demand.

Whether a state is possible is kept on booleans and read off the stated matrix: an entry is impossible where
the user wrote exactly 0, never because a probability has underflowed. Laplace noise has a density that is
positive everywhere, so a published rate never makes a state impossible; houses are independent; so the
possible joint states are the product of the houses' own sets, which evolve by the zero pattern of the
matrices.

A house takes 64 random bits a step, and no more. Half of them decide whether it moves: a whole number m below
2³², uniform, and the house moves where m·2⁻³² < p. So a probability of 0 never happens, one of 1 always does,
a possible one stays possible, and the one really used lies within [p, p + 2⁻³²): nothing beside 1e-6, the
smallest that habits leave possible. The other half, in the unit 2⁻³², is the uniform number from [0, 1) that
consumption is drawn from, too low by 1.2e-10 on average.

**Moments of demand**, before anything is observed. A house that is occupied with probability π uses m₁ or m₀
on average, so its mean is m₀ + π·δ with the difference of means δ = m₁ − m₀; of uniform use U(0, u) the mean
m is u/2 and the variance v is u²/12. Houses are independent, so sums over a group give the exact mean of its
demand, the variance that comes from who is at home, the variance of consumption given that, and the
covariance of the first with the next step: all that a linear filter needs.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import cycle, islice, pairwise

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from rtp.core.types import Bools, Floats, Ints
from rtp.probability.markov import predict_occupied

EMPTY, OCCUPIED = 1, 2  # as members of a set of states, written as bits
INTERIOR = 1e-6  # a probability that is not structural stays this far from 0 and 1
UNIFORM_UNIT = 2.0**-32
CHUNK_STEPS = 8  # steps that are worked on at once: with a block of houses they stay in a processor's cache


@dataclass(frozen=True, kw_only=True)
class Schedule:
    """The per-step habits of one group under one model.

    They repeat in a cycle: a day, or a week from the weekday on which the days begin, in which the
    periods of Saturday and Sunday, where they differ, stand after those of the other days.
    """

    initial: float
    steps_per_day: int
    period: Ints  # (C,) which period contains each step of the cycle
    leave: Floats  # (P,) per step
    arrive: Floats  # (P,)
    possible: Bools  # (P, 2, 2) the entries of the stated matrices that are not exactly 0

    @cached_property
    def runs(self) -> list[tuple[int, int, int]]:
        """The cycle as (first step, last step + 1, period), in the order of the clock, cut at midnight."""
        midnights = range(0, len(self.period) + 1, self.steps_per_day)
        changes = np.flatnonzero(np.diff(self.period)) + 1
        edges = sorted({*midnights, *changes.tolist()})
        return [(start, end, int(self.period[start])) for start, end in pairwise(edges)]

    def chunks(self, steps: int) -> Iterator[tuple[slice, int]]:
        """So many steps, a few of one period at a time, with that period."""
        for cycle_start in range(0, steps, len(self.period)):
            for start, end, period in self.runs:
                last = min(cycle_start + end, steps)
                for first in range(cycle_start + start, last, CHUNK_STEPS):
                    yield slice(first, min(first + CHUNK_STEPS, last)), period


def personal_habits(schedule: Schedule, draws: NDArray[np.float32], spread: float) -> tuple[Floats, Floats]:
    """Each house's own (leave, arrive), both (P, n), from its standard normal draws (n, 2, ≥ P).

    Structural entries stay exactly 0 or 1; the others are kept inside (0, 1).
    """
    stated, possible = np.array([schedule.leave, schedule.arrive]), schedule.possible
    habits = (spread * draws[:, :, : stated.shape[1]]).transpose(1, 2, 0).astype(float, order="C")
    habits += stated[:, :, None]
    np.clip(habits, INTERIOR, 1 - INTERIOR, out=habits)
    habits[~np.array([possible[:, 1, 0], possible[:, 0, 1]])] = 0.0
    habits[~np.array([possible[:, 1, 1], possible[:, 0, 0]])] = 1.0
    leave, arrive = habits
    return leave, arrive


def simulate_chain(
    rng: Generator, schedule: Schedule, leave: Floats, arrive: Floats, steps: int
) -> Iterator[tuple[slice, Bools, Floats]]:
    """Some steps, and at them states of n houses of one group, with habits (P, n), and uniform numbers."""
    n = leave.shape[1]
    leaving, arriving = _moving_below(leave), _moving_below(arrive)
    occupied = rng.random(n) < schedule.initial
    for now, period in schedule.chunks(steps):
        k = now.stop - now.start
        words = rng.bit_generator.random_raw((k, n)).view(np.uint32).reshape(k, 2, n)
        moving, using = words[:, 0], words[:, 1]
        stays, arrives = moving >= leaving[period], moving < arriving[period]
        differs, states = stays ^ arrives, np.empty((k + 1, n), dtype=bool)
        states[0] = occupied
        for t, arrives_now in enumerate(arrives):  # who is empty arrives, who is occupied stays
            np.bitwise_xor(states[t] & differs[t], arrives_now, out=states[t + 1])
        occupied = states[-1]
        uniform = using.astype(float)
        uniform *= UNIFORM_UNIT
        yield now, states[:-1], uniform


def _moving_below(probability: Floats) -> Floats | NDArray[np.uint32]:
    """Below which random whole number a house moves; where one moves surely that is 2³², beyond 32 bits."""
    below = np.ceil(probability * 2.0**32)
    return below.astype(np.uint32) if below.max() < 2.0**32 else below


def both_states_possible(initial: Floats, period: Ints, possible: Bools, steps: int) -> Bools:
    """Where both states can still be, (steps, n) for n zero patterns.

    initial (n,) is Pr[occupied] at step 0; period (n, C) goes round; possible (n, P, 2, 2) says which entries
    of each period's matrix are not 0. This is μ, ν and κ of Algorithm 1, lines 5–7, house by house.
    """
    states = (initial < 1) * EMPTY + (initial > 0) * OCCUPIED
    reached = possible[..., 0] * EMPTY + possible[..., 1] * OCCUPIED  # (n, P, 2): what may follow each state
    patterns = zip(states.tolist(), period.tolist(), reached.tolist(), strict=True)
    return np.array([_both_states_possible(*pattern, steps) for pattern in patterns]).T


def _both_states_possible(states: int, period: list[int], reached: list[list[int]], steps: int) -> list[bool]:
    """The same for one pattern, from a first set of possible states."""
    follows = [(0, empty, occupied, empty | occupied) for empty, occupied in reached]  # each set of states
    both = []
    for now in islice(cycle(period), steps):
        both.append(states == EMPTY | OCCUPIED)
        states = follows[now][states]
    return both


@dataclass(frozen=True)
class DemandMoments:
    """Moments per group and step, all (G, T)."""

    occupied: Floats  # expected number of occupied houses: Σ π
    demand: Floats  # expected demand: Σ m₀ + πδ
    consumption_variance: Floats  # of demand given who is at home: Σ πv₁ + (1 − π)v₀
    occupancy_variance: Floats  # of demand from who is at home: Σ δ²π(1 − π)
    lag1_covariance: Floats  # of that part with the next step's: Σ δ²π(1 − π)(1 − leave − arrive)

    @property
    def expected_demand(self) -> Floats:
        return np.asarray(self.demand.sum(axis=0))

    @property
    def group_variance(self) -> Floats:
        return self.occupancy_variance + self.consumption_variance

    @property
    def variance(self) -> Floats:
        return np.asarray(self.group_variance.sum(axis=0))


def block_moments(
    schedule: Schedule, leave: Floats, arrive: Floats, mean: Floats, variance: Floats, steps: int
) -> Floats:
    """The moments of n houses of one group, (5, T) in the order of the fields of `DemandMoments`.

    Habits are (P, n); use has means and variances (2, n), empty and occupied. Who is certain adds exactly
    nothing to the last two.
    """
    none, every = np.zeros_like(mean[0]), np.ones_like(mean[0])
    if_empty, if_occupied = np.stack([none, mean[0], variance[0]]), np.stack([every, mean[1], variance[1]])
    persistence = 1 - leave - arrive
    quadratic = (mean[1] - mean[0]) ** 2 * np.stack([np.ones_like(persistence), persistence], axis=1)
    moments = np.empty((5, steps))
    occupied, empty = np.empty((2, CHUNK_STEPS + 1, len(every)))
    occupied[0] = schedule.initial
    for now, period in schedule.chunks(steps):
        k = now.stop - now.start
        predict_occupied(occupied[: k + 1], persistence[period], arrive[period])
        np.subtract(1, occupied[:k], out=empty[:k])
        moments[:3, now] = if_occupied @ occupied[:k].T + if_empty @ empty[:k].T
        empty[:k] *= occupied[:k]  # π(1 − π)
        moments[3:, now] = quadratic[period] @ empty[:k].T
        occupied[0] = occupied[k]
    return moments
