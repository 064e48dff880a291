"""Few runs at once, in order of arrival; one that takes long is not waited for."""

import threading
from collections.abc import Callable
from functools import partial

from streamlit.runtime.scriptrunner import ScriptRunner

from pages.ui import few
from pages.ui.few import Line

NEVER = 3600.0  # seconds after which a run of these tests would count as long
PATIENCE = 30.0


class Run:
    """A run that ends when it is told to."""

    def __init__(self, line: Line, begun: Callable[[], None]) -> None:
        self.line, self.begun, self.end = line, begun, threading.Event()
        self.running = threading.Event()
        self.thread = threading.Thread(target=self._go, daemon=True)

    def _go(self) -> None:
        with self.line.turn():
            self.begun()
            self.running.set()
            self.end.wait()

    def arrive(self, expected: int) -> None:
        """Stand in line; back when as many are known there as expected."""
        self.thread.start()
        while len(self.line.waiting) + len(self.line.begun) < expected:
            self.thread.join(0.001)

    def finish(self) -> None:
        self.end.set()
        self.thread.join(PATIENCE)


def _runs(line: Line, count: int, order: list[int]) -> list[Run]:
    runs = [Run(line, partial(order.append, number)) for number in range(count)]
    for number, run in enumerate(runs, start=1):
        run.arrive(number)
    return runs


def test_no_more_than_so_many_run_and_the_others_follow_as_they_came() -> None:
    line, order = Line(2, NEVER), list[int]()
    runs = _runs(line, 5, order)
    assert runs[0].running.wait(PATIENCE)
    assert runs[1].running.wait(PATIENCE)
    assert len(line.waiting) == 3
    for done, following in ((1, 2), (0, 3), (2, 4)):
        runs[done].finish()
        assert runs[following].running.wait(PATIENCE)
        assert len(line.begun) == 2
    for run in runs:
        run.finish()
    assert order[2:] == [2, 3, 4]
    assert not line.waiting
    assert not line.begun


def test_nobody_waits_for_one_who_takes_long() -> None:
    line, order = Line(1, 0.01), list[int]()
    runs = _runs(line, 3, order)
    for run in runs:
        assert run.running.wait(PATIENCE)
    assert order == [0, 1, 2]
    for run in runs:
        run.finish()


def test_a_run_that_fails_lets_the_next_begin() -> None:
    line = Line(1, NEVER)
    for _ in range(3):
        try:
            with line.turn():
                raise KeyError
        except KeyError:
            continue
    assert not line.begun


def test_every_run_of_a_server_stands_in_line() -> None:
    assert ScriptRunner._run_script is few._run_in_turn
