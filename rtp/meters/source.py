"""Where readings come from: bytes in memory, a file or a table; CSV, gzipped or not, or Parquet.

Whatever it is, it is read in record batches, and of every reading three numbers are kept: house, time, value.
What a file announces is checked before it is believed, what is unpacked is counted while it is unpacked, and
nothing is written to disk. The encoding, the delimiter and the decimal sign of a CSV follow from its first
bytes; pyarrow does the rest.
"""

import codecs
import csv
import gzip
import io
import re
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, cast

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.parquet
from numpy.typing import NDArray

from rtp.core.parallel import Progress
from rtp.meters.layout import ENERGY, MAX_HOUSES, MOMENT, UNITS, Layout, assign, unit_named
from rtp.scenario import ScenarioError

MAX_UNPACKED = 4 * 2**30  # bytes
MAX_ROWS = 32_000_000
MAX_TIMES = 2_000_000
BLOCK = 2**24  # bytes of CSV that are read at once: no line is longer
PIECE = 2**21  # bytes of it that one thread parses at once
BATCH = 2**18  # rows that are taken from a table at once
SAMPLE = 2**20  # bytes from which the way of writing is guessed
SAMPLE_ROWS = 50
PREAMBLE = 20  # lines that may stand before the header
DELIMITERS = ";\t|,"
MARKS = {codecs.BOM_UTF8: "utf-8", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
MISSING = ["", "-", "?", "NA", "N/A", "n/a", "#N/A", "NaN", "nan", "null", "Null", "NULL", "None", "none"]
MISSING += ["missing"]
YES, NO = {"1", "1.0", "true", "yes", "occupied", "home"}, {"0", "0.0", "false", "no", "empty", "away"}
TEXT = pa.dictionary(pa.int32(), pa.string())

Source = str | Path | bytes | BinaryIO | pd.DataFrame
Codes = NDArray[np.int32]


@dataclass(frozen=True, kw_only=True)
class Collected:
    """All readings of a source. Arrays have an entry for every one that is a number and not negative."""

    layout: Layout
    unit: str | None  # that of `value`, where the source says it
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


def collect(source: Source, progress: Progress | None = None) -> Collected:
    """All readings of a file, of bytes or of a table; refused in one sentence."""
    names: tuple[str, ...] = ()
    try:
        with _opened(source, progress) as (layout, batches):
            names = layout.names
            return _collected(layout, _table(layout, batches))
    except (gzip.BadGzipFile, zlib.error, EOFError):
        raise ScenarioError("The file", "is damaged: its gzip compression ends or breaks early.") from None
    except (UnicodeDecodeError, UnicodeError):
        raise ScenarioError("The file", "holds bytes that are no text in its encoding.") from None
    except (pa.ArrowException, OverflowError) as error:
        raise ScenarioError("The file", in_words(str(error), names)) from None


@contextmanager
def _opened(source: Source, progress: Progress | None) -> Iterator[tuple[Layout, Iterator[pa.RecordBatch]]]:
    if isinstance(source, pd.DataFrame):
        yield _of_frame(source)
    elif isinstance(source, str | Path):
        with Path(source).open("rb") as file:
            yield _of_stream(file, progress)
    else:
        yield _of_stream(io.BytesIO(source) if isinstance(source, bytes) else source, progress)


def _of_stream(stream: BinaryIO, progress: Progress | None) -> tuple[Layout, Iterator[pa.RecordBatch]]:
    start = stream.read(4)
    stream.seek(0)
    if start == b"PAR1":
        return _of_parquet(stream)
    if start[:2] == b"PK":
        raise ScenarioError(
            "The file", "is a zip archive or a spreadsheet; save the readings as CSV or Parquet."
        )
    packed = start[:2] == b"\x1f\x8b"
    text = cast(BinaryIO, gzip.GzipFile(fileobj=stream)) if packed else stream
    dialect = Dialect.of(text.read(SAMPLE))
    text.seek(0)
    layout = assign(dialect.names, dialect.rows)
    return layout, _csv_batches(_blocks(text, stream, dialect.encoding, progress), dialect, layout)


@dataclass(frozen=True)
class Dialect:
    """How a CSV is written."""

    encoding: str
    delimiter: str
    decimal: str
    header_line: int  # lines before the header
    names: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]  # the first few

    @classmethod
    def of(cls, sample: bytes) -> "Dialect":
        """From the first bytes of a file."""
        encoding = _encoding(sample)
        text = sample.decode(encoding, errors="ignore").lstrip("\ufeff")
        whole = text if len(sample) < SAMPLE else text[: text.rfind("\n") + 1] or text
        lines = whole.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        first = next((i for i, line in enumerate(lines) if line.strip()), None)
        if first is None:
            raise ScenarioError("The file", "is empty.")
        if "\x00" in whole:
            raise ScenarioError("The file", "is no text; readings come as CSV, gzipped CSV or Parquet.")
        if lines[first].lstrip()[:1] in ("{", "["):
            raise ScenarioError("The file", "is JSON; save the readings as CSV or Parquet.")
        header, delimiter = _header(lines, first)
        if delimiter not in lines[header]:
            raise ScenarioError("The first line", f"is {lines[header][:60]!r}; it must name columns.")
        try:
            rows = list(csv.reader(lines[header : header + SAMPLE_ROWS + 1], delimiter=delimiter))
        except csv.Error as error:
            raise ScenarioError("The file", f"cannot be read as CSV ({error}).") from None
        body = tuple(tuple(row) for row in rows[1:] if row)
        commas = any(re.fullmatch(r"-?\d*,\d+", cell.strip()) for row in body for cell in row)
        names = tuple(name.strip() for name in rows[0])
        return cls(encoding, delimiter, "," if commas else ".", header, names, body)


