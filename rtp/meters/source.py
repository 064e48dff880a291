"""Where readings come from: bytes in memory, a file or a table; CSV, gzipped or not, or Parquet.

Whatever it is, pyarrow reads it in record batches, and of every reading three numbers are kept: house, time,
value. What a file announces is checked before it is believed, what is unpacked is counted while it is
unpacked, and nothing is written to disk.
"""

import codecs
import gzip
import io
import re
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO, NamedTuple, cast

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
from numpy.typing import NDArray

from rtp.core.types import Bools
from rtp.core.workers import Progress
from rtp.meters.dialect import SAMPLE_ROWS, Dialect
from rtp.meters.layout import MAX_HOUSES, UNITS, Layout, assign, one_kind, unit_named
from rtp.meters.numbered import TEXT, Codes, Moments, Names
from rtp.meters.written import NO_VALUE, has_signs, number_format
from rtp.scenario import ScenarioError
from rtp.scenario.parquet import open_parquet

MAX_UNPACKED = 4 * 2**30  # bytes
MAX_READ_ROWS = 32_000_000
READ_BYTES = 2**24  # bytes of CSV that are read at once: no line is longer
PARSED = 2**21  # bytes of it that one thread parses at once
BATCH = 2**17  # rows that are taken from a table at once
EXACT = 1000.0  # kWh: above, single precision has steps of a watt and over in quarters of an hour
SAMPLE = 2**20  # bytes from which the way of writing is guessed
YES, NO = {"1", "1.0", "true", "yes", "occupied", "home"}, {"0", "0.0", "false", "no", "empty", "away"}
ONE_HOUSE = "house"  # what the only house is called whose name no column says
UNKNOWN_STATES = {"nan", "null", "na", "-1"}

Source = str | Path | bytes | BinaryIO | pd.DataFrame


@dataclass(frozen=True, kw_only=True)
class Collected:
    """All readings of a source. Arrays have an entry for every one that is a number, negative ones too."""

    layout: Layout
    unit: str | None  # that of `value`, where the source says it
    doubt: str  # that numbers may have thousands' signs, unless use would then be too large
    houses: tuple[str, ...]
    times: tuple[str, ...]
    house: Codes
    time: Codes
    value: NDArray[np.floating]  # in single precision, as far as that tells a register's counts apart
    occupied: NDArray[np.int8] | None
    rows: int  # of the source
    infinite: int
    nameless: int  # rows without a house or a time
    totals: tuple[str, ...] = ()  # what rows of a long table call a house, and is none: left out

    def only(self, kept: Bools) -> "Collected":
        """Some of the readings."""
        arrays = ("house", "time", "value", "occupied")
        some = {name: own[kept] for name in arrays if (own := getattr(self, name)) is not None}
        return replace(self, **some)


class Table(NamedTuple):
    """A source that is open: batches have the layout's texts, in their order, and then its values."""

    layout: Layout
    batches: Iterator[tuple[pa.RecordBatch, float]]  # and the fraction that is read with each
    doubt: str = ""


def collect(source: Source, progress: Progress | None = None) -> Collected:
    """Return all readings of a file, of bytes or of a table; refuse in one sentence."""
    names: tuple[str, ...] = ()
    try:
        with _opened(source) as table:
            names = table.layout.names
            return _collected(table, progress)
    except (gzip.BadGzipFile, zlib.error, EOFError):
        raise ScenarioError("The file", "is damaged: its gzip compression ends or breaks early.") from None
    except UnicodeError:
        raise ScenarioError("The file", "holds bytes that are no text in its encoding.") from None
    except MemoryError:
        raise ScenarioError("The file", "unpacks to more than fits into memory.") from None
    except (pa.ArrowException, OverflowError) as error:
        raise ScenarioError("The file", _in_words(str(error), names)) from None


