"""The drawn street: who lives where, how much each house can use, and its personal habits.

Houses stand in the order of their groups and are handled in blocks that stay in cache. Each block has its
own stream of randomness, so the result is the same for any number of threads.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import TypeVar

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from rtp.core.random import Stream, generators_at, seed_of
from rtp.core.time import steps_per_day
from rtp.core.types import Bools, Floats, Ints
from rtp.probability.histogram import Histograms
from rtp.probability.laplace_uniform import Complexes, uniform_characteristic
from rtp.probability.markov import Chains
from rtp.probability.privacy_loss import privacy_loss
from rtp.scenario import Group, Law
from rtp.street.room import aligned
from rtp.street.schedule import Schedule, personal_habits

BLOCK = 2048  # houses that share a stream
BATCH = 4  # blocks that walk side by side: a call of numpy's costs as much as a thousand houses
FIRST_PERIODS = 4  # for which habits are drawn first: the paper's
ROUNDING = 1e-9  # of masses that add up to one
Result = TypeVar("Result")


@dataclass(frozen=True, kw_only=True)
class Use:
    """Of some houses; arrays are (n,)."""

    occupied_bound: Floats
    empty_bound: Floats
    distributions: Histograms | None = None  # where it is not uniform up to the bounds

    def only(self, houses: slice | Ints) -> "Use":
        return Use(
            occupied_bound=self.occupied_bound[houses],
            empty_bound=self.empty_bound[houses],
            distributions=None if self.distributions is None else self.distributions.only(houses),
        )

    def moments(self) -> tuple[Floats, Floats]:
        """Means and variances, both (2, n), empty and occupied."""
        if self.distributions is not None:
            return self.distributions.mean, self.distributions.variance
        bounds = np.stack([self.empty_bound, self.occupied_bound])
        return bounds / 2, bounds * (bounds / 12)

    def characteristic(self, t: Floats) -> tuple[Complexes, Complexes]:
        """Characteristic functions at equally spaced nodes t, (n, len(t)) each, empty and occupied."""
        if self.distributions is None:
            return (
                uniform_characteristic(self.empty_bound, t),
                uniform_characteristic(self.occupied_bound, t),
            )
        laws, of_house = self.distributions.distinct
        empty, occupied = laws.characteristic(t)[:, of_house]
        return empty, occupied

    def at(self, occupied: Bools, chance: Floats) -> Floats:
        """What they use at a chance in [0, 1), both (…, n)."""
        if self.distributions is None:
            return np.asarray(np.where(occupied, self.occupied_bound, self.empty_bound) * chance)
        return quantile(self.distributions, occupied, chance)


@dataclass(frozen=True, kw_only=True)
class Street:
    """The households. All arrays are per house."""

    group: NDArray[np.int8]
    occupied_bound: Floats
    empty_bound: Floats
    habit_draws: NDArray[np.float32]  # (N, 2, P) standard normal: leave and arrive of every period
    distributions: Histograms | None = None  # of consumption, where it is not uniform up to the bounds

    @cached_property
    def bound(self) -> Floats:
        """The most a house can use in any state: what its privacy is measured by."""
        return np.maximum(self.occupied_bound, self.empty_bound)

    def moments(self, houses: slice | Ints = slice(None)) -> tuple[Floats, Floats]:
        """Means and variances of the use of some houses, both (2, n), empty and occupied."""
        return self.use(houses).moments()

    def use(self, houses: slice | Ints) -> Use:
        """How some houses use energy."""
        everyone = Use(
            occupied_bound=self.occupied_bound, empty_bound=self.empty_bound, distributions=self.distributions
        )
        return everyone.only(houses)

    def loss(self, b: float, houses: slice | Ints = slice(None)) -> Floats:
        """What Laplace noise of scale b on consumption leaves to learn of some houses, in the unit of ε."""
        if self.distributions is not None:
            return self.distributions.only(houses).loss(b)
        return privacy_loss(b, self.occupied_bound[houses], self.empty_bound[houses])


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
    result, start = [], 0
    for group, size in enumerate(sizes):
        cuts = [*range(start, start + size, BLOCK), start + size]
        result += [Block(group, a, b) for a, b in pairwise(cuts)]
        start += size
    return result


def batches(parts: list[Block]) -> list[range]:
    """The numbers of blocks that walk side by side: neighbours of one group."""
    result: list[range] = []
    for number, part in enumerate(parts):
        if result and len(result[-1]) < BATCH and parts[number - 1].group == part.group:
            result[-1] = range(result[-1].start, number + 1)
        else:
            result.append(range(number, number + 1))
    return result


def shifted(parts: list[Block]) -> list[Block]:
    """The same blocks where the first of them begins with house 0."""
    first = parts[0].start
    return [Block(part.group, part.start - first, part.stop - first) for part in parts]


def each_block(work: Callable[[int], Result], count: int) -> Iterator[Result]:
    """work(0), work(1), … in order; on threads where there are enough blocks to share."""
    workers = min(os.cpu_count() or 1, count // 2) if count >= 4 else 1  # to ask the system takes time
    if workers < 2:
        yield from map(work, range(count))
        return
    pool = ThreadPoolExecutor(workers)
    try:
        yield from pool.map(work, range(count))
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def draw(
    groups: tuple[Group, ...],
    households: int,
    seed: int,
    periods: int = FIRST_PERIODS,
    listed: Floats | None = None,
    only: range | None = None,
) -> Street:
    """Bounds are as listed, or uniform between the group's; habits are standard normal.

    Those of the first four periods are drawn first, house by house: more periods never change them. `only`
    some blocks of the street may be drawn, as they are on the whole one.
    """
    everyone = blocks(group_sizes([g.share for g in groups], households))
    numbers = range(len(everyone)) if only is None else only
    there = slice(everyone[numbers[0]].start, everyone[numbers[-1]].stop)
    parts = shifted(everyone[numbers[0] : numbers[-1] + 1])
    count = there.stop - there.start
    street = Street(
        group=np.repeat(np.array([part.group for part in parts], dtype=np.int8), [len(p) for p in parts]),
        occupied_bound=aligned(np.float64, count),
        empty_bound=aligned(np.float64, count),
        habit_draws=np.empty((count, 2, max(periods, FIRST_PERIODS)), dtype=np.float32),
    )
    _fill(street, groups, parts, numbers, seed, periods)
    if listed is not None:
        street.occupied_bound[:], street.empty_bound[:] = listed[:, there]
    laws = consumption_distributions(groups, street.group, street.occupied_bound, street.empty_bound)
    return street if laws is None else replace(street, distributions=laws)


def _fill(
    street: Street, groups: tuple[Group, ...], parts: list[Block], numbers: range, seed: int, periods: int
) -> None:
    """Draw the houses, several blocks at a time: to hand work to a thread costs as much as a block."""
    together = batches(parts)
    bound_seed, habit_seed = seed_of(seed, Stream.BOUNDS), seed_of(seed, Stream.HABITS)

    def fill(batch: int) -> None:
        own = slice(together[batch].start, together[batch].stop)
        bound_rngs, habit_rngs = (generators_at(root, numbers[own]) for root in (bound_seed, habit_seed))
        for part, bound_rng, habit_rng in zip(parts[own], bound_rngs, habit_rngs, strict=True):
            houses, group = part.houses, groups[part.group]
            _draw_bounds(bound_rng, street.occupied_bound[houses], group.occupied_min, group.occupied_max)
            _draw_bounds(bound_rng, street.empty_bound[houses], group.empty_min, group.empty_max)
            _draw_habits(habit_rng, street.habit_draws[houses], periods - FIRST_PERIODS)

    for _ in each_block(fill, len(together)):
        pass


def _draw_bounds(rng: Generator, bound: Floats, low: float, high: float) -> None:
    rng.random(out=bound)
    bound *= high - low
    bound += low


def _draw_habits(rng: Generator, habits: NDArray[np.float32], more: int) -> None:
    """(houses, 2, periods), of which so many come after the first."""
    if more <= 0:
        rng.standard_normal(out=habits, dtype=np.float32)
        return
    houses = len(habits)
    habits[:, :, :FIRST_PERIODS] = rng.standard_normal((houses, 2, FIRST_PERIODS), dtype=np.float32)
    habits[:, :, FIRST_PERIODS:] = rng.standard_normal((more, houses, 2), dtype=np.float32).transpose(1, 2, 0)


@dataclass(frozen=True, kw_only=True)
class StreetSpec:
    """Neither tariff nor promise is in it: those price a day that has been lived."""

    households: int
    days: int
    step_minutes: int
    groups: tuple[Group, ...]
    listed: Floats | None = None  # (2, N) bounds when occupied and when empty; None: they are drawn
    schedules: tuple[tuple[Schedule, ...], ...]  # by model and group; the first model generates the day
    assumed_index: int  # the model that filter and forecast believe in
    habit_spread: float
    habit_clip: str
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

    @cached_property
    def blocks(self) -> list[Block]:
        return blocks(group_sizes([g.share for g in self.groups], self.households))

    @cached_property
    def batches(self) -> list[range]:
        return batches(self.blocks)

    def draw(self, only: range | None = None) -> Street:
        """The street, or some blocks of it."""
        return draw(self.groups, self.households, self.seed, self.periods, self.listed, only)

    def transition_probabilities(self, street: Street, model: int, block: Block) -> tuple[Floats, Floats]:
        """(leave, arrive) per step of the block's houses under a model, both (P, n)."""
        return personal_habits(
            self.schedules[model][block.group],
            street.habit_draws[block.houses],
            self.habit_spread,
            self.habit_clip,
        )

    def chains(self, street: Street, model: int, houses: slice | Ints = slice(None)) -> Chains:
        """The chains of some houses under a model, over all steps.

        Groups may keep different hours: each combination of their periods that occurs is a row.
        """
        schedules, group = self.schedules[model], street.group[houses]
        period = np.array([np.resize(schedule.period, self.steps - 1) for schedule in schedules])
        combinations, row = np.unique(period, axis=1, return_inverse=True)  # (G, P), (T − 1,)
        leave, arrive = np.empty((2, combinations.shape[1], len(group)))
        for g, schedule in enumerate(schedules):
            mine = group == g
            own = personal_habits(
                schedule, street.habit_draws[houses][mine], self.habit_spread, self.habit_clip
            )
            leave[:, mine], arrive[:, mine] = (habit[combinations[g]] for habit in own)
        initial = np.array([schedule.initial for schedule in schedules])[group]
        return Chains(initial=initial, leave=leave, arrive=arrive, row=row.ravel())


