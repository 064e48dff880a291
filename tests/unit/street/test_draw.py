"""The drawn street: the sizes of its groups, and the chains of its houses."""

from hypothesis import given
from hypothesis import strategies as st

from rtp.street.draw import group_sizes


@given(st.lists(st.integers(1, 50), min_size=1, max_size=8), st.integers(1, 10_000))
def test_groups_get_their_share_to_within_one_house(weights: list[int], households: int) -> None:
    shares = [w / sum(weights) for w in weights]
    sizes = group_sizes(shares, households)
    assert sum(sizes) == households
    assert all(abs(size - share * households) < 1 for size, share in zip(sizes, shares, strict=True))
