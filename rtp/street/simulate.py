"""The street lives: states and consumption of every house, summed as they are drawn.

Nothing here depends on the tariff, the promise or the price response, so a day can be priced many times
without drawing it again.

Batches of blocks live on threads, or on any executor: a worker then draws the houses of its blocks and no
others. What they add up to is added in the order of the batches, so the bytes are the same.
A block of houses walks through its days: 64 random bits per house and step, and no more.

Half of the bits decide whether the house moves, the other half how much it uses.

*Moving.* A whole number m, uniform below 2³², is compared with the chance p in the unit 2⁻³²: the house moves
where m < ⌈p·2³²⌉. So a chance of 0 never happens, one of 1 always does, a possible one stays possible, and
the one really used lies within [p, p + 2⁻³²): nothing beside 1e-6, the smallest that habits leave possible.

*Using.* The other number, in the unit 2⁻³², is a uniform from [0, 1) that is too low by 1.2e-10 on average.

The words come step by step, so the length of a stretch is a matter of speed: it changes no number. Nor does
who walks side by side: each lane of houses has a stream of its own.
The days of a block of houses, drawn or drawn again: states and consumption.

Every block has a stream of its own, so any of them can be replayed, to look at individuals, without keeping
N·T numbers.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain

import numpy as np
from numpy.random import Generator, SeedSequence
from numpy.typing import NDArray

from rtp.core.parallel import Progress as Progress
from rtp.core.parallel import each
from rtp.core.random import Stream, generators, generators_at, seed_of
from rtp.core.time import FINEST_STEP, steps_per_day
from rtp.core.types import Bools, Floats, Ints, Words
from rtp.street.draw import Block, Result, Street, StreetSpec, Use, each_block, shifted
from rtp.street.moments import DemandMoments, Moments, block_moments
from rtp.street.prior_marginals import PriorMarginals, SupportClasses, support_classes
from rtp.street.room import Room
from rtp.street.schedule import Schedule, personal_habits

Lane = tuple[Generator, slice]  # the houses that a stream is for
Piece = tuple[slice, int]  # the steps of a stretch that a period contains
Stretch = tuple[Bools, Floats]  # states, and the whole numbers that consumption is drawn from, both (k, n)

UNIT = 2.0**-32
LARGEST = 2**32 - 1
LONGEST = steps_per_day(FINEST_STEP)
STRETCH = 49_152  # houses times steps that stay in cache together


@dataclass(frozen=True)
class Threshold:
    """Chances, (P, n), ready to be compared with words."""

    limit: Words
    sure: Bools | None  # where the chance is 1, which no 32-bit limit can say; None where it is nowhere

    def beats(self, period: int, words: Words, out: Bools) -> None:
        """Where it happens, (k, n)."""
        np.less(words, self.limit[period], out=out)
        if self.sure is not None:
            out |= self.sure[period]


def threshold(chance: Floats) -> Threshold:
    limit = chance * (1 / UNIT)
    np.ceil(limit, out=limit)
    if limit.max() <= LARGEST:
        return Threshold(limit.astype(np.uint32), None)
    return Threshold(np.minimum(limit, LARGEST).astype(np.uint32), limit > LARGEST)


def longest(houses: int) -> int:
    """The steps of the longest stretch."""
    return min(max(STRETCH // houses, 1), LONGEST)


def stretches(schedule: Schedule, houses: int, days: int) -> Iterator[list[Piece]]:
    """The days in pieces, each stretch short enough to stay in cache and none over midnight."""
    length = longest(houses)
    pieces: list[Piece] = []
    first = 0  # step of the stretch
    for start, end, period in schedule.runs_of(days):
        while start < end:
            stop = min(end, first + length)
            pieces.append((slice(start - first, stop - first), period))
            start = stop
            if stop == first + length or stop % schedule.steps_per_day == 0:
                yield pieces
                pieces, first = [], stop


def alone(rng: Generator) -> list[Lane]:
    """All houses in one lane."""
    return [(rng, slice(None))]


def draw_words(rng: Generator, steps: int, houses: int) -> Words:
    """(steps, 2·houses): in each row first those that move the houses, then those that say what they use."""
    return rng.bit_generator.random_raw((steps, houses)).view(np.uint32)


def walk(
    lanes: Sequence[Lane],
    schedule: Schedule,
    leave: Floats,
    arrive: Floats,
    days: int,
    room: Room | None = None,
) -> Iterator[Stretch]:
    """Houses of one group, with (P, n) chances each, stretch by stretch through their days.

    All stretches are in the same arrays: what is to be kept must be copied.
    """
    houses, room = leave.shape[1], room or Room()
    leaving, arriving = threshold(leave), threshold(arrive)
    states = room.bools("states", longest(houses) + 1, houses)
    leaves, arrives = room.bools("moves", 2, longest(houses), houses)
    moving, uses = (
        room.words("moving", longest(houses), houses),
        room.floats("uses", longest(houses), houses),
    )
    for rng, own in lanes:
        now = states[0, own]
        np.less(rng.random(len(now)), schedule.initial, out=now)
    for pieces in stretches(schedule, houses, days):
        k = pieces[-1][0].stop
        for rng, own in lanes:
            width = len(states[0, own])
            words = draw_words(rng, k, width)
            moving[:k, own], uses[:k, own] = words[:, :width], words[:, width:]
            del words  # so that the next ones are written to the same place
        for steps, period in pieces:
            leaving.beats(period, moving[steps], leaves[steps])
            arriving.beats(period, moving[steps], arrives[steps])
        _move(states[: k + 1], leaves[:k], arrives[:k])
        yield states[:k], uses[:k]
        states[0] = states[k]


def _move(states: Bools, leaves: Bools, arrives: Bools) -> None:
    """From the first row of states, (k + 1, n), to all others."""
    flips = np.equal(arrives, leaves, out=leaves)  # arrives, or stays, but not both
    before = states[0]
    for arriving, flipping, after in zip(arrives, flips, states[1:], strict=True):
        np.logical_and(before, flipping, after)  # stays if occupied before, arrives if empty
        np.logical_xor(after, arriving, after)
        before = after


def consumption(stretch: Stretch, use: Use) -> Floats:
    """What every house uses, (k, n)."""
    states, uses = stretch
    return use.at(states, uses * UNIT)


def totals(stretches: Iterable[Stretch], use: Use, room: Room) -> tuple[Floats, Floats]:
    """How many houses are occupied and what they all use, at every step: the sums, without the houses.

    The stretches are used up.
    """
    occupied_bound, empty_bound = use.occupied_bound, use.empty_bound
    houses = len(occupied_bound)
    spare, ones = room.floats("occupied", longest(houses), houses), room.floats("ones", houses)
    ones.fill(1.0)
    count, demand = [], []
    for states, uses in stretches:
        occupied = spare[: len(states)]
        np.copyto(occupied, states.view(np.int8))  # on its own, because a cast within a product is slow
        count.append(np.vecdot(occupied, ones))  # exact, and faster than counting
        if use.distributions is not None:
            demand.append(use.at(states, uses * UNIT).sum(axis=1) / UNIT)
            continue
        occupied *= uses
        uses -= occupied
        demand.append(np.vecdot(occupied, occupied_bound) + np.vecdot(uses, empty_bound))
    return np.concatenate(count), np.concatenate(demand) * UNIT


Days = Iterator[
    tuple[Bools, Floats]
]  # states and consumption, both (a day's steps, n), in arrays used again each day


def block_days(rng: Generator, spec: StreetSpec, street: Street, block: Block) -> Days:
    """The block's days one by one, as the first model generates them."""
    use = street.use(block.houses)
    states = np.empty((spec.steps_per_day, len(block)), dtype=bool)
    used = np.empty((spec.steps_per_day, len(block)))
    end = 0
    chances = spec.transition_probabilities(street, 0, block)
    for stretch in walk(alone(rng), spec.schedules[0][block.group], *chances, spec.days):
        start, end = end, end + len(stretch[0])
        states[start:end], used[start:end] = stretch[0], consumption(stretch, use)
        if end == spec.steps_per_day:
            yield states, used
            end = 0