def quantile(laws: Histograms, occupied: Bools, chance: Floats) -> Floats:
    """The use below which a share `chance` of each house's use lies, in its state; both (…, n)."""
    below = np.concatenate([np.zeros((*laws.mass.shape[:2], 1)), np.cumsum(laws.mass, axis=2)], axis=2)
    below[below > 1 - ROUNDING] = 1.0
    value = np.broadcast_to(laws.edges[:, 0], chance.shape).copy()
    for k, width in enumerate(np.diff(laws.edges, axis=1).T):
        if not width.any():
            continue
        start, end = (np.where(occupied, *below[::-1, :, at]) for at in (k, k + 1))
        mass = end - start
        inside = np.clip((chance - start) / np.where(mass > 0, mass, 1.0), 0.0, 1.0)
        value += width * np.where(mass > 0, inside, chance >= start)
    return np.asarray(np.minimum(value, laws.edges[:, -1]))


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
            edges[mine], mass[:, mine] = _uniform(bounds, bins)
        else:
            edges[mine], mass[:, mine] = _cut(own.law, bounds.max(axis=0), bins)
    return Histograms(edges=edges, mass=mass)


def _cut(law: Law, bound: Floats, bins: int) -> tuple[Floats, Floats]:
    """A law for houses that use at most so much, (n,): what lies beyond is a point mass at the bound, in the
    last bin."""
    spare = bins - len(law.empty)
    stated = np.array([*law.edges, *[law.edges[-1]] * spare])
    mass = np.array([[*masses, *[0.0] * spare] for masses in (law.empty, law.occupied)])
    width = np.diff(stated)
    reach = bound[:, None] - stated[:-1]
    inside = np.where(width > 0, np.clip(reach / np.where(width > 0, width, 1.0), 0.0, 1.0), reach >= 0)
    kept = mass[:, None] * inside
    kept[:, :, -1] += 1 - kept.sum(axis=2)
    return np.minimum(stated, bound[:, None]), kept


def _uniform(bounds: Floats, bins: int) -> tuple[Floats, Floats]:
    """U(0, u) of both states, (2, n): a bin up to the smaller bound, and one from there to the larger."""
    low, high = bounds.min(axis=0), bounds.max(axis=0)
    edges = np.repeat(high[:, None], bins + 1, axis=1)
    edges[:, 0], edges[:, 1] = 0.0, low
    first = np.where(bounds == low, 1.0, low / np.where(high > 0, high, 1.0))
    mass = np.zeros((2, len(low), bins))
    mass[:, :, 0], mass[:, :, 1] = first, 1 - first
    return edges, mass


def evenly(households: int, count: int) -> Ints:
    """At most so many house numbers, spread evenly from the first house to the last."""
    return np.unique(np.linspace(0, households - 1, count).astype(np.intp))
