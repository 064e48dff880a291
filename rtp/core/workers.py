"""A few worker processes that call functions for a server: a long call does not hold its other threads.

`ProcessPoolExecutor` starts its workers by importing the caller's `__main__`, and in a Streamlit server that
is the page some visitor is looking at. So a worker here is a Python of its own that reads calls from its
standard input, answers on its standard output, and imports what the functions need and nothing else. It ends
when its input does, so also when the server is killed.

While a worker works, it gives a sign of life every second. One that gives none for some seconds hangs, and is
ended; so is one whose work nobody wants any more, whatever it does. A worker may be given a limit of memory.

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
NICENESS = 10  # the server answers first
IDLE = 20.0  # seconds without a call after which a process ends
ALIVE, SILENCE = 1.0, 20.0  # seconds between two signs of life, and without one after which a worker hangs
STARTING = 120.0  # seconds that it may take to start: a cold or busy machine reads numpy slowly
LOOK = 0.25  # seconds after which it is asked again whether the work is wanted


class WorkerError(RuntimeError):
    """The worker process ended, or hung, before its work was done."""


class Call(NamedTuple):
    """What a worker is asked for."""

    function: Callable[..., Any]
    args: tuple[Any, ...]
    options: dict[str, Any]
    reports: bool = False  # it is given `progress`
    iterates: bool = False  # it gives several results


class Reply(NamedTuple):
    """What a worker sends: any number of "alive", "progress" or "item", then "done" or "failed"."""

    kind: str
    value: Any = None


ENDED = Reply("ended")  # what is heard of a process that is no more


def _always() -> None:
    """The work is wanted to its end."""


class Worker:
    """One process, which does one call at a time, with at most `memory` bytes of its own."""

    def __init__(self, memory: int | None = None) -> None:
        path = os.pathsep.join(filter(None, sys.path))
        own = {"OPENBLAS_NUM_THREADS": "1", "PYTHONPATH": path}
        self.since = time.monotonic()  # when it was last done with a call
        self.started = False  # it has been heard of
        self.process = subprocess.Popen(
            [*START, str(memory or 0)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=os.environ | own
        )
        self.heard: queue.SimpleQueue[Reply] = queue.SimpleQueue()
        threading.Thread(target=self._hear, daemon=True).start()

    @property
    def alive(self) -> bool:
        return self.process.poll() is None

    def _hear(self) -> None:
        assert self.process.stdout is not None
        with suppress(EOFError, OSError, ValueError, pickle.UnpicklingError):
            while True:
                self.heard.put(pickle.load(self.process.stdout))
        self.heard.put(ENDED)

    def _ask(self, pickled: bytes) -> None:
        """On a thread of its own: a process that hangs reads nothing."""
        assert self.process.stdin is not None
        with suppress(OSError, ValueError):
            pickle.dump(pickled, self.process.stdin)
            self.process.stdin.flush()

    def answers(self, pickled: bytes, still_wanted: Callable[[], None] = _always) -> Iterator[Reply]:
        """Yield what a call gives, as it comes; `still_wanted` raises where nobody waits any more."""
        threading.Thread(target=self._ask, args=(pickled,), daemon=True).start()
        last_sign = time.monotonic()
        while True:
            still_wanted()
            try:
                answer = self.heard.get(timeout=LOOK)
            except queue.Empty:
                longest = SILENCE if self.started else STARTING
                if time.monotonic() - last_sign > longest:
                    raise WorkerError(f"A worker gave no sign of life for {longest:g} s.") from None
                continue
            self.started, last_sign = True, time.monotonic()
            if answer is ENDED:
                raise WorkerError("A worker process ended before its work did.")
            if answer.kind != "alive":
                yield answer
            if answer.kind in ("done", "failed"):
                return

    def end(self) -> None:
        self.process.kill()
        self.process.wait()


class WorkerPool:
    """At most `size` processes, each started when it is needed, and ended when it has had nothing to do for
    some seconds: what a process has imported takes memory. Each may take `memory` bytes, if that is said."""

    def __init__(self, size: int, idle: float = IDLE, memory: int | None = None) -> None:
        self.free: queue.LifoQueue[Worker | None] = queue.LifoQueue()  # None: not started
        self.idle, self.looks_later = idle, threading.Lock()  # held while it will be looked for idle ones
        self.memory = memory
        for _ in range(size):
            self.free.put(None)

    def call(
        self,
        function: Callable[..., Result],
        *args: Any,
        progress: Callable[..., None] | None = None,
        still_wanted: Callable[[], None] = _always,
        **options: Any,
    ) -> Result:
        """Return function(*args, **options), called in a worker.

        With `progress` the function is given a keyword of that name, and what it says is passed on to this
        one, here. If that raises, or `still_wanted`, which is asked all the time, the work ends at once and
        its worker with it.
        """
        call = Call(function, args, options, reports=progress is not None)
        with closing(self._answers(call, still_wanted)) as answers:
            for answer in answers:
                if answer.kind == "progress" and progress is not None:
                    progress(*answer.value)
        result: Result = answer.value
        return result

    def iterate(
        self,
        function: Callable[..., Iterator[Result]],
        *args: Any,
        still_wanted: Callable[[], None] = _always,
        **options: Any,
    ) -> Generator[Result, None, None]:
        """Return what function(*args, **options) yields in a worker, as it comes; closing it ends that."""
        call = Call(function, args, options, iterates=True)
        with closing(self._answers(call, still_wanted)) as answers:
            for answer in answers:
                if answer.kind == "item":
                    yield answer.value

    def _answers(self, call: Call, still_wanted: Callable[[], None]) -> Generator[Reply, None, None]:
        pickled = pickle.dumps(call)
        with self._worker(still_wanted) as worker:
            for answer in worker.answers(pickled, still_wanted):
                if answer.kind != "failed":
                    yield answer
        if answer.kind == "failed":
            raise answer.value

    @contextmanager
    def _worker(self, still_wanted: Callable[[], None]) -> Iterator[Worker]:
        """Wait for one that is free. One whose work was broken off, or that has died, is replaced."""
        worker = self._free(still_wanted)
        try:
            if worker is None or not worker.alive:
                worker = Worker(self.memory)
            yield worker
        except BaseException:
            if worker is not None:
                worker.end()
            self.free.put(None)
            raise
        worker.since = time.monotonic()
        self.free.put(worker)
        self._look_later()

    def _free(self, still_wanted: Callable[[], None]) -> Worker | None:
        while True:
            still_wanted()
            with suppress(queue.Empty):
                return self.free.get(timeout=LOOK)

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


class Answers:
    """Where a worker's replies go, one at a time; while it works, a sign of life every second, too."""

    def __init__(self, stream: IO[bytes]) -> None:
        self.stream, self.lock, self.working = stream, threading.Lock(), threading.Event()
        threading.Thread(target=self._show_life, daemon=True).start()

    def send(self, kind: str, value: object = None) -> None:
        self.write(pickle.dumps(Reply(kind, value)))

    def write(self, pickled: bytes) -> None:
        with self.lock:
            self.stream.write(pickled)
            self.stream.flush()

    def _show_life(self) -> None:
        while self.working.wait():
            self.send("alive")
            time.sleep(ALIVE)


