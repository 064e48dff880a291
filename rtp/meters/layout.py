"""Which column of a table of readings holds what, from the words of its name and its first cells.

*Long*: a row for every house and time. *Wide*: a row for every time, a column for every house. *By day*: a
row for every house and day, a column for every time of day. The time may
stand in one column, or as a date and a clock (or the hour 1 to 24 of a Spanish bill) in two; it may be that
of the interval's beginning or of its end. What is recognised and is no house's use (a total, a temperature, a
price, energy that is exported) is left out by name; a layout that is not understood is refused by name.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from rtp.meters.dialect import AS_TABLE, DATE_ALONE, MOMENT, TIME_OF_DAY, refuse_columns
from rtp.meters.readings import MINUTES_PER_DAY
from rtp.scenario import ScenarioError

UNITS = {"kWh": 1.0, "Wh": 1e-3, "MWh": 1e3, "kW": 1.0, "W": 1e-3, "MW": 1e3}  # to kWh in an interval, or kW
ENERGY = ("kWh", "Wh", "MWh")
MAX_HOUSES = 20_000
SHORTEST_DAY = 23  # columns: an hour each, on the day that has one less

TIME = {
    *("time", "timestamp", "datetime", "date", "tstp", "stamp", "start", "zeit", "zeitstempel", "datum"),
    *("utc", "fecha", "from", "von", "beginn", "interval", "settlement", "end", "bis", "ende", "until", "to"),
}
END = {"end", "ending", "ended", "ends", "until", "to", "bis", "ende"}
CLOCK_WORDS = {"time", "zeit", "uhrzeit", "hora", "hour", "stunde", "start", "von", "end", "bis", "clock"}
CLOCK_WORDS |= {"period", "periodo"}
HOUSE_WORDS = {
    *("house", "household", "houses", "home", "dwelling", "building", "haus", "site", "customer", "user"),
    *("id", "meter", "lclid", "nmi", "mpan", "device", "dataid", "uuid", "houseid", "householdid", "meterid"),
    *("cups", "zähler", "zaehler", "zählpunkt", "serial", "account", "premise", "pod", "ean", "flat"),
}
UNIT = {"unit", "units", "uom", "einheit", "unidad"}
OCCUPIED_WORDS = {"occupied", "occupancy", "presence", "present"}
POWER = {"power", "leistung", "potencia"}
VALUE = POWER | {
    *("energy", "consumption", "usage", "use", "used", "load", "demand", "value", "reading", "readings"),
    *("verbrauch", "consumo", "wert", "import", "imported", "bezug", "watt", "watts"),
}
EXPORT = {"export", "exported", "generation", "generated", "production", "produced", "feed", "feedin"}
EXPORT |= {"solar", "pv", "einspeisung", "surplus", "excedente", "lieferung"}
NO_HOUSE = {
    *("total", "sum", "sums", "aggregate", "aggregated", "gesamt", "summe", "feeder", "transformer"),
    *("temperature", "temp", "humidity", "weather", "wind", "rain", "irradiance", "radiation", "temperatur"),
    *("outdoor", "outside", "ambient", "celsius"),
    *("price", "tariff", "cost", "costs", "preis", "precio", "kosten", "charge", "rate"),
    *("voltage", "current", "intensity", "reactive", "frequency", "metering", "spannung"),
    *("weekday", "holiday", "month", "year", "season", "quality", "method", "metodo", "status", "flag"),
    *("notes", "note", "type", "units", "unit", "index", "unnamed"),
}
TOTALS = {"total", "totals", "sum", "sums", "aggregate", "gesamt", "summe", "feeder", "transformer"}
BESIDE_TOTALS = {"of", "the", "all", "grand", "house", "houses", "household", "households", "home", "homes"}
BESIDE_TOTALS |= {"meter", "meters", "street", "use", "usage", "consumption", "load", "demand", "kwh", "kw"}
UNIT_WORDS = {unit.lower(): unit for unit in UNITS}
for _spelled, _letter in (("", ""), ("kilo", "k"), ("mega", "M")):
    UNIT_WORDS |= dict.fromkeys((f"{_spelled}watt", f"{_spelled}watts"), f"{_letter}W")
    UNIT_WORDS |= dict.fromkeys((f"{_spelled}watthour", f"{_spelled}watthours"), f"{_letter}Wh")
MILLIWATTS = re.compile(r"(?<![A-Za-z])mWh?(?![A-Za-z])")  # written as megawatts are, but for one letter
HOURS_OF_WATTS = re.compile(r"\b(kilo|mega)?watts?[\s_-]*hours?\b", re.IGNORECASE)
DATE = re.compile(
    r"^(\d{4}-\d\d?-\d\d?|\d\d?[./-]\d\d?[./-]\d{2,4}|\d{4}/\d\d?/\d\d?|\d{8})(\s+00:00(:00)?)?$"
)
HOUR_TEXT = re.compile(
    r"^(\d{1,4}|\d\d?:\d\d(:\d\d)?(\s*[ap]\.?m\.?)?(\s*[-–]\s*\d\d?:\d\d(:\d\d)?)?)$", re.IGNORECASE
)
SECONDS = re.compile(r"^\d{10}(\d{3})?$")  # since 1970, or thousandths of them
DIGITS = re.compile(r"^\d+$")
NUMBER = re.compile(r"^[-+]?[\d.,][\d.,'’\s]*([eE][-+]?\d+)?$")


@dataclass(frozen=True, kw_only=True)
class Layout:
    """Positions of columns; `house` is None in a wide table, whose `values` are its houses. Where `clocks`
    are given, `time` holds dates and `values` are the readings of one house from each of these times on."""

    names: tuple[str, ...]
    time: int
    house: int | None
    values: tuple[int, ...]
    units: tuple[str | None, ...]  # of each value, where its name says it
    unit: int | None  # the column that says it, row by row
    left_out: tuple[str, ...]  # columns of numbers that are no house's use
    clock: int | None = None  # where the time of day has a column of its own
    ends: bool = False  # whether the time is that of the interval's end
    occupied: int | None = None
    labels: tuple[int | None, ...] = ()  # in a wide table, who says of each of several houses who is at home
    clocks: tuple[str, ...] = ()  # the times of day at which the values of a row begin

    @property
    def texts(self) -> tuple[int, ...]:
        """The columns that are read as text."""
        every = (self.time, self.clock, self.house, self.unit, self.occupied, *self.labels)
        return tuple(i for i in every if i is not None)

    @property
    def says_who(self) -> bool:
        """Whether a column says who is at home."""
        return self.occupied is not None or bool(self.labels)

    @property
    def used(self) -> list[str]:
        """The columns that are read, by name: texts, then values."""
        return [self.names[i] for i in (*self.texts, *self.values)]

    def common_unit(self) -> tuple[str | None, list[float]]:
        """The unit that the columns' names say, and by what each column is multiplied to have it."""
        units = [unit for unit in self.units if unit]
        if len(set(units)) < 2:
            return next(iter(units), None), [1.0] * len(self.values)
        if None in self.units:
            raise ScenarioError("The table", "has columns in different units, and columns that say none.")
        return one_kind(set(units)), [UNITS[unit] for unit in units]

    @property
    def is_power(self) -> bool:
        """Whether the readings' name calls them a power, though no unit is given."""
        return len(self.values) == 1 and bool(_words(self.names[self.values[0]]) & POWER)


