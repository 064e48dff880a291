"""Few runs at once: what a class asks for in the same moment is answered one after the other.

A process runs one line of Python at a time. Twenty runs that take turns within it all end late, and each
needs its memory until then; in order of arrival the first is soon done, the last no later. A run that takes
long stops counting, so that nobody waits for it.
"""

import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Any

from streamlit.runtime.scriptrunner import ScriptRunner

MOST = 2  # while one waits for a worker (`cached.aside`) another can go on
LONG = 0.5  # seconds

_run = ScriptRunner._run_script


class Line:
    """Who runs and who waits, in order of arrival. Mutable, shared by all sessions."""

    def __init__(self, most: int, long: float = LONG) -> None:
        self.most, self.long, self.lock = most, long, threading.Lock()
        self.waiting: deque[threading.Event] = deque()
        self.begun: dict[threading.Event, float] = {}

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Wait until it is this thread's turn, and let the next begin at the end."""
        mine = threading.Event()
        self.waiting.append(mine)
        self._call()
        while not mine.wait(self.long):
            self._call()  # somebody may take long
        try:
            yield
        finally:
            with self.lock:
                del self.begun[mine]
            self._call()

    def _call(self) -> None:
        """Let the first begin, as many as may."""
        with self.lock:
            now = monotonic()
            free = self.most - sum(now - since < self.long for since in self.begun.values())
            for next_one in [self.waiting.popleft() for _ in range(min(free, len(self.waiting)))]:
                self.begun[next_one] = now
                next_one.set()


LINE = Line(MOST)


def _run_in_turn(runner: ScriptRunner, *args: Any) -> None:
    with LINE.turn():
        _run(runner, *args)


def install() -> None:
    """For all sessions of this server."""
    type.__setattr__(ScriptRunner, "_run_script", _run_in_turn)
