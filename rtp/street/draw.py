"""The drawn street: who lives where, how much each house can use, and its personal habits.

Houses stand in the order of their groups and are handled in blocks. Each block has its own stream of
randomness, so the result does not depend on how many blocks are worked on at once, or where.

What a house uses in either state is drawn from one uniform number: up to its bound, or by a distribution of
its own. That is a histogram, so its quantile function is a straight line within every bin: at a probability c
it is the sum over the bins of their width times the share of them that lies below c, between 0 and 1. A bin
that cannot be is jumped over, and nothing beyond the last possible one is ever reached.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from itertools import pairwise
from typing import Self

import numpy as np
from numpy.typing import NDArray

from rtp.core.random import BlockGenerators, block_generators
from rtp.core.time import steps_per_day
from rtp.core.types import Bools, Floats, Ints
from rtp.probability.histogram import Histograms, share_below
from rtp.probability.laplace_uniform import Complexes, uniform_characteristic
from rtp.probability.markov import Chains
from rtp.probability.privacy_loss import llr_range
from rtp.scenario import Group, Law
from rtp.street.schedule import Schedule, personal_habits

BLOCK = 2048  # houses that share a stream
FIRST_PERIODS = 4  # for which habits are drawn first: the paper's
MASS_TOLERANCE = 1e-9  # of masses that add up to one


@dataclass(frozen=True, kw_only=True)
class Use:
    """What some houses use in either state; arrays are (n,)."""

    occupied_bound: Floats
    empty_bound: Floats
    distributions: Histograms | None = None  # where it is not uniform up to the bounds

    def only(self, houses: slice | Ints) -> Self:
        """The same of some of the houses."""
        arrays = {own.name: getattr(self, own.name) for own in fields(self)}
        laws = arrays.pop("distributions")
        some = {name: values[houses] for name, values in arrays.items()}
        return replace(self, **some, distributions=None if laws is None else laws.only(houses))

    def moments(self, houses: slice | Ints = slice(None)) -> tuple[Floats, Floats]:
        """Means and variances of the use of some houses, both (2, n), empty and occupied."""
        if self.distributions is not None:
            some = self.distributions.only(houses)
            return some.mean, some.variance
        bounds = np.stack([self.empty_bound[houses], self.occupied_bound[houses]])
        return bounds / 2, bounds * (bounds / 12)

    def loss(self, b: float, houses: slice | Ints = slice(None)) -> Floats:
        """What Laplace noise of scale b on consumption leaves to learn of some houses, in the unit of ε."""
        lowest, highest = self.llr_range(b, houses)
        return np.maximum(-lowest, highest)

    def llr_range(self, b: float, houses: slice | Ints = slice(None)) -> tuple[Floats, Floats]:
        """The least and the largest log-likelihood ratio, occupied against empty, of noisy use."""
        if self.distributions is not None:
            return self.distributions.only(houses).llr_range(b)
        return llr_range(b, self.occupied_bound[houses], self.empty_bound[houses])

    def histograms(self) -> Histograms:
        """Their distributions, uniform ones too."""
        if self.distributions is not None:
            return self.distributions
        edges, mass = uniform_histograms(np.stack([self.empty_bound, self.occupied_bound]), 2)
        return Histograms(edges=edges, mass=mass)

    def characteristic(self, t: Floats) -> tuple[Complexes, Complexes]:
        """Characteristic functions at nodes t, (n, len(t)) each, empty and occupied."""
        if self.distributions is None:
            return (
                uniform_characteristic(self.empty_bound, t),
                uniform_characteristic(self.occupied_bound, t),
            )
        distinct, of_house = self.distributions.distinct
        empty, occupied = distinct.characteristic(t)[:, of_house]
        return empty, occupied

    def at(self, occupied: Bools, uniform: Floats) -> Floats:
        """What they use, drawn from a uniform number in [0, 1), both (…, n)."""
        if self.distributions is None:
            return np.asarray(np.where(occupied, self.occupied_bound, self.empty_bound) * uniform)
        return quantile(self.distributions, occupied, uniform)

    def total(self, occupied: Bools, uniform: Floats) -> Floats:
        """What they use together, (k,), drawn from a uniform number in [0, 1); both (k, n)."""
        if self.distributions is not None:
            return np.asarray(self.at(occupied, uniform).sum(axis=1))
        if_occupied = occupied.astype(float)
        if_occupied *= uniform
        more = self.occupied_bound - self.empty_bound
        return np.asarray(np.vecdot(uniform, self.empty_bound) + np.vecdot(if_occupied, more))


def quantile(distributions: Histograms, occupied: Bools, probability: Floats) -> Floats:
    """The use that each house's use stays below with a probability, in its state; both (…, n)."""
    mass, edges = distributions.mass, distributions.edges
    below = np.concatenate([np.zeros((*mass.shape[:2], 1)), np.cumsum(mass, axis=2)], axis=2)
    below[below > 1 - MASS_TOLERANCE] = 1.0
    place = np.zeros(probability.shape, dtype=np.intp)  # the bin that it lies in, the last one's end at 1
    for if_empty, if_occupied in below[:, :, 1:].transpose(2, 0, 1):
        place += probability >= np.where(occupied, if_occupied, if_empty)
    width = np.pad(np.diff(edges, axis=1), ((0, 0), (0, 1)))
    start = np.cumsum(np.concatenate([edges[:, :1], width[:, :-1]], axis=1), axis=1)
    mass = np.pad(np.diff(below, axis=2), ((0, 0), (0, 0), (0, 1)))
    house, state = np.arange(len(edges)), occupied.astype(np.intp)
    inside = mass[state, house, place]
    share = (probability - below[state, house, place]) / np.where(inside > 0, inside, 1.0)
    value = start[house, place] + width[house, place] * np.clip(share, 0.0, 1.0)
    return np.asarray(np.minimum(value, edges[:, -1]))


