"""Who does a sweep's work: processes on this machine, or a Dask cluster. Both are plain executors."""

import asyncio
import logging
import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import (
    BrokenExecutor,
    CancelledError,
    Executor,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
)
from contextlib import contextmanager, suppress
from typing import Any

from rtp.scenario import ScenarioError

PATIENCE = 10  # seconds for a Dask scheduler to answer
GOODBYE = 2  # seconds to take leave of it


@contextmanager
def processes(workers: int) -> Iterator[Executor]:
    """Worker processes that start afresh, so that it does not matter which threads the caller has."""
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(workers, mp_context=context, initializer=_follow_the_parent)
    try:
        yield pool
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _follow_the_parent() -> None:
    """A worker leaves Ctrl-C to its parent, and ends when the parent does, even by kill -9."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None

    def end() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=end, daemon=True).start()


class SchedulerLost(BrokenExecutor):
    """The cluster took the work and does not answer any more."""


@contextmanager
def cluster(address: str) -> Iterator[Executor]:
    """A Dask cluster's own executor. Its workers need this project and its requirements at hand."""
    try:
        from distributed import Client, KilledWorker
    except ImportError:
        raise ScenarioError(
            "--dask", "needs Dask, which is not installed: pip install -r requirements-cluster.txt."
        ) from None
    connect: Any = Client
    with _quiet():  # what goes wrong is said in one sentence, and not by Dask as well
        try:
            with ThreadPoolExecutor(1) as aside:  # a notebook's own loop may run on this thread
                aside.submit(asyncio.run, _answers(address)).result()
            client = connect(address, timeout=PATIENCE, set_as_default=False)
        except (OSError, ValueError) as error:
            why = " ".join(str(error).split())
            raise ScenarioError(
                "--dask", f"is {address!r}, where no Dask scheduler answers ({why})."
            ) from None
        try:
            yield client.get_executor()
        except KilledWorker as error:
            raise BrokenExecutor(str(error)) from None
        except CancelledError:  # what a scheduler that has gone leaves of its work
            raise SchedulerLost from None
        except ImportError as error:
            raise ScenarioError(
                "--dask",
                f"has workers that cannot run this project ({error}); start them where it is installed.",
            ) from None
        finally:
            with suppress(OSError):
                client.close(timeout=GOODBYE)


async def _answers(address: str) -> None:
    """Asked first: a client that finds nobody complains again when it is collected."""
    from distributed.comm.core import connect

    ask: Any = connect
    comm = await ask(address, timeout=PATIENCE)
    await comm.close()


@contextmanager
def _quiet() -> Iterator[None]:
    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        yield
    finally:
        logging.disable(before)