def assign(names: Sequence[str], first_rows: Sequence[Sequence[str]]) -> Layout:
    """The layout of a table, from its header and a few rows of text; refused in one sentence."""
    if len(names) < 2:
        problem = "has one column; it needs times and readings, in columns of their own."
        raise ScenarioError("The table", problem)
    if _are_readings(names):
        raise ScenarioError("The first line", "holds readings; it must name the columns.")
    cells = [
        [row[i].strip() for row in first_rows if i < len(row) and row[i].strip()] for i in range(len(names))
    ]
    words = [_words(name) for name in names]
    if not 0 < len(_clocks(names, words, cells)) <= 2:  # of the beginning and the end; more are readings
        refuse_columns(names, cells)
        if (by_day := _by_day(names, words, cells)) is not None:
            return by_day
    time, clock, ends = _times(names, words, cells)
    called_use = {i for i, w in enumerate(words) if (w & VALUE or _unit_in(names[i])) and not w & TIME}
    moments = {i for i in range(len(names)) if cells[i] and _is_moment(words[i], cells[i])} - called_use
    clocks = set() if clock is None else set(_clocks(names, words, cells))
    rest = [i for i in range(len(names)) if i not in moments | clocks | {time}]
    said = [i for i in rest if words[i] & OCCUPIED_WORDS]
    occupied = _first(said)
    unit = _first([i for i in rest if words[i] & UNIT and cells[i] and all(map(unit_named, cells[i]))])
    rest = [i for i in rest if i not in (occupied, unit)]
    house = _house([i for i in rest if i not in said], names, words, cells)
    rest = rest if house is not None else [i for i in rest if i not in said]
    rest = [i for i in rest if i != house]
    values = _houses(rest, words, cells) if house is None else _readings(rest, names, words)
    _must_hold(names, values, rest, house)
    labels = _labels(names, values, said) if house is None and said and len(values) > 1 else ()
    exported = [i for i in rest if words[i] & EXPORT]
    left_out = [i for i in rest if i not in values] if house is None else exported
    return Layout(
        names=tuple(names),
        time=time,
        clock=clock,
        ends=ends,
        house=house,
        values=tuple(values),
        units=_units([names[i] for i in values], wide=house is None),
        unit=unit,
        occupied=None if labels else occupied,
        left_out=tuple(names[i].strip() for i in left_out),
        labels=labels,
    )


