"""What every part of a scenario is: frozen, closed to unknown fields, and refusing in one sentence."""

from collections.abc import Callable
from functools import partial
from typing import Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from rtp.scenario.bounds import BOUNDS
from rtp.scenario.refusal import explain


def real(name: str) -> Any:
    """A finite number within the bounds of that name."""
    low, high, words = BOUNDS[name]
    return Field(strict=True, allow_inf_nan=False, ge=low, le=high, title=words)


def later(default: object, **limits: Any) -> Any:
    """A field that came after the format: while it has its default it is not written, so that a scenario
    without it is the same text as ever, and an older lab can read it."""
    same: Callable[[object], bool] = partial(_same, default)
    return Field(default, exclude_if=same, **limits)


def _same(one: object, other: object) -> bool:
    return one == other


def whole(name: str) -> Any:
    """A whole number within the bounds of that name."""
    low, high, words = BOUNDS[name]
    return Field(strict=True, ge=int(low), le=int(high), title=words)


Flag = Annotated[bool, Field(strict=True)]
# Names appear in charts, Markdown, CSV and HTML; this alphabet is harmless in all of them.
Name = Annotated[str, Field(strict=True, max_length=40, pattern=r"^[^\W_][\w '().,&/+-]*$")]


class Frozen(BaseModel):
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
