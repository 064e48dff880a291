"""How households come and go, and what they use: periods, habits, groups, and the models that hold them."""

from itertools import pairwise
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from rtp.clock import STEPS_PER_DAY, STEPS_PER_HOUR
from rtp.scenario.bounds import MAX_GROUPS
from rtp.scenario.frozen import Frozen, Name, real
from rtp.scenario.refusal import ScenarioError, refusal

TOLERANCE = 1e-9  # of what must sum to one

Matrix = tuple[tuple[float, float], tuple[float, float]]
Basis = Literal["period", "step"]
Entry = Annotated[float, real("matrix")]


class Period(Frozen):
    """A part of the day during which habits are constant; it runs until the next period starts.

    Rows are *from*, columns *to*, in the order (empty, occupied):
    ``[[stay empty, arrive], [leave, stay occupied]]``.
    """

    name: Name
    start: Annotated[float, real("start")]
    matrix: tuple[tuple[Entry, Entry], tuple[Entry, Entry]]
    basis: Basis = "period"

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.start * STEPS_PER_HOUR % 1:
            raise refusal("start", self.start, "be a whole quarter of an hour")
        for row, entries in enumerate(self.matrix):
            if abs(sum(entries) - 1) > TOLERANCE:
                raise ScenarioError(
                    f"matrix[{row}]",
                    f"is {list(entries)}, which sums to {sum(entries):.6g}; a row must sum to 1.",
                )
        return self

    @property
    def arrive(self) -> float:
        return self.matrix[0][1]

    @property
    def leave(self) -> float:
        return self.matrix[1][0]


def complement(chance: float) -> float:
    """1 − chance without the dust of floating point, and never a false 0 or 1."""
    rest = round(1 - chance, 12)
    return rest if 0 < rest < 1 else 1 - chance


def period(name: str, start: float, *, leave: float, arrive: float, basis: Basis = "period") -> Period:
    """A period from its two free numbers; the complements follow."""
    return Period(name=name, start=start, matrix=matrix(leave, arrive), basis=basis)


def matrix(leave: float, arrive: float) -> Matrix:
    return (complement(arrive), arrive), (leave, complement(leave))


PAPER_PERIODS = (
    period("Morning", 7.0, leave=0.05, arrive=0.98),
    period("Noon", 8.0, leave=0.95, arrive=0.05),
    period("Evening", 16.0, leave=0.05, arrive=0.99),
    period("Night", 23.0, leave=0.995, arrive=0.01),
)


class Habits(Frozen):
    """How one group of households comes and goes under one model."""

    initial_occupied: Annotated[float, real("initial_occupied")] = 0.5
    periods: Annotated[tuple[Period, ...], Field(min_length=4, max_length=4)] = PAPER_PERIODS

    @model_validator(mode="after")
    def _check(self) -> Self:
        starts = [p.start for p in self.periods]
        if any(later <= earlier for earlier, later in pairwise(starts)):
            raise ScenarioError(
                "periods",
                f"start at {starts}; each must start after the one before, so that they neither overlap "
                "nor leave a gap.",
            )
        return self

    def steps(self) -> tuple[int, ...]:
        """How many steps each period lasts; the last one wraps over midnight."""
        starts = [round(p.start * STEPS_PER_HOUR) for p in self.periods]
        return tuple(
            (end - start) % STEPS_PER_DAY for start, end in zip(starts, starts[1:] + starts[:1], strict=True)
        )


class OccupancyModel(Frozen):
    """One θ of the set Θ: the habits of every group."""

    name: Name = "As published"
    habits: Annotated[tuple[Habits, ...], Field(min_length=1, max_length=MAX_GROUPS)] = (Habits(),)


class Group(Frozen):
    """Households that share habits and the range of their consumption bounds."""

    name: Name = "Households"
    share: Annotated[float, real("share")] = 1.0
    occupied_max: Annotated[float, real("occupied_max")] = 1.0
    empty_max: Annotated[float, real("empty_max")] = 0.5
