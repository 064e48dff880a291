"""Time that runs by itself, with a clock that the test moves; and the bar of the stage."""

import pytest
import streamlit

from pages.ui.clock import FORGOTTEN, DayClock
from pages.ui.paper.algorithm import Position, position
from rtp.teaching.stage import LAST as LAST_LINE
from tests.help.clock import Clock

LAST = 95


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Clock:
    moved = Clock()
    monkeypatch.setattr("pages.ui.clock.time.monotonic", moved)
    monkeypatch.setattr(streamlit, "session_state", {})
    return moved


def at(step: int | None) -> DayClock:
    here = DayClock("here", stride=2)
    here.move(step)
    return here


def tick(here: DayClock) -> tuple[int | None, bool]:
    here.tick(lambda: here.advance(LAST))
    return here.step, here.playing


# By a script: how long to wait, in ticks, and then the step and whether it plays.
DUE = [(0.5, 4, True), (0.5, 6, True), (1.0, 8, True)]
LATE = [(FORGOTTEN, 6, True), (FORGOTTEN + 0.01, 6, False)]  # a slow browser is not a closed one
ENDS = [(1.0, 94, True), (1.0, 95, False)]


@pytest.mark.parametrize(("start", "script"), [(4, DUE), (4, LATE), (92, ENDS), (None, [(1.0, 2, True)])])
def test_it_goes_on_when_due_until_the_end_or_nobody_watches(
    start: int | None, script: list[tuple[float, int, bool]], time: Clock
) -> None:
    here = at(start)
    assert tick(here) == (start, False), "it does not play by itself"
    here.start(LAST)
    for wait, step, playing in script:
        time.now += wait * here.seconds
        assert tick(here) == (step, playing)
    here.stop()
    time.now += here.seconds
    assert tick(here) == (script[-1][1], False)


def place(here: Position) -> tuple[int, int]:
    return here.step, here.line


def test_the_stage_plays_line_by_line_to_the_end_and_from_the_start_again(time: Clock) -> None:
    here = position()
    here.go(LAST - 1, LAST_LINE - 1)
    here.start()
    ticks = 0
    while here.playing:
        time.now += here.seconds
        here.tick(here.advance)
        ticks += 1
    assert place(here) == (LAST, LAST_LINE)
    assert ticks == 1 + LAST_LINE
    here.start()
    assert place(here) == (0, 1)