def _header(lines: list[str], first: int) -> tuple[int, str]:
    """The line that names the columns, and what parts them: the first one or, after a preamble,
    the first that has as many cells as the next one, where a moment stands."""
    for i in range(first, min(first + PREAMBLE, len(lines) - 1)):
        delimiter = max(DELIMITERS, key=lines[i].count)  # the first of equals
        try:
            names, cells = csv.reader(lines[i : i + 2], delimiter=delimiter)
        except (csv.Error, ValueError):
            continue
        if len(names) == len(cells) > 1 and any(MOMENT.match(cell.strip()) for cell in cells):
            return i, delimiter
    return first, max(DELIMITERS, key=lines[first].count)


def _encoding(sample: bytes) -> str:
    for mark, name in MARKS.items():
        if sample.startswith(mark):
            return name
    if sample[1:200:2].count(0) > len(sample[1:200:2]) // 2:
        return "utf-16-le"
    if sample[0:200:2].count(0) > len(sample[0:200:2]) // 2:
        return "utf-16-be"
    try:
        codecs.getincrementaldecoder("utf-8")().decode(sample)
    except UnicodeDecodeError:
        return "cp1252"
    return "utf-8"


def _csv_batches(blocks: Iterator[bytes], dialect: Dialect, layout: Layout) -> Iterator[pa.RecordBatch]:
    """Block by block, so that memory is bounded and a reading can be stopped between two of them."""
    names = [str(i) for i in range(len(layout.names))]
    types = dict.fromkeys(layout.texts, TEXT) | dict.fromkeys(layout.values, pa.float64())
    skipped = dialect.header_line + 1
    for block in blocks:
        table = pyarrow.csv.read_csv(
            pa.BufferReader(block),
            read_options=pyarrow.csv.ReadOptions(block_size=PIECE, column_names=names, skip_rows=skipped),
            parse_options=pyarrow.csv.ParseOptions(delimiter=dialect.delimiter),
            convert_options=pyarrow.csv.ConvertOptions(
                include_columns=[names[i] for i in types],
                column_types={names[i]: kind for i, kind in types.items()},
                null_values=MISSING,
                strings_can_be_null=False,
                decimal_point=dialect.decimal,
            ),
        )
        skipped = 0
        yield from table.combine_chunks().to_batches()


def _blocks(text: BinaryIO, stream: BinaryIO, encoding: str, progress: Progress | None) -> Iterator[bytes]:
    """Whole lines in UTF-8, a block at a time; `stream` is what the text is unpacked from."""
    decoder = None if encoding == "utf-8" else codecs.getincrementaldecoder(encoding)()
    here = stream.tell()
    size = max(stream.seek(0, io.SEEK_END), 1)
    stream.seek(here)
    rest, unpacked = b"", 0
    while data := text.read(BLOCK):
        unpacked += len(data)
        if unpacked > MAX_UNPACKED:
            raise ScenarioError("The file", f"unpacks to more than {MAX_UNPACKED // 2**20:,} MB.")
        data = rest + (decoder.decode(data).encode() if decoder else data)
        end = max(data.rfind(b"\n"), data.rfind(b"\r", 0, -1)) + 1
        if end == 0 and len(data) >= BLOCK:
            raise ScenarioError("The file", f"has a line longer than {BLOCK // 2**20} MB.")
        if end:
            yield data[:end]
        rest = data[end:]
        if progress is not None:
            progress(min(stream.tell() / size, 1.0))
    rest += decoder.decode(b"", final=True).encode() if decoder else b""
    if rest:
        yield rest


