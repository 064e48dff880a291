"""What houses use: the distribution and bounds of a group, and houses listed one by one.

Use is uniform up to a house's bound in each state, or follows its group's histogram (`Law`), cut at the
larger of the house's bounds: what lies beyond counts as that bound. A group that states how much energy a
house uses in a year has the histogram that `rtp.simulation.setup` makes of it.

Where a scenario lists its houses, nothing about them is drawn but their habits: the list says how many there
are, how many belong to each group, and their bounds. A house can be left out without being forgotten.
"""

import zlib
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Annotated, Self

from pydantic import Field, model_validator

from rtp.scenario.validation import (
    SUM_TOLERANCE,
    Flag,
    Frozen,
    Name,
    ScenarioError,
    added_field,
    number_field,
    refusal,
)

MAX_BINS = 24  # so that a street with histograms travels in a link
MAX_WITH_LAWS = 100_000  # houses
MAX_LISTED = 5_000  # houses
COUNT_TOLERANCE = 1e-6  # of a house
HOURS_A_YEAR, MONTHS_A_YEAR = 8760, 12

Masses = Annotated[
    tuple[Annotated[float, number_field("mass")], ...],
    Field(fail_fast=True, min_length=1, max_length=MAX_BINS),
]


class Law(Frozen):
    """A histogram of use: the probability of every bin, empty and occupied.

    Parameters
    ----------
    edges : tuple of float
        Bin k lies between edges k and k + 1, the same in both states; a bin of no width is a point mass.
    empty, occupied : tuple of float
        The probability of each bin in that state.

    Examples
    --------
    >>> import rtp
    >>> law = rtp.Law(edges=(0.0, 0.2, 1.0), empty=(0.9, 0.1), occupied=(0.3, 0.7))
    >>> street = rtp.Scenario(households=50, groups=(rtp.Group(law=law),))
    >>> street.has_laws
    True
    """

    edges: Annotated[
        tuple[Annotated[float, number_field("edges")], ...],
        Field(fail_fast=True, min_length=2, max_length=MAX_BINS + 1),
    ]
    empty: Masses
    occupied: Masses

    @model_validator(mode="after")
    def _check(self) -> Self:
        if any(after < before for before, after in pairwise(self.edges)):
            raise ScenarioError("edges", f"are {list(self.edges)}; none may be below the one before.")
        bins = len(self.edges) - 1
        for name, masses in (("empty", self.empty), ("occupied", self.occupied)):
            if len(masses) != bins:
                raise ScenarioError(
                    name, f"has {len(masses)} entries; it must have one for each of the {bins} bins."
                )
            if abs(sum(masses) - 1) > SUM_TOLERANCE:
                raise ScenarioError(name, f"sums to {sum(masses):.6g}; it must sum to 1.")
        return self


def law_words(names: Sequence[str]) -> str:
    """What it means that these groups have histograms of use."""
    return (
        f"Consumption has a distribution, not uniform up to the bounds: {', '.join(names)}. "
        "What a house uses is cut at the larger of its bounds."
    )


class Group(Frozen):
    """Households that share habits and the range of their consumption bounds.

    Parameters
    ----------
    name : str
        What the group is called.
    share : float
        Its share of the street's houses.
    occupied_max, empty_max : float
        The largest bound that a house of the group may have, occupied and empty.
    occupied_min, empty_min : float
        The smallest one.
    law : Law or None
        How use is distributed; None: uniform up to the bound of the state.
    yearly_kwh : float or None
        What a house uses in a year on average, in the unit of consumption times hours; None: what follows.

    Examples
    --------
    >>> import rtp
    >>> flats = rtp.Group(name="Flats", share=0.9, occupied_max=3.0, empty_max=0.3)
    >>> shops = rtp.Group(name="Shops", share=0.1, occupied_max=8.0, empty_max=0.5)
    >>> model = rtp.OccupancyModel(habits=(rtp.Habits(), rtp.Habits()))
    >>> street = rtp.Scenario(groups=(flats, shops), models=(model,), power_unit="kW")
    >>> [group.name for group in street.groups]
    ['Flats', 'Shops']
    """

    name: Name = "Households"
    share: Annotated[float, number_field("share")] = 1.0
    occupied_max: Annotated[float, number_field("occupied_max")] = 1.0
    empty_max: Annotated[float, number_field("empty_max")] = 0.5
    occupied_min: Annotated[float, number_field("occupied_min")] = added_field(0.0)
    empty_min: Annotated[float, number_field("empty_min")] = added_field(0.0)
    law: Law | None = added_field(None)  # None: uniform up to the bound of each state
    # What a house uses in a year on average, in the unit of consumption times hours; None: what follows.
    yearly_kwh: Annotated[float, number_field("yearly_kwh")] | None = added_field(None)

    @property
    def is_uniform(self) -> bool:
        """Whether use is uniform up to the bounds."""
        return self.law is None and self.yearly_kwh is None

    @model_validator(mode="after")
    def _check(self) -> Self:
        for low, high in (("occupied_min", "occupied_max"), ("empty_min", "empty_max")):
            if getattr(self, low) > getattr(self, high):
                raise refusal(low, getattr(self, low), f"be at most {high}, {getattr(self, high):g}")
        if self.yearly_kwh is None:
            return self
        if self.law is not None:
            raise ScenarioError("yearly_kwh", "stands beside a law, a distribution of use; give one of them.")
        most = HOURS_A_YEAR * max(self.occupied_max, self.empty_max)
        if self.yearly_kwh > most:
            must = f"be at most {most:,.10g}, its peak all year long"
            raise refusal("yearly_kwh", self.yearly_kwh, must)
        return self


