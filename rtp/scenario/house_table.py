"""A table as its cells: from pasted text, CSV, XLSX or Parquet, and nothing is read into them.

Every cell stays what somebody wrote. A number in a workbook or a Parquet file becomes the shortest text that
means the same number; a formula stays a formula, which nobody here computes. Sizes are limited before
anything is unpacked, and a workbook or Parquet file says its own size first.

What a table says about a street: one line per house, or one per group.

A table of houses has the columns house, group, occupied and empty; one of groups has group, houses, and the
highest bounds, the lowest too where they are not 0. Columns are told by their names, in any order, with or
without a unit in brackets; others are refused, so that nothing is lost unseen. Every cell is read as
`rtp.scenario.typed` reads what people type: exactly, or refused in a sentence that names row and column.

The street as a table that `read_table` reads again.
"""

import csv
import io
import math
import re
import zipfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from rtp.scenario import edit
from rtp.scenario.consumption import MAX_LISTED, House, included
from rtp.scenario.model import Scenario
from rtp.scenario.typed import parse, shown
from rtp.scenario.units import column
from rtp.scenario.validation import BOUNDS, MAX_GROUPS, Bounds, ScenarioError

if TYPE_CHECKING:
    import pandas as pd


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


HOUSE_COLUMNS = ("house", "group", "occupied", "empty")
GROUP_COLUMNS = ("group", "houses", "occupied_max", "empty_max")
OPTIONAL = {"left_out": "no", "occupied_min": "0", "empty_min": "0"}
ALIASES = {
    "name": "house",
    "occupied_bound": "occupied",
    "empty_bound": "empty",
    "count": "houses",
    "occupied_highest": "occupied_max",
    "empty_highest": "empty_max",
    "occupied_lowest": "occupied_min",
    "empty_lowest": "empty_min",
}
COUNT = Bounds(0, int(BOUNDS["households"].high), "Houses")
YES, NO = {"yes", "y", "true", "1", "x"}, {"no", "n", "false", "0", ""}
IGNORED = ("lab_version", "lab_scenario", "lab_seed", "lab_date")  # what the lab itself writes beside a table

Value = TypeVar("Value")


def read_table(scenario: Scenario, content: bytes | str) -> Scenario:
    """The scenario with the street that a table describes; refuses in one sentence."""
    cells = cells_of(content)
    columns = _columns(cells)
    if set(HOUSE_COLUMNS) <= set(columns):
        return _houses(scenario, cells, columns)
    if set(GROUP_COLUMNS) <= set(columns):
        return _groups(scenario, cells, columns)
    wanted = GROUP_COLUMNS if "houses" in columns else HOUSE_COLUMNS
    missing = [name for name in wanted if name not in columns]
    raise ScenarioError(
        "The table",
        f"lacks the column {', '.join(missing)}; one line per house needs {', '.join(HOUSE_COLUMNS)}, one "
        f"line per group {', '.join(GROUP_COLUMNS)}.",
    )


def _columns(cells: Cells) -> dict[str, int]:
    """Each known column's place; refuses one that is doubled or unknown."""
    found: dict[str, int] = {}
    for place, title in enumerate(cells.header):
        name = _column(title)
        if name in IGNORED:
            continue
        if name not in (*HOUSE_COLUMNS, *GROUP_COLUMNS, *OPTIONAL):
            known = ", ".join(dict.fromkeys((*HOUSE_COLUMNS, *GROUP_COLUMNS, *OPTIONAL)))
            raise ScenarioError(f"Column {place + 1}", f"is {title[:40]!r}; known are {known}.")
        if name in found:
            raise ScenarioError(f"Column {place + 1}", f"is {title[:40]!r} again; each may stand once.")
        found[name] = place
    return found


def _column(title: str) -> str:
    """Without a unit, as in `occupied (kW)` or `occupied_kW`, and without capitals."""
    bare = re.sub(r"[\(\[].*$", "", title).strip().lower()
    bare = re.sub(r"[\s\-]+", "_", bare).removesuffix("_kw")
    return ALIASES.get(bare, bare)