def _of_parquet(stream: BinaryIO) -> tuple[Layout, Iterator[pa.RecordBatch]]:
    file = pyarrow.parquet.ParquetFile(stream)
    announced = file.metadata
    size = sum(announced.row_group(i).total_byte_size for i in range(announced.num_row_groups))
    if announced.num_rows > MAX_ROWS or size > MAX_UNPACKED:
        raise ScenarioError(
            "The file", f"announces {announced.num_rows:,} rows; at most {MAX_ROWS:,} are read at once."
        )
    if announced.num_rows == 0:
        raise ScenarioError("The file", "has columns and no rows.")
    names = file.schema_arrow.names
    if len(set(names)) < len(names):
        raise ScenarioError("The file", "has two columns of the same name.")
    layout = assign(names, _texts(next(file.iter_batches(batch_size=SAMPLE_ROWS))))
    wanted = [names[i] for i in (*layout.texts, *layout.values)]
    return layout, (b.select(wanted) for b in file.iter_batches(batch_size=BATCH, columns=wanted))


def _of_frame(frame: pd.DataFrame) -> tuple[Layout, Iterator[pa.RecordBatch]]:
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
    layout = assign(table.column_names, _texts(table.slice(0, SAMPLE_ROWS).combine_chunks().to_batches()[0]))
    wanted = [table.column_names[i] for i in (*layout.texts, *layout.values)]
    return layout, iter(table.select(wanted).to_batches(max_chunksize=BATCH))


def _texts(batch: pa.RecordBatch) -> list[list[str]]:
    """The first rows as text, from which the columns are told apart."""
    columns = [["" if cell is None else str(cell) for cell in column.to_pylist()] for column in batch.columns]
    return [list(row) for row in zip(*columns, strict=True)]


def _table(layout: Layout, batches: Iterator[pa.RecordBatch]) -> pa.Table:
    """The wanted columns, texts first and as dictionaries, named by their places in the source."""
    kept, rows = [], 0
    wanted = (*layout.texts, *layout.values)
    for batch in batches:
        rows += len(batch)
        if rows * len(layout.values) > MAX_ROWS:
            raise ScenarioError("The file", f"has more than {MAX_ROWS:,} readings; send it in parts.")
        columns = [_text(c) if k < len(layout.texts) else c for k, c in enumerate(batch.columns)]
        kept.append(pa.RecordBatch.from_arrays(columns, names=[str(i) for i in wanted]))
    if not rows:
        raise ScenarioError("The file", "has a header and no rows.")
    return pa.Table.from_batches(kept).unify_dictionaries().combine_chunks()


def _text(column: pa.Array) -> pa.Array:
    """As a dictionary of texts, "" for what is missing."""
    if pa.types.is_dictionary(column.type):
        if pa.types.is_string(column.type.value_type) and not column.null_count:
            return column.cast(TEXT)
        column = column.dictionary_decode()
    if pa.types.is_floating(column.type):
        column = pc.cast(column, pa.int64())  # a table with gaps makes numbers of its house numbers
    return pc.dictionary_encode(pc.fill_null(pc.cast(column, pa.string()), "")).cast(TEXT)


def _collected(layout: Layout, table: pa.Table) -> Collected:
    value, unit = _values(layout, table)
    time, times = _times(layout, table)
    occupied = None if layout.occupied is None else _occupied(table.column(str(layout.occupied)))
    if layout.house is None:
        houses = tuple(layout.names[i].strip() or "unnamed" for i in layout.values)
        house = np.tile(np.arange(len(houses), dtype=np.int32), len(table))
        time = np.repeat(time, len(houses))
    else:
        house, houses = _numbered(table.column(str(layout.house)), MAX_HOUSES, "houses")
    nameless = (house < 0) | (time < 0)
    below, beyond = value < 0, np.isinf(value)
    good = np.isfinite(value) & ~below & ~nameless
    if not good.any():
        raise ScenarioError("The file", "has no reading that is a number.")
    return Collected(
        layout=layout,
        unit=unit,
        houses=houses,
        times=times,
        house=house[good],
        time=time[good],
        value=value[good],
        occupied=None if occupied is None else occupied[good],
        rows=len(table),
        negative=int(np.count_nonzero(below & ~beyond)),
        infinite=int(np.count_nonzero(beyond)),
        nameless=int(np.count_nonzero(nameless)),
    )


