"""A block of houses walks through its days: 64 random bits per house and step, and no more.

Half of the bits decide whether the house moves, the other half how much it uses.

*Moving.* A whole number m, uniform below 2³², is compared with the chance p in the unit 2⁻³²: the house moves
where m < ⌈p·2³²⌉. So a chance of 0 never happens, one of 1 always does, a possible one stays possible, and
the one really used lies within [p, p + 2⁻³²): nothing beside 1e-6, the smallest that habits leave possible.

*Using.* The other number, in the unit 2⁻³², is a uniform from [0, 1) that is too low by 1.2e-10 on average.

The words come step by step, so the length of a stretch is a matter of speed: it changes no number. Nor does
who walks side by side: each lane of houses has a stream of its own.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from rtp.core.time import FINEST_STEP, steps_per_day
from rtp.core.types import Bools, Floats, Words
from rtp.street.occupancy import Schedule
from rtp.street.room import Room
from rtp.street.use import Use

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
        if use.laws is not None:
            demand.append(use.at(states, uses * UNIT).sum(axis=1) / UNIT)
            continue
        occupied *= uses
        uses -= occupied
        demand.append(np.vecdot(occupied, occupied_bound) + np.vecdot(uses, empty_bound))
    return np.concatenate(count), np.concatenate(demand) * UNIT
