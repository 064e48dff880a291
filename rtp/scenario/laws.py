"""What the houses of a group use in either state: a histogram, where it is not uniform up to the bounds.

Both states share the bins; a bin of no width is a point mass. A house uses no more than the larger of its
bounds: what lies beyond counts as that bound.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Annotated, Self

from pydantic import Field, model_validator

from rtp.scenario.frozen import Frozen, real
from rtp.scenario.refusal import ScenarioError

MAX_BINS = 24  # so that a street with laws travels in a link
MAX_WITH_LAWS = 100_000  # houses
SUM = 1e-9  # of masses that must add up to one

Edge = Annotated[float, real("edges")]
Mass = Annotated[float, real("mass")]
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


def laws_words(names: Sequence[str]) -> str:
    """What it means that these groups have laws of use."""
    return (
        f"Use by a law of its own, and not uniform up to the bounds: {', '.join(names)}. What a house uses "
        "is cut at the larger of its bounds."
    )
