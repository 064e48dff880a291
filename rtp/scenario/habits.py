"""How households come and go: periods of the day, habits of a group, occupancy models.

**From a period to a step, and back.** The paper states the probability that something happens *at some point
during* a period of n steps. Taken as n independent tries, the probability per step is 1 − (1 − p)^(1/n).

**Occupied** has two meanings, and a scenario says which is its own. *Up and about* is the paper's, and what a
meter shows: who goes to sleep leaves, who gets up arrives. *At home* counts those who sleep. Which of the two
it is changes no formula; it changes what the moves of a night are called, and what an empty house may be.
"""

from itertools import chain, pairwise
from typing import Annotated, Literal, NamedTuple, Self, get_args

import numpy as np
from pydantic import Field, model_validator

from rtp.core.language import noted
from rtp.core.time import FINEST_STEP, PAPER_STEP, WEEKDAYS, WEEKEND, Weekday, steps_per_day
from rtp.scenario.validation import (
    MAX_GROUPS,
    MAX_PERIODS,
    SUM_TOLERANCE,
    Frozen,
    Name,
    ScenarioError,
    added_field,
    number_field,
    refusal,
)

OccupiedMeans = Literal["up and about", "at home"]
MEANINGS: tuple[OccupiedMeans, ...] = get_args(OccupiedMeans)
UP, HOME = MEANINGS
NIGHT_HOUR = 3.0  # a period that contains it is the night

SENTENCES: dict[OccupiedMeans, str] = {
    UP: noted("Occupied = at home and awake. Falling asleep counts as leaving, waking up as arriving."),
    HOME: "Occupied = somebody is there, asleep or awake. A shop is occupied while it is open.",
}
STATES: dict[OccupiedMeans, tuple[str, str]] = {  # what a house is: empty, occupied
    UP: ("away, asleep or quiet", "up and about"),
    HOME: ("away", "at home"),
}


class Moves(NamedTuple):
    """What a house does when its state changes."""

    leave: str
    arrive: str


MOVES = Moves("leaving", "arriving")
TO_BED = Moves("going to bed", "getting up")


def moves(means: OccupiedMeans, start: float, end: float) -> Moves:
    """What the moves of a period are called that lasts from one hour of the day to another."""
    night = (NIGHT_HOUR - start) % 24 < ((end - start) % 24 or 24)
    return TO_BED if night and means == UP else MOVES


Matrix = tuple[tuple[float, float], tuple[float, float]]
Basis = Literal["period", "step"]
Entry = Annotated[float, number_field("matrix")]


class Period(Frozen):
    """A part of the day during which habits are constant; it runs until the next period starts.

    Parameters
    ----------
    name : str
        What it is called.
    start : float
        The hour at which it begins.
    matrix : tuple of tuple of float
        Rows are *from*, columns *to*, in the order (empty, occupied):
        ``[[stay empty, arrive], [leave, stay occupied]]``.
    basis : {"period", "step"}
        Whether these are chances over the whole period, as the paper states them, or of each step.

    Examples
    --------
    >>> import rtp
    >>> noon = rtp.Period(name="Noon", start=8.0, matrix=((0.95, 0.05), (0.95, 0.05)))
    >>> noon.leave, noon.arrive, noon.basis
    (0.95, 0.05, 'period')
    """

    name: Name
    start: Annotated[float, number_field("start")]
    matrix: tuple[tuple[Entry, Entry], tuple[Entry, Entry]]
    basis: Basis = "period"

    @model_validator(mode="after")
    def _check(self) -> Self:
        if not self.starts_with_a_step(FINEST_STEP):
            raise refusal("start", self.start, f"be a whole multiple of {FINEST_STEP} minutes")
        for row, entries in enumerate(self.matrix):
            if abs(sum(entries) - 1) > SUM_TOLERANCE:
                raise ScenarioError(
                    f"matrix[{row}]",
                    f"is {list(entries)}, which sums to {sum(entries):.6g}; a row must sum to 1.",
                )
        return self

    def starts_with_a_step(self, step_minutes: int) -> bool:
        """Whether a step of that length begins at its start."""
        steps = self.start * 60 / step_minutes
        return abs(steps - round(steps)) < SUM_TOLERANCE * 60

    def first_step(self, step_minutes: int) -> int:
        return round(self.start * 60 / step_minutes)

    @property
    def arrive(self) -> float:
        return self.matrix[0][1]

    @property
    def leave(self) -> float:
        return self.matrix[1][0]


def complement(probability: float) -> float:
    """1 − probability without the dust of floating point, and never a false 0 or 1."""
    rest = round(1 - probability, 12)
    return rest if 0 < rest < 1 else 1 - probability


def matrix(leave: float, arrive: float) -> Matrix:
    """The transition matrix of the two free numbers; the complements follow."""
    return (complement(arrive), arrive), (leave, complement(leave))


def period(name: str, start: float, *, leave: float, arrive: float, basis: Basis = "period") -> Period:
    """The period with these two free numbers."""
    return Period(name=name, start=start, matrix=matrix(leave, arrive), basis=basis)


