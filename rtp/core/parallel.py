"""Pieces of work on any `concurrent.futures.Executor`, or on none: results come in the pieces' own order."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future, wait
from itertools import islice
from typing import TypeVar

Piece = TypeVar("Piece")
Result = TypeVar("Result")
Progress = Callable[[float], None]  # is given the fraction done, and may raise to stop

HEARTBEAT = 0.2  # seconds between two looks at whether to stop
AHEAD = 256  # pieces handed to an executor before the first comes back


def partial_progress(progress: Progress | None, start: float, end: float) -> Progress | None:
    """Return what reports the progress of a part of the work, from one fraction of the whole to another."""
    return None if progress is None else lambda done: progress(start + done * (end - start))


def each(
    work: Callable[[Piece], Result],
    pieces: Sequence[Piece],
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> Iterator[Result]:
    """Return work(piece) of every piece. `progress` is given the share that is done."""

    done = 0

    def report(ahead: int) -> None:
        if progress is not None:
            progress((done + ahead) / len(pieces))

    for result in in_order(work, pieces, executor, report):
        yield result
        done += 1
        report(0)


def in_order(
    work: Callable[[Piece], Result],
    pieces: Iterable[Piece],
    executor: Executor | None,
    waiting: Callable[[int], None],
) -> Iterator[Result]:
    """Return work(piece) of every piece, as they come.

    `waiting` is called several times a second while the next result is awaited, with the number of pieces
    behind it that are done already; it may raise to stop.
    """
    if executor is None:
        yield from map(work, pieces)
        return
    pending: deque[Future[Result]] = deque()
    todo = iter(pieces)
    try:
        while True:
            pending.extend(executor.submit(work, piece) for piece in islice(todo, AHEAD - len(pending)))
            if not pending:
                return
            while wait([pending[0]], timeout=HEARTBEAT).not_done:
                waiting(sum(future.done() for future in pending))
            yield pending.popleft().result()
    finally:
        for future in pending:
            future.cancel()
