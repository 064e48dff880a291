"""A few worker processes that call functions for a server or a command: a long call does not hold other
threads, and many calls share the cores.

`ProcessPoolExecutor` starts its workers by importing the caller's `__main__`, and in a Streamlit server that
is the page some visitor is looking at. So a worker here is a Python of its own that reads calls from its
standard input, answers on its standard output, and imports what the functions need and nothing else. It ends
when its input does, so also when its parent is killed, and when it has had nothing to do for some seconds:
what it has imported takes memory.

While a worker works, it gives a sign of life every second. One that gives none for some seconds hangs, and is
ended; so is one whose work nobody wants any more, whatever it does. A worker may be given a limit of memory.

Calls and answers are pickled. Both ends of the pipe are this program's, and nobody else can write to it: what
a visitor sends travels as a value inside a call, and is never unpickled itself.

Pieces of work go to any `concurrent.futures.Executor`, or to none; results come in the pieces' own order
(`in_order`).
"""

import os
import pickle
import queue
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from functools import partial
from itertools import islice
from typing import IO, Any, NamedTuple, TypeVar

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


START = [sys.executable, "-c", f"from {__name__} import main; main()"]
NICENESS = 10  # the server answers first
IDLE_SECONDS = 20.0  # seconds without a call after which a process ends
GRACE = 5.0  # seconds before that in which it is given no call any more
ALIVE, SILENCE = 1.0, 20.0  # seconds between two signs of life, and without one after which a worker hangs
STARTING = 120.0  # seconds that it may take to start: a cold or busy machine reads numpy slowly
ASK_AGAIN = 0.25  # seconds after which it is asked again whether the work is wanted


class WorkerError(BrokenExecutor):
    """The worker process ended, or hung, before its work was done."""


class Reply(NamedTuple):
    """What a worker sends: any number of "alive" or "progress", then "done" or "failed"."""

    kind: str
    value: Any = None


NO_MORE = Reply("ended")  # what is heard of a process that is no more