def consumption_distributions(
    groups: Sequence[Group], group: NDArray[np.int8], occupied_bound: Floats, empty_bound: Floats
) -> Histograms | None:
    """Of every house, by its group, cut at the larger of its bounds; None where all use is uniform."""
    if all(g.law is None for g in groups):
        return None
    bins = 1 + max(len(g.law.empty) for g in groups if g.law is not None)
    edges, mass = np.zeros((len(group), bins + 1)), np.zeros((2, len(group), bins))
    for number, own in enumerate(groups):
        mine = group == number
        bounds = np.stack([empty_bound[mine], occupied_bound[mine]])
        if own.law is None:
            edges[mine], mass[:, mine] = uniform_histograms(bounds, bins)
        else:
            edges[mine], mass[:, mine] = _cut(own.law, bounds.max(axis=0), bins)
    return Histograms(edges=edges, mass=mass)


def _cut(law: Law, bound: Floats, bins: int) -> tuple[Floats, Floats]:
    """A stated distribution for houses that use at most so much, (n,): what lies beyond is a point mass at
    the bound, in the last bin."""
    spare = bins - len(law.empty)
    stated = np.array([*law.edges, *[law.edges[-1]] * spare])
    mass = np.array([[*masses, *[0.0] * spare] for masses in (law.empty, law.occupied)])
    kept = mass[:, None] * share_below(bound[:, None], stated[:-1], np.diff(stated))
    kept[:, :, -1] += np.maximum(1 - kept.sum(axis=2), 0.0)  # a sum of floats may pass 1
    return np.minimum(stated, bound[:, None]), kept


def uniform_histograms(bounds: Floats, bins: int) -> tuple[Floats, Floats]:
    """U(0, u) of both states, (2, n): a bin up to the smaller bound, and one from there to the larger."""
    low, high = bounds.min(axis=0), bounds.max(axis=0)
    edges = np.repeat(high[:, None], bins + 1, axis=1)
    edges[:, 0], edges[:, 1] = 0.0, low
    first = np.where(bounds == low, 1.0, low / np.where(high > 0, high, 1.0))
    mass = np.zeros((2, len(low), bins))
    mass[:, :, 0], mass[:, :, 1] = first, 1 - first
    return edges, mass


@dataclass(frozen=True, kw_only=True)
class Street(Use):
    """The households: what they use, whom they are like, and how their habits differ from that."""

    group: NDArray[np.int8]  # (N,)
    habit_draws: NDArray[np.float32]  # (N, 2, P) standard normal: leave and arrive of every period

    @cached_property
    def bound(self) -> Floats:
        """The most a house can use in any state: what its privacy is measured by."""
        return np.maximum(self.occupied_bound, self.empty_bound)


@dataclass(frozen=True)
class Block:
    """Houses start ≤ h < stop, all of one group."""

    group: int
    start: int
    stop: int

    @property
    def houses(self) -> slice:
        return slice(self.start, self.stop)

    def __len__(self) -> int:
        return self.stop - self.start


def group_sizes(shares: list[float], households: int) -> list[int]:
    """Whole houses per group by largest remainder; ties go to the earlier group."""
    exact = [share * households for share in shares]
    sizes = [int(x + 1e-9) for x in exact]
    by_remainder = sorted((size - x, g) for g, (size, x) in enumerate(zip(sizes, exact, strict=True)))
    for _, g in by_remainder[: households - sum(sizes)]:
        sizes[g] += 1
    return sizes


def blocks(sizes: list[int]) -> list[Block]:
    """The blocks of groups of these sizes, in order."""
    result, start = [], 0
    for group, size in enumerate(sizes):
        cuts = [*range(start, start + size, BLOCK), start + size]
        result += [Block(group, a, b) for a, b in pairwise(cuts)]
        start += size
    return result


