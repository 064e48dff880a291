"""What the houses of a group use in either state: a histogram, where it is not uniform up to the bounds.

Both states share the bins; a bin of no width is a point mass. A house uses no more than the larger of its
bounds: what lies beyond counts as that bound.

A street's houses one by one: a name, a group, and the most each can use when occupied and when empty.

Where a scenario lists its houses, nothing about them is drawn but their habits: the list says how many there
are, how many belong to each group, and their bounds. A house can be left out without being forgotten.
"""

import zlib
from collections.abc import Sequence
from itertools import pairwise
from typing import Annotated, Self

from pydantic import Field, model_validator

from rtp.scenario.validation import Flag, Frozen, Name, ScenarioError, added_field, number_field, refusal

MAX_BINS = 24  # so that a street with laws travels in a link
MAX_WITH_LAWS = 100_000  # houses
SUM = 1e-9  # of masses that must add up to one

Edge = Annotated[float, number_field("edges")]
Mass = Annotated[float, number_field("mass")]
Masses = Annotated[tuple[Mass, ...], Field(min_length=1, max_length=MAX_BINS)]


class Law(Frozen):
    """The chance of every bin, empty and occupied; bin k lies between edges k and k + 1."""

    edges: Annotated[tuple[Edge, ...], Field(min_length=2, max_length=MAX_BINS + 1)]
    empty: Masses
    occupied: Masses

    @model_validator(mode="after")
    def _check(self) -> Self:
        if any(after < before for before, after in pairwise(self.edges)):
            raise ScenarioError("edges", f"are {list(self.edges)}; none may be below the one before.")
        for name, masses in (("empty", self.empty), ("occupied", self.occupied)):
            bins = len(self.edges) - 1
            if len(masses) != bins:
                raise ScenarioError(
                    name, f"has {len(masses)} entries; it must have one for each of the {bins} bins."
                )
            if abs(sum(masses) - 1) > SUM:
                raise ScenarioError(name, f"sums to {sum(masses):.6g}; it must sum to 1.")
        return self


def law_words(names: Sequence[str]) -> str:
    """What it means that these groups have laws of use."""
    return (
        f"Use by a law of its own, and not uniform up to the bounds: {', '.join(names)}. What a house uses "
        "is cut at the larger of its bounds."
    )


class Group(Frozen):
    """Households that share habits and the range of their consumption bounds."""

    name: Name = "Households"
    share: Annotated[float, number_field("share")] = 1.0
    occupied_max: Annotated[float, number_field("occupied_max")] = 1.0
    empty_max: Annotated[float, number_field("empty_max")] = 0.5
    occupied_min: Annotated[float, number_field("occupied_min")] = added_field(0.0)
    empty_min: Annotated[float, number_field("empty_min")] = added_field(0.0)
    law: Law | None = added_field(None)  # of consumption; None: uniform up to the bound of each state

    @model_validator(mode="after")
    def _check(self) -> Self:
        for low, high in (("occupied_min", "occupied_max"), ("empty_min", "empty_max")):
            if getattr(self, low) > getattr(self, high):
                raise refusal(low, getattr(self, low), f"be at most {high}, {getattr(self, high):g}")
        return self


MAX_LISTED = 5_000  # houses
COUNTED = 1e-6  # of a house


class House(Frozen):
    name: Name
    group: Name
    occupied: Annotated[float, number_field("occupied_bound")]
    empty: Annotated[float, number_field("empty_bound")]
    left_out: Flag = added_field(False)


Houses = tuple[House, ...] | None


def included(houses: Sequence[House]) -> list[House]:
    """Those that are not left out."""
    return [house for house in houses if not house.left_out]


def street_order(houses: Sequence[House], groups: Sequence[str]) -> list[House]:
    """The street's own order: those that are not left out, group by group."""
    place = {name: index for index, name in enumerate(groups)}
    return sorted(included(houses), key=lambda house: place[house.group])


def house_list_id(houses: Sequence[House]) -> str:
    """How many houses are listed, and what tells this list from others."""
    return f"{len(houses)}-{zlib.crc32(repr(tuple(houses)).encode()):08x}"


def must_agree(houses: Sequence[House], groups: Sequence[Group], households: int) -> None:
    """The list and what follows from it say the same: `edit.with_houses` makes it so."""
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
    here = included(houses)
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
