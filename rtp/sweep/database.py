"""The SQLite file of a sweep: whose it is, its tables, how it is opened. What goes into it is in `file`."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rtp.scenario import ScenarioError
from rtp.version import VERSION

WHY = 200  # characters of a reason
MAGIC = b"SQLite format 3\0"
APPLICATION = int.from_bytes(b"RTPs", "big")  # bytes 68 to 71 of the file say whose it is
SCHEMA = (
    "CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL)",
    'CREATE TABLE IF NOT EXISTS point (id INTEGER PRIMARY KEY, "values" TEXT NOT NULL, '
    "days INTEGER NOT NULL, finished INTEGER NOT NULL, mean BLOB NOT NULL, spread BLOB NOT NULL)",
    "CREATE TABLE IF NOT EXISTS estimate (point INTEGER NOT NULL, mechanism TEXT NOT NULL, "
    "measure TEXT NOT NULL, mean REAL, low REAL, high REAL, PRIMARY KEY (point, mechanism, measure)) "
    "WITHOUT ROWID",
)


def must_be_a_sweep(path: Path) -> None:
    """Looked at before SQLite opens it: a file that is no sweep is left as it is."""
    with path.open("rb") as file:
        head = file.read(72)
    if head[:16] != MAGIC or int.from_bytes(head[68:72], "big") != APPLICATION:
        raise ScenarioError(str(path), "is not a sweep's file; it was left as it is.")


def connect(path: Path, mode: str) -> sqlite3.Connection:
    try:
        return sqlite3.connect(f"{path.resolve().as_uri()}?mode={mode}", uri=True, isolation_level=None)
    except sqlite3.Error as error:
        raise ScenarioError(str(path), f"cannot be opened: {error}.") from None


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """One sentence for a file that cannot be read, or says what no sweep would say."""
    try:
        yield
    except ScenarioError:
        raise
    except sqlite3.Error as error:
        raise ScenarioError(str(path), f"cannot be read: {error}.") from None
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError, OverflowError) as error:
        why = " ".join(str(error).split()).rstrip(".")
        raise ScenarioError(str(path), f"is damaged, and was left as it is: {why[:WHY]}.") from None


def begin(database: sqlite3.Connection, identity: dict[str, Any]) -> None:
    """Make an empty file the one of this sweep."""
    database.execute(f"PRAGMA application_id = {APPLICATION}")
    for table in SCHEMA:
        database.execute(table)
    database.execute("INSERT INTO meta VALUES ('sweep', ?), ('lab', ?)", [json.dumps(identity), VERSION])


def extend(database: sqlite3.Connection, identity: dict[str, Any]) -> None:
    """The same sweep, with more days: what was finished is so no longer."""
    database.execute("UPDATE meta SET value = ? WHERE key = 'sweep'", [json.dumps(identity)])
    database.execute("UPDATE point SET finished = 0")


def identity_in(database: sqlite3.Connection) -> dict[str, Any] | None:
    """Which sweep the file belongs to; None where none has begun."""
    if not database.execute("SELECT 1 FROM sqlite_master WHERE name = 'meta'").fetchone():
        return None
    row = database.execute("SELECT value FROM meta WHERE key = 'sweep'").fetchone()
    stored: dict[str, Any] | None = json.loads(row[0]) if row else None
    return stored
