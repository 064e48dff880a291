"""What a table says about a street: one line per house, or one per group.

A table of houses has the columns house, group, occupied and empty; one of groups has group, houses, and the
highest bounds, the lowest too where they are not 0. Columns are told by their names, in any order, with or
without a unit in brackets; others are refused, so that nothing is lost unseen. Every cell is read as
`rtp.scenario.typed` reads what people type: exactly, or refused in a sentence that names row and column.
"""

import re
from collections.abc import Callable, Mapping
from typing import TypeVar

from rtp.houses.cells import Cells, cells_of
from rtp.scenario import BOUNDS, MAX_GROUPS, MAX_LISTED, Bounds, House, Scenario, ScenarioError, edits
from rtp.scenario.houses import kept
from rtp.scenario.typed import parse

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
    if not kept(houses):
        raise ScenarioError("The table", "leaves every house out; at least one must stay.")
    named = _with_groups(scenario, list(dict.fromkeys(house.group for house in houses)))
    return edits.with_houses(named, houses)


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
    return edits.set_counts(named.replace(groups=tuple(groups)), counts)


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
