"""Every parameter of the lab: its bounds, its default, its words.

A `Scenario` is frozen and valid from birth. What it refuses, it refuses with one sentence that names
the field, its value and what is allowed; nothing further in checks again. The defaults are the day of
"Privacy of Real-Time Pricing in Smart Grid" (CDC 2019), Section IV.
"""

import json
import reprlib
from itertools import pairwise
from typing import Annotated, Any, Literal, NamedTuple, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

VERSION = 1
STEPS_PER_HOUR = 4
STEPS_PER_DAY = 24 * STEPS_PER_HOUR
MAX_JSON_BYTES = 1_000_000
TOLERANCE = 1e-9

Matrix = tuple[tuple[float, float], tuple[float, float]]
Basis = Literal["period", "step"]


class Bounds(NamedTuple):
    """The allowed range of a number, ends included, and the words for it."""

    low: float
    high: float
    words: str


BOUNDS = {
    "households": Bounds(1, 10_000_000, "Households"),
    "days": Bounds(1, 31, "Days"),
    "epsilon": Bounds(1e-4, 1e4, "ε — privacy budget per step"),
    "alpha": Bounds(1e-6, 1e6, "α — price slope"),
    "beta": Bounds(0.0, 1e6, "β — base price"),
    "inelastic_demand": Bounds(0.0, 1e9, "Inelastic demand"),
    "elasticity": Bounds(0.0, 5.0, "Elasticity of demand"),
    "reference_rate": Bounds(1e-6, 1e12, "Reference rate"),
    "habit_spread": Bounds(0.0, 0.5, "Habit spread"),
    "seed": Bounds(0, 2**31 - 1, "Seed"),
    "share": Bounds(0.0, 1.0, "Share of the street"),
    "occupied_max": Bounds(1e-6, 1e6, "Largest bound when occupied"),
    "empty_max": Bounds(0.0, 1e6, "Largest bound when empty"),
    "initial_occupied": Bounds(0.0, 1.0, "Chance to be occupied at the start"),
    "start": Bounds(0.0, 24.0 - 1 / STEPS_PER_HOUR, "Start hour"),
    "matrix": Bounds(0.0, 1.0, "Transition matrix"),
    "version": Bounds(1, VERSION, "Version"),
}
MAX_GROUPS = 8
MAX_MODELS = 8


class ScenarioError(ValueError):
    """One sentence about one field: where it is, and what is wrong with it."""

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(path, problem)
        self.path = path
        self.problem = problem

    def __str__(self) -> str:
        return f"{self.path} {self.problem}"


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
            raise _explain(error, type(self)) from None

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
            raise ScenarioError("start", f"is {self.start}; it must be a whole quarter of an hour.")
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

    version: Annotated[int, _whole("version")] = VERSION
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
            ("models", [m.name for m in self.models]),
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
        if self.assumed_model is not None and self.assumed_model not in [m.name for m in self.models]:
            raise ScenarioError(
                "assumed_model",
                f"is {self.assumed_model!r}; it must be empty or one of {[m.name for m in self.models]}.",
            )
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
        names = [m.name for m in self.models]
        return 0 if self.assumed_model is None else names.index(self.assumed_model)

    def to_json(self, indent: int | None = 2) -> str:
        return self.model_dump_json(indent=indent)

    @classmethod
    def from_json(cls, text: str | bytes) -> Self:
        """A scenario from JSON text; refuses what it does not understand to the last key."""
        data = read_object(text)
        version = data.get("version")
        if isinstance(version, int) and version > VERSION:
            raise ScenarioError(
                "version", f"is {version}, newer than this lab; it reads versions 1 to {VERSION}."
            )
        return cls(**data)


def read_object(text: str | bytes) -> dict[str, Any]:
    """A JSON object from text that anyone may have written; refuses in one sentence."""
    size = len(text.encode(errors="replace") if isinstance(text, str) else text)
    if size > MAX_JSON_BYTES:
        raise ScenarioError("The file", f"has {size:,} bytes; at most {MAX_JSON_BYTES:,} are read.")
    try:
        data = json.loads(text, object_pairs_hook=_no_twice)
    except ScenarioError:
        raise
    except (ValueError, RecursionError) as error:
        why = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise ScenarioError("The text", f"is not JSON that can be read: {why}.") from None
    if not isinstance(data, dict):
        raise ScenarioError("The JSON", f"is {reprlib.repr(data)}; it must be an object.")
    return data


def _no_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ScenarioError(reprlib.repr(twice), "appears twice in one JSON object; it must appear once.")
    return result


def _key(key: str) -> str:
    """A field's name as it is; whatever else stands in its place quoted and cut short."""
    return key if key.isidentifier() and len(key) <= 40 else reprlib.repr(key)


def _explain(error: ValidationError, model: type[BaseModel]) -> ScenarioError:
    """The first of pydantic's complaints as one sentence."""
    first = error.errors(include_url=False)[0]
    path = "".join(f"[{part}]" if isinstance(part, int) else f".{_key(part)}" for part in first["loc"])[1:]
    value = reprlib.repr(first["input"])
    context = first.get("ctx", {})
    kind = first["type"]
    inner = context.get("error")
    if isinstance(inner, ScenarioError):
        return ScenarioError(f"{path}.{inner.path}" if path else inner.path, inner.problem)
    path = path or "A key"  # a name that is no text at all
    if kind == "extra_forbidden":
        return ScenarioError(
            path, f"is not a field of {model.__name__}; known are {', '.join(model.model_fields)}."
        )
    if kind == "missing":
        return ScenarioError(path, f"is missing from {model.__name__}.")
    field = next((part for part in reversed(first["loc"]) if part in BOUNDS), None)
    if field is not None and kind not in ("tuple_type", "too_long", "too_short"):
        low, high, _ = BOUNDS[field]
        article = "a whole number" if isinstance(low, int) else "a number"
        return ScenarioError(path, f"is {value}; it must be {article} from {low:,g} to {high:,.10g}.")
    if kind == "string_pattern_mismatch":
        return ScenarioError(
            path,
            f"is {value}; it must start with a letter or digit and use only letters, digits, spaces "
            "and ' ( ) . , & / + -.",
        )
    return ScenarioError(path, f"is {value}; {first['msg'][0].lower()}{first['msg'][1:]}.")
