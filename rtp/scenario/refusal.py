"""How the lab refuses: one sentence that names the field, its value and what is allowed."""

import reprlib
import unicodedata
from collections.abc import Collection
from math import isfinite

from pydantic import BaseModel, ValidationError

from rtp.scenario.bounds import BOUNDS, Bounds

# What a text must be that is no name.
PATTERNS = {"currency": "be empty or three capital letters, such as EUR"}


class ScenarioError(ValueError):
    """One sentence about one field: where it is, and what is wrong with it."""

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(path, problem)
        self.path = path
        self.problem = problem

    def __str__(self) -> str:
        return printable(f"{self.path} {self.problem}")


def printable(text: str) -> str:
    """What a screen can show without obeying it: control characters and the like as they are typed."""
    return "".join(ascii(c)[1:-1] if unicodedata.category(c).startswith("C") else c for c in text)


def refusal(path: str, value: object, must: str) -> ScenarioError:
    """Every refusal of a value: what it is, and what it must."""
    return ScenarioError(path, f"is {reprlib.repr(value)}; it must {must}.")


def be_within(bounds: Bounds) -> str:
    kind = "a whole number" if bounds.whole else "a number"
    return f"be {kind} from {bounds.low:,g} to {bounds.high:,.10g}"


def must_be_within(path: str, value: object, bounds: Bounds) -> None:
    """A number within bounds; a whole one where the bounds are whole."""
    kinds = int if bounds.whole else int | float
    fits = isinstance(value, kinds) and not isinstance(value, bool) and bounds.low <= value <= bounds.high
    if not fits:
        raise refusal(path, value, be_within(bounds))


def must_be_positive(path: str, value: float) -> None:
    if not (isfinite(value) and value > 0):
        raise refusal(path, value, "be a number above 0")


def must_be_one_of(path: str, value: object, allowed: Collection[object]) -> None:
    if value in list(allowed):  # a list asks for equality only, also where the value has no hash
        return
    known = [str(each) for each in allowed if each is not None]
    raise refusal(path, value, f"be one of {', '.join(known)}")


def must_be_house(path: str, house: int | None, households: int) -> None:
    """The number of a house, or None for all of them."""
    if house is not None:
        must_be_within(path, house, Bounds(0, households - 1, "House"))


def explain(error: ValidationError, model: type[BaseModel]) -> ScenarioError:
    """The first of pydantic's complaints as one sentence."""
    first = error.errors(include_url=False)[0]
    path = "".join(f"[{p}]" if isinstance(p, int) else f".{field_words(p)}" for p in first["loc"])[1:]
    inner = first.get("ctx", {}).get("error")
    if isinstance(inner, ScenarioError):
        return ScenarioError(f"{path}.{inner.path}" if path else inner.path, inner.problem)
    kind, value = first["type"], first["input"]
    path = path or "A key"  # a name that is no text at all
    if kind == "extra_forbidden":
        return ScenarioError(
            path, f"is not a field of {model.__name__}; known are {', '.join(model.model_fields)}."
        )
    if kind == "missing":
        return ScenarioError(path, f"is missing from {model.__name__}.")
    field = next((part for part in reversed(first["loc"]) if part in BOUNDS), None)
    if field is not None and kind not in ("tuple_type", "too_long", "too_short"):
        return refusal(path, value, be_within(BOUNDS[field]))
    if kind == "string_pattern_mismatch" and first["loc"][-1] in PATTERNS:
        return refusal(path, value, PATTERNS[str(first["loc"][-1])])
    if kind == "string_pattern_mismatch":
        allowed = "letters, digits, spaces and ' ( ) . , & / + -"
        return refusal(path, value, f"start with a letter or digit and use only {allowed}")
    return ScenarioError(path, f"is {reprlib.repr(value)}; {first['msg'][0].lower()}{first['msg'][1:]}.")


def field_words(key: str) -> str:
    """A field's name as it is; whatever else stands in its place quoted and cut short."""
    return key if key.isidentifier() and len(key) <= 40 else reprlib.repr(key)
