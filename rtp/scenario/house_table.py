"""Tables of houses: read from whatever a spreadsheet gives, and written again.

A table of houses has the columns house, group, occupied and empty; one of groups has group, houses, and the
highest bounds; the lowest are half of them, unless two more columns say otherwise. Columns are recognised by
their names, in any order, also as the screen calls them; others are refused, so that nothing is lost unseen.
A bound's name may say its unit, `occupied (W)` or `empty_MW`: it is read in kilowatts, and a unit that is no
power is refused. Groups may also say what a house uses in a year, or in a month. A table of houses names
groups that the scenario has; only a table of groups defines new ones, so that a misspelt name makes none.
Which habits a new group has must be said: those of a flat, a house or a shop, or of a group that there is.

Its cells (`spreadsheet`) are read as `rtp.scenario.typed` reads what people type: exactly, or refused in a
sentence that names row and column.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from rtp.core.types import Frame, data_frame
from rtp.scenario import edit, habit_words
from rtp.scenario.consumption import MAX_LISTED, MONTHS_A_YEAR, House, included
from rtp.scenario.model import Scenario
from rtp.scenario.spreadsheet import cells
from rtp.scenario.typed import parse, parse_count
from rtp.scenario.units import column
from rtp.scenario.validation import BOUNDS, MAX_GROUPS, Bounds, ScenarioError, refusal

NO_HABITS: Mapping[str, str] = MappingProxyType({})
HOUSE_COLUMNS = ("house", "group", "occupied", "empty")
GROUP_COLUMNS = ("group", "houses", "occupied_max", "empty_max")
OPTIONAL = {"left_out": "no"}
YEARLY, MONTHLY, _HABITS, _HOURS, _CLOSED = "yearly_kwh", "monthly_kwh", "habits", "hours", "closed"
OF_GROUPS = ("occupied_min", "empty_min", YEARLY, MONTHLY, _HABITS, _HOURS, _CLOSED)  # that need not be there
_COLUMNS = tuple(dict.fromkeys((*HOUSE_COLUMNS, *GROUP_COLUMNS, *OPTIONAL, *OF_GROUPS)))
_OWN = "lab_"  # begins the columns that the lab itself writes beside a table, to be ignored
ALIASES = {
    "name": "house",
    "occupied_bound": "occupied",
    "empty_bound": "empty",
    "count": "houses",
    "occupied_highest": "occupied_max",
    "empty_highest": "empty_max",
    "occupied_lowest": "occupied_min",
    "empty_lowest": "empty_min",
    # as the screen calls them
    "peak_from": "occupied_min",
    "peak_to": "occupied_max",
    "standby_from": "empty_min",
    "standby_to": "empty_max",
    **dict.fromkeys(("kwh_a_year", "kwh/year", "kwh_per_year", "yearly"), YEARLY),
    **dict.fromkeys(("kwh_a_month", "kwh/month", "kwh_per_month", "monthly"), MONTHLY),
    "habits_of": _HABITS,
    "opening_hours": _HOURS,
    "open": _HOURS,
    "closed_days": _CLOSED,
    "closed_on": _CLOSED,
    "connections": "houses",
    "peak": "occupied_max",
    "standby": "empty_max",
    **dict.fromkeys(("kwh", "yearly_use", "annual_kwh"), YEARLY),
}
POWERS = ("occupied", "empty", "occupied_min", "occupied_max", "empty_min", "empty_max")
# What is written in this unit times the first number, divided by the second, is in kilowatts.
IN_KILOWATTS = {"W": (1, 1000), "kW": (1, 1), "MW": (1000, 1)}
POWER_UNITS = {"w": "W", "kw": "kW", "mw": "MW", "watt": "W", "kilowatt": "kW", "megawatt": "MW"}
HOUSE_COUNT = Bounds(0, int(BOUNDS["households"].high), "Houses")
_YES, _NO = {"yes", "y", "true", "1", "x"}, {"no", "n", "false", "0", ""}


def house_frame(scenario: Scenario, houses: Sequence[House]) -> Frame:
    """The houses as a table that `read_table` reads again."""
    return data_frame(
        {
            "house": [house.name for house in houses],
            "group": [house.group for house in houses],
            column("occupied", scenario, "power"): [house.occupied for house in houses],
            column("empty", scenario, "power"): [house.empty for house in houses],
            "left_out": ["yes" if house.left_out else "no" for house in houses],
        }
    )


class NewGroups(ScenarioError):
    """A table has groups of which nobody has said which habits they have."""

    def __init__(self, path: str, problem: str, names: Sequence[str], offered: Sequence[str]) -> None:
        super().__init__(path, problem)
        self.args = (path, problem, names, offered)  # what a process passes on
        self.names, self.offered = tuple(names), tuple(offered)


def offers(scenario: Scenario) -> tuple[str, ...]:
    """Whose habits a new group can have: what it may be, then the groups that there are."""
    groups = [group.name for group in scenario.groups]
    return (*(name for name in habit_words.offered() if name not in groups), *groups)


def read_table(scenario: Scenario, content: bytes | str, habits: Mapping[str, str] = NO_HABITS) -> Scenario:
    r"""Return the scenario with the street that a table describes.

    Parameters
    ----------
    scenario : Scenario
        What the table does not say.
    content : bytes or str
        A table of houses (house, group, occupied, empty) or of groups (group, houses, occupied_max,
        empty_max): text with tabs, semicolons or commas, or the bytes of a CSV, XLSX or Parquet file.
    habits : mapping of str to str
        Whose habits a new group has, where the table does not say it; `NewGroups` asks for them.

    Returns
    -------
    Scenario

    Raises
    ------
    ScenarioError
        In one sentence, which names the row and the column.

    Examples
    --------
    >>> import rtp
    >>> table = "house,group,occupied,empty\nMill Lane 1,Households,0.9,0.1\nQuay 2,Households,0.4,0.1\n"
    >>> rtp.read_table(rtp.Scenario(), table).households
    2
    """
    header, *lines = cells(content)
    columns, units = _columns(header)
    if "houses" in columns and "group" not in columns:  # a group's name is no house's
        columns = ["group" if name == "house" else name for name in columns]
    rows = [
        _Row(number, OPTIONAL | {name: cell for name, cell in zip(columns, line, strict=True) if name}, units)
        for number, line in enumerate(lines, start=2)
        if any(line)
    ]
    if set(HOUSE_COLUMNS) <= set(columns):
        return _with_houses(scenario, rows)
    if set(GROUP_COLUMNS) <= set(columns):
        return _with_groups(scenario, rows, habits)
    wanted = GROUP_COLUMNS if "houses" in columns else HOUSE_COLUMNS
    missing = [name for name in wanted if name not in columns]
    raise ScenarioError(
        "The table",
        f"lacks the column {', '.join(missing)}; one line per house needs {', '.join(HOUSE_COLUMNS)}, one "
        f"line per group {', '.join(GROUP_COLUMNS)}.",
    )


def _columns(header: list[str]) -> tuple[list[str], dict[str, str]]:
    """The name of each column, empty where it is ignored, and the units that are given; refuses one that is
    unknown or doubled."""
    names: list[str] = []
    units: dict[str, str] = {}
    for number, title in enumerate(header, start=1):
        if title.startswith(_OWN):
            names.append("")
            continue
        name, unit = _name_and_unit(title)
        if name not in _COLUMNS:
            raise ScenarioError(f"Column {number}", f"is {title[:40]!r}; known are {', '.join(_COLUMNS)}.")
        if name in names:
            raise ScenarioError(f"Column {number}", f"is {title[:40]!r} again; each may stand once.")
        if name in POWERS and unit:
            if not _power_unit(unit):
                known = ", ".join(IN_KILOWATTS)
                raise ScenarioError(
                    f"Column {number}", f"is {title[:40]!r}; its unit must be one of {known}."
                )
            units[name] = _power_unit(unit)
        names.append(name)
    return names, units


def _name_and_unit(title: str) -> tuple[str, str]:
    """A column's name without capitals, and the unit in brackets or after it, as in `occupied_kW`."""
    bare, bracket, unit = re.sub(r"[\[{]", "(", title).partition("(")
    words = re.split(r"[\s_-]+", bare.strip())
    if bracket:
        unit = unit.rstrip(")]}").strip()
    elif _power_unit(words[-1]):
        unit = words.pop()
    name = "_".join(words).lower()
    return ALIASES.get(name, name), unit


