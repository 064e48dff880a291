"""States and consumption of every house on simulated days, summed as they are drawn.

Nothing here depends on the tariff, the promise or the price response, so a day can be priced many times
without drawing it again.

A house takes 64 random bits a step, and no more. Half of them decide whether it moves: a whole number m below
2³², uniform, and the house moves where m·2⁻³² < p. So a probability of 0 never happens, one of 1 always does,
a possible one stays possible, and the one really used lies within [p, p + 2⁻³²): nothing beside 1e-6, the
smallest that habits leave possible. The other half, in the unit 2⁻³², is the uniform number from [0, 1) that
consumption is drawn from, too low by 1.2e-10 on average.

Every block of houses has a stream of its own, so blocks can be simulated on any executor, where a worker
draws the houses of its blocks and no others; their sums are added in the order of the blocks, so the bytes
are the same. And any of them can be drawn again, to look at individuals, without keeping N·T numbers.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, groupby
from typing import NamedTuple

import numpy as np
from numpy.random import Generator, SeedSequence
from numpy.typing import NDArray

from rtp.core.parallel import Progress, Result, each
from rtp.core.random import Stream, generators, generators_at, seed_of
from rtp.core.types import Bools, Floats, Ints
from rtp.street.draw import Block, Street, StreetSpec
from rtp.street.moments import DemandMoments, block_moments
from rtp.street.prior_marginals import PriorMarginals, SupportClasses, support_classes
from rtp.street.schedule import Schedule, personal_habits

UNIT = 2.0**-32
CHUNK = 7_000  # houses × steps whose random bits are drawn at once, which changes no number
BATCH = 4  # blocks that are simulated side by side: a call of NumPy's costs as much as a thousand houses
PIECE = 4  # batches that an executor's worker simulates at once
Streams = Sequence[tuple[Generator, int]]  # of randomness, and how many houses each is for
Days = Iterator[tuple[Bools, Floats]]  # states and consumption, both (a day's steps, n)


def simulate_chain(
    streams: Streams, schedule: Schedule, leave: Floats, arrive: Floats, steps: int
) -> Iterator[tuple[Bools, Floats]]:
    """States of n houses of one group, with habits (P, n), and a uniform number for each, step by step."""
    occupied = np.concatenate([rng.random(houses) for rng, houses in streams]) < schedule.initial
    periods, chunk = schedule.periods(steps), max(CHUNK // len(occupied), 1)
    for first in range(0, steps, chunk):
        now = periods[first : first + chunk]
        words = [rng.bit_generator.random_raw((len(now), houses)).view(np.uint32) for rng, houses in streams]
        random_bits = np.concatenate([own.reshape(len(now), 2, -1) for own in words], axis=2)
        for (moving, using), period in zip(UNIT * random_bits, now, strict=True):
            yield occupied, using
            stays, arrives = moving >= leave[period], moving < arrive[period]
            occupied = (occupied & stays) | (~occupied & arrives)


def block_days(rng: Generator, spec: StreetSpec, street: Street, block: Block) -> Days:
    """The block's days one by one, as the first model generates them."""
    use, steps = street.use(block.houses), spec.steps_per_day
    habits, schedule = spec.transition_probabilities(street, 0, block), spec.schedules[0][block.group]
    simulated = simulate_chain([(rng, len(block))], schedule, *habits, spec.steps)
    for _ in range(spec.days):
        states, used = np.empty((steps, len(block)), dtype=bool), np.empty((steps, len(block)))
        for t in range(steps):
            states[t], uniform = next(simulated)
            used[t] = use.at(states[t], uniform)
        yield states, used


def replay_houses(spec: StreetSpec, street: Street, houses: Sequence[int]) -> tuple[Bools, Floats]:
    """States and consumption of some houses on that very day, both (T, n), by drawing their blocks again."""
    wanted = np.asarray(houses, dtype=np.intp)
    states = np.empty((spec.steps, len(wanted)), dtype=bool)
    used = np.empty((spec.steps, len(wanted)))
    rngs = generators(seed_of(spec.seed, Stream.STREET_DAY), len(spec.blocks))
    for rng, block in zip(rngs, spec.blocks, strict=True):
        inside = np.flatnonzero((wanted >= block.start) & (wanted < block.stop))
        if not len(inside):
            continue
        columns = wanted[inside] - block.start
        for day, (own_states, own_used) in enumerate(block_days(rng, spec, street, block)):
            rows = slice(day * spec.steps_per_day, (day + 1) * spec.steps_per_day)
            states[rows, inside], used[rows, inside] = own_states[:, columns], own_used[:, columns]
    return states, used


def replay_blocks(
    spec: StreetSpec,
    street: Street,
    work: Callable[[Block, Days], Result],
    day_seed: SeedSequence | None = None,
) -> Iterator[Result]:
    """work(block, its days) for every block, in order: of that very day or, with another seed, of another."""
    parts = spec.blocks
    rngs = generators(day_seed or seed_of(spec.seed, Stream.STREET_DAY), len(parts))
    for rng, block in zip(rngs, parts, strict=True):
        yield work(block, block_days(rng, spec, street, block))


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
        schedule, use = spec.schedules[0][g], street.use(copies)
        habits = personal_habits(schedule, street.habit_draws[copies], spec.habit_spread, spec.habit_clip)
        for t, (states, uniform) in enumerate(
            simulate_chain([(rng, len(copies))], schedule, *habits, spec.steps)
        ):
            used[t, members] = use.at(states, uniform).reshape(-1, runs)
    return used


