"""A scenario: every parameter of the lab, frozen and valid from birth.

What it refuses, it refuses with one sentence (see `refusal`); nothing further in checks again. The defaults
are the day of "Privacy of Real-Time Pricing in Smart Grid" (CDC 2019), Section IV.
"""

from itertools import pairwise
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from rtp.clock import STEPS_PER_DAY, STEPS_PER_HOUR
from rtp.scenario.bounds import BOUNDS, MAX_GROUPS, MAX_MODELS, SCENARIO_VERSION
from rtp.scenario.reading import read_object
from rtp.scenario.refusal import ScenarioError, explain, refusal

TOLERANCE = 1e-9

Matrix = tuple[tuple[float, float], tuple[float, float]]
Basis = Literal["period", "step"]


def _real(name: str) -> Any:
    low, high, words = BOUNDS[name]
    return Field(strict=True, allow_inf_nan=False, ge=low, le=high, title=words)


def _whole(name: str) -> Any:
    low, high, words = BOUNDS[name]
    return Field(strict=True, ge=int(low), le=int(high), title=words)


Flag = Annotated[bool, Field(strict=True)]
# Names appear in charts, Markdown, CSV and HTML; this alphabet is harmless in all of them.
Name = Annotated[str, Field(strict=True, max_length=40, pattern=r"^[^\W_][\w '().,&/+-]*$")]
Entry = Annotated[float, _real("matrix")]


class _Frozen(BaseModel):
    """Frozen, closed to unknown fields, and refusing in one sentence."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    def __init__(self, /, **data: Any) -> None:
        try:
            super().__init__(**data)
        except ValidationError as error:
            raise explain(error, type(self)) from None

    def replace(self, /, **changes: Any) -> Self:
        """A validated copy with some fields changed."""
        return type(self)(**{**{name: getattr(self, name) for name in type(self).model_fields}, **changes})


class Period(_Frozen):
    """A part of the day during which habits are constant; it runs until the next period starts.

    Rows are *from*, columns *to*, in the order (empty, occupied):
    ``[[stay empty, arrive], [leave, stay occupied]]``.
    """

    name: Name
    start: Annotated[float, _real("start")]
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


class Habits(_Frozen):
    """How one group of households comes and goes under one model."""

    initial_occupied: Annotated[float, _real("initial_occupied")] = 0.5
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


class OccupancyModel(_Frozen):
    """One θ of the set Θ: the habits of every group."""

    name: Name = "As published"
    habits: Annotated[tuple[Habits, ...], Field(min_length=1, max_length=MAX_GROUPS)] = (Habits(),)


class Group(_Frozen):
    """Households that share habits and the range of their consumption bounds."""

    name: Name = "Households"
    share: Annotated[float, _real("share")] = 1.0
    occupied_max: Annotated[float, _real("occupied_max")] = 1.0
    empty_max: Annotated[float, _real("empty_max")] = 0.5


class Scenario(_Frozen):
    """The whole what-if: the street, what the curator believes, the tariff and the promise."""

    version: Annotated[int, _whole("version")] = SCENARIO_VERSION
    households: Annotated[int, _whole("households")] = 1000
    days: Annotated[int, _whole("days")] = 1
    epsilon: Annotated[float, _real("epsilon")] = 0.5
    alpha: Annotated[float, _real("alpha")] = 1.0
    beta: Annotated[float, _real("beta")] = 62.5
    inelastic_demand: Annotated[float, _real("inelastic_demand")] = 0.0
    elasticity: Annotated[float, _real("elasticity")] = 0.0
    reference_rate: Annotated[float, _real("reference_rate")] | None = None
    groups: Annotated[tuple[Group, ...], Field(min_length=1, max_length=MAX_GROUPS)] = (Group(),)
    models: Annotated[tuple[OccupancyModel, ...], Field(min_length=1, max_length=MAX_MODELS)] = (
        OccupancyModel(),
    )
    assumed_model: Name | None = None
    habit_spread: Annotated[float, _real("habit_spread")] = 0.01
    habit_clip: Literal["interior", "closed"] = "interior"
    conversion: Literal["geometric", "root"] = "geometric"
    naive_bound: Literal["nominal", "realised"] = "nominal"
    independent_noise: Flag = False
    clip_at_zero: Flag = False
    seed: Annotated[int, _whole("seed")] = 0

    @model_validator(mode="after")
    def _check(self) -> Self:
        for field, names in (
            ("groups", [g.name for g in self.groups]),
            ("models", self.model_names),
        ):
            if len(set(names)) < len(names):
                raise ScenarioError(field, f"are named {names}; each name may be used once.")
        total = sum(g.share for g in self.groups)
        if abs(total - 1) > TOLERANCE:
            raise ScenarioError("groups", f"have shares that sum to {total:.6g}; they must sum to 1.")
        for i, model in enumerate(self.models):
            if len(model.habits) != len(self.groups):
                raise ScenarioError(
                    f"models[{i}].habits",
                    f"has {len(model.habits)} entries; it must have one for each of the "
                    f"{len(self.groups)} groups.",
                )
        if self.assumed_model not in (None, *self.model_names):
            raise refusal("assumed_model", self.assumed_model, f"be empty or one of {self.model_names}")
        if self.conversion == "root":
            self._check_roots()
        return self

    def _check_roots(self) -> None:
        for i, model in enumerate(self.models):
            for g, habits in enumerate(model.habits):
                for p, part in enumerate(habits.periods):
                    if part.basis == "period" and part.leave + part.arrive > 1:
                        raise ScenarioError(
                            f"models[{i}].habits[{g}].periods[{p}].matrix",
                            f"has leave + arrive = {part.leave + part.arrive:.6g}; a stochastic matrix root "
                            "exists only where they sum to at most 1.",
                        )

    @property
    def steps(self) -> int:
        return self.days * STEPS_PER_DAY

    @property
    def assumed_index(self) -> int:
        """Which model the filter and the forecast believe in; the true one unless told otherwise."""
        return 0 if self.assumed_model is None else self.model_names.index(self.assumed_model)

    @property
    def model_names(self) -> list[str]:
        return [model.name for model in self.models]

    def to_json(self, indent: int | None = 2) -> str:
        return self.model_dump_json(indent=indent)

    @classmethod
    def from_json(cls, text: str | bytes) -> Self:
        """A scenario from JSON text; refuses what it does not understand to the last key."""
        data = read_object(text)
        version = data.get("version")
        if isinstance(version, int) and version > SCENARIO_VERSION:
            raise ScenarioError(
                "version", f"is {version}, newer than this lab; it reads versions 1 to {SCENARIO_VERSION}."
            )
        return cls(**data)