def _power_unit(word: str) -> str:
    """W, kW or MW in any spelling but mW, a thousandth of a watt; empty where it is none of them."""
    return "" if word == "mW" else POWER_UNITS.get(word.lower().removesuffix("s"), "")


class _Row(NamedTuple):
    """A row of the table: its number, and its cells by column, which are read or refused."""

    number: int
    cells: dict[str, str]
    units: dict[str, str]  # of the columns that say theirs

    def where(self, column: str) -> str:
        return f"Row {self.number}, column {column}"

    def number_in(self, column: str, bounds: Bounds) -> float:
        text, where = self.cells[column], self.where(column)
        if not text:
            raise ScenarioError(where, "is empty; it needs a number.")
        read = parse_count if column in (YEARLY, MONTHLY, "houses") else parse
        if text.startswith("="):
            raise ScenarioError(where, "holds a formula; paste its value.")
        times, per = IN_KILOWATTS[self.units.get(column, "kW")]
        if times != per:
            bounds = bounds._replace(low=bounds.low * per / times, high=bounds.high * per / times)
        try:
            return read(text, bounds) * times / per
        except ScenarioError as error:
            problem = error.problem.replace("stays as it was: ", "is not read: ")
            raise ScenarioError(where, problem) from None

    def flag(self, column: str) -> bool:
        text = self.cells[column].lower()
        if text not in _YES | _NO:
            raise ScenarioError(self.where(column), f"is {text[:40]!r}; it must be yes or no.")
        return text in _YES

    def house(self) -> House:
        occupied = self.number_in("occupied", BOUNDS["occupied_bound"])
        empty = self.number_in("empty", BOUNDS["empty_bound"])
        left_out = self.flag("left_out")
        name, group = self.cells["house"], self.cells["group"]
        try:
            return House(name=name, group=group, occupied=occupied, empty=empty, left_out=left_out)
        except ScenarioError as error:
            where = self.where("house" if error.path == "name" else error.path)
            raise ScenarioError(where, error.problem) from None


