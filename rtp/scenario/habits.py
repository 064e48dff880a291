"""How households come and go, and what they use: periods, habits, groups, and the models that hold them."""

from itertools import pairwise
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from rtp.core.time import FINEST_STEP, PAPER_STEP, steps_per_day
from rtp.scenario.bounds import MAX_GROUPS, MAX_PERIODS
from rtp.scenario.frozen import Frozen, Name, later, real
from rtp.scenario.laws import Law
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
        if not self.starts_with_a_step(FINEST_STEP):
            raise refusal("start", self.start, f"be a whole multiple of {FINEST_STEP} minutes")
        for row, entries in enumerate(self.matrix):
            if abs(sum(entries) - 1) > TOLERANCE:
                raise ScenarioError(
                    f"matrix[{row}]",
                    f"is {list(entries)}, which sums to {sum(entries):.6g}; a row must sum to 1.",
                )
        return self

    def starts_with_a_step(self, step_minutes: int) -> bool:
        """Whether a step of that length begins at its start."""
        steps = self.start * 60 / step_minutes
        return abs(steps - round(steps)) < TOLERANCE * 60

    def first_step(self, step_minutes: int) -> int:
        return round(self.start * 60 / step_minutes)

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


Periods = Annotated[tuple[Period, ...], Field(min_length=1, max_length=MAX_PERIODS)]


def lengths(periods: tuple[Period, ...], step_minutes: int = PAPER_STEP) -> tuple[int, ...]:
    """How many steps each of a day's periods lasts; the last one wraps over midnight."""
    day = steps_per_day(step_minutes)
    starts = [p.first_step(step_minutes) for p in periods]
    ends = [*starts[1:], starts[0] + day]
    return tuple(end - start for start, end in zip(starts, ends, strict=True))


class Habits(Frozen):
    """How one group of households comes and goes under one model."""

    initial_occupied: Annotated[float, real("initial_occupied")] = 0.5
    periods: Periods = PAPER_PERIODS
    weekend: Periods | None = later(None)  # of Saturday and Sunday; None: as on other days

    @model_validator(mode="after")
    def _check(self) -> Self:
        for field, periods in self.day_kinds().items():
            starts = [p.start for p in periods]
            if any(after <= before for before, after in pairwise(starts)):
                raise ScenarioError(
                    field,
                    f"start at {starts}; each must start after the one before, so that they neither overlap "
                    "nor leave a gap.",
                )
        return self

    def day_kinds(self) -> dict[str, tuple[Period, ...]]:
        """The periods by the field they stand in: of every day, and of the weekend where that is another."""
        return {"periods": self.periods} | ({"weekend": self.weekend} if self.weekend else {})

    @property
    def all_periods(self) -> tuple[Period, ...]:
        """Those of other days, then those of the weekend."""
        return self.periods + (self.weekend or ())

    def steps(self, step_minutes: int = PAPER_STEP) -> tuple[int, ...]:
        """How many steps each period lasts."""
        return lengths(self.periods, step_minutes)


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
    occupied_min: Annotated[float, real("occupied_min")] = later(0.0)
    empty_min: Annotated[float, real("empty_min")] = later(0.0)
    law: Law | None = later(None)  # of consumption; None: uniform up to the bound of each state

    @model_validator(mode="after")
    def _check(self) -> Self:
        for low, high in (("occupied_min", "occupied_max"), ("empty_min", "empty_max")):
            if getattr(self, low) > getattr(self, high):
                raise refusal(low, getattr(self, low), f"be at most {high}, {getattr(self, high):g}")
        return self
