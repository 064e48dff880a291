"""All readings of a source as three numbers each: house, time, value. Texts are numbered as they come."""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from rtp.meters.columns import MAX_HOUSES, Columns
from rtp.meters.source import MAX_ROWS, Opened
from rtp.scenario import ScenarioError

MAX_TIMES = 2_000_000
YES, NO = {"1", "1.0", "true", "yes", "occupied", "home"}, {"0", "0.0", "false", "no", "empty", "away"}

Codes = NDArray[np.int32]


class Numbered:
    """Different texts, numbered in the order in which they come."""

    def __init__(self, most: int, things: str) -> None:
        self.number: dict[str, int] = {}
        self.most, self.things = most, things

    def of(self, column: pa.Array) -> Codes:
        coded = column if pa.types.is_dictionary(column.type) else pc.dictionary_encode(column)
        texts = pc.cast(coded.dictionary, pa.string()).to_pylist()
        own = np.array([self._number(text.strip()) for text in texts], dtype=np.int32)
        if len(self.number) > self.most:
            raise ScenarioError("The file", f"has more than {self.most:,} {self.things}.")
        return np.asarray(own[coded.indices.to_numpy(zero_copy_only=False)])

    def _number(self, text: str) -> int:
        """−1 where there is no text."""
        return self.number.setdefault(text, len(self.number)) if text else -1


@dataclass(frozen=True, kw_only=True)
class Collected:
    """Arrays have an entry for every reading that is a number and not negative."""

    houses: tuple[str, ...]
    times: tuple[str, ...]
    house: Codes
    time: Codes
    value: NDArray[np.float32]
    occupied: NDArray[np.int8] | None
    rows: int  # of the source
    negative: int
    infinite: int
    nameless: int  # rows without a house or a time


def collect(source: Opened) -> Collected:
    """The whole source, batch by batch."""
    columns = source.columns
    houses, times = Numbered(MAX_HOUSES, "houses"), Numbered(MAX_TIMES, "different times")
    parts: list[tuple[Codes, Codes, NDArray[np.float32], NDArray[np.int8]]] = []
    rows = cells = negative = infinite = nameless = 0
    for batch in source.batches:
        if columns.house is None:
            house, time, value, occupied = _wide(batch, columns, houses, times)
        else:
            house, time, value, occupied = _long(batch, columns, houses, times)
        rows, cells = rows + len(batch), cells + len(value)
        if cells > MAX_ROWS:
            raise ScenarioError("The file", f"has more than {MAX_ROWS:,} readings; send it in parts.")
        blank = (house < 0) | (time < 0)
        below, beyond = value < 0, np.isinf(value)
        negative += int(np.count_nonzero(below & ~beyond))
        infinite += int(np.count_nonzero(beyond))
        nameless += int(np.count_nonzero(blank))
        good = np.isfinite(value) & ~below & ~blank
        parts.append((house[good], time[good], value[good], occupied[good]))
    if not rows:
        raise ScenarioError("The file", "has a header and no rows.")
    if not any(len(part[0]) for part in parts):
        raise ScenarioError("The file", "has no reading that is a number.")
    house, time, value, occupied = (np.concatenate(each) for each in zip(*parts, strict=True))
    return Collected(
        houses=tuple(houses.number),
        times=tuple(times.number),
        house=house,
        time=time,
        value=value,
        occupied=None if columns.occupied is None else occupied,
        rows=rows,
        negative=negative,
        infinite=infinite,
        nameless=nameless,
    )


def _long(
    batch: pa.RecordBatch, columns: Columns, houses: Numbered, times: Numbered
) -> tuple[Codes, Codes, NDArray[np.float32], NDArray[np.int8]]:
    time, house, value = (_without_nulls(batch.column(i), text=i < 2) for i in range(3))
    occupied = np.full(len(batch), -1, dtype=np.int8)
    if columns.occupied is not None:
        occupied = _occupied(_without_nulls(batch.column(3), text=True))
    return houses.of(house), times.of(time), _floats(value), occupied


def _wide(
    batch: pa.RecordBatch, columns: Columns, houses: Numbered, times: Numbered
) -> tuple[Codes, Codes, NDArray[np.float32], NDArray[np.int8]]:
    count = len(columns.values)
    own = houses.of(pa.array([columns.names[i].strip() or "unnamed" for i in columns.values]))
    time = times.of(_without_nulls(batch.column(0), text=True))
    values = np.column_stack([_floats(batch.column(1 + i)) for i in range(count)])
    occupied = np.full(values.size, -1, dtype=np.int8)
    if columns.occupied is not None:
        occupied = _occupied(_without_nulls(batch.column(1 + count), text=True))
    return np.tile(own, len(batch)), np.repeat(time, count), values.ravel(), occupied


def _without_nulls(column: pa.Array, *, text: bool) -> pa.Array:
    """Texts, with "" for what is missing; numbers as they are."""
    if not text or (pa.types.is_dictionary(column.type) and not column.null_count):
        return column
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if pa.types.is_floating(column.type):
        column = pc.cast(column, pa.int64())  # a table with gaps makes numbers of its house numbers
    if not column.null_count:
        return column
    return pc.fill_null(pc.cast(column, pa.string()), "")


def _floats(column: pa.Array) -> NDArray[np.float32]:
    if pa.types.is_boolean(column.type) or pa.types.is_temporal(column.type):
        raise ScenarioError("The readings", f"are of the kind {column.type}; they must be numbers.")
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    numbers = pc.cast(column, pa.float64()).to_numpy(zero_copy_only=False)
    with np.errstate(over="ignore"):
        return np.asarray(numbers, dtype=np.float32)


def _occupied(column: pa.Array) -> NDArray[np.int8]:
    coded = column if pa.types.is_dictionary(column.type) else pc.dictionary_encode(column)
    texts = [text.strip().lower() for text in pc.cast(coded.dictionary, pa.string()).to_pylist()]
    unknown = [text for text in texts if text not in YES | NO and text not in ("", "nan", "null", "na", "-1")]
    if unknown:
        raise ScenarioError(
            "The column of occupancy", f"holds {unknown[0][:40]!r}; it must be 0 or 1, or empty."
        )
    own = np.array([1 if text in YES else 0 if text in NO else -1 for text in texts], dtype=np.int8)
    return np.asarray(own[coded.indices.to_numpy(zero_copy_only=False)])