def is_total(house: str) -> bool:
    """Whether a row's house is what all use together, as "Total" and "Sum of all houses" are."""
    words = _words(house)
    numbered = any(letter.isdigit() for letter in house)
    return bool(words & TOTALS) and words <= TOTALS | BESIDE_TOTALS and not numbered


def one_kind(units: set[str]) -> str:
    """kWh or kW, to which UNITS leads: they are all energies or all powers."""
    if len({unit in ENERGY for unit in units}) > 1:
        raise ScenarioError("The readings", f"are in {', '.join(sorted(units))}: energy and power are mixed.")
    return "kWh" if units & set(ENERGY) else "kW"


def unit_named(text: str) -> str | None:
    """The unit that a cell or a name in brackets says: `kWh`, `watt-hours`, `[MW]`."""
    return _unit_in(f"({text})")


def _by_day(names: Sequence[str], words: list[set[str]], cells: list[list[str]]) -> Layout | None:
    """The layout of a table with a row for every day, if it is one."""
    dated = [
        i
        for i, own in enumerate(cells)
        if own and all(map(DATE_ALONE.match, own)) and not words[i] & HOUSE_WORDS
    ]
    values = [i for i, name in enumerate(names) if TIME_OF_DAY.match(name) and i not in dated]
    if not dated or len(values) < SHORTEST_DAY:
        return None
    starts = _starts([names[i] for i in values])
    if starts is None:
        problem = f"has a row for every day and {len(values)} columns of times that do not part it evenly"
        raise ScenarioError("The table", f"{problem}; {AS_TABLE}")
    rest = [i for i in range(len(names)) if i not in (dated[0], *values)]
    unit = _first([i for i in rest if words[i] & UNIT and cells[i] and all(map(unit_named, cells[i]))])
    rest = [i for i in rest if i != unit]
    house = _house([*rest, values[0]], names, words, cells)
    numbers = [i for i in rest if i != house and cells[i] and all(map(NUMBER.match, cells[i]))]
    return Layout(
        names=tuple(names),
        time=dated[0],
        house=house,
        values=tuple(values),
        units=tuple(_unit_in(names[i]) for i in values),
        unit=unit,
        left_out=tuple(names[i].strip() for i in numbers),
        clocks=starts,
    )


