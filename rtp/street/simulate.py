"""States and consumption of every house on simulated days, summed as they are drawn.

Nothing here depends on the tariff, the promise or the price response, so a day can be priced many times
without drawing it again.

Every block of houses has a stream of its own, so blocks can be simulated on any executor, where a worker
draws the houses of its blocks and no others; their sums are added in the order of the blocks, so the bytes
are the same. And any of them can be drawn again, to look at individuals, without keeping N·T numbers.
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.random import Generator, SeedSequence
from numpy.typing import NDArray

from rtp.core.random import BlockGenerators, Stream, block_generators, generators, seed_of
from rtp.core.types import Bools, Floats, Ints
from rtp.core.workers import Progress, each
from rtp.street.draw import Block, Street, StreetSpec, draw
from rtp.street.prior_marginals import PriorMarginals, SupportClasses, support_classes
from rtp.street.schedule import DemandMoments, block_moments, personal_habits, simulate_chain

TASK_BLOCKS = 16  # blocks that an executor's worker simulates at once
Chunk = tuple[slice, Bools, Floats]  # some steps, and states and consumption at them, both (k, n)


def replay_blocks(spec: StreetSpec, street: Street) -> Iterator[tuple[Block, Iterator[Chunk]]]:
    """Every block with its houses' states and consumption on that very day."""
    rngs = generators(seed_of(spec.seed, Stream.STREET_DAY), len(spec.blocks))
    for rng, block in zip(rngs, spec.blocks, strict=True):
        yield block, _replay_block(rng, spec, street, block)


def _replay_block(rng: Generator, spec: StreetSpec, street: Street, block: Block) -> Iterator[Chunk]:
    use, schedule = street.only(block.houses), spec.schedules[0][block.group]
    habits = spec.transition_probabilities(street, 0, block)
    for now, states, uniform in simulate_chain(rng, schedule, *habits, spec.steps):
        yield now, states, use.at(states, uniform)


def replay_houses(spec: StreetSpec, street: Street, houses: Sequence[int]) -> tuple[Bools, Floats]:
    """States and consumption of some houses on that very day, both (T, n), by drawing their blocks again."""
    wanted = np.asarray(houses, dtype=np.intp)
    states = np.empty((spec.steps, len(wanted)), dtype=bool)
    used = np.empty((spec.steps, len(wanted)))
    for block, chunks in replay_blocks(spec, street):
        inside = np.flatnonzero((wanted >= block.start) & (wanted < block.stop))
        if not len(inside):
            continue
        columns = wanted[inside] - block.start
        for now, own_states, own_used in chunks:
            states[now, inside], used[now, inside] = own_states[:, columns], own_used[:, columns]
    return states, used


def independent_runs(
    spec: StreetSpec, street: Street, houses: Ints, runs: int, root: SeedSequence
) -> NDArray[np.float32]:
    """(T, n, runs): what some houses of a street use on independent runs of its days."""
    used = np.empty((spec.steps, len(houses), runs), dtype=np.float32)
    group = street.group[houses]
    for g, rng in enumerate(generators(root, len(spec.groups))):
        members = np.flatnonzero(group == g)
        if not len(members):
            continue
        copies = np.repeat(houses[members], runs)  # a house's runs are simulated side by side, like houses
        schedule, use = spec.schedules[0][g], street.only(copies)
        habits = personal_habits(schedule, street.habit_draws[copies], spec.habit_spread)
        for now, states, uniform in simulate_chain(rng, schedule, *habits, spec.steps):
            used[now, members] = use.at(states, uniform).reshape(len(states), -1, runs)
    return used


def count_by_group(states: Bools, spec: StreetSpec, street: Street) -> Floats:
    """(G, T): how many houses of each group are occupied, of states (T, N)."""
    groups = range(len(spec.groups))
    return np.stack([states[:, street.group == group].sum(axis=1, dtype=float) for group in groups])