class Worker:
    """One process, which does one call at a time, with at most `memory` bytes of its own."""

    def __init__(self, idle: float, memory: int | None) -> None:
        path = os.pathsep.join(filter(None, sys.path))
        own = {"OPENBLAS_NUM_THREADS": "1", "PYTHONPATH": path}
        self.idle, self.free_since = idle, time.monotonic()
        self.started = False  # it has been heard of
        self.process = subprocess.Popen(
            [*START, str(idle + GRACE), str(memory or 0)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ | own,
            start_new_session=True,  # Ctrl-C is for its parent
        )
        self.heard: queue.SimpleQueue[Reply] = queue.SimpleQueue()
        threading.Thread(target=self._hear, daemon=True).start()

    @property
    def usable(self) -> bool:
        """Whether it lives, and is not about to end."""
        return self.process.poll() is None and time.monotonic() - self.free_since < self.idle

    def _hear(self) -> None:
        assert self.process.stdout is not None
        with suppress(EOFError, OSError, ValueError, pickle.UnpicklingError):
            while True:
                self.heard.put(pickle.load(self.process.stdout))
        self.heard.put(NO_MORE)
        self.process.wait()

    def _ask(self, pickled: bytes) -> None:
        """On a thread of its own: a process that hangs reads nothing."""
        assert self.process.stdin is not None
        with suppress(OSError, ValueError):
            pickle.dump(pickled, self.process.stdin)
            self.process.stdin.flush()

    def replies(self, pickled: bytes, still_wanted: Callable[[], None]) -> Iterator[Reply]:
        """Yield what a call gives, as it comes; `still_wanted` raises where nobody waits any more."""
        threading.Thread(target=self._ask, args=(pickled,), daemon=True).start()
        last_sign = time.monotonic()
        while True:
            still_wanted()
            try:
                reply = self.heard.get(timeout=ASK_AGAIN)
            except queue.Empty:
                longest = SILENCE if self.started else STARTING
                if time.monotonic() - last_sign > longest:
                    raise WorkerError(f"A worker gave no sign of life for {longest:g} s.") from None
                continue
            self.started, last_sign = True, time.monotonic()
            if reply is NO_MORE:
                raise WorkerError("A worker process ended before its work did.")
            yield reply
            if reply.kind in ("done", "failed"):
                self.free_since = time.monotonic()
                return

    def end(self) -> None:
        self.process.kill()
        self.process.wait()


class WorkerPool(Executor):
    """At most `size` processes, each started when it is needed. Each may take `memory` bytes, if that is
    said."""

    def __init__(self, size: int, idle: float = IDLE_SECONDS, memory: int | None = None) -> None:
        self.start = partial(Worker, idle, memory)
        self.free: queue.LifoQueue[Worker | None] = queue.LifoQueue()  # None: not started
        self.threads = ThreadPoolExecutor(size)  # that wait for what was submitted
        self.closed = False
        for _ in range(size):
            self.free.put(None)

    def call(
        self,
        function: Callable[..., Result],
        *args: Any,
        progress: Callable[..., None] | None = None,
        still_wanted: Callable[[], None] = lambda: None,
        **options: Any,
    ) -> Result:
        """Return function(*args, **options), called in a worker.

        With `progress` the function is given a keyword of that name, and what it says is passed on to this
        one, here. If that raises, or `still_wanted`, which is asked all the time, the work ends at once and
        its worker with it.
        """
        pickled = pickle.dumps((function, args, options, progress is not None))
        with self._worker(still_wanted) as worker:
            for reply in worker.replies(pickled, still_wanted):
                if reply.kind == "progress" and progress is not None:
                    progress(*reply.value)
        if reply.kind == "failed":
            raise reply.value
        result: Result = reply.value
        return result

    def submit(self, function: Callable[..., Result], /, *args: Any, **options: Any) -> Future[Result]:
        """Return the future result of function(*args, **options), called in a worker."""
        return self.threads.submit(
            partial(self.call, function, *args, still_wanted=self._must_be_open, **options)
        )

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = True) -> None:
        """End the workers, also those that still do what was submitted."""
        self.closed = True
        self.threads.shutdown(wait, cancel_futures=cancel_futures)
        while not self.free.empty():
            if worker := self.free.get():
                worker.end()

    def _must_be_open(self) -> None:
        if self.closed:
            raise WorkerError("The workers were ended before their work was done.")

    @contextmanager
    def _worker(self, still_wanted: Callable[[], None]) -> Iterator[Worker]:
        """Wait for one that is free. One whose work was broken off, or that has died, is replaced."""
        worker = self._next_free(still_wanted)
        try:
            if worker is None or not worker.usable:
                if worker is not None:
                    worker.end()
                worker = self.start()
            yield worker
        except BaseException:
            if worker is not None:
                worker.end()
            self.free.put(None)
            raise
        self.free.put(worker)

    def _next_free(self, still_wanted: Callable[[], None]) -> Worker | None:
        while True:
            still_wanted()
            with suppress(queue.Empty):
                return self.free.get(timeout=ASK_AGAIN)


def serve(calls: IO[bytes], stream: IO[bytes], idle: float) -> None:
    """Do the calls one after the other, until no more can come, or none has come for so many seconds."""
    asked: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    sending, working = threading.Lock(), threading.Event()

    def send(kind: str, value: object = None) -> None:
        pickled = pickle.dumps(Reply(kind, value))
        with sending:
            stream.write(pickled)
            stream.flush()

    def report(*news: object) -> None:
        send("progress", news)

    def show_life() -> None:
        while working.wait():
            send("alive")
            time.sleep(ALIVE)

    threading.Thread(target=_read, args=(calls, asked), daemon=True).start()
    threading.Thread(target=show_life, daemon=True).start()
    send("alive")
    while True:
        try:
            pickled = asked.get(timeout=idle)
        except queue.Empty:
            os._exit(0)
        working.set()
        try:
            function, args, options, reports = pickle.loads(pickled)  # `reports`: it is given `progress`
            send("done", function(*args, **options, **({"progress": report} if reports else {})))
        except Exception as error:
            send("failed", _sendable(error))
        working.clear()


def _read(calls: IO[bytes], asked: "queue.SimpleQueue[bytes]") -> None:
    try:
        while True:
            asked.put(pickle.load(calls))
    finally:
        os._exit(0)  # whoever asked is gone: also in the middle of the work


def _sendable(error: Exception) -> Exception:
    """Return the error itself where it can be sent."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error


def _limit_memory(memory: int) -> None:
    """Let the process have so many bytes, where the system can say so."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))


def main() -> None:
    idle, memory = float(sys.argv[1]), int(sys.argv[2])
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # where there is no session of its own
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    if memory:
        _limit_memory(memory)
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what a function prints is no answer
    serve(sys.stdin.buffer, answers, idle)
