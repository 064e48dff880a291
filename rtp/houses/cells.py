"""A table as its cells: from pasted text, CSV, XLSX or Parquet, and nothing is read into them.

Every cell stays what somebody wrote. A number in a workbook or a Parquet file becomes the shortest text that
means the same number; a formula stays a formula, which nobody here computes. Sizes are limited before
anything is unpacked, and a workbook or Parquet file says its own size first.
"""

import csv
import io
import math
import zipfile
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from rtp.scenario import ScenarioError
from rtp.scenario.typed import shown

MAX_BYTES = 2_000_000
MAX_UNPACKED = 20_000_000  # bytes of a workbook's parts
MAX_ROWS = 20_000
MAX_COLUMNS = 100
DELIMITERS = ("\t", ";", ",")  # in the order in which they are tried


class Cells(NamedTuple):
    """A header and rows beneath it, each as long as the header; `first` is the first row's number."""

    header: list[str]
    rows: list[list[str]]
    first: int = 2


def cells_of(content: bytes | str) -> Cells:
    """What a file, told by its first bytes, or a pasted text holds."""
    size = len(content)
    if size > MAX_BYTES:
        raise ScenarioError("The table", f"has {size:,} bytes; at most {MAX_BYTES:,} are read.")
    if isinstance(content, bytes) and content.startswith(b"PK"):
        return _table(_workbook(content))
    if isinstance(content, bytes) and content.startswith(b"PAR1"):
        return _table(_parquet(content))
    return _text(content if isinstance(content, str) else _decoded(content))


def _decoded(content: bytes) -> str:
    for encoding in ("utf-16",) if content[:2] in (b"\xff\xfe", b"\xfe\xff") else ("utf-8-sig", "cp1252"):
        try:
            return content.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise ScenarioError("The table", "is neither text, nor an XLSX, nor a Parquet file that can be read.")


def _text(text: str) -> Cells:
    """The delimiter is the one that the header has most of; tabs, which a spreadsheet pastes, go first."""
    if "\x00" in text:
        raise ScenarioError("The table", "is neither text, nor an XLSX, nor a Parquet file that can be read.")
    lines = text.lstrip("\ufeff").strip("\r\n")
    header = lines.partition("\n")[0]
    delimiter = max(DELIMITERS, key=header.count)
    try:
        return _table(csv.reader(io.StringIO(lines, newline=""), delimiter=delimiter, strict=True))
    except csv.Error as error:
        raise ScenarioError("The table", f"cannot be read as rows and columns: {error}.") from None


def _table(rows: Iterable[Sequence[object]]) -> Cells:
    found = []
    for number, row in enumerate(rows):
        if number > MAX_ROWS:
            raise ScenarioError("The table", f"has more than {MAX_ROWS:,} rows; no more are read.")
        found.append([_cell(value) for value in row])
    while found and not any(found[-1]):
        found.pop()
    if len(found) < 2:
        raise ScenarioError("The table", "has no rows; it needs a header and at least one row beneath it.")
    header, *rest = found
    while header and not header[-1]:
        header.pop()
    if len(header) > MAX_COLUMNS:
        raise ScenarioError("The table", f"has {len(header):,} columns; at most {MAX_COLUMNS} are read.")
    for number, line in enumerate(rest, start=2):
        if any(line[len(header) :]):
            raise ScenarioError(f"Row {number}", f"has more cells than the header, which has {len(header)}.")
    return Cells(header, [(line + [""] * len(header))[: len(header)] for line in rest])


def _cell(value: object) -> str:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else shown(value)
    return str(value).strip()


def _workbook(content: bytes) -> Iterable[Sequence[object]]:
    try:
        import openpyxl
        from openpyxl.utils.exceptions import InvalidFileException
    except ImportError:
        raise ScenarioError("The workbook", "needs the package openpyxl; save it as CSV.") from None
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as parts:
            size = sum(part.file_size for part in parts.infolist())
        if size > MAX_UNPACKED:
            raise ScenarioError(
                "The workbook", f"unpacks to {size:,} bytes; at most {MAX_UNPACKED:,} are read."
            )
        book = openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=False)
        yield from book.worksheets[0].iter_rows(values_only=True)
    except (InvalidFileException, zipfile.BadZipFile, KeyError, ValueError, IndexError, OSError) as error:
        if isinstance(error, ScenarioError):
            raise
        raise ScenarioError("The workbook", "cannot be read; save it as XLSX or CSV again.") from None


def _parquet(content: bytes) -> Iterable[Sequence[object]]:
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise ScenarioError("The Parquet file", "needs the package pyarrow; save it as CSV.") from None
    try:
        file = pq.ParquetFile(pa.BufferReader(content))
        if file.metadata.num_rows > MAX_ROWS:
            many = f"{file.metadata.num_rows:,}"
            raise ScenarioError("The table", f"has {many} rows; at most {MAX_ROWS:,} are read.")
        table = file.read()
        yield table.column_names
        yield from zip(*(column.to_pylist() for column in table.columns), strict=True)
    except pa.ArrowException:
        raise ScenarioError("The Parquet file", "cannot be read; write it again.") from None