@dataclass(frozen=True, kw_only=True)
class StreetDay:
    """What happened on the street, before any price."""

    spec: StreetSpec
    street: Street
    support_classes: SupportClasses
    occupied: Floats  # (T,) houses occupied
    demand: Floats  # (T,) their demand at full consumption
    true_moments: DemandMoments  # what the generating model expects
    assumed_moments: DemandMoments  # what filter and forecast expect: the same, or another model's
    recorded: Floats | None = None  # (T, N) what every house used, where it was not drawn

    def use_of(self, houses: Ints) -> Floats:
        """(T, n): what some houses used, as recorded or drawn again."""
        if self.recorded is not None:
            return self.recorded[:, houses]
        return replay_houses(self.spec, self.street, houses.tolist())[1]

    @cached_property
    def prior_marginals(self) -> PriorMarginals:
        """What the models say of every house before any rate is seen."""
        return PriorMarginals(self.spec, self.street, self.support_classes)


class BatchDay(NamedTuple):
    """What happened in some blocks of a group, at every step, and what the models expected of them."""

    group: int
    occupied: Floats  # (T,)
    demand: Floats  # (T,)
    true_moments: Floats  # (5, T)
    assumed_moments: Floats | None  # where another model is assumed


def simulate_street(
    spec: StreetSpec, progress: Progress | None = None, executor: Executor | None = None
) -> StreetDay:
    """The street and its simulated days, with what the models expect of them."""
    street, batches = spec.draw(), _batches(spec.blocks)
    simulated: Iterator[BatchDay]
    if executor is None:
        simulated = (_simulate_batch(spec, street, numbers) for numbers in batches)
    else:
        alone = replace(spec)  # the blocks are not sent along
        pieces = [(alone, batches[i : i + PIECE]) for i in range(0, len(batches), PIECE)]
        simulated = chain.from_iterable(each(simulate_batches, pieces, executor))
    occupied, demand = np.zeros(spec.steps), np.zeros(spec.steps)
    true_moments = assumed_moments = DemandMoments.zeros(len(spec.groups), spec.steps)
    if spec.assumed_index:
        assumed_moments = DemandMoments.zeros(len(spec.groups), spec.steps)
    for i, own in enumerate(simulated):
        occupied += own.occupied
        demand += own.demand
        true_moments.add(own.group, own.true_moments)
        if own.assumed_moments is not None:
            assumed_moments.add(own.group, own.assumed_moments)
        if progress is not None:
            progress((i + 1) / len(batches))
    return StreetDay(
        spec=spec,
        street=street,
        support_classes=support_classes(spec, street),
        occupied=occupied,
        demand=demand,
        true_moments=true_moments,
        assumed_moments=assumed_moments,
    )


def _batches(blocks: list[Block]) -> list[range]:
    """The numbers of blocks that are simulated side by side: neighbours of one group."""
    result: list[range] = []
    for _, own in groupby(range(len(blocks)), key=lambda number: blocks[number].group):
        numbers = list(own)
        result += [
            range(first, min(first + BATCH, numbers[-1] + 1))
            for first in range(numbers[0], numbers[-1] + 1, BATCH)
        ]
    return result


def simulate_batches(piece: tuple[StreetSpec, list[range]]) -> list[BatchDay]:
    """Some batches of a street, for a worker, which draws their houses and no others."""
    spec, batches = piece
    street = spec.draw(range(batches[0].start, batches[-1].stop))
    first_house = spec.blocks[batches[0].start].start
    return [_simulate_batch(spec, street, numbers, first_house) for numbers in batches]


def _simulate_batch(spec: StreetSpec, street: Street, numbers: range, first_house: int = 0) -> BatchDay:
    """The blocks of these numbers, on a street that may begin with another house than the first."""
    blocks = spec.blocks[numbers.start : numbers.stop]
    rngs = generators_at(seed_of(spec.seed, Stream.STREET_DAY), numbers)
    batch = Block(blocks[0].group, blocks[0].start - first_house, blocks[-1].stop - first_house)
    use, streams = street.use(batch.houses), list(zip(rngs, map(len, blocks), strict=True))
    schedule, habits = spec.schedules[0][batch.group], spec.transition_probabilities(street, 0, batch)
    occupied, demand = np.empty(spec.steps), np.empty(spec.steps)
    for t, (states, uniform) in enumerate(simulate_chain(streams, schedule, *habits, spec.steps)):
        occupied[t], demand[t] = np.count_nonzero(states), use.total(states, uniform)
    expected, assumed = block_moments(schedule, *habits, *use.moments(), spec.steps), None
    if spec.assumed_index:
        schedule = spec.schedules[spec.assumed_index][batch.group]
        habits = spec.transition_probabilities(street, spec.assumed_index, batch)
        assumed = block_moments(schedule, *habits, *use.moments(), spec.steps)
    return BatchDay(batch.group, occupied, demand, expected, assumed)
