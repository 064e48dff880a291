"""Tables and files that leave the lab: tables say which version of it made them, and of which scenario (their
`origin`); a file is put in place whole, or what was there stays."""

import os
import unicodedata
from collections.abc import Callable, Mapping
from pathlib import Path
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


FORMULA = ("=", "+", "-", "@")


def neutral(text: str) -> str:
    """Text that a spreadsheet will not take for a formula, nor for the start of a new row."""
    line = text.replace("\r", " ")
    seen = unicodedata.normalize("NFKC", line)  # full-width signs are signs
    seen = "".join(c for c in seen if unicodedata.category(c)[0] not in "CZ")  # what takes no room
    return f"'{line}" if seen.startswith(FORMULA) else line


def put_in_place(target: Path, write: Callable[[Path], object]) -> None:
    """Write a file beside its target and then in its place: a full disk, or whatever else goes wrong, leaves
    what was there. An error names the target."""
    if target.is_dir():
        raise IsADirectoryError(21, "is a folder; name a file in it", str(target))
    beside = target.with_name(f"{target.name}.part")
    try:
        write(beside)
        os.replace(beside, target)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(target)) from None
    finally:
        beside.unlink(missing_ok=True)


def put_text(target: Path, text: str) -> None:
    put_in_place(target, lambda beside: beside.write_text(text, encoding="utf-8"))
