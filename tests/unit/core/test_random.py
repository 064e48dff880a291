"""Randomness: every purpose has a stream of its own, and old results keep their numbers."""

from itertools import combinations

import numpy as np
from numpy.random import SeedSequence

from rtp.core.random import Stream, random_generator, seed_of


def test_no_two_purposes_share_a_stream() -> None:
    assert len({stream.value for stream in Stream}) == len(Stream.__members__)  # which lists aliases too
    for seed in (0, 7, 2**31 - 1):
        drawn = {stream: random_generator(seed, stream).random(8) for stream in Stream}
        for one, other in combinations(drawn.values(), 2):
            assert not set(one) & set(other)


def test_the_streams_of_a_day_are_the_first_children_of_its_seed() -> None:
    """Habits, bounds, lives and noise have been drawn like this from the start."""
    day = (Stream.HABITS, Stream.BOUNDS, Stream.STREET_DAY, Stream.NOISE)
    for stream, child in zip(day, SeedSequence(42).spawn(4), strict=True):
        np.testing.assert_array_equal(seed_of(42, stream).generate_state(8), child.generate_state(8))
