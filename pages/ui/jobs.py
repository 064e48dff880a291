"""Heavy work in processes beside the server; long work that is started, watched and stopped, and ends when
nobody watches any more.

A Python process runs one line at a time, so a visitor's map, audit or learning would slow all others down.
What takes longer than a moment is therefore done in a worker process, by `call` (see `rtp.core.workers`):
functions of `rtp` and arguments that can be pickled, so that a worker never loads streamlit.

Long work is a function of one argument, `report`, which it calls with the fraction done and what it has so
far; the call raises `Stopped` when the user, or nobody, wants it any longer. What it has is kept.

All sessions share the cores: one is left to the server, and at most as many jobs run at once as there are
others. The rest wait in line and see how many are ahead of them. Whoever stops, or leaves the page,
frees his place.
"""

import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Generic, Protocol, TypeVar

import streamlit as st

from pages.ui.session import button, fragment, lab, send
from rtp.core.formatting import in_markdown, percent
from rtp.core.time import duration
from rtp.core.workers import WorkerError, WorkerPool
from rtp.scenario.spreadsheet import read_apart

Result = TypeVar("Result")
Reported = TypeVar("Reported", contravariant=True)
CORES = os.cpu_count() or 1
JOBS_AT_ONCE = max(CORES - 1, 1)  # pieces of long work at once
POOL = WorkerPool(JOBS_AT_ONCE + 1)  # and always one for what a screen needs before it can be drawn
_CURRENT = threading.local()  # `job`: the one that this thread works on


def call(function: Callable[..., Result], *args: Any, **options: Any) -> Result:
    """Return function(*args, **options), called in a worker; a job's call ends as soon as nobody wants it.

    Where a screen's worker ends or hangs, it is replaced and asked once more: a screen has no start button.
    What a screen begins by itself asks a moment later: who passes by, or types on, starts no process.
    """
    job = _own_job()
    if job is not None and job.line is BY_ITSELF:
        job.hesitate()
    ask = partial(POOL.call, function, *args, still_wanted=_still_wanted, **options)
    try:
        return ask()
    except WorkerError:
        if job is not None and job.line is LINE:
            raise
        return ask()


def side_by_side(works: Sequence[Callable[[], Result]]) -> list[Result]:
    """Return what each gives, called at the same time, so that their calls have a worker each where there are
    cores for that. It is for what somebody waits for: a screen's own worker may be among them."""
    job = _own_job()

    def begin(work: Callable[[], Result]) -> Result:
        _CURRENT.job = job
        return work()

    with ThreadPoolExecutor(max(min(CORES, len(works)), 1)) as threads:
        return list(threads.map(begin, works))


def read(function: Callable[..., Result], *args: Any, **options: Any) -> Result:
    """Return function(*args, **options), which takes much memory once or reads what a visitor sent, in a
    process that ends with it."""
    return read_apart(function, *args, still_wanted=_still_wanted, **options)


def _still_wanted() -> None:
    """Raise where this thread works on a job that nobody wants any longer; a screen's own run always is."""
    if (job := _own_job()) is not None:
        job.check_wanted()


def _own_job() -> "Job[Any] | None":
    """The one that this thread works on; None in a screen's own run."""
    return getattr(_CURRENT, "job", None)


# Seconds without anyone watching after which the work ends; set for tests, which would rather not wait.
PATIENCE = float(os.environ.get("RTP_PATIENCE", "10"))
AT_ONCE = 0.15  # seconds that a page waits for what it begins by itself
HESITATION = 0.3  # seconds before what a page begins by itself asks a worker
POLL = 0.5
NEXT = 0.1  # seconds until who waits in line looks again


class Stopped(Exception):
    """The work is no longer wanted."""


class Report(Protocol[Reported]):
    """How far the work is, from 0 to 1, and what it has so far; None: nothing new."""

    def __call__(self, done: float, result: Reported | None = None, /) -> None: ...


Work = Callable[[Report[Result]], Result]


class Queue:
    """Jobs in the order they came; the first so many have a place to run."""

    def __init__(self, places: int) -> None:
        self.places = places
        self.jobs: list[Job[Any]] = []

    def ahead(self, job: "Job[Any]") -> int:
        """How many must end before this one may run."""
        with suppress(ValueError):  # it is in line no more
            return max(self.jobs.index(job) + 1 - self.places, 0)
        return 0

    @contextmanager
    def place(self, job: "Job[Any]", still_wanted: Callable[[], None]) -> Iterator[None]:
        """Wait for a place and hold it; `still_wanted` raises where nobody waits any more."""
        self.jobs.append(job)
        try:
            while self.ahead(job):
                still_wanted()
                time.sleep(NEXT)
            yield
        finally:
            self.jobs.remove(job)


LINE = Queue(JOBS_AT_ONCE)  # one for all sessions
BY_ITSELF = Queue(1)  # of what a screen begins by itself: nobody waits for it behind what others started