def _starts(columns: list[str]) -> tuple[str, ...] | None:
    """The times of day at which columns begin that are called by them, or numbered; None where these do not
    part the day evenly."""
    step, odd = divmod(MINUTES_PER_DAY, len(columns))
    clocks = [re.search(r"(\d\d?):(\d\d)|(?<!\d)(\d\d)(\d\d)(?!\d)", name) for name in columns]
    if all(clocks):
        minutes = [60 * int(clock[1] or clock[3]) + int(clock[2] or clock[4]) for clock in clocks if clock]
        ends = minutes[0] == step and minutes[-1] in (0, MINUTES_PER_DAY)
        minutes = [(each - step * ends) % MINUTES_PER_DAY for each in minutes]
    else:
        numbers = [int(found[0]) for name in columns if (found := re.search(r"\d+", name))]
        minutes = [step * (number - min(numbers[0], 1)) for number in numbers]
    if odd or sorted(minutes) != list(range(0, MINUTES_PER_DAY, step)):
        return None
    return tuple(f"{each // 60:02d}:{each % 60:02d}" for each in minutes)


def _times(
    names: Sequence[str], words: list[set[str]], cells: list[list[str]]
) -> tuple[int, int | None, bool]:
    """(the column of times or dates, that of the clock if it has one, whether the interval ends then)."""
    named = [i for i, w in enumerate(words) if w & TIME and _like(MOMENT, cells[i])]
    others = [i for i in range(len(names)) if cells[i] and _is_moment(words[i], cells[i])]
    starts = [i for i in named if not words[i] & END]
    time = _first(starts or named or others)
    if time is None:
        raise ScenarioError("The table", f"has no column of times among {_listed(names)}.")
    if not _like(DATE, cells[time]) or len(set(cells[time])) == len(cells[time]) > 1:
        return time, None, bool(words[time] & END)
    clocks = [i for i in _clocks(names, words, cells) if i != time]
    starts = [i for i in clocks if not words[i] & END]
    clock = _first(starts or clocks)
    return time, clock, clock is not None and bool(words[clock] & END)


def _is_moment(words: set[str], cells: list[str]) -> bool:
    """Whether a column holds times. Digits alone are, under a house's name, its meter's number; a date under
    that of a time."""
    if not _like(MOMENT, cells) or words & TIME or not _like(DIGITS, cells):
        return _like(MOMENT, cells)
    return _like(SECONDS, cells) and not words & HOUSE_WORDS


def _are_readings(names: Sequence[str]) -> bool:
    """Whether a header has times or values in it. Houses may be called by ten or thirteen digits."""
    numbers = [name for name in names if NUMBER.match(name) and not SECONDS.match(name)]
    moments = [
        name for name in names if MOMENT.match(name) and (SECONDS.match(name) or not DIGITS.match(name))
    ]
    return any(not SECONDS.match(name) or numbers for name in moments) or len(moments) == len(names)


def _clocks(names: Sequence[str], words: list[set[str]], cells: list[list[str]]) -> list[int]:
    """Columns that say the time of day; one of kWh per hour does not."""
    named = [i for i, w in enumerate(words) if w & CLOCK_WORDS and not _unit_in(names[i])]
    return [i for i in named if _like(HOUR_TEXT, cells[i])]


def _house(
    rest: list[int], names: Sequence[str], words: list[set[str]], cells: list[list[str]]
) -> int | None:
    """The column of house names in a long table: named so, or the only one with text in it."""
    if len(rest) < 2:
        return None
    named = [i for i in rest if words[i] & HOUSE_WORDS and not words[i] & VALUE and not _unit_in(names[i])]
    if len(named) == 1 or (named and len(named) < len(rest) and len(rest) <= 8):
        return named[0]
    texts = [
        i
        for i in rest
        if cells[i] and not words[i] & NO_HOUSE and not any(NUMBER.match(cell) for cell in cells[i])
    ]
    return texts[0] if len(texts) == 1 and len(rest) <= 8 else None


def _readings(rest: list[int], names: Sequence[str], words: list[set[str]]) -> list[int]:
    """The one column of readings of a long table: the only one left, or the first whose name says so."""
    plain = [i for i in rest if not words[i] & (EXPORT | NO_HOUSE)]
    if len(plain) > 1:
        plain = [i for i in plain if _unit_in(names[i])] or [i for i in plain if words[i] & VALUE]
    return plain[:1]


