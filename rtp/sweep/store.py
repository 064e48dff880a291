"""A sweep's results in one SQLite file, safe against interruption at any moment.

Every save is one transaction. A point's row holds all that is needed to go on with it: how many days it has,
their mean and their spread, to the last bit; so a run that was killed and started again gives the numbers of
one that was not. Its estimates stand beside it, for anyone's SQL:

    SELECT p."values", e.mean, e.low, e.high FROM point p JOIN estimate e ON e.point = p.id
    WHERE e.mechanism = 'blowfish' AND e.measure = 'rmsre';

The file remembers the plan it belongs to and refuses any other, except the same with more days: those are
added to the days it has. A file that is no sweep, or a damaged one, is left as it is.
"""

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from textwrap import shorten
from types import TracebackType
from typing import Any, Self

import numpy as np

from rtp.core.types import Floats, Frame, data_frame
from rtp.mechanisms import REGISTRY
from rtp.scenario import Scenario, ScenarioError
from rtp.sweep.measures import (
    ERROR,
    INTERVAL_ENDS,
    MEASURES,
    Part,
    shown_over_kept,
    with_intervals,
    without_ends,
)
from rtp.sweep.plan import Plan, make
from rtp.sweep.run import CHUNK
from rtp.version import VERSION

REASON_SHOWN, MOST_SHOWN = 200, 60  # characters of a reason, and of a setting
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
KEEP = (  # a slower twin must not overwrite what a faster one has measured
    "INSERT INTO point VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET days = excluded.days, "
    "finished = excluded.finished, mean = excluded.mean, spread = excluded.spread "
    "WHERE excluded.days > point.days"
)
SAMPLED = "sampled_days"  # the column; `days` may be a varied field
ESTIMATES = "INSERT OR REPLACE INTO estimate VALUES (?, ?, ?, ?, ?, ?)"


