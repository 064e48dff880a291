"""Tables that leave the lab: they say which version of it made them, and of which scenario (its `origin`)."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

Origin = Mapping[str, str | int]


def to_csv(frame: "pd.DataFrame", origin: Origin) -> str:
    """A table, its origin in more columns, as CSV in which no text can start a formula in a spreadsheet."""
    safe = frame.assign(**origin)
    for name in safe.columns:
        if safe[name].dtype.kind not in "biuf":
            safe[name] = [neutral(str(cell)) for cell in safe[name]]
    safe.columns = [neutral(str(name)) for name in safe.columns]
    return str(safe.to_csv(index=False, lineterminator="\n"))


def neutral(text: str) -> str:
    """Text that a spreadsheet will not take for a formula, nor for the start of a new row."""
    line = text.replace("\r", " ")
    return f"'{line}" if line.lstrip().startswith(("=", "+", "-", "@")) else line