def replay_houses(spec: StreetSpec, street: Street, houses: Sequence[int]) -> tuple[Bools, Floats]:
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


def replay_blocks(
    spec: StreetSpec,
    street: Street,
    work: Callable[[Block, Days], Result],
    day_seed: SeedSequence | None = None,
) -> Iterator[Result]:
    """work(block, its days) for every block, in order: of that very day or, with another seed, of another."""
    parts = spec.blocks
    rngs = generators(day_seed or seed_of(spec.seed, Stream.LIVES), len(parts))

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
        leave, arrive = personal_habits(
            schedule, street.habit_draws[some], spec.habit_spread, spec.habit_clip
        )
        lane = np.repeat(np.arange(len(some)), runs)  # a house's runs walk side by side, like houses
        use = street.use(some[lane])
        for stretch in walk(alone(rng), schedule, leave[:, lane], arrive[:, lane], spec.days):
            stop = start + len(stretch[0])
            used[start:stop, members] = consumption(stretch, use).reshape(stop - start, -1, runs)
            start = stop
    return used


ROOM = Room()  # a batch is lived from beginning to end before its thread begins another
TOGETHER = 4  # batches that an executor's worker lives at once
Lived = tuple[Floats, Floats, Moments, Moments | None]  # occupied, demand, what was expected and believed


