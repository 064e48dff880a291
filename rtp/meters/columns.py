"""Which column is what: told by the words of its name, and by its first cells where the name says nothing.

*Long*: a row for every house and time. *Wide*: a row for every time, a column for every house.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rtp.scenario import ScenarioError

UNITS = {"kWh": 1.0, "Wh": 1e-3, "kW": 1.0, "W": 1e-3}  # to kWh in an interval, or to kW
ENERGY = ("kWh", "Wh")
MAX_HOUSES = 20_000

TIME = {
    "time",
    "timestamp",
    "datetime",
    "date",
    "tstp",
    "stamp",
    "start",
    "zeit",
    "zeitstempel",
    "datum",
    "utc",
}
HOUSE = {
    *("house", "household", "houses", "home", "dwelling", "building", "haus", "site", "customer", "user"),
    *("id", "meter", "lclid", "nmi", "mpan", "device", "dataid", "uuid", "houseid", "householdid", "meterid"),
}
OCCUPIED = {"occupied", "occupancy", "presence", "present"}
VALUE = {
    *("energy", "power", "consumption", "usage", "use", "used", "load", "demand", "value", "reading"),
    *("readings", "kwh", "wh", "kw", "w", "watt", "watts", "verbrauch", "leistung"),
}
WORD_OF_UNIT = {"kwh": "kWh", "wh": "Wh", "kw": "kW", "w": "W", "watt": "W", "watts": "W"}
MOMENT = re.compile(r"^\d{4}-\d\d?-\d\d?|^\d\d?[./-]\d\d?[./-]\d{2,4}\b|^\d{4}/\d\d?/\d\d?|^\d{10}(\d{3})?$")
NUMBER = re.compile(r"^[-+]?[\d.,]+([eE][-+]?\d+)?$")


@dataclass(frozen=True)
class Columns:
    """Positions of columns; `house` is None in a wide table, whose `values` are its houses."""

    names: tuple[str, ...]
    time: int
    house: int | None
    values: tuple[int, ...]
    occupied: int | None
    unit: str | None  # where the names say it

    @property
    def wanted(self) -> tuple[int, ...]:
        return tuple(i for i in (self.time, self.house, *self.values, self.occupied) if i is not None)


def assign(names: Sequence[str], first_rows: Sequence[Sequence[str]]) -> Columns:
    """From the header and a few rows of text."""
    if len(names) < 2:
        raise ScenarioError(
            "The table", "has one column; it needs times and readings, in columns of their own."
        )
    if any(MOMENT.match(name) for name in names):
        raise ScenarioError("The first line", "holds readings; it must name the columns.")
    cells = [
        [row[i].strip() for row in first_rows if i < len(row) and row[i].strip()] for i in range(len(names))
    ]
    words = [_words(name) for name in names]
    time = _first([i for i, w in enumerate(words) if w & TIME and _like(MOMENT, cells[i])])
    if time is None:
        time = _first([i for i in range(len(names)) if cells[i] and _like(MOMENT, cells[i])])
    if time is None:
        raise ScenarioError("The table", f"has no column of times among {_listed(names)}.")
    rest = [i for i in range(len(names)) if i != time]
    occupied = _first([i for i in rest if words[i] & OCCUPIED])
    rest = [i for i in rest if i != occupied]
    house = _house(rest, words, cells)
    if house is None:
        return _wide(names, time, occupied, rest, words)
    rest = [i for i in rest if i != house]
    value = _first([i for i in rest if words[i] & VALUE]) if len(rest) != 1 else rest[0]
    if value is None:
        raise ScenarioError(
            "The table", f"has no column of readings among {_listed(names)}; name it kWh, kW or W."
        )
    return Columns(tuple(names), time, house, (value,), occupied, _unit([words[value]]))


def _house(rest: list[int], words: list[set[str]], cells: list[list[str]]) -> int | None:
    """The column of house names in a long table: named so, or the only one with text in it."""
    if len(rest) < 2:
        return None
    named = [i for i in rest if words[i] & HOUSE and not words[i] & VALUE]
    if len(named) == 1 or (named and len(named) < len(rest) and len(rest) <= 6):
        return named[0]
    texts = [i for i in rest if cells[i] and not any(NUMBER.match(cell) for cell in cells[i])]
    return texts[0] if len(texts) == 1 and len(rest) <= 6 else None


def _wide(
    names: Sequence[str], time: int, occupied: int | None, rest: list[int], words: list[set[str]]
) -> Columns:
    if occupied is not None and len(rest) > 1:
        raise ScenarioError(
            names[occupied], "says who is at home, but of which house? Give a row per house and time."
        )
    if len(rest) > MAX_HOUSES:
        raise ScenarioError(
            "The table", f"has {len(rest):,} houses; at most {MAX_HOUSES:,} are read at once."
        )
    seen: set[str] = set()
    for i in rest:
        if names[i].strip() in seen:
            raise ScenarioError(
                "The table", f"has two columns for the house {names[i]!r}; give each its own name."
            )
        seen.add(names[i].strip())
    if not rest:
        raise ScenarioError("The table", "has no column of readings beside the times.")
    return Columns(tuple(names), time, None, tuple(rest), occupied, _unit([words[i] for i in rest]))


def _unit(words: list[set[str]]) -> str | None:
    """The unit that all names agree on."""
    units = {tuple(sorted({WORD_OF_UNIT[w] for w in each if w in WORD_OF_UNIT})) for each in words}
    only = units.pop() if len(units) == 1 else ()
    return only[0] if len(only) == 1 else None


def _words(name: str) -> set[str]:
    """In small letters; houseId is also house and Id, and kWh stays one word."""
    whole = set(re.findall(r"[a-zäöü]+", name.lower()))
    parts = re.findall(r"[a-zäöü]+", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower())
    return whole | {part for part in parts if part not in WORD_OF_UNIT}


def _like(pattern: re.Pattern[str], cells: list[str]) -> bool:
    return 2 * sum(pattern.match(cell) is not None for cell in cells) >= len(cells)


def _first(found: list[int]) -> int | None:
    return found[0] if found else None


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(repr(name[:30]) for name in names[:6])
    return shown if len(names) <= 6 else f"{shown} and {len(names) - 6:,} more"
