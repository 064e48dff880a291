"""Randomness: one integer seed, one stream of random numbers for every purpose.

Two purposes never share a stream, so drawing more for one changes nothing in the others, and no two parts of
the lab ever see the same numbers. Numbers are never reused for another purpose, so old results stay.
"""

from enum import IntEnum, unique
from typing import NamedTuple

from numpy.random import SFC64, Generator, SeedSequence


@unique
class Stream(IntEnum):
    """What random numbers are for."""

    HABITS = 0
    BOUNDS = 1
    STREET_DAY = 2  # states and consumption
    NOISE = 3  # of the published rates
    CURVE_NOISE = 5  # other days' noise, to show how far one day's error scatters
    SWEEP_DAYS = 6  # the seeds of a sweep's days
    MONEY_NOISE = 7  # other days' noise, and lives, to show how far money scatters
    AUDIT = 9
    PAPER_NOISE = 10
    PAPER_BOUNDS = 11  # bounds drawn anew at every step
    METER_WEEKS = 21  # the weeks of readings that are drawn again
    METER_SAMPLE = 22  # the gaps of the readings that ship with the lab
    PLAY = 23  # the seeds of the streets of a round
    SEALED = 24  # which mechanisms cheat, in Find the cheat
    METER_DAYS = 41  # the days that are drawn again to see how sure a verdict is
    METER_HOMES = 42  # simulated homes whose people sleep
    PAPER_RESAMPLES = 47  # the days that are drawn again to see how surely results of the paper agree
    EXPOSURE = 48  # the days by which it is found how well an observer tells
    STORY = 49  # on which other days the neighbours of the story's home live


def seed_of(seed: int, stream: Stream, *more: int) -> SeedSequence:
    """Where a stream starts; `more` numbers its parts."""
    return SeedSequence(seed, spawn_key=(stream, *more))


def generators(root: SeedSequence, count: int, first: int = 0) -> list[Generator]:
    """So many independent generators, from this number on, without making those before."""
    keys = [(*root.spawn_key, number) for number in range(first, first + count)]
    return [Generator(SFC64(SeedSequence(root.entropy, spawn_key=key))) for key in keys]


def random_generator(seed: int, stream: Stream, *more: int) -> Generator:
    """The one generator of a stream, or of a part of it."""
    return Generator(SFC64(seed_of(seed, stream, *more, 0)))


class BlockGenerators(NamedTuple):
    """Those of one block of a street's houses."""

    bounds: Generator
    habits: Generator
    day: Generator


def block_generators(seed: int, numbers: range) -> list[BlockGenerators]:
    """The generators of the blocks that have these numbers."""
    streams = (Stream.BOUNDS, Stream.HABITS, Stream.STREET_DAY)
    each = [generators(seed_of(seed, stream), len(numbers), numbers.start) for stream in streams]
    return [BlockGenerators(*own) for own in zip(*each, strict=True)]