@dataclass(frozen=True, kw_only=True)
class StreetDay:
    """What happened on the street, before any price."""

    spec: StreetSpec
    street: Street
    support_classes: SupportClasses
    occupied: Floats  # (T,) houses occupied
    demand: Floats  # (T,) their demand at full consumption
    true_moments: DemandMoments  # what the generating model expects
    assumed_moments: (
        DemandMoments  # what filter and forecast expect: `truth` itself unless they believe another model
    )
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


def simulate_street(
    spec: StreetSpec, progress: Progress | None = None, executor: Executor | None = None
) -> StreetDay:
    """Draw the street, let it live, and note what the models expected of it."""
    street, parts, batches = spec.draw(), spec.blocks, spec.batches

    def one(i: int) -> Lived:
        return _simulate_batch(spec, street, parts[batches[i].start : batches[i].stop], batches[i])

    if executor is None:
        lived = each_block(one, len(batches))
    else:
        alone, last = replace(spec), len(batches)  # the blocks are not sent along
        pieces = [(alone, range(i, min(i + TOGETHER, last))) for i in range(0, last, TOGETHER)]
        lived = chain.from_iterable(each(simulate_batches, pieces, executor))
    occupied, demand = np.zeros(spec.steps), np.zeros(spec.steps)
    truth = DemandMoments.zeros(len(spec.groups), spec.steps)
    assumed = DemandMoments.zeros(len(spec.groups), spec.steps) if spec.assumed_index else truth
    for i, (count, total, expected, believed) in enumerate(lived):
        occupied += count
        demand += total
        group = parts[batches[i].start].group
        truth.add(group, expected)
        if believed is not None:
            assumed.add(group, believed)
        if progress is not None:
            progress((i + 1) / len(batches))
    return StreetDay(
        spec=spec,
        street=street,
        support_classes=support_classes(spec, street),
        occupied=occupied,
        demand=demand,
        true_moments=truth,
        assumed_moments=assumed,
    )


def simulate_batches(piece: tuple[StreetSpec, range]) -> list[Lived]:
    """Some batches of a street. A module's function, so that it can travel."""
    spec, numbers = piece
    batches = spec.batches[numbers.start : numbers.stop]
    first, last = batches[0].start, batches[-1].stop
    street, blocks = spec.draw(range(first, last)), shifted(spec.blocks[first:last])
    return [
        _simulate_batch(spec, street, blocks[batch.start - first : batch.stop - first], batch)
        for batch in batches
    ]


def _simulate_batch(spec: StreetSpec, street: Street, parts: list[Block], numbers: range) -> Lived:
    """Blocks of one group side by side; their numbers tell their streams of randomness."""
    rngs = generators_at(seed_of(spec.seed, Stream.LIVES), numbers)
    batch = Block(parts[0].group, parts[0].start, parts[-1].stop)
    own = [slice(part.start - batch.start, part.stop - batch.start) for part in parts]
    lanes = list(zip(rngs, own, strict=True))
    chances, use = spec.transition_probabilities(street, 0, batch), street.use(batch.houses)
    schedule = spec.schedules[0][batch.group]
    lived = totals(walk(lanes, schedule, *chances, spec.days, ROOM), use, ROOM)
    return *lived, _expected(spec, schedule, chances, use), _belief(spec, street, batch, use)


def _belief(spec: StreetSpec, street: Street, block: Block, use: Use) -> Moments | None:
    """What the model expects that filter and forecast believe in, where it is another than the true one."""
    if not spec.assumed_index:
        return None
    schedule = spec.schedules[spec.assumed_index][block.group]
    return _expected(spec, schedule, spec.transition_probabilities(street, spec.assumed_index, block), use)


def _expected(spec: StreetSpec, schedule: Schedule, chances: tuple[Floats, Floats], use: Use) -> Moments:
    return block_moments(schedule, *chances, *use.moments(), spec.days, ROOM)
