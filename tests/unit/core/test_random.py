"""Randomness: every purpose has a stream of its own."""

from itertools import combinations

from rtp.core.random import Stream, random_generator


def test_no_two_purposes_share_a_stream() -> None:
    assert len({stream.value for stream in Stream}) == len(Stream.__members__)  # which lists aliases too
    for seed in (0, 7, 2**31 - 1):
        drawn = {stream: random_generator(seed, stream).random(8) for stream in Stream}
        for one, other in combinations(drawn.values(), 2):
            assert not set(one) & set(other)