def _in_words(complaint: str, names: tuple[str, ...]) -> str:
    """What pyarrow complains about, in a few words that name the cell."""
    cell = re.search(
        r"column #(\d+): .*CSV conversion error to \w+: invalid value '(.{0,40})", complaint, re.DOTALL
    )
    if cell:
        column = names[int(cell[1])] if int(cell[1]) < len(names) else cell[1]
        return (
            f"has {cell[2].removesuffix(chr(39))!r} in the column {column[:40]!r}, where a number must stand."
        )
    short = re.search(r"Expected (\d+) columns, got (\d+): (.{0,40})", complaint, re.DOTALL)
    if short:
        return f"has a row of {short[2]} cells under {short[1]} columns: {short[3]!r}."
    text = re.search(r"[Ff]ailed to parse string: '(.{0,40}?)' as a scalar of type (float|double)", complaint)
    if text:
        return f"has {text[1]!r} where a number must stand."
    if "straddling" in complaint:
        return "has a line that is far too long."
    return f"cannot be read ({' '.join(complaint.split())[:120]})."


@contextmanager
def _opened(source: Source) -> Iterator[Table]:
    if isinstance(source, pd.DataFrame):
        yield _of_frame(source)
    elif isinstance(source, str | Path):
        with Path(source).open("rb") as file:
            yield _of_stream(file)
    else:
        yield _of_stream(io.BytesIO(source) if isinstance(source, bytes) else source)


def _of_stream(stream: BinaryIO) -> Table:
    start = stream.read(4)
    if start == b"PAR1":
        return _of_parquet(stream)
    if start[:2] == b"PK":
        raise ScenarioError("The file", "is a zip archive or a spreadsheet; save readings as CSV or Parquet.")
    return _of_csv(stream, packed=start[:2] == b"\x1f\x8b")


def _of_csv(stream: BinaryIO, *, packed: bool) -> Table:
    """In blocks of whole lines, so that memory is bounded and reading can be stopped between two of them.
    (pyarrow's own streaming reader reads ahead on a thread that a refusal leaves running.)"""
    size = stream.seek(0, io.SEEK_END)
    stream.seek(0)
    text = cast(BinaryIO, gzip.GzipFile(fileobj=stream)) if packed else stream
    dialect = Dialect.of(text.read(SAMPLE), SAMPLE)
    text.seek(0)
    layout = assign(dialect.names, dialect.rows[:SAMPLE_ROWS])
    names = [str(i) for i in range(len(layout.names))]
    cells = [row[i] for row in dialect.rows for i in layout.values if i < len(row)]
    written = number_format(cells, dialect.delimiter)
    signs = has_signs(pa.array(cells, pa.string()))
    number = pa.string() if written.grouping or not signs else pa.float64()
    types = dict.fromkeys(layout.texts, TEXT) | dict.fromkeys(layout.values, number)

    def numbers(column: pa.Array) -> pa.Array:
        """Signs that come late are looked at where they come."""
        late = not signs and has_signs(column)
        return (number_format(column.to_pylist(), dialect.delimiter) if late else written).read(column)

    def batches() -> Iterator[tuple[pa.RecordBatch, float]]:
        before = dialect.header_line + 1
        for block in _blocks(text, dialect.encoding):
            table = pyarrow.csv.read_csv(
                pa.BufferReader(block),
                read_options=pyarrow.csv.ReadOptions(block_size=PARSED, column_names=names, skip_rows=before),
                parse_options=pyarrow.csv.ParseOptions(delimiter=dialect.delimiter),
                convert_options=pyarrow.csv.ConvertOptions(
                    include_columns=[names[i] for i in types],
                    column_types={names[i]: kind for i, kind in types.items()},
                    null_values=NO_VALUE,
                    strings_can_be_null=False,
                    decimal_point=written.decimal,
                ),
            )
            before = 0
            for batch in table.to_batches():
                columns = [numbers(each) if each.type == pa.string() else each for each in batch.columns]
                yield pa.record_batch(columns, batch.schema.names), stream.tell() / size

    return Table(layout, batches(), written.doubt)