class SweepFile:
    """The store of a sweep (see `rtp.sweep.run.Store`); use it in a `with`."""

    def __init__(self, path: Path, plan: Plan) -> None:
        self.path, self.plan = path, plan
        self._database = _opened(path, "rwc")
        try:
            with self._transaction(), _reading(path):
                self._claim()
        except BaseException:
            self._database.close()
            raise

    def _claim(self) -> None:
        stored = _identity_in(self._database)
        ours = _identity(self.plan)
        if stored is None:
            self._database.execute(f"PRAGMA application_id = {APPLICATION}")
            for table in SCHEMA:
                self._database.execute(table)
            rows = [json.dumps(ours), VERSION]
            self._database.execute("INSERT INTO meta VALUES ('sweep', ?), ('lab', ?)", rows)
            return
        longer = {**stored, "plan": {**stored["plan"], "days": self.plan.days}}
        if stored["plan"]["days"] < self.plan.days and not _difference(longer, ours):
            self._database.execute("UPDATE meta SET value = ? WHERE key = 'sweep'", [json.dumps(ours)])
            self._database.execute("UPDATE point SET finished = 0")  # it has more days now
        elif text := _difference(stored, ours):
            raise ScenarioError(
                str(self.path), f"holds another sweep: {text}. Name another file, or the same sweep."
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._database.close()

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """All or nothing, and one sentence where the file cannot be written."""
        try:
            self._database.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                self._database.execute("ROLLBACK")
                raise
            self._database.execute("COMMIT")
        except sqlite3.Error as error:
            raise ScenarioError(str(self.path), f"cannot be written: {error}.") from None

    def load(self) -> dict[int, Part]:
        with _reading(self.path):
            return _parts(self._database, self.plan)

    def save(self, parts: Mapping[int, Part]) -> None:
        with self._transaction():
            for point, part in parts.items():
                finished = part.days == self.plan.days
                values = json.dumps(self.plan.values(point))
                row = (point, values, part.days, finished, _blob(part.mean), _blob(part.spread))
                if self._database.execute(KEEP, row).rowcount:
                    rows = [(point, *estimate) for estimate in estimates(part, self.plan.measures)]
                    self._database.executemany(ESTIMATES, rows)


def read_sweep(path: Path) -> tuple[Plan, dict[int, Part]]:
    """Return the plan and the days of its points, of a sweep that may still be running."""
    if not path.exists():
        raise ScenarioError(str(path), "does not exist.")
    database = _opened(path, "rw")
    try:
        with _reading(path):
            stored = _identity_in(database)
            if stored is None:
                raise ScenarioError(str(path), "was never started: it holds no sweep yet.")
            if text := _difference({**stored, "plan": None}, _identity(None)):
                what_now = "Export it with that version, or sweep again into another file."
                raise ScenarioError(str(path), f"was made by another version of this lab: {text}. {what_now}")
            plan = _stored_plan(stored["plan"])
            return plan, _parts(database, plan)
    finally:
        database.close()


def _stored_plan(spec: dict[str, Any]) -> Plan:
    try:
        return make(Scenario(**spec["scenario"]), spec["grid"], spec["days"], spec.get("secrets", ()))
    except ScenarioError as error:  # it was accepted when the file was made
        raise ValueError(str(error)) from None


def frame(plan: Plan, parts: Mapping[int, Part]) -> Frame:
    """One row per point and mechanism; mean, low and high of every measure, and over how many sampled days.

    The error stands twice: as a fraction, and last as the percentage that is shown.
    """
    rows = []
    for point, part in sorted(parts.items()):
        for mechanism, own in groupby(estimates(part, plan.measures), itemgetter(0)):
            row: dict[str, Any] = {**plan.values(point), "mechanism": mechanism, SAMPLED: part.days}
            for _, name, *ends in own:
                row |= {f"{name}{end}": value for end, value in zip(INTERVAL_ENDS, ends, strict=True)}
            for end in INTERVAL_ENDS:
                row[f"error_percent{end}"] = shown_over_kept(ERROR) * row[f"{ERROR}{end}"]
            rows.append(row)
    return data_frame(rows)


def estimates(part: Part, measures: Iterable[str]) -> Iterator[tuple[str, str, float, float, float]]:
    """Yield (mechanism, measure, mean, low, high) of all that was measured at a point."""
    names = list(measures)
    low, high = with_intervals(names, part.mean, *part.interval())
    for m, mechanism in enumerate(REGISTRY):
        for k, name in without_ends(names):
            yield mechanism, name, float(part.mean[m, k]), float(low[m, k]), float(high[m, k])


def _identity(plan: Plan | None) -> dict[str, Any]:
    """What two runs must agree on for their numbers to belong together."""
    return {
        "plan": plan and plan.as_dict(),
        "chunk": CHUNK,
        "mechanisms": list(REGISTRY),
        "measures": list(MEASURES),
        ERROR: "of the rate in a typical step",  # before, it was divided by √T
    }


def _parts(database: sqlite3.Connection, plan: Plan) -> dict[int, Part]:
    """By point; what no point of the plan can be is an error."""
    rows = database.execute("SELECT id, days, mean, spread FROM point").fetchall()
    for point, days, *_ in rows:
        if not (0 <= point < len(plan) and isinstance(days, int) and 1 <= days <= plan.days):
            raise ValueError(
                f"point {point!r} has {days!r} of {plan.days} days; there are {len(plan)} points"
            )
    count = len(plan.measures)
    return {
        point: Part(days=days, mean=_array(mean, count), spread=_array(spread, count))
        for point, days, mean, spread in rows
    }


def _blob(values: Floats) -> bytes:
    return values.astype("<f8").tobytes()


def _array(blob: bytes, count: int) -> Floats:
    return np.frombuffer(blob, dtype="<f8").astype(float).reshape(len(REGISTRY), count)


def _opened(path: Path, mode: str) -> sqlite3.Connection:
    """Return a connection to a sweep's file, or to an empty or new one. Others are left as they are: they are
    looked at before SQLite opens them."""
    head = b""
    if path.exists():
        with path.open("rb") as file:
            head = file.read(72)
    if head and (head[:16] != MAGIC or int.from_bytes(head[68:], "big") != APPLICATION):
        raise ScenarioError(str(path), "is not a sweep's file; it was left as it is.")
    try:
        return sqlite3.connect(f"{path.resolve().as_uri()}?mode={mode}", uri=True, isolation_level=None)
    except sqlite3.Error as error:
        raise ScenarioError(str(path), f"cannot be opened: {error}.") from None


@contextmanager
def _reading(path: Path) -> Iterator[None]:
    """One sentence for a file that cannot be read, or says what no sweep would say."""
    try:
        yield
    except ScenarioError:
        raise
    except sqlite3.Error as error:
        raise ScenarioError(str(path), f"cannot be read: {error}.") from None
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError, OverflowError) as error:
        why = " ".join(str(error).split()).removesuffix(".")
        raise ScenarioError(str(path), f"is damaged, and was left as it is: {why[:REASON_SHOWN]}.") from None


def _identity_in(database: sqlite3.Connection) -> dict[str, Any] | None:
    """Which sweep the file belongs to; None where none has begun."""
    if not database.execute("SELECT 1 FROM sqlite_master WHERE name = 'meta'").fetchone():
        return None
    row = database.execute("SELECT value FROM meta WHERE key = 'sweep'").fetchone()
    stored: dict[str, Any] | None = json.loads(row[0]) if row else None
    return stored


def _difference(stored: dict[str, Any], ours: dict[str, Any]) -> str:
    """The first setting in which two sweeps differ, in words; empty where they do not."""
    there, here = _settings(stored), _settings(ours)
    names = [name for name in there | here if there.get(name) != here.get(name)]
    if not names:
        return ""
    one, other = (shorten(settings.get(names[0], "nothing"), MOST_SHOWN) for settings in (there, here))
    return f"{names[0]} is {one} there and {other} here"


def _settings(identity: dict[str, Any]) -> dict[str, str]:
    """What a sweep is made of as JSON, in which order counts: the fields of scenario and grid one by one."""
    plan = identity["plan"] or {"scenario": {}, "grid": {}}
    fields = {f"{part}.{name}": value for part in ("scenario", "grid") for name, value in plan[part].items()}
    parts = fields | identity | plan | {"plan": None, "scenario": None, "grid": list(plan["grid"])}
    return {name: json.dumps(value, ensure_ascii=False) for name, value in parts.items()}
