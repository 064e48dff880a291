"""A few worker processes that call functions for a server: a long call does not hold its other threads.

`ProcessPoolExecutor` starts its workers by importing the caller's `__main__`, and in a Streamlit server that
is the page some visitor is looking at. So a worker here is a Python of its own that reads calls from its
standard input, answers on its standard output, and imports what the functions need and nothing else. It ends
when its input does, so also when the server is killed.

Calls and answers are pickled. Both ends of the pipe are this program's, and nobody else can write to it: what
a visitor sends travels as a value inside a call, and is never unpickled itself.
"""

import os
import pickle
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager, suppress
from functools import partial
from typing import IO, Any, NamedTuple, TypeVar

Result = TypeVar("Result")
START = [sys.executable, "-c", f"from {__name__} import main; main()"]
NICENESS = 5  # the server answers first
IDLE = 20.0  # seconds without a call after which a process ends


class WorkerError(RuntimeError):
    """The worker process ended before its work did."""


class Call(NamedTuple):
    """What a worker is asked for."""

    function: Callable[..., Any]
    args: tuple[Any, ...]
    options: dict[str, Any]
    reports: bool = False  # it is given `progress`
    iterates: bool = False  # it gives several results


class Reply(NamedTuple):
    """What a worker sends: any number of "progress" or "item", then "done" or "failed"."""

    kind: str
    value: Any


class Worker:
    """One process, which does one call at a time."""

    def __init__(self) -> None:
        path = os.pathsep.join(filter(None, sys.path))
        own = {"OPENBLAS_NUM_THREADS": "1", "PYTHONPATH": path}
        self.since = time.monotonic()  # when it was last done with a call
        self.process = subprocess.Popen(
            START, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=os.environ | own
        )

    @property
    def alive(self) -> bool:
        return self.process.poll() is None

    def answers(self, pickled: bytes) -> Iterator[Reply]:
        calls, answers = self.process.stdin, self.process.stdout
        assert calls is not None
        assert answers is not None
        try:
            pickle.dump(pickled, calls)
            calls.flush()
            while True:
                answer: Reply = pickle.load(answers)
                yield answer
                if answer.kind in ("done", "failed"):
                    return
        except (EOFError, BrokenPipeError) as error:
            raise WorkerError("A worker process ended before its work did.") from error

    def end(self) -> None:
        self.process.kill()
        self.process.communicate()


class WorkerPool:
    """At most `size` processes, each started when it is needed, and ended when it has had nothing to do for
    some seconds: what a process has imported takes memory."""

    def __init__(self, size: int, idle: float = IDLE) -> None:
        self.free: queue.LifoQueue[Worker | None] = queue.LifoQueue()  # None: not started
        self.idle, self.looks_later = idle, threading.Lock()  # held while it will be looked for idle ones
        for _ in range(size):
            self.free.put(None)

    def call(
        self,
        function: Callable[..., Result],
        *args: Any,
        progress: Callable[..., None] | None = None,
        **options: Any,
    ) -> Result:
        """Return function(*args, **options), called in a worker.

        With `progress` the function is given a keyword of that name, and what it says is passed on to this
        one, here; if that raises, the work ends at once and its worker with it.
        """
        call = Call(function, args, options, reports=progress is not None)
        with closing(self._answers(call)) as answers:
            for answer in answers:
                if answer.kind == "progress" and progress is not None:
                    progress(*answer.value)
        result: Result = answer.value
        return result

    def iterate(
        self, function: Callable[..., Iterator[Result]], *args: Any, **options: Any
    ) -> Generator[Result, None, None]:
        """Return what function(*args, **options) yields in a worker, as it comes; closing it ends that."""
        with closing(self._answers(Call(function, args, options, iterates=True))) as answers:
            for answer in answers:
                if answer.kind == "item":
                    yield answer.value

    def _answers(self, call: Call) -> Generator[Reply, None, None]:
        pickled = pickle.dumps(call)
        with self._worker() as worker:
            for answer in worker.answers(pickled):
                if answer.kind != "failed":
                    yield answer
        if answer.kind == "failed":
            raise answer.value

    @contextmanager
    def _worker(self) -> Iterator[Worker]:
        """Wait for one that is free. One whose work was broken off, or that has died, is replaced."""
        worker = self.free.get()
        try:
            if worker is None or not worker.alive:
                worker = Worker()
            yield worker
        except BaseException:
            if worker is not None:
                worker.end()
            self.free.put(None)
            raise
        worker.since = time.monotonic()
        self.free.put(worker)
        self._look_later()

    def _look_later(self) -> None:
        if self.looks_later.acquire(blocking=False):
            later = threading.Timer(self.idle, self._end_idle)
            later.daemon = True
            later.start()

    def _end_idle(self) -> None:
        """End those that have been free for long; while they are looked at, nobody else has them."""
        self.looks_later.release()
        seen: list[Worker | None] = []
        with suppress(queue.Empty):
            while True:
                seen.append(self.free.get_nowait())
        for worker in reversed(seen):
            if worker is not None and time.monotonic() - worker.since >= self.idle:
                worker.end()
                worker = None
            self.free.put(worker)
        if any(seen):
            self._look_later()

    def close(self) -> None:
        """End the workers that are free."""
        while not self.free.empty():
            if worker := self.free.get():
                worker.end()


def serve(calls: IO[bytes], answers: IO[bytes]) -> None:
    """Do the calls one after the other, until no more can come."""
    asked: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(calls, asked), daemon=True).start()
    while True:
        try:
            _do(pickle.loads(asked.get()), answers)
        except Exception as error:
            _fail(error, answers)


def _read(calls: IO[bytes], asked: "queue.SimpleQueue[bytes]") -> None:
    try:
        while True:
            asked.put(pickle.load(calls))
    finally:
        os._exit(0)  # whoever asked is gone: also in the middle of the work


def _do(call: Call, answers: IO[bytes]) -> None:
    if call.reports:
        call.options["progress"] = partial(_report, answers)
    result = call.function(*call.args, **call.options)
    if call.iterates:
        for item in result:
            _send(answers, "item", item)
        result = None
    _send(answers, "done", result)


def _fail(error: Exception, answers: IO[bytes]) -> None:
    """Send the error itself where it can be sent."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        error = RuntimeError(f"{type(error).__name__}: {error}")
    _send(answers, "failed", error)


def _report(answers: IO[bytes], *news: object) -> None:
    _send(answers, "progress", news)


def _send(answers: IO[bytes], kind: str, value: object) -> None:
    answers.write(pickle.dumps(Reply(kind, value)))
    answers.flush()


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what a function prints is no answer
    serve(sys.stdin.buffer, answers)