def _blocks(text: BinaryIO, encoding: str) -> Iterator[bytes]:
    """Whole lines in UTF-8, a block at a time, and no more than may be unpacked."""
    decoder = codecs.getincrementaldecoder(encoding)()
    rest, unpacked, data = b"", 0, b"-"
    while data:
        data = text.read(READ_BYTES)
        unpacked += len(data)
        if unpacked > MAX_UNPACKED:
            raise ScenarioError("The file", f"unpacks to more than {MAX_UNPACKED // 2**20:,} MB.")
        lines = rest + (data if encoding == "utf-8" else decoder.decode(data, final=not data).encode())
        end = len(lines) if not data else max(lines.rfind(b"\n"), lines.rfind(b"\r", 0, -1)) + 1
        if end == 0 and len(lines) >= READ_BYTES:
            raise ScenarioError("The file", f"has a line longer than {READ_BYTES // 2**20} MB.")
        if end:
            yield lines[:end]
        rest = lines[end:]


def _of_parquet(stream: BinaryIO) -> Table:
    table = open_parquet(stream, MAX_READ_ROWS)
    layout = assign(table.names, _texts(next(table.batches(SAMPLE_ROWS))))
    return Table(layout, _counted(table.batches(BATCH, layout.used), layout.used, table.rows))


def _of_frame(frame: pd.DataFrame) -> Table:
    """A table's index is kept where it has a name or holds times; else it only counts rows."""
    index = frame.index
    if any(name is not None for name in index.names) or isinstance(index, pd.DatetimeIndex):
        frame = frame.reset_index()
    frame = frame.set_axis([str(name) for name in frame.columns], axis=1)
    if frame.columns.has_duplicates:
        raise ScenarioError("The table", "has two columns of the same name.")
    if not len(frame):
        raise ScenarioError("The table", "has columns and no rows.")
    table = pa.Table.from_pandas(frame, preserve_index=False)
    names = table.column_names
    layout = assign(names, _texts(table.slice(0, SAMPLE_ROWS).combine_chunks().to_batches()[0]))
    return Table(layout, _counted(table.to_batches(max_chunksize=BATCH), layout.used, len(table)))


def _counted(
    batches: Iterable[pa.RecordBatch], columns: list[str], rows: int
) -> Iterator[tuple[pa.RecordBatch, float]]:
    """Some columns of every batch, and the fraction of so many rows that is read with it."""
    read = 0
    for batch in batches:
        read += len(batch)
        yield batch.select(columns), read / rows


def _texts(batch: pa.RecordBatch) -> list[list[str]]:
    """The first rows as text, from which the columns are told apart."""
    columns = [["" if cell is None else str(cell) for cell in column.to_pylist()] for column in batch.columns]
    return [list(row) for row in zip(*columns, strict=True)]


# A batch's readings that are numbers: house, time, value, and whether somebody was in, where a column says so
_Piece = tuple[Codes, Codes, NDArray[np.floating], NDArray[np.int8]]


def _collected(table: Table, progress: Progress | None) -> Collected:
    layout, moments = table.layout, Moments()
    names = Names("houses", MAX_HOUSES)
    unit, factor = layout.common_unit()
    stated: set[str] = set()
    pieces: list[_Piece] = []
    rows = infinite = nameless = 0
    for batch, done in table.batches:
        rows += len(batch)
        if rows * len(layout.values) > MAX_READ_ROWS:
            raise ScenarioError("The file", f"has more than {MAX_READ_ROWS:,} readings; send it in parts.")
        column = dict(zip((*layout.texts, *layout.values), batch.columns, strict=True))
        many = np.column_stack([_floats(column[i]) for i in layout.values]) * np.array(factor)
        if layout.unit is not None:
            many *= _row_factors(column[layout.unit], stated)[:, None]
        piece, beyond, missing = _piece(layout, column, many, names, moments, EXACT / UNITS[unit or "MWh"])
        pieces.append(piece)
        infinite, nameless = infinite + beyond, nameless + missing
        if progress is not None:
            progress(done)
    if not rows:
        raise ScenarioError("The file", "has a header and no rows.")
    house, time, value, occupied = (np.concatenate(each) for each in zip(*pieces, strict=True))
    if not (value >= 0).any():
        raise ScenarioError("The file", "has no reading that is a number.")
    wide = tuple(layout.names[i].strip() or "unnamed" for i in layout.values)
    wide = (ONE_HOUSE,) if layout.clocks else wide
    return Collected(
        layout=layout,
        unit=one_kind(stated) if layout.unit is not None else unit,
        doubt=table.doubt,
        houses=wide if layout.house is None else tuple(names.numbers),
        times=moments.texts(),
        house=house,
        time=time,
        value=value,
        occupied=occupied if layout.says_who else None,
        rows=rows,
        infinite=infinite,
        nameless=nameless,
    )


