"""The cells of a table, from whatever a spreadsheet gives: pasted text, CSV, XLSX or Parquet.

Every cell stays what somebody wrote: a number in a workbook or Parquet file becomes the shortest text that
means the same number, and a formula stays a formula, which is not computed here. Sizes are limited before
anything is unpacked, and a workbook or Parquet file says its own size first.

What strangers send is read in a process of its own, with a limit of memory, which ends with it. A damaged
file can end the process that reads it (pyarrow aborts on some), and one that was made for it can unpack to
more than the machine has. Neither may be the server's, or a person's terminal.
"""

import csv
import io
import math
import zipfile
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

from rtp.core.workers import WorkerError, WorkerPool
from rtp.scenario.typed import shown
from rtp.scenario.validation import ScenarioError

MAX_BYTES = 2_000_000
MAX_WORKBOOK_BYTES = 20_000_000  # bytes of a workbook's parts
MAX_TABLE_ROWS = 20_000
MAX_COLUMNS = 100
MAX_CELLS = 500_000  # those beside the columns included
_DELIMITERS = ("\t", ";", ",")  # in the order in which they are tried
NO_TABLE = "is neither text, nor an XLSX, nor a Parquet file that can be read."


def cells(content: bytes | str) -> list[list[str]]:
    """The header and the rows beneath it, each as long as the header."""
    size = len(content)
    if size > MAX_BYTES:
        raise ScenarioError("The table", f"has {size:,} bytes; at most {MAX_BYTES:,} are read.")
    lines, count = [], 0
    for number, line in enumerate(_lines(content)):
        count += len(line)
        if count > MAX_CELLS:
            raise ScenarioError("The table", f"has more than {MAX_CELLS:,} cells; no more are read.")
        if number > MAX_TABLE_ROWS:
            raise ScenarioError("The table", f"has more than {MAX_TABLE_ROWS:,} rows; no more are read.")
        lines.append([_cell(value) for value in line])
    while lines and not any(lines[-1]):
        lines.pop()
    if len(lines) < 2:
        raise ScenarioError("The table", "has no rows; it needs a header and at least one row beneath it.")
    header = lines[0]
    while header and not header[-1]:
        header.pop()
    width = len(header)
    if width > MAX_COLUMNS:
        raise ScenarioError("The table", f"has {width:,} columns; at most {MAX_COLUMNS} are read.")
    for number, line in enumerate(lines, start=1):
        if any(line[width:]):
            raise ScenarioError(f"Row {number}", f"has more cells than the header, which has {width}.")
    return [(line + [""] * width)[:width] for line in lines]


def _cell(value: object) -> str:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    return shown(value) if isinstance(value, float) else str(value).strip()


def _lines(content: bytes | str) -> Iterable[Sequence[object]]:
    """The lines of a file, whose kind its first bytes say, or of a pasted text."""
    if isinstance(content, bytes) and content.startswith(b"PK"):
        return _workbook(content)
    if isinstance(content, bytes) and content.startswith(b"PAR1"):
        return _parquet(content)
    return _text(content if isinstance(content, str) else _decoded(content))


def _decoded(content: bytes) -> str:
    for encoding in ("utf-16",) if content[:2] in (b"\xff\xfe", b"\xfe\xff") else ("utf-8-sig", "cp1252"):
        try:
            return content.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise ScenarioError("The table", NO_TABLE)


def _text(text: str) -> Iterable[Sequence[object]]:
    """The delimiter is the one that the header has most of; tabs, which a spreadsheet pastes, go first."""
    if "\x00" in text:
        raise ScenarioError("The table", NO_TABLE)
    lines = text.lstrip("\ufeff").strip("\r\n")
    delimiter = max(_DELIMITERS, key=lines.partition("\n")[0].count)
    try:
        yield from csv.reader(io.StringIO(lines, newline=""), delimiter=delimiter, strict=True)
    except csv.Error as error:
        raise ScenarioError("The table", f"cannot be read as rows and columns: {error}.") from None


def _workbook(content: bytes) -> Iterable[Sequence[object]]:
    import openpyxl

    try:
        with zipfile.ZipFile(io.BytesIO(content)) as parts:
            size = sum(part.file_size for part in parts.infolist())
        if size > MAX_WORKBOOK_BYTES:
            raise ScenarioError(
                "The workbook", f"unpacks to {size:,} bytes; at most {MAX_WORKBOOK_BYTES:,} are read."
            )
        book = openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=False)
        yield from book.worksheets[0].iter_rows(values_only=True)
    except ScenarioError:
        raise
    except Exception:  # of many kinds, from every part of a damaged archive
        raise ScenarioError("The workbook", "cannot be read; save it as XLSX or CSV again.") from None


def _parquet(content: bytes) -> Iterable[Sequence[object]]:
    from rtp.scenario.parquet import open_parquet

    table = open_parquet(io.BytesIO(content), MAX_TABLE_ROWS)
    yield table.names
    for batch in table.batches(MAX_TABLE_ROWS):
        yield from zip(*(column.to_pylist() for column in batch.columns), strict=True)


Result = TypeVar("Result")
MEMORY = 3 * 2**29  # bytes: a file of 200 MB takes a third of it


def read_apart(function: Callable[..., Result], *args: Any, memory: int = MEMORY, **options: Any) -> Result:
    """Return function(*args, **options), which reads what somebody sent; refuse in one sentence.

    `progress` and `still_wanted` are those of `WorkerPool.call`.
    """
    with WorkerPool(1, memory=memory) as alone:
        try:
            return alone.call(function, *args, **options)
        except (WorkerError, MemoryError):
            problem = f"is damaged, or needs more than the {memory // 2**20:,} MB of memory that it may have."
            raise ScenarioError("The file", f"cannot be read: it {problem}") from None
