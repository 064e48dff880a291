"""Tables that leave the lab as CSV."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd


def to_csv(frame: "pd.DataFrame") -> str:
    """CSV in which no text can start a formula in a spreadsheet."""
    safe = frame.copy()
    for name in safe.columns:
        if safe[name].dtype.kind not in "biuf":
            safe[name] = [neutral(str(cell)) for cell in safe[name]]
    safe.columns = [neutral(str(name)) for name in safe.columns]
    return str(safe.to_csv(index=False, lineterminator="\n"))


def neutral(text: str) -> str:
    """Text that a spreadsheet will not take for a formula, nor for the start of a new row."""
    line = text.replace("\r", " ")
    return f"'{line}" if line.lstrip().startswith(("=", "+", "-", "@")) else line
