"""Houses and times of a source as numbers: every different text once, numbered as it comes.

A reading then takes two whole numbers in place of two texts, however long a house is called.
"""

import re
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from rtp.scenario import ScenarioError

MAX_TIMES = 2_000_000
MAX_NAME = 500  # characters of a house or a time
TEXT = pa.dictionary(pa.int32(), pa.string())
UNTIL = re.compile(r"\s*[-–]\s*\d\d?:\d\d(:\d\d)?$")  # after the clock at which an interval begins
MIDNIGHT = re.compile(r"^0?0:00(:00)?$")

Codes = NDArray[np.int32]


@dataclass(frozen=True)
class Names:
    """The different texts of a column, numbered as they come."""

    things: str
    most: int
    numbers: dict[str, int] = field(default_factory=dict)

    def codes(self, column: pa.Array) -> Codes:
        """Which text stands in every row, stripped; −1 where there is none."""
        column = _as_texts(column)
        own = [self._number(text.strip()) for text in column.dictionary.to_pylist()]
        return np.asarray(np.array(own, dtype=np.int32)[column.indices.to_numpy()])

    def _number(self, text: str) -> int:
        if not text:
            return -1
        if len(text) > MAX_NAME:
            problem = f"has a text of {len(text):,} characters among its {self.things}."
            raise ScenarioError("The file", problem)
        if text not in self.numbers and len(self.numbers) == self.most:
            raise ScenarioError("The file", f"has more than {self.most:,} {self.things}.")
        return self.numbers.setdefault(text, len(self.numbers))


def _as_texts(column: pa.Array) -> pa.Array:
    """A dictionary of texts, "" for what is missing."""
    if pa.types.is_dictionary(column.type):
        if pa.types.is_string(column.type.value_type) and not column.null_count:
            return column.cast(TEXT)
        column = column.dictionary_decode()
    if pa.types.is_floating(column.type):
        column = pc.cast(column, pa.int64())  # a table with gaps makes numbers of its house numbers
    return pc.dictionary_encode(pc.fill_null(pc.cast(column, pa.string()), "")).cast(TEXT)


class Moments:
    """The different times: a text each or, where the clock has a column of its own, a date and a clock."""

    def __init__(self) -> None:
        self.dates = Names("different times", MAX_TIMES)
        self.clocks = Names("different times", MAX_TIMES)
        self.pairs: dict[int, int] = {}

    def codes(self, date: pa.Array, clock: pa.Array | None) -> Codes:
        """Which time every row has; −1 where it has none."""
        day = self.dates.codes(date)
        if clock is None:
            return day
        hour = self.clocks.codes(clock)
        both = np.where((day < 0) | (hour < 0), -1, day.astype(np.int64) * MAX_TIMES + hour)
        pairs, place = np.unique(both, return_inverse=True)
        own = [-1 if pair < 0 else self.pairs.setdefault(pair, len(self.pairs)) for pair in pairs.tolist()]
        return np.array(own, dtype=np.int32)[place]

    def texts(self) -> tuple[str, ...]:
        """As one text each. Of a clock that gives an interval, its beginning. A midnight that comes last on
        its date ends it."""
        if not self.pairs:
            return tuple(self.dates.numbers)
        pairs = [divmod(pair, MAX_TIMES) for pair in self.pairs]
        clocks = [UNTIL.sub("", text) for text in self.clocks.numbers]
        if all(text.isdigit() and len(text) < 4 for text in clocks):
            written = _counted(pairs, [int(text) for text in clocks])
        else:
            clocks = [re.sub(r"^(\d\d)(\d\d)$", r"\1:\2", text) for text in clocks]
            first = [clocks[clock] for date, clock in pairs if date == pairs[0][0]]
            if len(first) > 1 and MIDNIGHT.match(first[-1]):
                clocks = ["24:00" if MIDNIGHT.match(text) else text for text in clocks]
            written = [clocks[clock] for _, clock in pairs]
        dates = [re.sub(r"\s+00:00(:00)?$", "", text) for text in self.dates.numbers]
        return tuple(f"{dates[date]} {clock}" for (date, _), clock in zip(pairs, written, strict=True))


def _counted(pairs: list[tuple[int, int]], numbers: list[int]) -> list[str]:
    """The beginnings of hours, half hours or quarters that are counted through a date, from 0 or 1. On a date
    between others that has an hour more or less of them the clocks change: half hours are Britain's."""
    first = min(1, *numbers)
    most: dict[int, int] = {}
    for date, clock in pairs:
        most[date] = max(most.get(date, 0), numbers[clock] - first)
    per_day = next((each for each in (24, 48, 96) if max(most.values()) <= each + each // 24), 24)
    hour, last = per_day // 24, per_day - 1
    changes = hour * (1 if per_day == 48 else 2)
    written = []
    for date, clock in pairs:
        place = numbers[clock] - first
        if most[date] == last + hour and place >= changes + hour:
            place -= hour
        elif most[date] == last - hour and place >= changes and date not in (pairs[0][0], pairs[-1][0]):
            place += hour
        minute = place * 24 * 60 // per_day
        written.append(f"{minute // 60:02d}:{minute % 60:02d}")
    return written