class _Row:
    """A row of the table, whose cells are read or refused by their names."""

    def __init__(self, number: int, cells: list[str], columns: Mapping[str, int]) -> None:
        self.number, self.cells, self.columns = number, cells, columns

    def text(self, column: str) -> str:
        return self.cells[self.columns[column]] if column in self.columns else OPTIONAL[column]

    def where(self, column: str) -> str:
        return f"Row {self.number}, column {column}"

    def number_in(self, column: str, bounds: Bounds) -> float:
        text = self.text(column)
        if not text:
            raise ScenarioError(self.where(column), "is empty; it needs a number.")
        if text.startswith("="):
            raise ScenarioError(self.where(column), "holds a formula; paste its value.")
        return self._told(column, lambda: parse(text, bounds._replace(words=self.where(column))))

    def flag(self, column: str) -> bool:
        text = self.text(column).lower()
        if text not in YES | NO:
            raise ScenarioError(self.where(column), f"is {text[:40]!r}; it must be yes or no.")
        return text in YES

    def _told(self, column: str, read: Callable[[], Value]) -> Value:
        try:
            return read()
        except ScenarioError as error:
            raise ScenarioError(
                self.where(column), error.problem.replace("stays as it was: ", "is not read: ")
            ) from None

    def house(self) -> House:
        occupied = self.number_in("occupied", BOUNDS["occupied_bound"])
        empty = self.number_in("empty", BOUNDS["empty_bound"])
        left_out = self.flag("left_out")
        try:
            return House(
                name=self.text("house"),
                group=self.text("group"),
                occupied=float(occupied),
                empty=float(empty),
                left_out=left_out,
            )
        except ScenarioError as error:
            column = {"name": "house"}.get(error.path, error.path)
            raise ScenarioError(self.where(column), error.problem) from None


def _rows(cells: Cells, columns: Mapping[str, int]) -> list[_Row]:
    return [_Row(cells.first + i, row, columns) for i, row in enumerate(cells.rows) if any(row)]


def _houses(scenario: Scenario, cells: Cells, columns: Mapping[str, int]) -> Scenario:
    rows = _rows(cells, columns)
    if len(rows) > MAX_LISTED:
        raise ScenarioError(
            "The table",
            f"has {len(rows):,} houses; at most {MAX_LISTED:,} are listed one by one. Describe a longer "
            "street by its groups.",
        )
    houses, seen = [], dict[str, int]()
    for row in rows:
        house = row.house()
        if house.name in seen:
            raise ScenarioError(
                row.where("house"), f"is {house.name!r}, as in row {seen[house.name]}; each may be used once."
            )
        seen[house.name] = row.number
        houses.append(house)
    if not included(houses):
        raise ScenarioError("The table", "leaves every house out; at least one must stay.")
    named = _with_groups(scenario, list(dict.fromkeys(house.group for house in houses)))
    return edit.with_houses(named, houses)


def _groups(scenario: Scenario, cells: Cells, columns: Mapping[str, int]) -> Scenario:
    rows = _rows(cells, columns)
    names = [row.text("group") for row in rows]
    for row, name in zip(rows, names, strict=True):
        if names.count(name) > 1:
            raise ScenarioError(row.where("group"), f"is {name!r} and stands twice; each may be used once.")
    named = _with_groups(scenario.replace(houses=None), names)
    groups, counts = [], []
    for group in named.groups:
        row = rows[names.index(group.name)]
        limits = {
            name: float(row.number_in(name, BOUNDS[name]))
            for name in ("occupied_min", "occupied_max", "empty_min", "empty_max")
        }
        counts.append(int(row.number_in("houses", COUNT)))
        try:
            groups.append(group.replace(**limits))
        except ScenarioError as error:
            raise ScenarioError(row.where(error.path), error.problem) from None
    return edit.set_counts(named.replace(groups=tuple(groups)), counts)


def _with_groups(scenario: Scenario, names: list[str]) -> Scenario:
    """The groups of a table: those the scenario has keep their order and habits, new ones follow with the
    habits of the scenario's first group."""
    if len(names) > MAX_GROUPS:
        raise ScenarioError("The table", f"has {len(names)} groups; at most {MAX_GROUPS} are read.")
    known = {group.name: index for index, group in enumerate(scenario.groups)}
    names = sorted(names, key=lambda name: known.get(name, MAX_GROUPS))
    like = [known.get(name, 0) for name in names]
    share = 1 / len(names)
    return scenario.replace(
        houses=None,
        groups=tuple(
            scenario.groups[index].replace(name=name, share=share)
            for index, name in zip(like, names, strict=True)
        ),
        models=tuple(
            model.replace(habits=tuple(model.habits[index] for index in like)) for model in scenario.models
        ),
    )


def house_frame(scenario: Scenario, houses: tuple[House, ...]) -> "pd.DataFrame":
    import pandas as pd

    return pd.DataFrame(
        {
            "house": [house.name for house in houses],
            "group": [house.group for house in houses],
            column("occupied", scenario, "power"): [house.occupied for house in houses],
            column("empty", scenario, "power"): [house.empty for house in houses],
            "left_out": ["yes" if house.left_out else "no" for house in houses],
        }
    )
