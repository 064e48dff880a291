"""What a scenario may hold: bounds and labels, refusals in one sentence, frozen models, JSON read with care.

`BOUNDS` is the one truth for validation, widgets and tests. A refusal names the field, its value and what is
allowed. Every part of a scenario is `Frozen`: immutable, closed to unknown fields, refusing in one sentence.
"""

import json
import re
import reprlib
import unicodedata
from collections.abc import Collection, Sequence
from math import isfinite
from typing import Annotated, Any, NamedTuple, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    TypeAdapter,
    ValidationError,
)

from rtp.core.formatting import printable
from rtp.core.language import noted
from rtp.core.time import STEPS_PER_HOUR, WEEKDAYS

SCENARIO_VERSION = 2  # of the scenario's format and of what is drawn from its seed
MAX_GROUPS = 8
MAX_MODELS = 8
MAX_PERIODS = 24  # of a day
MAX_JSON_BYTES = 1_000_000
MAX_JSON_PARTS = 150_000  # brackets and commas: one character of a text each, and many bytes of memory
NAME_LENGTH = 40  # letters
SUM_TOLERANCE = 1e-9  # of what must add up to one

JsonObject = dict[str, Any]


class Bounds(NamedTuple):
    """The allowed range of a number, ends included, and its label. Integer ends: a whole number."""

    low: float
    high: float
    words: str

    @property
    def whole(self) -> bool:
        return isinstance(self.low, int)


BOUNDS = {
    "households": Bounds(1, 10_000_000, "Households"),
    "days": Bounds(1, 31, "Days"),
    "epsilon": Bounds(1e-4, 1e4, noted("ε — privacy budget per step")),
    "negligible": Bounds(0.0, 0.5, "Probability too small to guard"),
    "alpha": Bounds(1e-6, 1e6, "α — price slope"),
    "beta": Bounds(0.0, 1e6, "β — base price"),
    "inelastic_demand": Bounds(0.0, 1e9, "Inelastic demand"),
    "elasticity": Bounds(0.0, 5.0, "Elasticity of demand"),
    "reference_rate": Bounds(1e-6, 1e12, "Reference rate"),
    "price_cap": Bounds(1e-6, 1e12, "Highest published rate"),
    "habit_spread": Bounds(0.0, 0.5, "Habit spread"),
    "seed": Bounds(0, 2**31 - 1, "Seed"),
    "share": Bounds(0.0, 1.0, "Share of the street"),
    "occupied_max": Bounds(1e-6, 1e6, "Largest bound when occupied"),
    "empty_max": Bounds(0.0, 1e6, "Largest bound when empty"),
    "occupied_min": Bounds(0.0, 1e6, "Lowest bound when occupied"),
    "empty_min": Bounds(0.0, 1e6, "Lowest bound when empty"),
    "occupied_bound": Bounds(0.0, 1e6, "Bound when occupied"),
    "empty_bound": Bounds(0.0, 1e6, "Bound when empty"),
    "yearly_kwh": Bounds(1.0, 1e9, "kWh a year"),
    "edges": Bounds(0.0, 1e6, "Edge of a bin of use"),
    "price": Bounds(0.0, 1e9, "Price of a typical day"),
    "mass": Bounds(0.0, 1.0, "Share of use in a bin"),
    "initial_occupied": Bounds(0.0, 1.0, "Chance to be occupied at the start"),
    "start": Bounds(0.0, 24.0 - 1 / STEPS_PER_HOUR, "Start hour"),
    "matrix": Bounds(0.0, 1.0, "Transition matrix"),
    "version": Bounds(SCENARIO_VERSION, SCENARIO_VERSION, "Version"),
}

# The labels of settings that are no number, and of their values.
LABELS = {
    "law": "Use",
    "houses": "Houses",
    "step_minutes": "A price every … minutes",
    "first_weekday": "The days begin on a",
    "power_unit": "Unit of power",
    "occupied_means": "Occupied means",
    "currency": "Currency",
    "price_range": "Prices of a typical day",
    "assumed_model": "Filter and forecast believe in",
    "naive_bound": "The naive noise covers",
    "independent_noise": "Independent noise for each mechanism",
    "clip_at_zero": "Never publish a negative rate",
}
VALUE_LABELS: dict[str, dict[str | None, str]] = {
    "assumed_model": {None: "the true model"},
    "naive_bound": {"nominal": "the nominal maximum", "realised": "the largest drawn bound"},
    "reference_rate": {None: "the day's mean"},
    "price_cap": {None: "none"},
    "price_range": {None: "as α and β have them"},
    "power_unit": {"": "none, as in the paper", "kW": "kW"},
    "currency": {"": "none"},
    "first_weekday": {day: day for day in WEEKDAYS},
    "occupied_means": {"up and about": "up and about", "at home": "at home, asleep included"},
}
# What a text must be that is no name.
PATTERNS = {"currency": "be empty or three capital letters, such as EUR"}