@dataclass(frozen=True, kw_only=True)
class StreetDay:
    """What happened on the street, before any price."""

    spec: StreetSpec
    street: Street
    support_classes: SupportClasses
    occupied_by_group: Floats  # (G, T) houses occupied
    demand: Floats  # (T,) their demand at full consumption
    true_moments: DemandMoments  # what the generating model expects
    assumed_moments: DemandMoments  # what filter and forecast expect: the same, or another model's
    recorded: Floats | None = None  # (T, N) what every house used, where it was not drawn
    demand_by_group: Floats | None = None  # (G, T) the same of each group, where it was drawn

    @cached_property
    def occupied(self) -> Floats:
        """(T,): houses occupied."""
        return np.asarray(self.occupied_by_group.sum(axis=0))

    def expected_occupied(self, model: int, group: int) -> Floats:
        """(T,): how many of a group's houses a model expects to be occupied."""
        if model == 0:
            return np.asarray(self.true_moments.occupied[group])
        spec, expected = self.spec, np.zeros(self.spec.steps)
        for block in spec.blocks:
            if block.group == group:
                habits = spec.transition_probabilities(self.street, model, block)
                use = self.street.only(block.houses).moments()
                expected += block_moments(spec.schedules[model][group], *habits, *use, spec.steps)[0]
        return expected

    def use_of(self, houses: Ints) -> Floats:
        """(T, n): what some houses used, as recorded or drawn again."""
        if self.recorded is not None:
            return self.recorded[:, houses]
        return replay_houses(self.spec, self.street, houses.tolist())[1]

    def states_of(self, houses: Ints) -> Bools | None:
        """(T, n): when some houses were occupied, drawn again; None where use was recorded: nobody knows."""
        if self.recorded is not None:
            return None
        return replay_houses(self.spec, self.street, houses.tolist())[0]

    @cached_property
    def prior_marginals(self) -> PriorMarginals:
        """What the models say of every house before any rate is seen."""
        return PriorMarginals(self.spec, self.street, self.support_classes)


class BlockDay(NamedTuple):
    """What happened in a block at every step, and what the true and the assumed model expected of it."""

    group: int
    occupied: Floats  # (T,)
    demand: Floats  # (T,)
    moments: Floats  # (M, 5, T), M = 1 where the true model is assumed


def simulate_street(
    spec: StreetSpec, progress: Progress | None = None, executor: Executor | None = None
) -> StreetDay:
    """The street and its simulated days, with what the models expect of them."""
    numbers = range(len(spec.blocks))
    rngs = block_generators(spec.seed, numbers)
    street = draw(spec, numbers, rngs)
    classes = support_classes(spec, street)
    simulated: Iterator[BlockDay]
    if executor is None:
        simulated = _simulate_blocks(spec, street, numbers, rngs)
    else:
        alone = replace(spec)  # the blocks are not sent along
        pieces = [(alone, numbers[first : first + TASK_BLOCKS]) for first in numbers[::TASK_BLOCKS]]
        simulated = chain.from_iterable(each(simulate_piece, pieces, executor))
    occupied, by_group = np.zeros((2, len(spec.groups), spec.steps))
    demand = np.zeros(spec.steps)
    moments = np.zeros((len(spec.expecting), 5, len(spec.groups), spec.steps))
    for i, own in enumerate(simulated):
        occupied[own.group] += own.occupied
        demand += own.demand
        moments[:, :, own.group] += own.moments
        by_group[own.group] += own.demand
        if progress is not None:
            progress((i + 1) / len(numbers))
    by_model = [DemandMoments(*own) for own in moments]
    return StreetDay(
        spec=spec,
        street=street,
        support_classes=classes,
        occupied_by_group=occupied,
        demand=demand,
        true_moments=by_model[0],
        assumed_moments=by_model[-1],
        demand_by_group=by_group,
    )


def simulate_piece(piece: tuple[StreetSpec, range]) -> list[BlockDay]:
    """The blocks of these numbers, for a worker, which draws their houses and no others."""
    spec, numbers = piece
    rngs = block_generators(spec.seed, numbers)
    return list(_simulate_blocks(spec, draw(spec, numbers, rngs), numbers, rngs))


def _simulate_blocks(
    spec: StreetSpec, street: Street, numbers: range, rngs: Sequence[BlockGenerators]
) -> Iterator[BlockDay]:
    """The blocks of these numbers, on a street that begins with the first of them."""
    blocks = spec.blocks[numbers.start : numbers.stop]
    for rng, block in zip(rngs, blocks, strict=True):
        houses = slice(block.start - blocks[0].start, block.stop - blocks[0].start)
        draws, use, steps = street.habit_draws[houses], street.only(houses), spec.steps
        schedules = [spec.schedules[model][block.group] for model in spec.expecting]
        habits = [personal_habits(own, draws, spec.habit_spread) for own in schedules]
        occupied, demand = np.empty(steps), np.empty(steps)
        for now, states, uniform in simulate_chain(rng.day, schedules[0], *habits[0], steps):
            occupied[now] = [np.count_nonzero(own) for own in states]
            demand[now] = use.total(states, uniform)
        moments = [
            block_moments(schedule, *own, *use.moments(), steps)
            for schedule, own in zip(schedules, habits, strict=True)
        ]
        yield BlockDay(block.group, occupied, demand, np.array(moments))
