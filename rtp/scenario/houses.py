"""A street's houses one by one: a name, a group, and the most each can use when occupied and when empty.

Where a scenario lists its houses, nothing about them is drawn but their habits: the list says how many there
are, how many belong to each group, and their bounds. A house can be left out without being forgotten.
"""

from collections.abc import Sequence
from typing import Annotated

from rtp.scenario.frozen import Flag, Frozen, Name, later, real

MAX_LISTED = 5_000  # houses


class House(Frozen):
    name: Name
    group: Name
    occupied: Annotated[float, real("occupied_bound")]
    empty: Annotated[float, real("empty_bound")]
    left_out: Flag = later(False)


def kept(houses: Sequence[House]) -> list[House]:
    """Those that are not left out."""
    return [house for house in houses if not house.left_out]


def in_order(houses: Sequence[House], groups: Sequence[str]) -> list[House]:
    """The street's own order: those that are kept, group by group."""
    place = {name: index for index, name in enumerate(groups)}
    return sorted(kept(houses), key=lambda house: place[house.group])