class ScenarioError(ValueError):
    """One sentence about one field: where it is, and what is wrong with it.

    Parameters
    ----------
    path : str
        The field, as `rtp run --set` and a sweep name it.
    problem : str
        The rest of the sentence.

    Examples
    --------
    >>> import rtp
    >>> try:
    ...     rtp.Scenario(epsilon=-1)
    ... except rtp.ScenarioError as error:
    ...     print(error.path)
    epsilon
    """

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(path, problem)
        self.path = path
        self.problem = problem

    def __str__(self) -> str:
        return printable(f"{self.path} {self.problem}")


def refusal(path: str, value: object, must: str) -> ScenarioError:
    """The error for a value: what it is, and what it must be or do."""
    return ScenarioError(path, f"is {reprlib.repr(value)}; it must {must}.")


def be_within(bounds: Bounds) -> str:
    kind = "a whole number" if bounds.whole else "a number"
    return f"be {kind} from {bounds.low:,g} to {bounds.high:,.10g}"


def must_be_within(path: str, value: object, bounds: Bounds) -> None:
    """Refuse what is no number within bounds, or not a whole one where the bounds are whole."""
    kinds = int if bounds.whole else int | float
    fits = isinstance(value, kinds) and not isinstance(value, bool) and bounds.low <= value <= bounds.high
    if not fits:
        if isinstance(value, float) and value.is_integer() and not bounds.whole:
            value = int(value)  # as it is typed
        raise refusal(path, value, be_within(bounds))


def must_be_positive(path: str, value: float) -> None:
    if not (isfinite(value) and value > 0):
        raise refusal(path, value, "be a number above 0")


def must_be_one_of(path: str, value: object, allowed: Collection[object]) -> None:
    if value in list(allowed):  # a list asks for equality only, also where the value has no hash
        return
    choices = [str(each) for each in allowed if each is not None]
    raise refusal(path, value, f"be one of {', '.join(choices)}")


def must_be_house(path: str, house: int | None, households: int) -> None:
    """Refuse what is neither the number of a house nor None, which stands for all of them."""
    if house is not None:
        must_be_within(path, house, Bounds(0, households - 1, "House"))


def unknown_field(key: str, model: type[BaseModel]) -> ScenarioError:
    known = ", ".join(model.model_fields)
    return ScenarioError(field_words(key), f"is not a field of {model.__name__}; known are {known}.")


def explain(error: ValidationError, model: type[BaseModel]) -> ScenarioError:
    """The first of pydantic's errors as one sentence."""
    first = error.errors()[0]
    path = "".join(f"[{p}]" if isinstance(p, int) else f".{field_words(p)}" for p in first["loc"])[1:]
    inner = first.get("ctx", {}).get("error")
    if isinstance(inner, ScenarioError):
        return ScenarioError(".".join(part for part in (path, inner.path) if part), inner.problem)
    kind, value = first["type"], first["input"]
    path = path or "A key"  # a name that is no text at all
    if kind == "missing":
        return ScenarioError(path, f"is missing from {model.__name__}.")
    field = next((part for part in reversed(first["loc"]) if part in BOUNDS), None)
    if field is not None and kind not in ("tuple_type", "too_long", "too_short"):
        return refusal(path, value, be_within(BOUNDS[field]))
    if kind == "string_pattern_mismatch" and first["loc"][-1] in PATTERNS:
        return refusal(path, value, PATTERNS[str(first["loc"][-1])])
    if kind == "string_pattern_mismatch":
        colon = " :" if ":" in first.get("ctx", {}).get("pattern", "") else ""
        allowed = f"letters, digits, spaces and ' ( ) . ,{colon} & / + -"
        return refusal(path, value, f"start with a letter or digit and use only {allowed}")
    return ScenarioError(path, f"is {reprlib.repr(value)}; {first['msg'][0].lower()}{first['msg'][1:]}.")


def field_words(key: str) -> str:
    """A field's name as it is; whatever else stands in its place quoted and cut short."""
    return key if key.isidentifier() and len(key) <= 40 else reprlib.repr(key)


