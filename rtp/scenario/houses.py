"""A street's houses one by one: a name, a group, and the most each can use when occupied and when empty.

Where a scenario lists its houses, nothing about them is drawn but their habits: the list says how many there
are, how many belong to each group, and their bounds. A house can be left out without being forgotten.
"""

from collections.abc import Sequence
from typing import Annotated

from rtp.scenario.frozen import Flag, Frozen, Name, later, real
from rtp.scenario.habits import Group
from rtp.scenario.refusal import ScenarioError, refusal

MAX_LISTED = 5_000  # houses
COUNTED = 1e-6  # of a house


class House(Frozen):
    name: Name
    group: Name
    occupied: Annotated[float, real("occupied_bound")]
    empty: Annotated[float, real("empty_bound")]
    left_out: Flag = later(False)


Houses = tuple[House, ...] | None


def kept(houses: Sequence[House]) -> list[House]:
    """Those that are not left out."""
    return [house for house in houses if not house.left_out]


def in_order(houses: Sequence[House], groups: Sequence[str]) -> list[House]:
    """The street's own order: those that are kept, group by group."""
    place = {name: index for index, name in enumerate(groups)}
    return sorted(kept(houses), key=lambda house: place[house.group])


def must_agree(houses: Sequence[House], groups: Sequence[Group], households: int) -> None:
    """The list and what follows from it say the same: `edits.with_houses` makes it so."""
    known = {group.name: group for group in groups}
    for i, house in enumerate(houses):
        if house.group not in known:
            raise refusal(f"houses[{i}].group", house.group, f"be one of {', '.join(known)}")
        if not house.left_out:
            group = known[house.group]
            _must_fit(f"houses[{i}].occupied", house.occupied, "occupied_max", group.occupied_max)
            _must_fit(f"houses[{i}].empty", house.empty, "empty_max", group.empty_max)
    names = [house.name for house in houses]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise ScenarioError("houses", f"has {twice!r} twice; each name may be used once.")
    here = kept(houses)
    if households != len(here):
        raise refusal("households", households, f"be {len(here)}, the houses listed and not left out")
    for group in groups:
        own = sum(house.group == group.name for house in here)
        if abs(group.share * len(here) - own) > COUNTED:
            raise refusal(f"share of {group.name}", group.share, f"be that of {own} of {len(here)} houses")


def _must_fit(path: str, bound: float, field: str, most: float) -> None:
    if bound > most:
        raise refusal(path, bound, f"be at most its group's {field}, {most:g}")


def regrouped(houses: Houses, before: str, after: str) -> Houses:
    """The list in which a group has another name, or its houses another group."""
    if houses is None or before == after:
        return houses
    return tuple(house.replace(group=after) if house.group == before else house for house in houses)


def widened(heir: Group, gone: Group) -> Group:
    """With room for the bounds of both."""
    return heir.replace(
        occupied_max=max(heir.occupied_max, gone.occupied_max), empty_max=max(heir.empty_max, gone.empty_max)
    )


def described(group: Group, here: Sequence[House]) -> Group:
    """The share and the bounds that a group has in a list of houses; without any it keeps its bounds."""
    own = [house for house in here if house.group == group.name]
    if not own:
        return group.replace(share=0.0)
    occupied, empty = [house.occupied for house in own], [house.empty for house in own]
    return group.replace(
        share=len(own) / len(here),
        occupied_min=min(occupied),
        occupied_max=max(occupied),
        empty_min=min(empty),
        empty_max=max(empty),
    )