def _piece(
    layout: Layout,
    column: dict[int, pa.Array],
    many: NDArray[np.float64],
    names: Names,
    moments: Moments,
    most: float,
) -> tuple[_Piece, int, int]:
    """What a batch holds, and how many are infinite, or without a house or a time. `many` are its readings, a
    column for every one of the layout's; in double precision if any is above the most that single precision
    tells apart."""
    value = many.ravel()
    if layout.clocks:  # a row for every day
        days, each = np.repeat(np.arange(len(many)), len(layout.clocks)), np.arange(len(layout.clocks))
        clocks = pa.DictionaryArray.from_arrays(
            pa.array(np.tile(each, len(many)), pa.int32()), list(layout.clocks)
        )
        column = {name: own.take(pa.array(days)) for name, own in column.items() if name in layout.texts}
        time = moments.codes(column[layout.time], clocks)
    else:
        time = moments.codes(column[layout.time], None if layout.clock is None else column[layout.clock])
    with np.errstate(over="ignore"):
        narrow = value.astype(np.float32)
    if layout.house is None and layout.clocks:
        house = np.zeros(len(value), dtype=np.int32)
    elif layout.house is None:
        house = np.tile(np.arange(len(layout.values), dtype=np.int32), len(time))
        time = np.repeat(time, len(layout.values))
    else:
        house = names.codes(column[layout.house])
    missing, beyond = (house < 0) | (time < 0), np.isinf(narrow)
    good = np.isfinite(narrow) & ~missing
    exact: NDArray[np.floating] = value if (value[good] > most).any() else narrow
    occupied = _labels(layout, column, len(many))[good] if layout.says_who else np.zeros(0, dtype=np.int8)
    lost = int(np.count_nonzero(beyond)), int(np.count_nonzero(missing))
    return (house[good], time[good], exact[good], occupied), *lost


def _row_factors(column: pa.Array, stated: set[str]) -> NDArray[np.float64]:
    """(rows,): by what a reading is multiplied to be kWh or kW, as a column says; `stated` gets the units."""
    names = Names("units", 99)
    code = names.codes(column)
    units = {name: unit_named(name) for name in names.numbers}
    for name, unit in units.items():
        if unit is None:
            raise ScenarioError("The unit", f"{name[:40]!r} is none of {', '.join(UNITS)}.")
        stated.add(unit)
    if (code < 0).any():
        raise ScenarioError("The unit", "is missing in some rows; every row must say it.")
    return np.array([UNITS[unit] for unit in units.values() if unit])[code]


def _floats(column: pa.Array) -> NDArray[np.float64]:
    if pa.types.is_boolean(column.type) or pa.types.is_temporal(column.type):
        raise ScenarioError("The readings", f"are of the kind {column.type}; they must be numbers.")
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    return np.asarray(pc.cast(column, pa.float64()).to_numpy(zero_copy_only=False), dtype=np.float64)


def _labels(layout: Layout, column: dict[int, pa.Array], rows: int) -> NDArray[np.int8]:
    """(readings,): what the rows say of who is at home, in the readings' order."""
    nobody = np.full(rows, -1, dtype=np.int8)
    own = layout.labels or (layout.occupied,)
    return np.column_stack([nobody if i is None else _occupied(column[i]) for i in own]).ravel()


def _occupied(column: pa.Array) -> NDArray[np.int8]:
    """1 and 0 where a cell says who is at home, −1 where it is empty."""
    names = Names("ways to say who is at home", 99)
    code = names.codes(column)
    words = [name.lower() for name in names.numbers]
    for name in names.numbers:
        if name.lower() not in YES | NO | UNKNOWN_STATES:
            problem = f"holds {name[:40]!r}; it must be 0 or 1, or empty."
            raise ScenarioError("The column of occupancy", problem)
    own = np.array([1 if word in YES else 0 if word in NO else -1 for word in words] + [-1], dtype=np.int8)
    return own[code]