def number_field(name: str) -> Any:
    """The field of a finite number within the bounds of that name; of a whole one where they are whole."""
    bounds = BOUNDS[name]
    finite = None if bounds.whole else False  # a whole number is
    return Field(strict=True, allow_inf_nan=finite, ge=bounds.low, le=bounds.high, title=bounds.words)


def added_field(default: object) -> Any:
    """A field that came after the format. It is not written while it has its default, so that a scenario
    without it stays the same text and an older lab can read it."""
    return Field(default, exclude_if=lambda value: value == default)


def at_most(most: int) -> BeforeValidator:
    """Refuse too many entries before any is read."""

    def few(value: object) -> object:
        if isinstance(value, list | tuple) and len(value) > most:
            raise ScenarioError("entries", f"are {len(value):,}; at most {most:,} are read.")
        return value

    return BeforeValidator(few)


Flag = Annotated[bool, Field(strict=True)]
# What Markdown makes of the alphabet of names: emphasis, and a link.
_MARKUP = re.compile(r"(?<![^\W_])_.*\S_(?![^\W_])|www\.", re.IGNORECASE)


def _without_markup(name: str) -> str:
    if _MARKUP.search(name):
        raise refusal("", name, "have no words between _ and no www.")
    return name


# Names appear in charts, Markdown, CSV and HTML; what passes here is harmless in all of them.
Name = Annotated[
    str,
    Field(strict=True, max_length=NAME_LENGTH, pattern=r"^[^\W_][\w '().,&/+-]*$"),
    AfterValidator(_without_markup),
]
_NAME: TypeAdapter[str] = TypeAdapter(Name)


def valid_names(texts: Sequence[str]) -> tuple[str, ...]:
    """Return a name for each text, none twice: the text where it is a name, else the nearest that is one."""
    taken = {text for text in texts if _is_name(text)}
    names = []
    for text in texts:
        if not _is_name(text):
            name = near = _nearest_name(text)
            number = 1
            while name in taken:
                number += 1
                name = f"{near[: NAME_LENGTH - 1 - len(str(number))]} {number}"
            taken.add(name)
            text = name
        names.append(text)
    return tuple(names)


def _is_name(text: str) -> bool:
    try:
        return bool(_NAME.validate_python(text))
    except ValidationError:
        return False


def _nearest_name(text: str) -> str:
    """Return the text with a space for what a name may not have; letters and digits stay in every script."""
    letters = unicodedata.normalize("NFKC", text)
    kept = "".join(c if c.isalpha() or c.isdecimal() or c in "_ '().,&/+-" else " " for c in letters)
    kept = _MARKUP.sub(lambda markup: re.sub("[_.]", " ", markup[0]), kept)
    return " ".join(kept.split()).lstrip("_ '().,&/+-")[:NAME_LENGTH].rstrip() or "House"


class Frozen(BaseModel):
    """A part of a scenario: immutable, closed to unknown fields, refusing in one sentence."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    def __init__(self, /, **data: Any) -> None:
        unknown = next((key for key in data if key not in type(self).model_fields), None)
        if unknown is not None:
            raise unknown_field(unknown, type(self))
        try:
            super().__init__(**data)
        except ValidationError as error:
            raise explain(error, type(self)) from None

    def replace(self, /, **changes: Any) -> Self:
        """A validated copy with some fields changed."""
        return type(self)(**{**{name: getattr(self, name) for name in type(self).model_fields}, **changes})


def read_object(text: str | bytes) -> JsonObject:
    """The JSON object in a text that anyone may have written."""
    raw = text.encode(errors="replace") if isinstance(text, str) else text
    if len(raw) > MAX_JSON_BYTES:
        raise ScenarioError("The file", f"has {len(raw):,} bytes; at most {MAX_JSON_BYTES:,} are read.")
    if (parts := sum(map(raw.count, (b"{", b"[", b",")))) > MAX_JSON_PARTS:
        raise ScenarioError("The JSON", f"has {parts:,} entries; at most {MAX_JSON_PARTS:,} are read.")
    try:
        data = json.loads(text, object_pairs_hook=_unique_keys)
    except ScenarioError:
        raise
    except (ValueError, RecursionError) as error:
        why = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise ScenarioError("The text", f"is not JSON that can be read: {why}.") from None
    if not isinstance(data, dict):
        raise refusal("The JSON", data, "be an object")
    return data


def _unique_keys(pairs: list[tuple[str, object]]) -> JsonObject:
    result: JsonObject = {}
    for key, value in pairs:
        if key in result:
            raise ScenarioError(reprlib.repr(key), "appears twice in one JSON object; it must appear once.")
        result[key] = value
    return result
