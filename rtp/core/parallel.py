"""Pieces of work on any executor, or none: results come in the order of the pieces, whoever does them."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future, wait
from typing import TypeVar

Piece = TypeVar("Piece")
Result = TypeVar("Result")
Progress = Callable[[float], None]  # is told the fraction done, and may raise to stop

HEARTBEAT = 0.2  # seconds between two looks at whether to stop


def each(
    work: Callable[[Piece], Result],
    pieces: Sequence[Piece],
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> Iterator[Result]:
    """work(piece) of every piece. `progress` is told the share that is done."""
    if executor is None:
        for i, piece in enumerate(pieces):
            yield work(piece)
            if progress is not None:
                progress((i + 1) / len(pieces))
        return
    futures: list[Future[Result]] = [executor.submit(work, piece) for piece in pieces]
    try:
        for future in futures:
            while wait([future], timeout=HEARTBEAT).not_done:
                if progress is not None:
                    progress(sum(each.done() for each in futures) / len(futures))
            yield future.result()
    finally:
        for future in futures:
            future.cancel()
