"""The drawn street: who lives where, how much each house can use, and its personal habits.

Houses stand in the order of their groups and are handled in blocks that stay in cache. Each block has its
own stream of randomness, so the result is the same for any number of threads.
"""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeVar

import numpy as np
from numpy.random import SFC64, Generator, SeedSequence
from numpy.typing import NDArray

from rtp.occupancy import Bools, Floats, Ints, Schedule, personal, uncertain
from rtp.scenario import Group

BLOCK = 2048
Result = TypeVar("Result")


@dataclass(frozen=True, kw_only=True)
class Street:
    """The households. All arrays are per house."""

    group: NDArray[np.int8]
    occupied_bound: Floats
    empty_bound: Floats
    habit_draws: NDArray[np.float32]  # (N, 2, 4) standard normal: leave and arrive of the four periods

    @property
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


def group_sizes(shares: list[float], households: int) -> list[int]:
    """Whole houses per group by largest remainder; ties go to the earlier group."""
    exact = [share * households for share in shares]
    sizes = [int(x + 1e-9) for x in exact]
    by_remainder = sorted(range(len(exact)), key=lambda g: sizes[g] - exact[g])
    for g in by_remainder[: households - sum(sizes)]:
        sizes[g] += 1
    return sizes


def blocks(sizes: list[int]) -> list[Block]:
    result, start = [], 0
    for group, size in enumerate(sizes):
        cuts = [*range(start, start + size, BLOCK), start + size]
        result += [Block(group, a, b) for a, b in pairwise(cuts)]
        start += size
    return result


def streams(seed: SeedSequence, count: int) -> list[Generator]:
    return [Generator(SFC64(child)) for child in seed.spawn(count)]


def each_block(work: Callable[[int], Result], count: int) -> Iterator[Result]:
    """work(0), work(1), … in order; on threads where there are enough blocks to share."""
    workers = min(os.cpu_count() or 1, count // 2)
    if workers < 2:
        yield from map(work, range(count))
        return
    pool = ThreadPoolExecutor(workers)
    try:
        yield from pool.map(work, range(count))
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def draw(groups: tuple[Group, ...], households: int, habits: SeedSequence, bounds: SeedSequence) -> Street:
    """Bounds are uniform up to the group's maxima; habits are standard normal."""
    sizes = group_sizes([g.share for g in groups], households)
    parts = blocks(sizes)
    street = Street(
        group=np.repeat(np.arange(len(groups), dtype=np.int8), sizes),
        occupied_bound=np.empty(households),
        empty_bound=np.empty(households),
        habit_draws=np.empty((households, 2, 4), dtype=np.float32),
    )
    bound_rngs, habit_rngs = streams(bounds, len(parts)), streams(habits, len(parts))

    def fill(i: int) -> None:
        block = parts[i]
        group, houses = groups[block.group], block.houses
        bound_rngs[i].random(out=street.occupied_bound[houses])
        bound_rngs[i].random(out=street.empty_bound[houses])
        street.occupied_bound[houses] *= group.occupied_max
        street.empty_bound[houses] *= group.empty_max
        habit_rngs[i].standard_normal(out=street.habit_draws[houses], dtype=np.float32)

    for _ in each_block(fill, len(parts)):
        pass
    return street


@dataclass(frozen=True, kw_only=True)
class Kinds:
    """Houses that agree on what is possible: one kind per group, or finer where habits decide."""

    of_house: NDArray[np.integer]  # (N,)
    members: tuple[slice | Ints, ...]  # (K,) the houses of each kind
    count: Ints  # (K,)
    uncertain: Bools  # (M, T, K) under each model, where both states are still possible

    @property
    def protected(self) -> Bools:
        """(T, K): uncertain under some model, which is what every promise is about."""
        return np.asarray(self.uncertain.any(axis=0))


def kinds(street: Street, plans: list[list[Schedule]], spread: float, clip: str, days: int) -> Kinds:
    """Sort the houses by their zero patterns under every model; plans[model][group]."""
    of_group = np.arange(len(plans[0]))
    if clip == "interior" or spread == 0:
        of_house: NDArray[np.integer] = street.group
        can = np.array([[plan.can for plan in model] for model in plans])  # (M, K, 4, 2, 2)
        edges = np.searchsorted(of_house, np.arange(len(of_group) + 1))
        members: tuple[slice | Ints, ...] = tuple(slice(int(a), int(b)) for a, b in pairwise(edges))
    else:
        patterns = np.stack([_drawn(street, model, spread) for model in plans], axis=1)
        keys = np.column_stack([street.group, patterns.reshape(len(street.group), -1)])
        rows, inverse = np.unique(keys, axis=0, return_inverse=True)
        of_house, of_group = inverse.ravel(), rows[:, 0].astype(np.intp)
        can = rows[:, 1:].astype(bool).reshape(len(rows), len(plans), 4, 2, 2).swapaxes(0, 1)
        order = np.argsort(of_house, kind="stable")
        members = tuple(np.split(order, np.flatnonzero(np.diff(of_house[order])) + 1))
    return Kinds(
        of_house=of_house,
        members=members,
        count=np.bincount(of_house, minlength=len(of_group)),
        uncertain=np.array(
            [
                uncertain(
                    np.array([model[g].initial for g in of_group]),
                    np.array([model[g].period for g in of_group]),
                    can[m],
                    days,
                )
                for m, model in enumerate(plans)
            ]
        ),
    )


def _drawn(street: Street, model: list[Schedule], spread: float) -> NDArray[np.int8]:
    """(N, 4, 2, 2): the entries that are not exactly 0 in each house's own matrices."""
    result = np.empty((len(street.group), 4, 2, 2), dtype=np.int8)
    for g, plan in enumerate(model):
        houses = street.group == g
        leave, arrive = personal(plan, street.habit_draws[houses], spread, "closed")
        result[houses] = np.array([[arrive < 1, arrive > 0], [leave > 0, leave < 1]]).transpose(3, 2, 0, 1)
    return result
