"""The street lives: states and consumption of every house, summed as they are drawn.

Nothing here depends on the tariff, the promise or the price response, so a day can be priced many times
without drawing it again.

Batches of blocks live on threads, or on any executor: a worker then draws the houses of its blocks and no
others. What they add up to is added in the order of the batches, so the bytes are the same.
"""

from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain

import numpy as np

from rtp.core.parallel import Progress as Progress
from rtp.core.parallel import each
from rtp.core.random import Stream, generators_at, seed_of
from rtp.core.types import Floats, Ints
from rtp.street import compiled, outlook
from rtp.street.beforehand import Beforehand
from rtp.street.days import households
from rtp.street.draw import Block, Street, each_block, shifted
from rtp.street.kinds import Kinds, kinds
from rtp.street.occupancy import Schedule
from rtp.street.outlook import Moments, Outlook
from rtp.street.room import Room
from rtp.street.spec import StreetSpec
from rtp.street.use import Use
from rtp.street.walk import totals, walk

ROOM = Room()  # a batch is lived from beginning to end before its thread begins another
TOGETHER = 4  # batches that an executor's worker lives at once
Lived = tuple[Floats, Floats, Moments, Moments | None]  # occupied, demand, what was expected and believed


@dataclass(frozen=True, kw_only=True)
class Life:
    """What happened on the street, before any price."""

    spec: StreetSpec
    street: Street
    kinds: Kinds
    occupied: Floats  # (T,) houses occupied
    demand: Floats  # (T,) their demand at full consumption
    truth: Outlook  # what the generating model expects
    assumed: Outlook  # what filter and forecast expect: `truth` itself unless they believe another model
    recorded: Floats | None = None  # (T, N) what every house used, where it was not drawn

    def use_of(self, houses: Ints) -> Floats:
        """(T, n): what some houses used, as recorded or drawn again."""
        if self.recorded is not None:
            return self.recorded[:, houses]
        return households(self.spec, self.street, houses.tolist())[1]

    @cached_property
    def beforehand(self) -> Beforehand:
        """What the models say of every house before any rate is seen."""
        return Beforehand(self.spec, self.street, self.kinds)


def live(spec: StreetSpec, progress: Progress | None = None, executor: Executor | None = None) -> Life:
    """Draw the street, let it live, and note what the models expected of it."""
    street, parts, batches = spec.draw(), spec.blocks, spec.batches

    def one(i: int) -> Lived:
        return _live_batch(spec, street, parts[batches[i].start : batches[i].stop], batches[i])

    if executor is None:
        lived = each_block(one, len(batches))
    else:
        alone, last = replace(spec), len(batches)  # the blocks are not sent along
        pieces = [(alone, range(i, min(i + TOGETHER, last))) for i in range(0, last, TOGETHER)]
        lived = chain.from_iterable(each(live_some, pieces, executor))
    occupied, demand = np.zeros(spec.steps), np.zeros(spec.steps)
    truth = outlook.empty(len(spec.groups), spec.steps)
    assumed = outlook.empty(len(spec.groups), spec.steps) if spec.believed else truth
    for i, (count, total, expected, believed) in enumerate(lived):
        occupied += count
        demand += total
        group = parts[batches[i].start].group
        outlook.add(truth, group, expected)
        if believed is not None:
            outlook.add(assumed, group, believed)
        if progress is not None:
            progress((i + 1) / len(batches))
    return Life(
        spec=spec,
        street=street,
        kinds=kinds(street, spec.schedules, spec.habit_spread, spec.habit_clip, spec.steps),
        occupied=occupied,
        demand=demand,
        truth=truth,
        assumed=assumed,
    )


def live_some(piece: tuple[StreetSpec, range]) -> list[Lived]:
    """Some batches of a street. A module's function, so that it can travel."""
    spec, numbers = piece
    batches = spec.batches[numbers.start : numbers.stop]
    first, last = batches[0].start, batches[-1].stop
    street, blocks = spec.draw(range(first, last)), shifted(spec.blocks[first:last])
    return [
        _live_batch(spec, street, blocks[batch.start - first : batch.stop - first], batch)
        for batch in batches
    ]


def _live_batch(spec: StreetSpec, street: Street, parts: list[Block], numbers: range) -> Lived:
    """Blocks of one group side by side; their numbers tell their streams of randomness."""
    rngs = generators_at(seed_of(spec.seed, Stream.LIVES), numbers)
    batch = Block(parts[0].group, parts[0].start, parts[-1].stop)
    own = [slice(part.start - batch.start, part.stop - batch.start) for part in parts]
    lanes = list(zip(rngs, own, strict=True))
    chances, use = spec.chances(street, 0, batch), street.use(batch.houses)
    schedule = spec.schedules[0][batch.group]
    if compiled.worth(spec.households) and use.laws is None:
        lived = compiled.totals(lanes, schedule, *chances, use, spec.days)
    else:
        lived = totals(walk(lanes, schedule, *chances, spec.days, ROOM), use, ROOM)
    return *lived, _expected(spec, schedule, chances, use), _belief(spec, street, batch, use)


def _belief(spec: StreetSpec, street: Street, block: Block, use: Use) -> Moments | None:
    """What the model expects that filter and forecast believe in, where it is another than the true one."""
    if not spec.believed:
        return None
    schedule = spec.schedules[spec.believed][block.group]
    return _expected(spec, schedule, spec.chances(street, spec.believed, block), use)


def _expected(spec: StreetSpec, schedule: Schedule, chances: tuple[Floats, Floats], use: Use) -> Moments:
    if compiled.worth(spec.households):
        return compiled.expected(schedule, *chances, *use.moments(), spec.days)
    return outlook.of_block(schedule, *chances, *use.moments(), spec.days, ROOM)
