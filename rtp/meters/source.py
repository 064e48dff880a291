"""Where readings come from: bytes in memory, a file or a table; CSV, gzipped or not, or Parquet.

Whatever it is, it comes out as record batches, one after the other, so that memory is bounded by what is kept
of them. What a file announces is checked before it is believed, what is unpacked is counted while it is
unpacked, and nothing is written to disk.
"""

import codecs
import gzip
import io
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, cast

import pandas as pd
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

from rtp.meters.columns import Columns, assign
from rtp.meters.complaints import in_words
from rtp.meters.dialect import SAMPLE, Dialect, dialect
from rtp.scenario import ScenarioError

MAX_UNPACKED = 4 * 2**30  # bytes
MAX_ROWS = 32_000_000
BLOCK = 2**24  # bytes of CSV that are read at once
PIECE = 2**21  # bytes of it that one thread parses at once
BATCH = 2**18  # rows that are taken from a table at once
MISSING = [
    "",
    "-",
    "NA",
    "N/A",
    "n/a",
    "#N/A",
    "NaN",
    "nan",
    "null",
    "Null",
    "NULL",
    "None",
    "none",
    "missing",
]
TEXT = pa.dictionary(pa.int32(), pa.string())


@dataclass(frozen=True)
class Opened:
    """What the columns are, and batches of the wanted ones, in the order of `columns.wanted`."""

    columns: Columns
    batches: Iterator[pa.RecordBatch]


@contextmanager
def opened(source: str | Path | bytes | BinaryIO | pd.DataFrame) -> Iterator[Opened]:
    """The columns and the rows of a file, of bytes or of a table; refuses with one sentence."""
    names: tuple[str, ...] = ()
    try:
        with _streams(source) as found:
            names = found.columns.names
            yield found
    except (gzip.BadGzipFile, zlib.error, EOFError):
        raise ScenarioError("The file", "is damaged: its gzip compression ends or breaks early.") from None
    except (UnicodeDecodeError, UnicodeError):
        raise ScenarioError("The file", "holds bytes that are no text in its encoding.") from None
    except (pa.ArrowException, OverflowError) as error:
        raise ScenarioError("The file", in_words(str(error), names)) from None


@contextmanager
def _streams(source: str | Path | bytes | BinaryIO | pd.DataFrame) -> Iterator[Opened]:
    if isinstance(source, str | Path):
        with Path(source).open("rb") as file:
            yield _of_stream(file)
    elif isinstance(source, bytes):
        yield _of_stream(io.BytesIO(source))
    elif isinstance(source, pd.DataFrame):
        yield _of_frame(source)
    else:
        yield _of_stream(source)


def _of_stream(stream: BinaryIO) -> Opened:
    start = stream.read(4)
    stream.seek(0)
    if start == b"PAR1":
        return _of_parquet(stream)
    if start[:2] == b"PK":
        raise ScenarioError(
            "The file", "is a zip archive or a spreadsheet; save the readings as CSV or Parquet."
        )
    if start[:2] == b"\x1f\x8b":
        stream = cast(BinaryIO, gzip.GzipFile(fileobj=stream))
    how = dialect(stream.read(SAMPLE))
    stream.seek(0)
    columns = assign(how.names, how.rows)
    return Opened(columns, _csv_batches(stream, how, columns))


def _csv_batches(stream: BinaryIO, how: Dialect, columns: Columns) -> Iterator[pa.RecordBatch]:
    names = [str(i) for i in range(len(columns.names))]
    texts = {i for i in (columns.time, columns.house, columns.occupied) if i is not None}
    wanted = [names[i] for i in columns.wanted]
    lines = _blocks(stream, how.encoding)
    skipped = how.header_line + 1
    for block in lines:
        table = pyarrow.csv.read_csv(
            pa.BufferReader(block),
            read_options=pyarrow.csv.ReadOptions(
                block_size=PIECE, column_names=names, skip_rows=skipped, autogenerate_column_names=False
            ),
            parse_options=pyarrow.csv.ParseOptions(delimiter=how.delimiter),
            convert_options=pyarrow.csv.ConvertOptions(
                include_columns=wanted,
                column_types={names[i]: TEXT if i in texts else pa.float64() for i in columns.wanted},
                null_values=MISSING,
                strings_can_be_null=False,
                decimal_point=how.decimal,
            ),
        )
        skipped = 0
        yield from table.combine_chunks().to_batches()


def _blocks(stream: BinaryIO, encoding: str) -> Iterator[bytes]:
    """Whole lines, in UTF-8, a block at a time."""
    decoder = None if encoding == "utf-8" else codecs.getincrementaldecoder(encoding)()
    rest, unpacked = b"", 0
    while data := stream.read(BLOCK):
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
    rest += decoder.decode(b"", final=True).encode() if decoder else b""
    if rest:
        yield rest


def _of_parquet(stream: BinaryIO) -> Opened:
    file = pyarrow.parquet.ParquetFile(stream)
    announced = file.metadata
    size = sum(announced.row_group(i).total_byte_size for i in range(announced.num_row_groups))
    if announced.num_rows > MAX_ROWS or size > MAX_UNPACKED:
        raise ScenarioError(
            "The file", f"announces {announced.num_rows:,} rows; at most {MAX_ROWS:,} are read at once."
        )
    names = file.schema_arrow.names
    if announced.num_rows == 0:
        raise ScenarioError("The file", "has columns and no rows.")
    head = next(file.iter_batches(batch_size=20))
    columns = assign(names, _texts(head))
    wanted = [names[i] for i in columns.wanted]
    if len(set(names)) < len(names):
        raise ScenarioError("The file", "has two columns of the same name.")
    return Opened(columns, (b.select(wanted) for b in file.iter_batches(batch_size=BATCH, columns=wanted)))


def _of_frame(frame: pd.DataFrame) -> Opened:
    if not isinstance(frame.index, pd.RangeIndex):
        frame = frame.reset_index()
    frame = frame.set_axis([str(name) for name in frame.columns], axis=1)
    if frame.columns.has_duplicates:
        raise ScenarioError("The table", "has two columns of the same name.")
    if not len(frame):
        raise ScenarioError("The table", "has columns and no rows.")
    table = pa.Table.from_pandas(frame, preserve_index=False)
    columns = assign(table.column_names, _texts(table.slice(0, 20).to_batches()[0]))
    wanted = [table.column_names[i] for i in columns.wanted]
    return Opened(columns, iter(table.select(wanted).to_batches(max_chunksize=BATCH)))


def _texts(batch: pa.RecordBatch) -> list[list[str]]:
    """The first rows as text, for the columns to be how apart."""
    columns = [["" if cell is None else str(cell) for cell in column.to_pylist()] for column in batch.columns]
    return [list(row) for row in zip(*columns, strict=True)]
