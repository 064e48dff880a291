"""Randomness: every purpose has a stream of its own, and old results keep their numbers."""

from itertools import combinations

import numpy as np
from numpy.random import SFC64, Generator, SeedSequence

from rtp.core.random import Stream, generators, random_generator, seed_of


def test_no_two_purposes_share_a_stream() -> None:
    assert len({stream.value for stream in Stream}) == len(Stream.__members__)  # which lists aliases too
    for seed in (0, 7, 2**31 - 1):
        drawn = {stream: random_generator(seed, stream).random(8) for stream in Stream}
        for one, other in combinations(drawn.values(), 2):
            assert not set(one) & set(other)


def test_the_streams_of_a_day_are_the_first_four_children_of_its_seed() -> None:
    """Habits, bounds, lives and noise have been drawn like this from the start."""
    day = (Stream.HABITS, Stream.BOUNDS, Stream.STREET_DAY, Stream.NOISE)
    for seed in (0, 42):
        children = SeedSequence(seed).spawn(4)
        for stream, child in zip(day, children, strict=True):
            assert seed_of(seed, stream).spawn_key == child.spawn_key
            np.testing.assert_array_equal(seed_of(seed, stream).generate_state(8), child.generate_state(8))


def test_the_number_of_a_stream_never_changes() -> None:
    numbers = {
        "HABITS": 0,
        "BOUNDS": 1,
        "STREET_DAY": 2,
        "NOISE": 3,
        "CURVE_NOISE": 5,
        "SWEEP_DAYS": 6,
        "MONEY_NOISE": 7,
        "ATTACKED_DAYS": 8,
        "AUDIT": 9,
        "PAPER_NOISE": 10,
        "PAPER_BOUNDS": 11,
        # 12 was the blur of the digitised picture: no number is used again.
        "STRETCHES": 13,
        "METER_WEEKS": 21,
        "METER_SAMPLE": 22,
        "PLAY": 23,
    }
    assert numbers == {stream.name: stream.value for stream in Stream}


def test_parts_of_a_stream_are_apart_and_seeds_are_too() -> None:
    roots = [seed_of(1, Stream.AUDIT), seed_of(1, Stream.AUDIT, 0), seed_of(1, Stream.AUDIT, 1)]
    roots += [seed_of(1, Stream.AUDIT, 0, 1), seed_of(2, Stream.AUDIT)]
    assert len({tuple(root.generate_state(4)) for root in roots}) == len(roots)
    assert seed_of(1, Stream.AUDIT, 5).spawn_key == (9, 5)


def test_generators_are_those_of_the_children_and_each_its_own() -> None:
    several = generators(SeedSequence(3), 3)
    children = SeedSequence(3).spawn(3)
    drawn = [rng.random(4).tolist() for rng in several]
    assert drawn == [Generator(SFC64(child)).random(4).tolist() for child in children]
    assert len({tuple(numbers) for numbers in drawn}) == 3
    for more in ((), (4,)):
        alone = random_generator(3, Stream.STREET_DAY, *more)
        assert alone.random() == generators(seed_of(3, Stream.STREET_DAY, *more), 1)[0].random()