def _numbered(column: pa.ChunkedArray, most: int, things: str) -> tuple[Codes, tuple[str, ...]]:
    """Which text stands in every row, −1 where there is none; and the different texts, stripped."""
    whole = column.combine_chunks()
    texts = [text.strip() for text in whole.dictionary.to_pylist()]
    names = tuple(dict.fromkeys(text for text in texts if text))
    if len(names) > most:
        raise ScenarioError("The file", f"has more than {most:,} {things}.")
    number = {name: i for i, name in enumerate(names)} | {"": -1}
    own = np.array([number[text] for text in texts] or [-1], dtype=np.int32)
    return own[whole.indices.to_numpy(zero_copy_only=False)], names


def _times(layout: Layout, table: pa.Table) -> tuple[Codes, tuple[str, ...]]:
    """Times as texts; a date and a clock in two columns stand in one text."""
    time, times = _numbered(table.column(str(layout.time)), MAX_TIMES, "different times")
    if layout.clock is None:
        return time, times
    clock, clocks = _numbered(table.column(str(layout.clock)), MAX_TIMES, "different times")
    hours = all(text.isdigit() for text in clocks)
    later = hours and not any(int(text) == 0 for text in clocks)  # 1 to 24: the hour that ends then
    written = [f"{int(text) - later:02d}:00" if hours else text for text in clocks]
    both = np.where((time < 0) | (clock < 0), -1, time.astype(np.int64) * len(clocks) + clock)
    pairs, place = np.unique(both, return_inverse=True)
    first = int(pairs[0] < 0)
    dates = [re.sub(r"\s+00:00(:00)?$", "", text) for text in times]
    places = [divmod(pair, len(clocks)) for pair in pairs[first:].tolist()]
    return (place - first).astype(np.int32), tuple(f"{dates[day]} {written[at]}" for day, at in places)


def _values(layout: Layout, table: pa.Table) -> tuple[NDArray[np.float32], str | None]:
    """Readings, row by row, and the unit they are in: different ones of a kind become one."""
    value = np.column_stack([_floats(table.column(str(i))) for i in layout.values])
    stated = set(layout.units) - {None}
    if layout.unit is not None:
        code, names = _numbered(table.column(str(layout.unit)), MAX_HOUSES, "units")
        units = [unit_named(name) for name in names]
        if None in units:
            raise ScenarioError("The unit", f"{names[units.index(None)]!r} is none of {', '.join(UNITS)}.")
        common = _common({unit for unit in units if unit})
        factor = np.array([UNITS[unit or "kWh"] for unit in units] or [1.0]) / UNITS[common]
        value *= np.where(code < 0, 1.0, factor[code])[:, None]
        return value.ravel().astype(np.float32), common
    if len(stated) > 1:
        common = _common({unit for unit in stated if unit})
        if None in layout.units:
            raise ScenarioError("The table", "has columns in different units, and columns that say none.")
        value *= np.array([UNITS[unit or "kWh"] for unit in layout.units]) / UNITS[common]
        return value.ravel().astype(np.float32), common
    with np.errstate(over="ignore"):
        return value.ravel().astype(np.float32), next(iter(stated), None)


def _common(units: set[str]) -> str:
    """kWh or kW, if these are all energies or all powers; the unit itself where there is one."""
    if len(units) == 1:
        return next(iter(units))
    if len({unit in ENERGY for unit in units}) > 1:
        raise ScenarioError("The readings", f"are in {', '.join(sorted(units))}: energy and power are mixed.")
    return "kWh" if units & set(ENERGY) else "kW"


def _floats(column: pa.ChunkedArray) -> NDArray[np.float64]:
    whole = column.combine_chunks()
    if pa.types.is_boolean(whole.type) or pa.types.is_temporal(whole.type):
        raise ScenarioError("The readings", f"are of the kind {whole.type}; they must be numbers.")
    if pa.types.is_dictionary(whole.type):
        whole = whole.dictionary_decode()
    return np.array(pc.cast(whole, pa.float64()).to_numpy(zero_copy_only=False), dtype=np.float64)


def _occupied(column: pa.ChunkedArray) -> NDArray[np.int8]:
    """1 and 0 where a cell says who is at home, −1 where it is empty."""
    code, names = _numbered(column, MAX_ROWS, "ways to say who is at home")
    unknown = [n for n in names if n.lower() not in YES | NO and n.lower() not in ("nan", "null", "na", "-1")]
    if unknown:
        raise ScenarioError(
            "The column of occupancy", f"holds {unknown[0][:40]!r}; it must be 0 or 1, or empty."
        )
    own = np.array([1 if n.lower() in YES else 0 if n.lower() in NO else -1 for n in names] + [-1])
    return own[code].astype(np.int8)


def in_words(complaint: str, names: tuple[str, ...]) -> str:
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