def serve(calls: IO[bytes], stream: IO[bytes]) -> None:
    """Do the calls one after the other, until no more can come."""
    asked: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(calls, asked), daemon=True).start()
    answers = Answers(stream)
    answers.send("alive")
    while True:
        pickled = asked.get()
        answers.working.set()
        try:
            last = pickle.dumps(Reply("done", _do(pickle.loads(pickled), answers)))
        except Exception as error:
            last = pickle.dumps(Reply("failed", _sendable(error)))
        answers.working.clear()
        answers.write(last)


def _read(calls: IO[bytes], asked: "queue.SimpleQueue[bytes]") -> None:
    try:
        while True:
            asked.put(pickle.load(calls))
    finally:
        os._exit(0)  # whoever asked is gone: also in the middle of the work


def _do(call: Call, answers: Answers) -> object:
    if call.reports:
        call.options["progress"] = partial(_report, answers)
    result = call.function(*call.args, **call.options)
    if not call.iterates:
        return result
    for item in result:
        answers.send("item", item)
    return None


def _sendable(error: Exception) -> Exception:
    """Return the error itself where it can be sent."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error


def _report(answers: Answers, *news: object) -> None:
    answers.send("progress", news)


def _limit_memory(memory: int) -> None:
    """Let the process have so many bytes, where the system can say so."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    if memory := int(sys.argv[1]):
        _limit_memory(memory)
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what a function prints is no answer
    serve(sys.stdin.buffer, answers)
