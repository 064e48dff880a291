"""How a CSV is written: its encoding, its delimiter, its decimal sign, told from its first bytes."""

import codecs
import csv
import re
from dataclasses import dataclass

from rtp.scenario import ScenarioError

SAMPLE = 2**20  # bytes
ROWS = 50  # from which the columns are told
DELIMITERS = ";\t|,"
MARKS = {codecs.BOM_UTF8: "utf-8", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}


@dataclass(frozen=True)
class Dialect:
    encoding: str
    delimiter: str
    decimal: str
    header_line: int  # lines before the header
    names: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]  # the first few


def dialect(sample: bytes) -> Dialect:
    """From the first bytes of a file."""
    encoding = _encoding(sample)
    text = sample.decode(encoding, errors="ignore").lstrip("\ufeff")
    whole = text if len(sample) < SAMPLE else text[: text.rfind("\n") + 1] or text
    lines = whole.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    header = next((i for i, line in enumerate(lines) if line.strip()), None)
    if header is None:
        raise ScenarioError("The file", "is empty.")
    if "\x00" in whole:
        raise ScenarioError("The file", "is no text; readings come as CSV, gzipped CSV or Parquet.")
    delimiter = max(DELIMITERS, key=lines[header].count)  # the first of equals
    if delimiter not in lines[header]:
        raise ScenarioError("The first line", f"is {lines[header][:60]!r}; it must name columns.")
    try:
        rows = list(csv.reader(lines[header : header + ROWS + 1], delimiter=delimiter))
    except csv.Error as error:
        raise ScenarioError("The file", f"cannot be read as CSV ({error}).") from None
    body = tuple(tuple(row) for row in rows[1:] if row)
    return Dialect(
        encoding=encoding,
        delimiter=delimiter,
        decimal="," if _commas(body) else ".",
        header_line=header,
        names=tuple(name.strip() for name in rows[0]),
        rows=body,
    )


def _encoding(sample: bytes) -> str:
    for mark, name in MARKS.items():
        if sample.startswith(mark):
            return name
    if sample[1:200:2].count(0) > len(sample[1:200:2]) // 2:
        return "utf-16-le"
    if sample[0:200:2].count(0) > len(sample[0:200:2]) // 2:
        return "utf-16-be"
    try:
        codecs.getincrementaldecoder("utf-8")().decode(sample)
    except UnicodeDecodeError:
        return "cp1252"
    return "utf-8"


def _commas(rows: tuple[tuple[str, ...], ...]) -> bool:
    """Whether numbers have decimal commas, and none has a point."""
    cells = [cell.strip() for row in rows for cell in row]
    return any(re.fullmatch(r"-?\d*,\d+", cell) for cell in cells)