def _with_houses(scenario: Scenario, rows: list[_Row]) -> Scenario:
    if len(rows) > MAX_LISTED:
        raise ScenarioError(
            "The table",
            f"has {len(rows):,} houses; at most {MAX_LISTED:,} are listed one by one. Describe a longer "
            "street by its groups.",
        )
    houses: dict[str, House] = {}
    first_rows: dict[str, _Row] = {}
    for row in rows:
        house = row.house()
        if house.name in houses:
            raise ScenarioError(
                row.where("house"),
                f"is {house.name!r}, as in row {first_rows[house.name].number}; each may be used once.",
            )
        houses[house.name], first_rows[house.name] = house, row
    if not included(list(houses.values())):
        raise ScenarioError("The table", "leaves every house out; at least one must stay.")
    known = [group.name for group in scenario.groups]
    for house in houses.values():
        if house.group not in known:
            where, must = first_rows[house.name].where("group"), f"it must be one of {', '.join(known)}."
            raise ScenarioError(where, f"is {house.group!r}; {must} A table of groups defines new ones.")
    named = {house.group for house in houses.values()}
    groups = [group.name for group in scenario.groups if group.name in named]
    return edit.with_houses(_regrouped(scenario, groups), list(houses.values()))


def _with_groups(scenario: Scenario, rows: list[_Row], habits: Mapping[str, str]) -> Scenario:
    names = [row.cells["group"] for row in rows]
    if len(names) > MAX_GROUPS:
        raise ScenarioError("The table", f"has {len(names)} groups; at most {MAX_GROUPS} are read.")
    uses = Counter(names)
    for row, name in zip(rows, names, strict=True):
        if uses[name] > 1:
            raise ScenarioError(row.where("group"), f"is {name!r} and stands twice; each may be used once.")
    said = _habits(scenario, rows, habits)
    street = _regrouped(scenario, names, said, {row.cells["group"]: row for row in rows})
    groups, counts = [], []
    for group in street.groups:
        row = rows[names.index(group.name)]
        counts.append(int(row.number_in("houses", HOUSE_COUNT)))
        limits, yearly = _limits(row, alone=counts[-1] == 1), _yearly(row)
        try:
            groups.append(group.replace(**limits, **yearly))
        except ScenarioError as error:
            raise ScenarioError(row.where(error.path), error.problem) from None
    return edit.set_counts(street.replace(groups=tuple(groups)), counts)