@dataclass(eq=False)
class Job(Generic[Result]):
    """One piece of work on its own thread."""

    work: Work[Result]
    key: str  # what the result depends on; another key makes it stale
    line: Queue
    done: float = 0.0
    result: Result | None = None
    state: str = "running"  # running, or waiting to; finished, stopped, failed
    problem: str = ""
    wanted: bool = True
    watched: float = field(default_factory=time.monotonic)
    begun: float | None = None  # when it got its place
    ended: threading.Event = field(default_factory=threading.Event)

    def start(self) -> "Job[Result]":
        threading.Thread(target=self._run, daemon=True).start()
        return self

    def stop(self) -> None:
        self.wanted = False

    def look(self) -> None:
        """Somebody watches it."""
        self.watched = time.monotonic()

    @property
    def running(self) -> bool:
        return self.state == "running"

    @property
    def ahead(self) -> int:
        """How many jobs, of anybody, must end before this one begins."""
        return self.line.ahead(self)

    @property
    def words(self) -> str:
        """How far it is, and how long the rest takes, were it as fast as what is done."""
        if ahead := self.ahead:
            return f"Waiting: {ahead} ahead of you"
        if self.begun is None or not self.done:
            return "Beginning …"
        left = (time.monotonic() - self.begun) * (1 - self.done) / self.done
        return f"{percent(self.done, 2)}, about {duration(left)} left"

    def _run(self) -> None:
        try:
            with self.line.place(self, self.check_wanted):
                _CURRENT.job, self.begun = self, time.monotonic()
                self.result = self.work(self._report)
            self.done, self.state = 1.0, "finished"
        except Stopped:
            self.state = "stopped"
        except Exception as error:  # shown to the user instead of dying silently on a thread
            self.problem, self.state = str(error) or type(error).__name__, "failed"
        finally:
            self.ended.set()

    def _report(self, done: float, result: Result | None = None, /) -> None:
        self.done = done
        if result is not None:
            self.result = result
        self.check_wanted()

    def hesitate(self) -> None:
        """Wait for a moment from its beginning; raise where nobody wants it any longer."""
        while self.begun is not None and time.monotonic() - self.begun < HESITATION:
            self.check_wanted()
            time.sleep(NEXT / 2)

    def check_wanted(self) -> None:
        """Raise where nobody wants the work any longer."""
        if not self.wanted or time.monotonic() - self.watched > PATIENCE:
            raise Stopped


def current(name: str) -> Job[Result] | None:
    """The session's job of that name, whatever its key."""
    job: Job[Result] | None = lab().extras.get(f"job:{name}")
    return job


def run(
    name: str, key: str, work: Work[Result], start: str, hint: str = "", *, auto: bool = False
) -> Job[Result] | None:
    """A start button, then progress with a stop button; returns the job for this key, if it was started. An
    `auto` one starts by itself."""
    job: Job[Result] | None = _current_for(name, key)
    line = BY_ITSELF if auto else LINE
    left = job is not None and job.state == "stopped" and job.wanted  # it ended because nobody watched
    if auto and (job is None or left):
        _begin(name, key, work, line)
        job = current(name)
    if auto and job is not None and job.running:
        job.ended.wait(AT_ONCE)  # it may be known, or quick: then without its progress
    running = job is not None and job.running
    finished = job is not None and job.state == "finished"
    with st.container(horizontal=True, vertical_alignment="center"):
        if not (auto and (running or finished)):
            button(start, f"start:{name}", "play_arrow", _begin, name, key, work, line, off=running)
        if job is not None and running:
            button("Stop", f"stop:{name}", "stop", job.stop)
        if hint and not running:
            st.caption(hint)
    if job is not None:
        _watch(job, running, auto)
    return job


def before(name: str) -> Result | None:
    """What the last such job gave that finished, for another key: it stays in sight meanwhile, pale."""
    result: Result | None = lab().extras.get(f"before:{name}")
    return result


def _current_for(name: str, key: str) -> Job[Result] | None:
    """The session's job of that name and key. One of another key ends; what it gave is kept for `before`."""
    job: Job[Result] | None = current(name)
    if job is None or job.key == key:
        return job
    job.stop()
    if job.state == "finished":
        lab().extras[f"before:{name}"] = job.result
    del lab().extras[f"job:{name}"]
    return None


def _begin(name: str, key: str, work: Work[Result], line: Queue) -> None:
    """Once, however often it is asked for."""
    job: Job[Result] | None = current(name)
    if job is None or job.key != key or not (job.running and job.wanted):
        lab().extras[f"job:{name}"] = Job(work, key, line).start()


def _watch(job: Job[Result], running: bool, whole: bool) -> None:
    """Progress while it runs; how it ended, unless it finished. All of it in one place, so that what stands
    below stays where it is; and as the buttons above have it, until a run draws both again. `whole`: draw
    the page again with every thing that it has."""
    known = job.result

    def progress() -> None:
        job.look()
        if running and (not job.running or (whole and job.result is not known)):
            st.rerun()
        if running:
            st.progress(job.done, job.words)
        elif job.state == "failed":
            st.error(in_markdown(f"The work stopped: {job.problem}"))
        elif job.state == "stopped":
            st.caption(f"Stopped at {percent(job.done, 2)}; what was finished is kept.")

    fragment(progress, POLL if running else None)


def while_running(job: Job[Result] | None, every: float, draw: Callable[[], None]) -> None:
    """Draw, and draw again every so many seconds while the job runs."""

    def again() -> None:
        send()  # what is chosen inside runs nothing outside
        draw()

    fragment(again, every if job is not None and job.running else None)
