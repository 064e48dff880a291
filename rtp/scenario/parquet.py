"""Parquet files that anyone may have sent: bounded before they are unpacked, refused in one sentence.

A file of some kilobytes can unpack to gigabytes: one long text that every row repeats, or rows of zeros. So
the sizes in its metadata are checked first; texts are read as dictionaries, in which a text that is repeated
stands once; and a text that is longer than any name is refused before rows are made of it. Metadata may lie:
whoever reads a stranger's file does so in a process with a limit of memory.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from rtp.scenario.validation import ScenarioError

MAX_CELL = 1000  # characters of a text, bytes of anything else
SLACK = 2**20  # bytes that a column may have beside its cells
MAX_PARQUET_COLUMNS = 20_000


class ParquetTable(NamedTuple):
    """A file that is open and within its bounds."""

    file: pq.ParquetFile
    names: list[str]
    rows: int

    def batches(self, size: int, columns: list[str] | None = None) -> Iterator[pa.RecordBatch]:
        """Yield rows, so many at a time."""
        with refused():
            for batch in self.file.iter_batches(batch_size=size, columns=columns):
                batch.validate(full=True)
                for column in batch.columns:
                    _must_be_short(column)
                yield batch


def open_parquet(stream: BinaryIO, most_rows: int) -> ParquetTable:
    """Return the table of a file; refuse one that unpacks to more than so many rows of names and numbers."""
    with refused():
        schema, announced = pq.read_schema(stream), pq.read_metadata(stream)
        if announced.num_rows > most_rows:
            raise ScenarioError(
                "The file", f"announces {announced.num_rows:,} rows; at most {most_rows:,} are read at once."
            )
        if not announced.num_rows:
            raise ScenarioError("The file", "has columns and no rows.")
        if len(schema.names) > MAX_PARQUET_COLUMNS:
            raise ScenarioError(
                "The file", f"has {len(schema.names):,} columns; at most {MAX_PARQUET_COLUMNS:,} are read."
            )
        if len(set(schema.names)) < len(schema.names):
            raise ScenarioError("The file", "has two columns of the same name.")
        _must_fit(announced)
        texts = [field.name for field in schema if _is_text(field.type)]
        file = pq.ParquetFile(stream, read_dictionary=texts)
    return ParquetTable(file, schema.names, announced.num_rows)


def _must_fit(announced: pq.FileMetaData) -> None:
    """Refuse a column that unpacks to more than its cells can hold."""
    for i in range(announced.num_row_groups):
        group = announced.row_group(i)
        most = MAX_CELL * group.num_rows + SLACK
        for j in range(group.num_columns):
            if group.column(j).total_uncompressed_size > most:
                name = group.column(j).path_in_schema[:40]
                raise ScenarioError("The column", f"{name!r} holds more than {MAX_CELL:,} bytes a row.")


def _must_be_short(column: pa.Array) -> None:
    texts = column.dictionary if pa.types.is_dictionary(column.type) else column
    if _is_text(texts.type) and (pc.max(pc.binary_length(texts)).as_py() or 0) > MAX_CELL:
        raise ScenarioError("The file", f"holds a text of more than {MAX_CELL:,} characters.")


def _is_text(kind: pa.DataType) -> bool:
    return bool(
        pa.types.is_string(kind)
        or pa.types.is_large_string(kind)
        or pa.types.is_binary(kind)
        or pa.types.is_large_binary(kind)
    )


@contextmanager
def refused() -> Iterator[None]:
    """Say in one sentence whatever pyarrow says of a damaged file: it raises errors of many kinds."""
    try:
        yield
    except ScenarioError:
        raise
    except MemoryError:
        raise ScenarioError("The file", "unpacks to more than fits into memory.") from None
    except Exception:
        raise ScenarioError("The Parquet file", "is damaged and cannot be read; write it again.") from None