class House(Frozen):
    """A house by its name, and the most it can use when occupied and when empty.

    Parameters
    ----------
    name, group : str
        What it is called, and the group it belongs to.
    occupied, empty : float
        Its bounds.
    left_out : bool
        Whether the street is without it for now.

    Examples
    --------
    >>> import rtp
    >>> mill = rtp.House(name="Mill Lane 1", group="Households", occupied=0.9, empty=0.1)
    >>> quay = rtp.House(name="Quay 2", group="Households", occupied=0.4, empty=0.1)
    >>> rtp.simulate(rtp.Scenario(), street=[mill, quay]).scenario.households
    2
    """

    name: Name
    group: Name
    occupied: Annotated[float, number_field("occupied_bound")]
    empty: Annotated[float, number_field("empty_bound")]
    left_out: Flag = added_field(False)


def included(houses: Sequence[House]) -> list[House]:
    """The houses that are not left out."""
    return [house for house in houses if not house.left_out]


def street_order(houses: Sequence[House], groups: Sequence[Group]) -> list[House]:
    """The houses that are not left out, group by group: the order in which a street numbers them."""
    place = {group.name: index for index, group in enumerate(groups)}
    return sorted(included(houses), key=lambda house: place[house.group])


def house_list_id(houses: Sequence[House]) -> str:
    """How many houses are listed, and a checksum that tells this list from others."""
    return f"{len(houses)}-{zlib.crc32(repr(tuple(houses)).encode()):08x}"


def must_be_grouped(houses: Sequence[House], groups: Sequence[Group]) -> None:
    """Refuse a house whose group is none of the street's."""
    known = [group.name for group in groups]
    for i, house in enumerate(houses):
        if house.group not in known:
            raise refusal(f"houses[{i}].group", house.group, f"be one of {', '.join(known)}")


def must_agree(houses: Sequence[House], groups: Sequence[Group], households: int) -> None:
    """Refuse a list that contradicts groups or number of houses; `edit.with_houses` makes them agree."""
    must_be_grouped(houses, groups)
    by_name = {group.name: group for group in groups}
    for i, house in enumerate(houses):
        for state in () if house.left_out else ("occupied", "empty"):
            bound, highest = getattr(house, state), getattr(by_name[house.group], f"{state}_max")
            if bound > highest:
                most = f"be at most its group's {state}_max, {highest:g}"
                raise refusal(f"houses[{i}].{state}", bound, most)
    name, uses = Counter(house.name for house in houses).most_common(1)[0]
    if uses > 1:
        raise ScenarioError("houses", f"has {name!r} twice; each name may be used once.")
    here = included(houses)
    if households != len(here):
        raise refusal("households", households, f"be {len(here)}, the houses listed and not left out")
    for group in groups:
        own = sum(house.group == group.name for house in here)
        if abs(group.share * len(here) - own) > COUNT_TOLERANCE:
            raise refusal(f"share of {group.name}", group.share, f"be that of {own} of {len(here)} houses")


def regrouped(houses: tuple[House, ...] | None, before: str, after: str) -> tuple[House, ...] | None:
    """The list in which a group has another name, or its houses another group."""
    if houses is None or before == after:
        return houses
    return tuple(house.replace(group=after) if house.group == before else house for house in houses)


def described(group: Group, houses: Sequence[House]) -> Group:
    """The group with the share and bounds that it has in a list of houses; without any, with its bounds."""
    own = [house for house in houses if house.group == group.name]
    if not own:
        return group.replace(share=0.0)
    occupied, empty = [house.occupied for house in own], [house.empty for house in own]
    return group.replace(
        share=len(own) / len(houses),
        occupied_min=min(occupied),
        occupied_max=max(occupied),
        empty_min=min(empty),
        empty_max=max(empty),
    )
