"""What the commands share: which scenario is meant, who does the work, how far it is, and tables."""

import argparse
import errno
import logging
import os
import socket
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TextIO
from urllib.parse import urlsplit

from tqdm import tqdm

from rtp.core.types import data_frame
from rtp.core.workers import WorkerPool
from rtp.scenario import (
    DEFAULT_PRESET,
    PRESETS,
    Bounds,
    Scenario,
    ScenarioError,
    edit,
    fields,
    preset_named,
    refusal,
)
from rtp.scenario.describe import moved_words
from rtp.scenario.house_table import read_table
from rtp.scenario.validation import field_words
from rtp.simulation.prices import at_stated_prices

Commands = argparse._SubParsersAction  # argparse keeps the class of its sub-parsers to itself
LINE_LENGTH = 100  # characters
BAR = "{percentage:3.0f}% [{bar}] {remaining} left"
WORKERS = Bounds(1, 512, "Worker processes")
DASK_PATIENCE = 4  # seconds for a Dask scheduler to answer
GOODBYE = 2  # seconds to take leave of it
PRESET_NAMES = f"one of: {', '.join(PRESETS)}"


def scenario_options() -> argparse.ArgumentParser:
    """The options of every command that needs a scenario; `chosen` reads them."""
    which = argparse.ArgumentParser(add_help=False)
    which.add_argument("scenario", nargs="?", type=Path, help="a scenario's JSON file")
    which.add_argument("--preset", help=PRESET_NAMES)
    which.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="FIELD=VALUE",
        help="change a field, e.g. --set epsilon=0.1 or --set 'groups[Villas].share=0.2', by the addresses "
        "of a sweep (may be given several times)",
    )
    which.add_argument(
        "--street",
        type=Path,
        action="append",
        default=[],
        metavar="TABLE",
        help="a table of houses (house, group, occupied, empty) or of groups (group, houses, occupied_max, "
        "empty_max): CSV, XLSX or Parquet; a table of groups defines new ones: give it before their houses",
    )
    return which


def chosen(options: argparse.Namespace) -> Scenario:
    if options.scenario and options.preset:
        raise ScenarioError("preset", f"is {options.preset!r} beside a scenario file; give one of the two.")
    if options.scenario:
        scenario = Scenario.from_json(options.scenario.read_bytes())
    else:
        scenario = preset_named(options.preset or DEFAULT_PRESET)
    changes: dict[str, object] = {}
    for change in options.set:
        address, equals, text = change.partition("=")
        if not equals:
            raise refusal("--set", change, "be FIELD=VALUE")
        if address in changes:
            raise ScenarioError("--set", f"gives {field_words(address)} twice; give it once.")
        changes[address] = fields.value_from_text(address, text)
    street = fields.put_together(scenario, changes)
    for line in moved_words(edit.moved_periods(scenario, street.step_minutes)):
        print(f"rtp: {line}", file=sys.stderr)
    for path in options.street:
        street = read_table(street, path.read_bytes())
    return at_stated_prices(street)


def text_table(corner: str, rows: dict[str, dict[str, str]]) -> str:
    """Return rows by name as text in columns; `corner` heads the names."""
    return data_frame(rows.values(), index=list(rows)).rename_axis(columns=corner).to_string()


def worker_options(command: argparse.ArgumentParser) -> None:
    """Who does the work; `executor_of` reads them."""
    command.add_argument("--workers", type=int, default=1, help="processes on this machine (default: 1)")
    command.add_argument("--dask", metavar="ADDRESS", help="a Dask scheduler to hand the work to instead")


class NotDone(ScenarioError):
    """What was asked for is in order, and could not be done here and now."""


def must_be_writable(*paths: Path | None) -> None:
    """Refuse before the work what could not be written after it."""
    for path in filter(None, paths):
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, "is a folder; name a file in it", str(path))
        if not path.parent.is_dir():
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path))
        if not os.access(path.parent, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))


def kept_in(path: Path) -> str:
    return f"What is done is kept in {path}; the same command goes on from there."


@contextmanager
def executor_of(options: argparse.Namespace, kept: str = "") -> Iterator[Executor | None]:
    """Return the workers that were asked for; one sentence, and what is kept, where they do not come back."""
    try:
        if options.dask is not None:
            with _cluster(options.dask, kept) as executor:
                yield executor
        elif options.workers == 1:
            yield None
        else:
            with WorkerPool(options.workers) as executor:
                yield executor
    except BrokenExecutor:
        problem = f"ended unexpectedly, perhaps out of memory. {kept}".strip()
        raise NotDone("A worker", problem) from None


@contextmanager
def _cluster(address: str, kept: str) -> Iterator[Executor]:
    """A Dask cluster's own executor. Its workers need this project and its requirements at hand."""
    try:
        from distributed import KilledWorker
    except ImportError:
        raise NotDone(
            "--dask", "needs Dask, which is not installed: pip install -r requirements-cluster.txt."
        ) from None
    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)  # what goes wrong is said in one sentence, and not by Dask as well
    try:
        client = _client(address)
        try:
            yield client.get_executor()
        finally:
            with suppress(OSError):
                client.close(timeout=GOODBYE)
    except KilledWorker as error:
        raise BrokenExecutor(str(error)) from None
    except CancelledError:  # what a scheduler that has gone leaves of its work
        raise NotDone("--dask", f"has a scheduler that no longer answers. {kept}".strip()) from None
    except ImportError as error:
        raise NotDone(
            "--dask",
            f"has workers that cannot run this project ({error}); start them where it is installed.",
        ) from None
    finally:
        logging.disable(before)


def _client(address: str) -> Any:
    """A client of the scheduler there. A plain connection is tried first: a client that finds nobody keeps
    the program from ending for many seconds."""
    from distributed import Client

    connect: Any = Client
    try:
        place = urlsplit(address if "://" in address else f"tcp://{address}")
        if not (place.hostname and place.port):
            raise ValueError("an address is HOST:PORT")
        socket.create_connection((place.hostname, place.port), DASK_PATIENCE).close()
        return connect(address, timeout=DASK_PATIENCE, set_as_default=False)
    except (OSError, ValueError) as error:
        why = " ".join(str(error).split())
        raise ScenarioError("--dask", f"is {address!r}, where no Dask scheduler answers ({why}).") from None


@contextmanager
def progress_bar(stream: TextIO) -> Iterator[Callable[[float], None]]:
    """How far it is and how long it takes yet; seldom where the stream is no terminal.

    It is drawn when there is something to tell: what is refused before that is refused in one sentence.
    """
    often = 0.1 if stream.isatty() else 10.0  # seconds
    bar: tqdm[Any] | None = None

    def show(done: float) -> None:
        nonlocal bar
        if bar is None:
            bar = tqdm(total=1.0, file=stream, bar_format=BAR, ascii=" #", mininterval=often)
        bar.update(done - bar.n)

    try:
        yield show
    finally:
        if bar is not None:
            bar.close()