def lengths(periods: tuple[Period, ...], step_minutes: int = PAPER_STEP) -> tuple[int, ...]:
    """How many steps each of a day's periods lasts; the last one wraps over midnight."""
    starts = [part.first_step(step_minutes) for part in periods]
    ends = [*starts[1:], starts[0] + steps_per_day(step_minutes)]
    return tuple(end - start for start, end in zip(starts, ends, strict=True))


PAPER_PERIODS = (
    period("Morning", 7.0, leave=0.05, arrive=0.98),
    period("Noon", 8.0, leave=0.95, arrive=0.05),
    period("Evening", 16.0, leave=0.05, arrive=0.99),
    period("Night", 23.0, leave=0.995, arrive=0.01),
)

DayField = Literal["periods", "weekend", "sunday"]  # of the habits: each holds the periods of some days
DAY_FIELDS: tuple[DayField, ...] = get_args(DayField)
Periods = Annotated[tuple[Period, ...], Field(fail_fast=True, min_length=1, max_length=MAX_PERIODS)]


class Habits(Frozen):
    """How one group of households comes and goes under one model.

    Parameters
    ----------
    initial_occupied : float
        The probability that a house is occupied at the first step.
    periods : tuple of Period
        The periods of a day, by their starts.
    weekend : tuple of Period or None
        Those of Saturday and Sunday; None: as on other days.
    sunday : tuple of Period or None
        Those of Sunday alone; None: as on Saturday.

    Examples
    --------
    >>> import rtp
    >>> [part.name for part in rtp.Habits().periods]
    ['Morning', 'Noon', 'Evening', 'Night']
    """

    initial_occupied: Annotated[float, number_field("initial_occupied")] = 0.5
    periods: Periods = PAPER_PERIODS
    weekend: Periods | None = added_field(None)  # of Saturday and Sunday; None: as on other days
    sunday: Periods | None = added_field(None)  # of Sunday alone; None: as on Saturday

    @model_validator(mode="after")
    def _check(self) -> Self:
        for field, periods in self.day_kinds().items():
            starts = [part.start for part in periods]
            if any(after <= before for before, after in pairwise(starts)):
                raise ScenarioError(
                    field,
                    f"start at {starts}; each must start after the one before, so that they neither overlap "
                    "nor leave a gap.",
                )
        return self

    def day_kinds(self) -> dict[DayField, tuple[Period, ...]]:
        """The periods by the field they stand in: of every day, and of those that differ."""
        return {field: periods for field in DAY_FIELDS if (periods := getattr(self, field))}

    def day_field(self, day: Weekday) -> DayField:
        """The field in which the periods of a weekday stand."""
        if day == "Sunday" and self.sunday:
            return "sunday"
        return "weekend" if day in WEEKEND and self.weekend else "periods"

    def on(self, day: Weekday) -> tuple[Period, ...]:
        """The periods of a weekday."""
        return self.day_kinds()[self.day_field(day)]

    def days_of(self, field: DayField) -> tuple[Weekday, ...]:
        """The weekdays whose periods stand in a field."""
        return tuple(day for day in WEEKDAYS if self.day_field(day) == field)

    @property
    def all_periods(self) -> tuple[Period, ...]:
        """Those of other days, then those of the days that differ."""
        return tuple(chain.from_iterable(self.day_kinds().values()))

    def steps(self) -> tuple[int, ...]:
        """How many of the paper's steps each period of an ordinary day lasts."""
        return lengths(self.periods)


class OccupancyModel(Frozen):
    """One θ of the set Θ: the habits of every group.

    Parameters
    ----------
    name : str
        What the model is called.
    habits : tuple of Habits
        Those of every group, in the groups' order.

    Examples
    --------
    >>> import rtp
    >>> at_home = rtp.OccupancyModel(name="At home", habits=(rtp.Habits(initial_occupied=0.9),))
    >>> both = rtp.Scenario(models=(rtp.OccupancyModel(), at_home))
    >>> both.model_names
    ['As published', 'At home']
    """

    name: Name = "As published"
    habits: Annotated[tuple[Habits, ...], Field(fail_fast=True, min_length=1, max_length=MAX_GROUPS)] = (
        Habits(),
    )

    @property
    def common_habits(self) -> Habits | None:
        """A group's habits where all groups keep the same hours; None where they differ."""
        first, *others = ([(part.name, part.start) for part in each.all_periods] for each in self.habits)
        return self.habits[0] if all(each == first for each in others) else None


def step_probabilities(part: Period, steps: int) -> tuple[float, float]:
    """(leave, arrive) per step of a period that lasts so many steps."""
    if part.basis == "step":
        return part.leave, part.arrive
    return restated_probabilities(part.leave, part.arrive, 1 / steps)


def restated_probabilities(leave: float, arrive: float, ratio: float) -> tuple[float, float]:
    """(leave, arrive) over `ratio` times the time, of habits that stay the same: from a step to a period of
    so many steps, or to a longer or shorter step."""
    return _over_time(leave, ratio), _over_time(arrive, ratio)


def _over_time(probability: float, ratio: float) -> float:
    return 1.0 if probability == 1 else float(-np.expm1(np.log1p(-probability) * ratio))
