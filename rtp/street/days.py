"""The days of a block of houses, drawn or drawn again: states and consumption.

Every block has a stream of its own, so any of them can be replayed, to look at individuals, without keeping
N·T numbers.
"""

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.random import Generator, SeedSequence
from numpy.typing import NDArray

from rtp.core.random import Stream, generators, seed_of
from rtp.core.types import Bools, Floats, Ints
from rtp.street.draw import Block, Result, Street, each_block
from rtp.street.occupancy import personal
from rtp.street.spec import StreetSpec
from rtp.street.walk import alone, consumption, walk

Days = Iterator[
    tuple[Bools, Floats]
]  # states and consumption, both (a day's steps, n), in arrays used again each day


def block_days(rng: Generator, spec: StreetSpec, street: Street, block: Block) -> Days:
    """The block's days one by one, as the first model generates them."""
    use = street.use(block.houses)
    states = np.empty((spec.steps_per_day, len(block)), dtype=bool)
    used = np.empty((spec.steps_per_day, len(block)))
    end = 0
    chances = spec.chances(street, 0, block)
    for stretch in walk(alone(rng), spec.schedules[0][block.group], *chances, spec.days):
        start, end = end, end + len(stretch[0])
        states[start:end], used[start:end] = stretch[0], consumption(stretch, use)
        if end == spec.steps_per_day:
            yield states, used
            end = 0


def households(spec: StreetSpec, street: Street, houses: Sequence[int]) -> tuple[Bools, Floats]:
    """States and consumption of some houses on that very day, both (T, n), by replaying their blocks."""
    wanted = np.asarray(houses, dtype=np.intp)
    states = np.empty((spec.steps, len(wanted)), dtype=bool)
    used = np.empty((spec.steps, len(wanted)))
    rngs = generators(seed_of(spec.seed, Stream.LIVES), len(spec.blocks))
    for rng, block in zip(rngs, spec.blocks, strict=True):
        inside = np.flatnonzero((wanted >= block.start) & (wanted < block.stop))
        if not len(inside):
            continue
        columns = wanted[inside] - block.start
        for day, (s, c) in enumerate(block_days(rng, spec, street, block)):
            rows = slice(day * spec.steps_per_day, (day + 1) * spec.steps_per_day)
            states[rows, inside] = s[:, columns]
            used[rows, inside] = c[:, columns]
    return states, used


def replay(
    spec: StreetSpec,
    street: Street,
    work: Callable[[Block, Days], Result],
    life_seed: SeedSequence | None = None,
) -> Iterator[Result]:
    """work(block, its days) for every block, in order: of that very day or, with another seed, of another."""
    parts = spec.blocks
    rngs = generators(life_seed or seed_of(spec.seed, Stream.LIVES), len(parts))

    def one(i: int) -> Result:
        return work(parts[i], block_days(rngs[i], spec, street, parts[i]))

    return each_block(one, len(parts))


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
        some, schedule, start = houses[members], spec.schedules[0][g], 0
        leave, arrive = personal(schedule, street.habit_draws[some], spec.habit_spread, spec.habit_clip)
        lane = np.repeat(np.arange(len(some)), runs)  # a house's runs walk side by side, like houses
        use = street.use(some[lane])
        for stretch in walk(alone(rng), schedule, leave[:, lane], arrive[:, lane], spec.days):
            stop = start + len(stretch[0])
            used[start:stop, members] = consumption(stretch, use).reshape(stop - start, -1, runs)
            start = stop
    return used