def _houses(rest: list[int], words: list[set[str]], cells: list[list[str]]) -> list[int]:
    """The columns of houses in a wide table. Where all have such names, they are houses all the same."""
    used = [i for i in rest if not words[i] & EXPORT]
    plain = [i for i in used if not words[i] & NO_HOUSE]
    return plain or [i for i in used if not cells[i] or any(NUMBER.match(cell) for cell in cells[i])]


def _must_hold(names: Sequence[str], values: list[int], rest: list[int], house: int | None) -> None:
    exported = [names[i] for i in rest if _words(names[i]) & EXPORT]
    called = Counter(names[i].strip() for i in values)
    twice = [names[i] for i in values if called[names[i].strip()] > 1]
    problem = ""
    if not values and exported:
        problem = f"has only energy that is exported ({_listed(exported)}); it needs what houses use."
    elif not values and house is not None:
        problem = f"has no column of readings among {_listed(names)}; name it kWh, kW or W."
    elif not values:
        problem = "has no column of readings beside the times."
    elif house is None and len(values) > MAX_HOUSES:
        problem = f"has {len(values):,} houses; at most {MAX_HOUSES:,} are read at once."
    elif house is None and twice:
        problem = f"has two columns for the house {twice[0]!r}; give each its own name."
    if problem:
        raise ScenarioError("The table", problem)


def _labels(names: Sequence[str], values: list[int], said: list[int]) -> tuple[int | None, ...]:
    """Which column says of each house of a wide table who is at home: the one that is called as the house is,
    but for the words of occupancy and of units."""
    called, said_of = ([_bare(names[i]) for i in columns] for columns in (values, said))
    for i, name in zip(said, said_of, strict=True):
        if called.count(name) != 1 or said_of.count(name) != 1:
            how = "Call it as its house, and occupied: 'A occupied'."
            raise ScenarioError(names[i], f"says who is at home, but of which house? {how}")
    column = dict(zip(said_of, said, strict=True))
    return tuple(column.get(name) for name in called)


def _bare(name: str) -> str:
    """A house's name without words of occupancy, units and values."""
    parts = re.findall(r"[^\W_]+", name.lower())
    return " ".join(
        part for part in parts if part not in OCCUPIED_WORDS | HOUSE_WORDS | VALUE | set(UNIT_WORDS)
    )


def _units(names: list[str], *, wide: bool) -> tuple[str | None, ...]:
    """The unit that each name says. In a wide table W is one where all names say a unit; else it may be a
    house."""
    said = tuple(map(_unit_in, names))
    return said if not wide or all(said) else tuple(_unit_in(name, wide=True) for name in names)


def _unit_in(name: str, *, wide: bool = False) -> str | None:
    """The unit that a name says. In a wide table a single letter w may be a house: only in brackets."""
    if MILLIWATTS.search(name):
        return None
    spelled = HOURS_OF_WATTS.sub(lambda m: f"{m[1] or ''}watthours", name)
    bracketed = re.search(r"[(\[{]\s*([^)\]}]*)[)\]}]", spelled)
    for text in (bracketed[1] if bracketed else "", spelled, re.sub(r"(?<=[a-z])(?=[A-Z])", " ", spelled)):
        units = {UNIT_WORDS[word] for word in re.findall(r"[a-zäöü]+", text.lower()) if word in UNIT_WORDS}
        if wide and not (bracketed and text == bracketed[1]):
            units.discard("W")
        if len(units) == 1:
            return units.pop()
    return None


def _words(name: str) -> set[str]:
    """In small letters; houseId is also house and Id."""
    parts = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)
    return set(re.findall(r"[a-zäöü]+", f"{name} {parts}".lower()))


def _like(pattern: re.Pattern[str], cells: list[str]) -> bool:
    """Whether most cells fit; an empty column fits everything."""
    return 2 * sum(pattern.match(cell) is not None for cell in cells) >= len(cells)


def _first(columns: list[int]) -> int | None:
    return columns[0] if columns else None


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(repr(name[:30]) for name in names[:6])
    return shown if len(names) <= 6 else f"{shown} and {len(names) - 6:,} more"
