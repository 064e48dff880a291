"""Tables of houses: read from whatever a spreadsheet gives, and written again.

A table of houses has the columns house, group, occupied and empty; one of groups has group, houses, peak and
standby, which are the highest bounds; the lowest are half of them, unless two more columns say otherwise.
Columns are recognised by their names, in any order; others are refused, so that nothing is lost unseen.
A bound's name may say its unit, `occupied (W)` or `empty_MW`: it is read in kilowatts, and a unit that is no
power is refused. Groups may also say what a house uses in a year, or in a month. A table of houses names
groups that the scenario has; only a table of groups defines new ones, so that a misspelt name makes none.
Which habits a new group has must be said: those of a flat, a house or a shop, or of a group that there is.

Its cells (`spreadsheet`) are read as `rtp.scenario.typed` reads what people type: exactly, or refused in a
sentence that names row and column.
"""

import re
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
YEARLY, MONTHLY = "yearly_kwh", "monthly_kwh"
HOUSE_COLUMNS = ("house", "group", "occupied", "empty")
GROUP_COLUMNS = ("group", "houses", "occupied_max", "empty_max")
# Every column, as the screen calls it, and as others do.
_CALLED = {
    "house": "house, name",
    "group": "group",
    "occupied": "occupied, occupied bound",
    "empty": "empty, empty bound",
    "left_out": "left out",
    "houses": "houses, count, connections",
    "occupied_max": "peak, peak to, occupied max, occupied highest",
    "occupied_min": "peak from, occupied min, occupied lowest",
    "empty_max": "standby, standby to, empty max, empty highest",
    "empty_min": "standby from, empty min, empty lowest",
    YEARLY: "kWh a year, kWh, kWh/year, kWh per year, yearly, yearly kWh, yearly use, annual kWh",
    MONTHLY: "kWh a month, kWh/month, kWh per month, monthly, monthly kWh",
    "habits": "habits, habits of",
    "hours": "hours, opening hours, open",
    "closed": "closed, closed days, closed on",
}
_TITLES = {column: called.partition(",")[0] for column, called in _CALLED.items()}
_COLUMNS = {
    title.replace(" ", "_").lower(): column
    for column, called in _CALLED.items()
    for title in called.split(", ")
}
_OWN = "lab_"  # begins the columns that the lab itself writes beside a table, to be ignored
_NOTHING = {"-", "–", "—"}  # as good as an empty cell
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
        A table of houses (house, group, occupied, empty) or of groups (group, houses, peak, standby): text
        with tabs, semicolons or commas, or the bytes of a CSV, XLSX or Parquet file.
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
    titles = dict(zip(columns, header, strict=True))
    rows = [
        _Row(number, {name: cell for name, cell in zip(columns, line, strict=True) if name}, titles, units)
        for number, line in enumerate(lines, start=2)
        if any(line)
    ]
    if set(HOUSE_COLUMNS) <= set(columns):
        return _with_houses(scenario, rows)
    if set(GROUP_COLUMNS) <= set(columns):
        return _with_groups(scenario, rows, habits)
    of_house, of_group = (
        ", ".join(map(_TITLES.__getitem__, each)) for each in (HOUSE_COLUMNS, GROUP_COLUMNS)
    )
    wanted = GROUP_COLUMNS if "houses" in columns else HOUSE_COLUMNS
    missing = ", ".join(_TITLES[name] for name in wanted if name not in columns)
    raise ScenarioError(
        "The table",
        f"lacks the column {missing}; one line per house needs {of_house}, one line per group {of_group}.",
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
        called, unit = _name_and_unit(title)
        name, problem = _COLUMNS.get(called, ""), ""
        if not name:
            problem = f"; known are {', '.join(_TITLES.values())}."
        elif name in names:
            problem = " again; each may stand once."
        elif name in POWERS and unit and not _power_unit(unit):
            problem = f"; its unit must be one of {', '.join(IN_KILOWATTS)}."
        if problem:
            raise ScenarioError(f"Column {number}", f"is {title[:40]!r}{problem}")
        if name in POWERS and unit:
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
    return "_".join(words).lower(), unit


def _power_unit(word: str) -> str:
    """W, kW or MW in any spelling but mW, a thousandth of a watt; empty where it is none of them."""
    return "" if word == "mW" else POWER_UNITS.get(word.lower().removesuffix("s"), "")


class _Row(NamedTuple):
    """A row of the table: its number, and its cells by column, which are read or refused."""

    number: int
    cells: dict[str, str]
    titles: dict[str, str]  # of the columns, as they were written
    units: dict[str, str]  # of the columns that say theirs

    def where(self, column: str) -> str:
        return f"Row {self.number}, column {self.titles.get(column, column)}"

    def said(self, column: str) -> str:
        """What stands in a column that need not be there, or need not say anything."""
        text = self.cells.get(column, "")
        return "" if text in _NOTHING else text

    def number_in(self, column: str, bounds: Bounds) -> float:
        text, where = self.said(column), self.where(column)
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
        text = self.said(column).lower()
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
    groups = {group.name: place for place, group in enumerate(scenario.groups) if group.name in named}
    return edit.with_houses(edit.of_groups(scenario, groups), list(houses.values()))


def _with_groups(scenario: Scenario, rows: list[_Row], habits: Mapping[str, str]) -> Scenario:
    names = [row.cells["group"] for row in rows]
    if len(names) > MAX_GROUPS:
        raise ScenarioError("The table", f"has {len(names)} groups; at most {MAX_GROUPS} are read.")
    for at, (row, name) in enumerate(zip(rows, names, strict=True)):
        if name in names[at + 1 :]:
            raise ScenarioError(row.where("group"), f"is {name!r} and stands twice; each may be used once.")
    whose = _whose(scenario, rows, habits)
    places = {group.name: place for place, group in enumerate(scenario.groups)}
    like = {name: places.get(whose[name], places.get(name, 0)) for name in names}
    street = edit.of_groups(scenario, like)
    counts = [int(row.number_in("houses", HOUSE_COUNT)) for row in rows]
    for g, (row, houses) in enumerate(zip(rows, counts, strict=True)):
        name, numbers = whose[row.cells["group"]], _limits(row, alone=houses == 1) | _yearly(row)
        try:
            street = _lived(street, g, row, name, known=name in places)
            group = street.groups[g].replace(**numbers)
        except ScenarioError as error:
            raise ScenarioError(row.where(error.path), error.problem) from None
        street = street.replace(groups=(*street.groups[:g], group, *street.groups[g + 1 :]))
    return edit.set_counts(street, counts)


def _whose(scenario: Scenario, rows: list[_Row], given: Mapping[str, str]) -> dict[str, str]:
    """Whose habits each group has, at first its own; asks for those of new groups that nobody has said."""
    known, offered = [group.name for group in scenario.groups], offers(scenario)
    by_word = {name.lower(): name for name in reversed(offered)} | {name: name for name in offered}
    said, missing = {}, {}
    for row in rows:
        name = row.cells["group"]
        whose = row.said("habits") or given.get(name, "") or (name if name in known else "")
        said[name] = by_word.get(whose) or by_word.get(whose.lower(), "")
        if whose and not said[name]:
            raise refusal(row.where("habits"), whose, f"be one of {', '.join(offered)}")
        if not whose:
            missing[name] = row
    if missing:
        name, row = next(iter(missing.items()))
        say = f"is {name!r}, a new group; say in a column habits whose it has: {', '.join(offered)}."
        raise NewGroups(row.where("group"), say, tuple(missing), offered)
    return said


def _lived(street: Scenario, g: int, row: _Row, whose: str, *, known: bool) -> Scenario:
    """The street where a group has those habits: of a group that is `known`, or by a word, with its hours."""
    hours, closed = row.said("hours"), row.said("closed")
    if whose != row.cells["group"]:
        street = edit.set_yearly(street, g, None)
    if known and not (hours or closed):
        return street
    return edit.set_habits(street, g, habit_words.habits_of(whose, hours, closed))


def _yearly(row: _Row) -> dict[str, float | None]:
    """What a house of the group uses in a year, where the table has a column for it."""
    for name, times in ((YEARLY, 1), (MONTHLY, MONTHS_A_YEAR)):
        if row.said(name):
            return {YEARLY: times * row.number_in(name, BOUNDS[YEARLY]), "law": None}
    return {YEARLY: None} if {YEARLY, MONTHLY} & row.cells.keys() else {}


def _limits(row: _Row, *, alone: bool) -> dict[str, float | None]:
    """The range within which a group's houses vary: from half to all of the highest, unless the table says
    from where; one alone has what is stated. From nothing on, a fuse of 3 kW would give flats of 0.07 kW."""
    limits: dict[str, float | None] = {}
    for state in ("occupied", "empty"):
        lowest, highest = f"{state}_min", f"{state}_max"
        most = limits[highest] = row.number_in(highest, BOUNDS[highest])
        stated = row.said(lowest)
        limits[lowest] = row.number_in(lowest, BOUNDS[lowest]) if stated else most * (1 if alone else 0.5)
    return limits