def _habits(scenario: Scenario, rows: list[_Row], given: Mapping[str, str]) -> dict[str, str]:
    """Whose habits each group has, at first its own; asks for those of new groups that nobody has said."""
    known, offered = [group.name for group in scenario.groups], offers(scenario)
    said, missing = {}, {}
    for row in rows:
        name = row.cells["group"]
        said[name] = row.cells.get(_HABITS, "") or given.get(name, "") or (name if name in known else "")
        if not said[name]:
            missing[name] = row
        elif said[name] not in offered:
            raise refusal(row.where(_HABITS), said[name], f"be one of {', '.join(offered)}")
    if missing:
        name, row = next(iter(missing.items()))
        say = f"is {name!r}, a new group; say in a column habits whose it has: {', '.join(offered)}."
        raise NewGroups(row.where("group"), say, tuple(missing), offered)
    return said


def _yearly(row: _Row) -> dict[str, float | None]:
    """What a house of the group uses in a year, where the table has a column for it."""
    for name, times in ((YEARLY, 1), (MONTHLY, MONTHS_A_YEAR)):
        if row.cells.get(name):
            return {YEARLY: times * row.number_in(name, BOUNDS[YEARLY]), "law": None}
    return {YEARLY: None} if {YEARLY, MONTHLY} & row.cells.keys() else {}


def _limits(row: _Row, *, alone: bool) -> dict[str, float]:
    """The range within which a group's houses vary: from half to all of the highest, unless the table says
    from where; one alone has what is stated. From nothing on, a fuse of 3 kW would give flats of 0.07 kW."""
    limits = {}
    for state in ("occupied", "empty"):
        lowest, highest = f"{state}_min", f"{state}_max"
        limits[highest] = row.number_in(highest, BOUNDS[highest])
        stated = lowest in row.cells
        limits[lowest] = (
            row.number_in(lowest, BOUNDS[lowest]) if stated else limits[highest] * (1 if alone else 0.5)
        )
    return limits


def _regrouped(
    scenario: Scenario,
    names: list[str],
    habits: Mapping[str, str] = NO_HABITS,
    rows: "Mapping[str, _Row] | None" = None,
) -> Scenario:
    """The scenario with the groups of a table, in its order, each with the habits that were said, at first
    its own. Its other groups are gone."""
    places = {group.name: index for index, group in enumerate(scenario.groups)}
    whose = {name: habits.get(name, name) for name in names}
    street = edit.of_groups(scenario, {name: places.get(whose[name], places.get(name, 0)) for name in names})
    for g, name in enumerate(names):
        if whose[name] != name:
            street = edit.set_yearly(street, g, None)
        row = (rows or {}).get(name)
        hours, closed = ("", "") if row is None else (row.cells.get(each, "") for each in (_HOURS, _CLOSED))
        if whose[name] not in places or (whose[name] in habit_words.BUSINESSES and (hours or closed)):
            try:
                street = edit.set_habits(street, g, habit_words.habits_of(whose[name], hours, closed))
            except ScenarioError as error:
                raise ScenarioError(row.where(error.path) if row else error.path, error.problem) from None
        elif row is not None and (hours or closed):
            column = _HOURS if hours else _CLOSED
            words = ", ".join(habit_words.BUSINESSES)
            raise ScenarioError(row.where(column), f"needs habits by a word: {words}.")
    return street