@dataclass(frozen=True, kw_only=True)
class StreetSpec:
    """All that a street and its days depend on: what is left of a scenario once it has been unpacked.

    Neither tariff nor promise is in it: those price a day that has been simulated.
    """

    households: int
    days: int
    step_minutes: int
    groups: tuple[Group, ...]
    listed: Floats | None = None  # (2, N) bounds when occupied and when empty; None: they are drawn
    schedules: tuple[tuple[Schedule, ...], ...]  # by model and group; the first model generates the day
    assumed_index: int  # the model that filter and forecast assume
    habit_spread: float
    seed: int

    @property
    def steps_per_day(self) -> int:
        return steps_per_day(self.step_minutes)

    @property
    def steps(self) -> int:
        return self.days * self.steps_per_day

    @property
    def periods(self) -> int:
        """P, for which every house has habits: the same number in all schedules."""
        return len(self.schedules[0][0].leave)

    @property
    def expecting(self) -> list[int]:
        """The models that say what to expect: the true one, and the assumed one where it is another."""
        return sorted({0, self.assumed_index})

    @cached_property
    def blocks(self) -> list[Block]:
        return blocks(group_sizes([g.share for g in self.groups], self.households))

    def draw(self, only: range | None = None) -> Street:
        """The street, or some blocks of it as they are on the whole one."""
        numbers = range(len(self.blocks)) if only is None else only
        return draw(self, numbers, block_generators(self.seed, numbers))

    def transition_probabilities(self, street: Street, model: int, block: Block) -> tuple[Floats, Floats]:
        """(leave, arrive) per step of the block's houses under a model, both (P, n)."""
        return self._habits(model, block.group, street.habit_draws[block.houses])

    def chains(self, street: Street, model: int, houses: slice | Ints = slice(None)) -> Chains:
        """The chains of some houses under a model, over all steps.

        Groups may keep different hours: each combination of their periods that occurs is a row.
        """
        schedules, group, draws = self.schedules[model], street.group[houses], street.habit_draws[houses]
        period = np.array([np.resize(schedule.period, self.steps - 1) for schedule in schedules])
        combinations, row = np.unique(period, axis=1, return_inverse=True)  # (G, P), (T − 1,)
        leave, arrive = np.empty((2, combinations.shape[1], len(group)))
        for g in range(len(schedules)):
            mine = group == g
            own_leave, own_arrive = self._habits(model, g, draws[mine])
            leave[:, mine], arrive[:, mine] = own_leave[combinations[g]], own_arrive[combinations[g]]
        initial = np.array([schedule.initial for schedule in schedules])[group]
        return Chains(initial=initial, leave=leave, arrive=arrive, row=row.ravel())

    def _habits(self, model: int, group: int, draws: NDArray[np.float32]) -> tuple[Floats, Floats]:
        return personal_habits(self.schedules[model][group], draws, self.habit_spread)


def draw(spec: StreetSpec, numbers: range, rngs: Sequence[BlockGenerators]) -> Street:
    """The blocks of these numbers: bounds as listed, or uniform between the group's; habits standard normal.

    Habits of the first four periods are drawn first, house by house: more periods never change them.
    """
    blocks = spec.blocks[numbers.start : numbers.stop]
    first, more = blocks[0].start, max(spec.periods - FIRST_PERIODS, 0)
    count = blocks[-1].stop - first
    bounds = np.empty((2, count))  # when occupied, when empty
    habit_draws = np.empty((count, 2, FIRST_PERIODS + more), dtype=np.float32)
    for block, rng in zip(blocks, rngs, strict=True):
        own, n, houses = spec.groups[block.group], len(block), slice(block.start - first, block.stop - first)
        lowest = np.array([[own.occupied_min], [own.empty_min]])
        highest = np.array([[own.occupied_max], [own.empty_max]])
        bounds[:, houses] = rng.bounds.random((2, n)) * (highest - lowest) + lowest
        habit_draws[houses, :, :FIRST_PERIODS] = rng.habits.standard_normal(
            (n, 2, FIRST_PERIODS), dtype=np.float32
        )
        later = rng.habits.standard_normal((more, n, 2), dtype=np.float32)
        habit_draws[houses, :, FIRST_PERIODS:] = later.transpose(1, 2, 0)
    if spec.listed is not None:
        bounds = spec.listed[:, first : first + count]
    group = np.repeat(np.array([block.group for block in blocks], dtype=np.int8), list(map(len, blocks)))
    return Street(
        group=group,
        occupied_bound=bounds[0],
        empty_bound=bounds[1],
        habit_draws=habit_draws,
        distributions=consumption_distributions(spec.groups, group, *bounds),
    )


def evenly(households: int, count: int) -> Ints:
    """At most so many house numbers, spread evenly from the first house to the last."""
    return np.unique(np.linspace(0, households - 1, count).astype(np.intp))
